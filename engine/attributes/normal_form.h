#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

/// Normal forms by attribute, without allocation.
namespace engine::attributes {

enum class NormalForm : std::uint8_t { AsIs, Address, Host, Method, Status };

NormalForm normalFormOf(std::string_view attribute);

/// Room that toNormalForm() may need for a value of this size.
inline std::size_t normalFormRoom(std::size_t size)
{
    return size < 46 ? 46 : size;
}

/// The value in normal form: a part of `value`, or text written to `out` (data() == out), or
/// kMissing.
std::string_view toNormalForm(NormalForm form, std::string_view value, char* out);

} // namespace engine::attributes

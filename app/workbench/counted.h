#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace app {

/// A number with the word that fits it. Example: of "request" and "requests" 1 gives "1 request",
/// 1204 "1,204 requests", 0 "0 requests".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

} // namespace app

#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

/// Hashing and comparing of short texts, inlined because every request pays for it several times.
namespace engine::attributes {

namespace detail {

inline std::uint64_t load64(const char* at)
{
    std::uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

inline std::uint64_t load32(const char* at)
{
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

inline std::uint64_t load8(const char* at)
{
    return static_cast<unsigned char>(*at);
}

/// Both halves of the 128-bit product, folded: every bit of the result depends on all of both.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b)
{
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline constexpr std::uint64_t kOdd1 = 0x9E3779B97F4A7C15;
inline constexpr std::uint64_t kOdd2 = 0xC2B2AE3D27D4EB4F;
inline constexpr std::uint64_t kOdd3 = 0x165667B19E3779F9;

} // namespace detail

/// 64 bits that depend on every byte and on the length. Nothing that a user sees depends on them:
/// equal hashes are always told apart by the bytes.
inline std::uint64_t hashText(std::string_view text)
{
    using namespace detail;
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint64_t state = kOdd1 ^ left;
    while (left > 16) {
        state = fold(load64(at) ^ kOdd2, load64(at + 8) ^ state);
        at += 16;
        left -= 16;
    }
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    if (left >= 8) {
        a = load64(at);
        b = load64(at + left - 8);
    } else if (left >= 4) {
        a = load32(at);
        b = load32(at + left - 4);
    } else if (left > 0) {
        a = load8(at) << 16 | load8(at + left / 2) << 8 | load8(at + left - 1);
    }
    return fold(kOdd3 ^ text.size(), fold(a ^ kOdd2, b ^ state));
}

/// memcmp() == 0, inlined for the usual lengths.
inline bool sameBytes(const char* a, const char* b, std::size_t count)
{
    using namespace detail;
    if (count < 8) {
        if (count >= 4) {
            return load32(a) == load32(b) && load32(a + count - 4) == load32(b + count - 4);
        }
        return count == 0
            || (*a == *b && a[count / 2] == b[count / 2] && a[count - 1] == b[count - 1]);
    }
    for (std::size_t i = 0; i + 8 < count; i += 8) {
        if (load64(a + i) != load64(b + i)) {
            return false;
        }
    }
    return load64(a + count - 8) == load64(b + count - 8);
}

inline bool sameText(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && sameBytes(a.data(), b.data(), a.size());
}

/// For maps that are asked by views.
struct TextHash {
    using is_transparent = void;

    std::size_t operator()(std::string_view text) const { return hashText(text); }
};

} // namespace engine::attributes

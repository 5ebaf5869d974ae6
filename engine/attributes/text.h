#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

/// Small questions about text, for the whole folder. ASCII only, no locale.
namespace engine::attributes {

inline constexpr std::string_view kMissing {}; ///< data() == nullptr

inline bool isMissing(std::string_view value)
{
    return value.data() == nullptr;
}

inline bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

inline bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

inline char toLower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

inline char toUpper(char c)
{
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

/// The number that a text of digits says; one beyond 2^63 - 1 counts as 2^63 - 1. "0042" is 42.
inline std::optional<std::int64_t> digitsValue(std::string_view text)
{
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    if (text.empty()) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    for (const char c : text) {
        if (!isDigit(c)) {
            return std::nullopt;
        }
        const std::int64_t digit = c - '0';
        value = value > (kMax - digit) / 10 ? kMax : value * 10 + digit;
    }
    return value;
}

/// As digitsValue(), with a minus in front allowed; saturates at both ends.
inline std::optional<std::int64_t> wholeValue(std::string_view text)
{
    if (text.empty() || text.front() != '-') {
        return digitsValue(text);
    }
    const std::optional<std::int64_t> value = digitsValue(text.substr(1));
    if (!value) {
        return std::nullopt;
    }
    return *value == std::numeric_limits<std::int64_t>::max()
        ? std::numeric_limits<std::int64_t>::min()
        : -*value;
}

} // namespace engine::attributes

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Structured Fields (RFC 9651) as text, as far as limits need them. What the format cannot hold is
/// refused (nothing is returned), never replaced by something near.
namespace engine::structured {

inline constexpr std::int64_t kLargest = 999'999'999'999'999; ///< 15 digits

/// A String: `say "hi"` gives `"say \"hi\""`. Refused: what is not 0x20 to 0x7E.
std::optional<std::string> text(std::string_view value);

/// An Integer. Refused: beyond 15 digits.
std::optional<std::string> integer(std::int64_t value);

/// A Byte Sequence: `user-42` gives `:dXNlci00Mg==:`.
std::string bytes(std::string_view value);

/// An item of RateLimit-Policy (draft -10): `"burst";q=100;w=60`.
struct PolicyItem {
    std::string name;
    std::int64_t quota = 0;
    std::string_view unit; ///< empty: requests, which is not written
    std::optional<std::int64_t> windowSeconds;
    std::optional<std::string> partitionKey; ///< bytes
};

/// Refused also: a quota below 0, a window below 1.
std::optional<std::string> policyItem(const PolicyItem& item);

/// An item of RateLimit (draft -10): `"burst";r=50;t=30`.
struct LimitItem {
    std::string name;
    std::int64_t remaining = 0;
    std::optional<std::int64_t> nextSeconds;
};

/// Refused also: numbers below 0.
std::optional<std::string> limitItem(const LimitItem& item);

/// Members of a List or Dictionary, as one field line.
std::string joined(const std::vector<std::string>& members);

} // namespace engine::structured

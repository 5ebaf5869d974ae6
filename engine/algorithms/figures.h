#pragma once
#include <cstdint>
#include <optional>

namespace engine {

/// What a rule tells about its state after one decision (semantics, section 5).
///
/// Example: token_bucket 1/s, burst 5, empty, cost 1 denied: remaining 0, retryAfterNs 1e9,
/// nextAfterNs 1e9, fullAfterNs 5e9. Waits round up to a whole nanosecond, remaining rounds down.
struct Figures {
    std::int64_t remaining = 0;
    std::optional<std::int64_t> retryAfterNs = 0; ///< 0: admitted; nothing: no wait helps
    std::int64_t nextAfterNs = 0;
    std::optional<std::int64_t> fullAfterNs = 0; ///< nothing: never (a zero rate)
};

/// What a zero rate tells (small print A11): nothing is ever left, and no wait helps a cost above
/// 0.
inline Figures zeroRateFigures(bool admitted)
{
    return {0, admitted ? std::optional<std::int64_t>(0) : std::nullopt, 0, std::nullopt};
}

} // namespace engine

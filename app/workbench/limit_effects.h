#pragma once
#include "app/workbench/suggest_listener.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace app {

/// What any limit of one kind does to the requests that a meter has seen.
class LimitEffects {
public:
    LimitEffects() = default;
    LimitEffects(const LimitEffects&) = delete;
    LimitEffects& operator=(const LimitEffects&) = delete;
    virtual ~LimitEffects() = default;
    /// The least limit from `limit` on of which the effects are known: of a window itself.
    [[nodiscard]] virtual std::optional<std::int64_t> candidate(std::int64_t limit) const = 0;
    /// Of such a limit.
    [[nodiscard]] virtual LimitEffect of(std::int64_t candidate) const = 0;
    /// What requests need; see Measured.
    [[nodiscard]] virtual NeedShares requests() const = 0;
    /// The least limit from which on no customer is hit.
    [[nodiscard]] virtual std::optional<std::int64_t> sparing() const = 0;

    /// What keys, or protected customers need, and which of them most.
    struct Needs {
        engine::NeedCurve curve;
        std::size_t largest = 0;

        void add(std::size_t index, std::uint32_t need)
        {
            if (need > curve.largest()) {
                largest = index;
            }
            if (need > 0) {
                curve.add(need);
            }
        }
    };

    [[nodiscard]] bool hasCustomers() const { return customers.curve.total() > 0; }

    [[nodiscard]] std::uint32_t largestServed(std::int64_t limit) const
    {
        return (hasCustomers() ? customers : keys).curve.largestUpTo(limit);
    }

    Needs keys; ///< by id
    Needs customers; ///< by who + 1
};

/// Of a length, as fixed or as sliding window; borrows the meter.
std::unique_ptr<LimitEffects> windowEffects(const KeyMeter& meter, std::size_t which);
/// Of a rate; borrows the meter.
std::unique_ptr<LimitEffects> burstEffects(const KeyMeter& meter, std::size_t which,
                                           const engine::Rate& rate);

/// Of each share the least need that so many do not exceed.
NeedShares sharesOf(const engine::NeedCurve& curve);

} // namespace app

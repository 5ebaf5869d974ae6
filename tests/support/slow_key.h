#pragma once
#include "engine/algorithms/wide.h"
#include "engine/plan.h"

#include <vector>

namespace tests::support {

using engine::wide::Int128;

/// One key of one rule as the definitions have it: sums over all that was ever counted, in exact
/// whole-number ratios, at any time of 128 bits. Slow, and shares nothing with the engine but the
/// limit. Knows no waits: a test finds those by asking about two instants.
class SlowKey {
public:
    explicit SlowKey(const engine::Limit& limit);

    [[nodiscard]] bool admits(Int128 at, Int128 cost) const;
    /// Whole units left.
    [[nodiscard]] Int128 remaining(Int128 at) const;
    [[nodiscard]] bool isUnused(Int128 at) const;
    /// leaky_bucket: what a request waits, in whole ns, rounded up.
    [[nodiscard]] Int128 delay(Int128 at) const;

    /// Notes that a cost was judged, and counts it if the definition does.
    void note(Int128 at, Int128 cost, bool admitted);

private:
    struct Counted {
        Int128 at;
        Int128 window; ///< index
        Int128 cost;
    };

    [[nodiscard]] Int128 windowOf(Int128 at) const;
    [[nodiscard]] Int128 sumOfWindow(Int128 window) const;
    [[nodiscard]] Int128
    usedParts(Int128 at) const; ///< what counts at that time, in units of 1/scale()
    [[nodiscard]] Int128 capacityParts() const;
    [[nodiscard]] Int128 partsOf(Int128 cost) const;
    [[nodiscard]] Int128 backlogParts(Int128 at) const;

    engine::Limit m_limit;
    std::vector<Counted> m_counted; ///< windows
    bool m_open = false; ///< a window of align: first_request
    Int128 m_openedAt = 0;
    bool m_metered = false; ///< anything was counted
    Int128 m_levelParts = 0; ///< token_bucket: level * P
    Int128 m_levelAt = 0; ///< token_bucket: when it was that
    Int128 m_tatParts = 0; ///< gcra, leaky_bucket: TAT * N
};

} // namespace tests::support

#pragma once
#include "engine/arrival.h"

#include <cstdint>
#include <span>

namespace engine {

enum class Outcome : std::uint8_t { Admitted, Rejected };

/// What one plan decided for one request, without the figures.
///
/// Example: {Rejected, rule 3, shadowRule kNoId, exemption kNoId, delayNs 0}: rule 3 of the plan
/// was the first enforcing one that denied.
struct Verdict {
    Outcome outcome = Outcome::Admitted;
    bool warmup = false; ///< decided, but before the end of --warmup: in no figure
    std::uint8_t tiersJudged = 0; ///< tiers 0 .. tiersJudged - 1 were judged
    std::uint32_t rule = kNoId; ///< that rejected: index in Plan::rules
    std::uint32_t shadowRule = kNoId; ///< first rule in mode shadow that denied
    std::uint32_t exemption = kNoId; ///< index in Plan::exempt
    std::int64_t delayNs = 0;

    /// Counted, admitted by rules, and no shadow rule says otherwise: as most verdicts are.
    [[nodiscard]] bool isPlainAdmission() const
    {
        return outcome == Outcome::Admitted && !warmup && (shadowRule & exemption) == kNoId;
    }
};

/// What an admitting leaky_bucket made a request wait, shadow rules included.
struct RuleDelay {
    std::uint32_t rule = 0;
    std::int64_t delayNs = 0; ///< above 0
};

/// A request that every plan has decided. In order of arrival.
///
/// verdicts[p] is plan p's; denied[p] lists the rules that denied, whatever their mode, in policy
/// order; delays[p] what its leaky_buckets made it wait. Valid during the call that delivers it.
struct Settled {
    const Arrival* arrival = nullptr;
    std::span<const Verdict> verdicts;
    std::span<const std::span<const std::uint32_t>> denied;
    std::span<const std::span<const RuleDelay>> delays;
};

/// Receives the settled requests of a replay, each once, in order of arrival (time, then n).
class SettledSink {
public:
    SettledSink() = default;
    SettledSink(const SettledSink&) = delete;
    SettledSink& operator=(const SettledSink&) = delete;
    virtual ~SettledSink() = default;
    virtual void settle(const Settled& settled) = 0;

    /// The same as settle() for one after the other, for sinks that do better with several at once.
    virtual void settleAll(std::span<const Settled> group)
    {
        for (const Settled& settled : group) {
            settle(settled);
        }
    }

    /// A hint, and no more: these arrivals will be settled soon.
    virtual void expect(std::span<const Arrival* const> /*arrivals*/) { }
};

} // namespace engine

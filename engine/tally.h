#pragma once
#include "engine/intake.h"
#include "engine/verdict.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// What a run amounts to: counts, delays, timelines. Every figure that a user sees comes from here
/// or from the store that this was written to.
namespace engine {

/// How often one rule judged and denied one key (requests in the warm-up left out).
struct KeyTally {
    std::uint64_t judged = 0;
    std::uint64_t denied = 0;
};

/// Delays of one rule: exact count, sum and maximum; percentiles at most 1 % too high.
class DelayHistogram {
public:
    void add(std::int64_t delayNs);

    [[nodiscard]] std::uint64_t count() const { return m_count; }

    [[nodiscard]] std::int64_t maximumNs() const { return m_maximumNs; }

    /// Rounded down; saturates at 2^63 - 1.
    [[nodiscard]] std::int64_t meanNs() const;
    /// The least bucket bound that at least `perMille` of the delays do not exceed; 500 is the
    /// median.
    [[nodiscard]] std::int64_t percentileNs(int perMille) const;

private:
    std::vector<std::uint64_t> m_buckets; ///< 128 to an octave, made when first needed
    std::uint64_t m_count = 0;
    std::int64_t m_maximumNs = 0;
    __extension__ unsigned __int128 m_sumNs = 0;
};

/// Totals of one PlanRule.
struct RuleTally {
    std::uint64_t judged = 0;
    std::uint64_t admitted = 0; ///< verdicts of its own, not of the tier
    std::uint64_t denied = 0;
    std::uint64_t rejected = 0; ///< requests that it was the first enforcing rule to deny
    std::vector<std::uint64_t> skipped; ///< by position in its key; last: `duration`
    DelayHistogram delays;
};

struct TierTally {
    std::uint64_t judged = 0; ///< requests with at least one applying rule in the tier
    std::uint64_t rejected = 0;
};

/// Totals of one plan over one run. admitted + rejected = requests; exempt is part of admitted.
struct RunTally {
    std::uint64_t requests = 0; ///< without those of the warm-up
    std::uint64_t admitted = 0;
    std::uint64_t rejected = 0;
    std::uint64_t exempt = 0;
    std::uint64_t wouldReject = 0; ///< admitted, but a shadow rule denied
    std::uint64_t late = 0;
    std::uint64_t delayed = 0;
    std::uint64_t warmup = 0;
    std::uint64_t recordedKnown = 0;
    std::uint64_t recordedRejected = 0;
    std::optional<std::int64_t>
        firstNs; ///< arrival of the first and last request, warm-up included
    std::optional<std::int64_t> lastNs;
    std::vector<std::uint64_t> exemptBy; ///< by Plan::exempt
    std::vector<RuleTally> rules; ///< by Plan::rules
    std::array<TierTally, kTierCount> tiers;
};

struct WhoTally {
    std::uint64_t requests = 0;
    std::uint64_t rejected = 0;
    std::uint64_t wouldReject = 0;
    std::uint64_t recordedRejected = 0;
};

/// What happened in one second of arrivals, for one plan. Lists hold only what is not zero.
struct SecondTally {
    struct Count {
        std::uint32_t rule = 0;
        std::uint32_t judged = 0;
        std::uint32_t denied = 0;
        std::uint32_t rejected = 0;
    };

    std::int64_t second = 0; ///< floor(arrival / 1 s)
    std::uint64_t requests = 0;
    std::uint64_t admitted = 0;
    std::uint64_t rejected = 0;
    std::uint64_t wouldReject = 0;
    std::uint64_t recordedRejected = 0;
    std::array<TierTally, kTierCount> tiers;
    std::vector<Count> rules; ///< by rule, ascending
};

/// Receives each second that had requests, in order.
class TimelineSink {
public:
    TimelineSink() = default;
    TimelineSink(const TimelineSink&) = delete;
    TimelineSink& operator=(const TimelineSink&) = delete;
    virtual ~TimelineSink() = default;
    virtual void second(std::size_t plan, const SecondTally& tally) = 0;
};

/// Counts settled requests. One thread; requests in order of arrival.
///
/// Judged counts are kept by profile and spread over the rules when a second ends, so that an
/// admitted request costs a few additions whatever the number of rules.
class Tally {
public:
    /// Borrows both; `timeline` may be nullptr.
    Tally(const Intake& intake, TimelineSink* timeline);
    ~Tally();
    Tally(const Tally&) = delete;
    Tally& operator=(const Tally&) = delete;

    /// ordinals[i]: which request of its `who` group[i] is, from 1. The spans are equally long.
    void add(std::span<const Settled> group, std::span<std::uint64_t> ordinals);
    /// A hint: these arrivals will be added soon.
    void expect(std::span<const Arrival* const> arrivals) const;
    /// Ends the last second. After it the figures are complete.
    void finish();

    [[nodiscard]] const RunTally& run(std::size_t plan) const;
    /// kNoId: the requests that say nothing of their sender.
    [[nodiscard]] WhoTally who(std::size_t plan, std::uint32_t id) const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace engine

#include "engine/tally.h"

#include "engine/large_rows.h"

#include <algorithm>
#include <limits>

namespace engine {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

std::int64_t floorSecond(std::int64_t timeNs)
{
    const std::int64_t second = timeNs / kSecondNs;
    return timeNs % kSecondNs < 0 ? second - 1 : second;
}

/// Whos are numbered from 1 here, so that requests without one have a place, 0.
std::uint32_t slotOf(std::uint32_t who)
{
    return who + 1; // kNoId is the last number there is
}

/// What is counted of a who stands side by side: its requests, warm-up included, then for each plan
/// the requests that were rejected, that shadow rules would have rejected, and that production did.
constexpr std::size_t kOfPlan = 3;

std::size_t rejectedAt(std::size_t plan)
{
    return 1 + kOfPlan * plan;
}

} // namespace

class Tally::Parts {
public:
    Parts(const Intake& source, TimelineSink* sink);

    void add(std::span<const Settled> group, std::span<std::uint64_t> ordinals);
    void endSecond();

    /// Requests of the second at hand that have one profile, by how many tiers judged them.
    struct ProfileCount {
        std::array<std::uint32_t, kTierCount + 1> byTiers {};
        std::uint32_t all = 0;
    };

    struct OfPlan {
        RunTally run;
        SecondTally second;
        std::vector<ProfileCount> profiles; ///< by profile id
        std::vector<std::uint32_t> touched; ///< profiles with counts in this second
        std::vector<SecondTally::Count> rules; ///< by rule, of this second
    };

    const Intake& intake;
    const ArrivalLayout layout;
    TimelineSink* const timeline;
    std::vector<OfPlan> plans;
    LargeRows<std::uint64_t> whos; ///< by who + 1
    std::vector<std::uint64_t> warmups; ///< by who + 1: requests of the warm-up

private:
    void beginSecond(std::int64_t timeNs);
    void addOfSecond(std::size_t plan, std::span<const Settled> group);
    void addOther(std::size_t plan, const Settled& settled);
    void addWarmup(const Arrival& arrival);
    void countProfile(OfPlan& of, std::uint32_t profile, std::size_t tiers);
    void spread(std::size_t plan);

    bool m_open = false;
    std::int64_t m_second = 0;
    std::int64_t m_secondEndNs = 0;
};

Tally::Parts::Parts(const Intake& source, TimelineSink* sink)
    : intake(source)
    , layout(source.layout())
    , timeline(sink)
    , plans(source.plans().size())
    , whos(rejectedAt(source.plans().size()))
{
    for (std::size_t p = 0; p < plans.size(); ++p) {
        const Plan& plan = *intake.plans()[p];
        OfPlan& of = plans[p];
        of.run.exemptBy.resize(plan.exempt.size());
        of.run.rules.resize(plan.rules.size());
        of.rules.resize(plan.rules.size());
        for (std::size_t r = 0; r < plan.rules.size(); ++r) {
            of.run.rules[r].skipped.resize(plan.rules[r].key.size() + 1);
        }
    }
}

void Tally::Parts::add(std::span<const Settled> group, std::span<std::uint64_t> ordinals)
{
    for (std::size_t i = 0; i < group.size(); ++i) {
        const std::uint32_t* const ids = group[i].arrival->ids();
        ordinals[i] = ++*whos.at(slotOf(ids[ArrivalLayout::kWho]));
    }
    while (!group.empty()) {
        beginSecond(group.front().arrival->timeNs);
        std::size_t count = 1;
        while (count < group.size() && group[count].arrival->timeNs < m_secondEndNs) {
            ++count;
        }
        for (std::size_t plan = 0; plan < plans.size(); ++plan) {
            addOfSecond(plan, group.first(count));
        }
        group = group.subspan(count);
    }
}

/// Unless it is the one at hand; ends that then.
void Tally::Parts::beginSecond(std::int64_t timeNs)
{
    if (m_open && timeNs < m_secondEndNs) {
        return;
    }
    if (m_open) {
        endSecond();
    }
    m_open = true;
    m_second = floorSecond(timeNs);
    const std::int64_t end = std::numeric_limits<std::int64_t>::max();
    m_secondEndNs = m_second >= end / kSecondNs ? end : (m_second + 1) * kSecondNs;
}

inline void Tally::Parts::countProfile(OfPlan& of, std::uint32_t profile, std::size_t tiers)
{
    if (profile >= of.profiles.size()) {
        of.profiles.resize(std::max<std::size_t>(profile + 1, of.profiles.size() * 2));
    }
    ProfileCount& count = of.profiles[profile];
    if (count.all++ == 0) {
        of.touched.push_back(profile);
    }
    ++count.byTiers[tiers];
}

void Tally::Parts::addWarmup(const Arrival& arrival)
{
    const std::size_t who = slotOf(arrival.ids()[ArrivalLayout::kWho]);
    if (who >= warmups.size()) {
        warmups.resize(std::max(who + 1, 2 * warmups.size()));
    }
    ++warmups[who];
}

/// Requests of one second: those that are plainly admitted cost little.
void Tally::Parts::addOfSecond(std::size_t plan, std::span<const Settled> group)
{
    OfPlan& of = plans[plan];
    RunTally& run = of.run;
    if (!run.firstNs) {
        run.firstNs = group.front().arrival->timeNs;
    }
    run.lastNs = group.back().arrival->timeNs;
    std::uint64_t plain = 0;
    for (const Settled& settled : group) {
        const Arrival& arrival = *settled.arrival;
        const Verdict& verdict = settled.verdicts[plan];
        if (verdict.warmup) [[unlikely]] {
            ++run.warmup;
            if (plan == 0) {
                addWarmup(arrival);
            }
            continue;
        }
        run.late += (arrival.flags & kArrivalLate) / kArrivalLate;
        run.recordedKnown += (arrival.flags & kArrivalRecordedKnown) / kArrivalRecordedKnown;
        countProfile(of, arrival.ids()[layout.profileAt(plan)], verdict.tiersJudged);
        const bool isPlain = verdict.isPlainAdmission() && settled.delays[plan].empty()
            && (arrival.flags & kArrivalRecordedRejected) == 0;
        if (isPlain) [[likely]] {
            ++plain;
        } else {
            addOther(plan, settled);
        }
    }
    run.requests += plain;
    run.admitted += plain;
    of.second.requests += plain;
    of.second.admitted += plain;
}

/// The rest of what a request counts that is not plainly admitted.
void Tally::Parts::addOther(std::size_t plan, const Settled& settled)
{
    OfPlan& of = plans[plan];
    RunTally& run = of.run;
    const Verdict& verdict = settled.verdicts[plan];
    const Arrival& arrival = *settled.arrival;
    const bool rejected = verdict.outcome == Outcome::Rejected;
    const bool wouldReject = !rejected && verdict.shadowRule != kNoId;
    const bool recorded = (arrival.flags & kArrivalRecordedRejected) != 0;
    ++run.requests;
    ++of.second.requests;
    if (verdict.exemption != kNoId) {
        ++run.exempt;
        ++run.exemptBy[verdict.exemption];
    }
    if (rejected) {
        ++run.rejected;
        ++of.second.rejected;
        ++run.rules[verdict.rule].rejected;
        ++of.rules[verdict.rule].rejected;
        ++run.tiers[verdict.tiersJudged - std::size_t {1}].rejected;
        ++of.second.tiers[verdict.tiersJudged - std::size_t {1}].rejected;
    } else {
        ++run.admitted;
        ++of.second.admitted;
    }
    run.wouldReject += wouldReject ? 1 : 0;
    of.second.wouldReject += wouldReject ? 1 : 0;
    run.recordedRejected += recorded ? 1 : 0;
    of.second.recordedRejected += recorded ? 1 : 0;
    if (verdict.delayNs > 0) {
        ++run.delayed;
    }
    for (const std::uint32_t rule : settled.denied[plan]) {
        ++of.rules[rule].denied;
    }
    for (const RuleDelay& delay : settled.delays[plan]) {
        run.rules[delay.rule].delays.add(delay.delayNs);
    }
    if (rejected || wouldReject || recorded) {
        std::uint64_t* const counts
            = whos.at(slotOf(arrival.ids()[ArrivalLayout::kWho])) + rejectedAt(plan);
        counts[0] += rejected ? 1 : 0;
        counts[1] += wouldReject ? 1 : 0;
        counts[2] += recorded ? 1 : 0;
    }
}

/// Turns the second's counts by profile into counts by rule and tier.
void Tally::Parts::spread(std::size_t plan)
{
    OfPlan& of = plans[plan];
    for (const std::uint32_t id : of.touched) {
        const Profile& profile = intake.profile(plan, id);
        ProfileCount& count = of.profiles[id];
        std::uint64_t reached = 0; // tier `tier`
        for (std::size_t tier = kTierCount; tier-- > 0;) {
            reached += count.byTiers[tier + 1];
            if (reached == 0 || profile.rules[tier].empty()) {
                continue;
            }
            of.run.tiers[tier].judged += reached;
            of.second.tiers[tier].judged += reached;
            for (const std::uint32_t rule : profile.rules[tier]) {
                of.rules[rule].judged += static_cast<std::uint32_t>(reached);
            }
        }
        for (const Profile::Skip& skip : profile.skips) {
            const auto tier = static_cast<std::size_t>(intake.plans()[plan]->rules[skip.rule].tier);
            for (std::size_t tiers = tier + 1; tiers <= kTierCount; ++tiers) {
                of.run.rules[skip.rule].skipped[skip.attribute] += count.byTiers[tiers];
            }
        }
        count = {};
    }
    of.touched.clear();
}

void Tally::Parts::endSecond()
{
    for (std::size_t plan = 0; plan < plans.size(); ++plan) {
        OfPlan& of = plans[plan];
        if (of.second.requests == 0) {
            continue;
        }
        spread(plan);
        for (std::uint32_t rule = 0; rule < of.rules.size(); ++rule) {
            SecondTally::Count& count = of.rules[rule];
            if (count.judged == 0) {
                continue;
            }
            count.rule = rule;
            RuleTally& total = of.run.rules[rule];
            total.judged += count.judged;
            total.denied += count.denied;
            total.admitted += count.judged - count.denied;
            of.second.rules.push_back(count);
            count = {};
        }
        of.second.second = m_second;
        if (timeline != nullptr) {
            timeline->second(plan, of.second);
        }
        std::vector<SecondTally::Count> memory = std::move(of.second.rules);
        memory.clear();
        of.second = {};
        of.second.rules = std::move(memory);
    }
    m_open = false;
}

Tally::Tally(const Intake& intake, TimelineSink* timeline)
    : m_parts(std::make_unique<Parts>(intake, timeline))
{
}

Tally::~Tally() = default;

void Tally::add(std::span<const Settled> group, std::span<std::uint64_t> ordinals)
{
    m_parts->add(group, ordinals);
}

void Tally::expect(std::span<const Arrival* const> arrivals) const
{
    for (const Arrival* const arrival : arrivals) {
        const std::uint32_t who = slotOf(arrival->ids()[ArrivalLayout::kWho]);
        __builtin_prefetch(m_parts->whos.find(who), 1); // of nothing it is none
    }
}

void Tally::finish()
{
    m_parts->endSecond();
}

const RunTally& Tally::run(std::size_t plan) const
{
    return m_parts->plans[plan].run;
}

WhoTally Tally::who(std::size_t plan, std::uint32_t id) const
{
    const std::uint32_t who = slotOf(id);
    const std::uint64_t* const row = m_parts->whos.find(who);
    if (row == nullptr) {
        return {};
    }
    const std::uint64_t* const counts = row + rejectedAt(plan);
    const std::uint64_t warmup = who < m_parts->warmups.size() ? m_parts->warmups[who] : 0;
    return {row[0] - warmup, counts[0], counts[1], counts[2]};
}

} // namespace engine

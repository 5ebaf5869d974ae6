#include "engine/sweep.h"

#include "engine/sweep/versions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>

namespace engine {
namespace {

using sweep::Key;
using sweep::Version;

template <class Visit> void forEachBit(std::uint64_t bits, const Visit& visit)
{
    for (; bits != 0; bits &= bits - 1) {
        visit(static_cast<std::size_t>(std::countr_zero(bits)));
    }
}

bool sameWindows(const Limit& a, const Limit& b)
{
    return a.rate.periodNs == b.rate.periodNs && a.alignToFirstRequest == b.alignToFirstRequest
        && a.anchorNs == b.anchorNs;
}

/// Does a request that both count leave the same state behind?
bool shareStates(const Limit& a, const Limit& b)
{
    if (a.algorithm != b.algorithm || a.rate.count == 0 || b.rate.count == 0) {
        return false;
    }
    switch (a.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
        // What was rejected is kept up to N.
        return sameWindows(a, b) && !a.countRejected && !b.countRejected;
    case Algorithm::TokenBucket:
    case Algorithm::Gcra:
        return a.rate.count == b.rate.count && a.rate.periodNs == b.rate.periodNs;
    case Algorithm::LeakyBucket:
    case Algorithm::Concurrency:
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        break;
    }
    return false;
}

bool isSame(const Limit& a, const Limit& b)
{
    return a.algorithm == b.algorithm && a.rate.count == b.rate.count && sameWindows(a, b)
        && a.burst == b.burst && a.toleranceNs == b.toleranceNs
        && a.floorEstimate == b.floorEstimate && a.countRejected == b.countRejected;
}

/// A rule of the plans, and what its keys have come to.
struct Rule {
    std::size_t idAt = 0; ///< of the key's id behind an Arrival
    std::size_t costIndex = 0;
    std::int64_t fixedCost = 1;
    bool isEnforced = true;
    bool isVaried = false;
    std::vector<std::uint64_t> startingVersions; ///< plans of each version of a new key
    CellGroup unused; ///< a RuleState wants a table, whose states nobody uses
    std::deque<RuleState> limits; ///< one, or of a varied rule one for each plan
    sweep::KeyChunks keys;
    std::uint64_t judgedByAll = 0; ///< requests that all plans judged
    std::vector<Sweep::RuleCounts> counts; ///< by plan; judged: the other ones
};

/// A rule that judges the request at hand.
struct Judged {
    Rule* rule = nullptr;
    Key* key = nullptr;
    std::int64_t cost = 1;
    std::uint64_t denied = 0; ///< plans in which it denied
};

void copyState(const Rule& rule, const Version& from, Version& to)
{
    to.cell = from.cell;
    if (rule.limits.front().algorithm() == Algorithm::SlidingWindowLog) {
        to.cell.state.log = sliding_window_log::copyOf(from.cell.state.log);
    }
}

/// Afterwards no version has plans both of `group` and outside of it.
void part(const Rule& rule, Key& key, std::uint64_t group)
{
    std::vector<Version> made;
    key.forEach([&](Version& version) {
        const std::uint64_t outside = version.plans & ~group;
        if (outside != 0 && outside != version.plans) {
            Version& other = made.emplace_back();
            copyState(rule, version, other);
            other.plans = outside;
            version.plans &= group;
        }
    });
    key.more.insert(key.more.end(), made.begin(), made.end());
}

} // namespace

class Sweep::Parts {
public:
    Parts(const Intake& source, const std::vector<const Plan*>& plans);
    ~Parts();
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    Verdicts decide(const Arrival& arrival, bool counts);
    void expect(const Arrival& arrival);

    const std::uint64_t all; ///< plans
    std::deque<Rule> rules;
    std::uint64_t exempt = 0;

private:
    void addRule(const std::vector<const Plan*>& plans, std::size_t index);
    Key& keyOf(Rule& rule, const Arrival& arrival);
    std::uint64_t judge(Judged& judged, std::uint64_t alive, std::int64_t nowNs) const;
    void count(const Judged& judged, std::uint64_t admitted, std::uint64_t alive,
               std::int64_t nowNs) const;
    std::uint64_t judgeTier(const std::vector<std::uint32_t>& applying, const Arrival& arrival,
                            std::uint64_t alive, std::uint64_t& wouldReject);
    void tally(Rule& rule, std::uint64_t judged, std::uint64_t denied,
               std::uint64_t rejected) const;

    const Intake& m_intake;
    const std::size_t m_profileAt;
    std::vector<Judged> m_judged; ///< of the tier at hand
    std::array<Key*, 24> m_expected {}; ///< that have been asked for
    std::size_t m_nextExpected = 0;
    bool m_counts = true; ///< the request at hand
};

Sweep::Parts::Parts(const Intake& source, const std::vector<const Plan*>& plans)
    : all(plans.size() == kMostPlans ? ~std::uint64_t {0} : (std::uint64_t {1} << plans.size()) - 1)
    , m_intake(source)
    , m_profileAt(source.layout().profileAt(0))
{
    for (std::size_t index = 0; index < plans.front()->rules.size(); ++index) {
        addRule(plans, index);
    }
}

void Sweep::Parts::addRule(const std::vector<const Plan*>& plans, std::size_t index)
{
    const PlanRule& first = plans.front()->rules[index];
    Rule& rule = rules.emplace_back();
    rule.idAt = m_intake.layout().tupleAt(m_intake.tupleOf(0, index));
    rule.costIndex = m_intake.costOf(0, index);
    rule.fixedCost = first.cost.fixed;
    rule.isEnforced = first.mode == Mode::Enforce;
    rule.counts.resize(plans.size());
    bool areShared = true;
    for (const Plan* const plan : plans) {
        const Limit& limit = plan->rules[index].limit;
        rule.isVaried = rule.isVaried || !isSame(limit, first.limit);
        areShared = areShared && shareStates(limit, first.limit);
    }
    for (const Plan* const plan : plans) {
        if (rule.isVaried || rule.limits.empty()) {
            const PlanRule& planned = plan->rules[index];
            rule.limits.emplace_back(planned, planned.limit, rule.idAt, rule.costIndex,
                                     rule.unused);
        }
    }
    if (!rule.isVaried || areShared) {
        rule.startingVersions = {all};
    } else {
        forEachBit(all, [&](std::size_t plan) {
            rule.startingVersions.push_back(std::uint64_t {1} << plan);
        });
    }
}

Sweep::Parts::~Parts()
{
    for (Rule& rule : rules) {
        rule.keys.forEach([&](Key& key) {
            key.forEach([&](Version& version) {
                // Rules may differ in their algorithm from plan to plan, states do not.
                const std::size_t limit = rule.isVaried && version.plans != 0
                    ? static_cast<std::size_t>(std::countr_zero(version.plans))
                    : 0;
                if (rule.limits[limit].algorithm() == Algorithm::SlidingWindowLog) {
                    sliding_window_log::release(version.cell.state.log);
                }
            });
        });
    }
}

/// The key of a request; one that is new gets its versions.
Key& Sweep::Parts::keyOf(Rule& rule, const Arrival& arrival)
{
    Key& key = rule.keys.at(arrival.ids()[rule.idAt]);
    if (key.first.plans == 0) [[unlikely]] {
        key.first.plans = rule.startingVersions.front();
        key.more.resize(rule.startingVersions.size() - 1);
        for (std::size_t i = 1; i < rule.startingVersions.size(); ++i) {
            key.more[i - 1].plans = rule.startingVersions[i];
        }
    }
    return key;
}

/// In which of the plans that are alive the rule denies. Versions have parted along `alive`.
std::uint64_t Sweep::Parts::judge(Judged& judged, std::uint64_t alive, std::int64_t nowNs) const
{
    const Rule& rule = *judged.rule;
    std::uint64_t denied = 0;
    judged.key->forEach([&](Version& version) {
        if ((version.plans & alive) == 0) {
            return;
        }
        if (!rule.isVaried) {
            denied
                |= rule.limits.front().judge(version.cell, judged.cost, nowNs) ? 0 : version.plans;
            return;
        }
        forEachBit(version.plans, [&](std::size_t plan) {
            denied |= rule.limits[plan].judge(version.cell, judged.cost, nowNs)
                ? 0
                : std::uint64_t {1} << plan;
        });
    });
    return denied;
}

/// Judges all rules of a tier. Returns the plans in which it rejects.
std::uint64_t Sweep::Parts::judgeTier(const std::vector<std::uint32_t>& applying,
                                      const Arrival& arrival, std::uint64_t alive,
                                      std::uint64_t& wouldReject)
{
    std::uint64_t rejecting = 0;
    m_judged.clear();
    for (const std::uint32_t index : applying) {
        Rule& rule = rules[index];
        Judged& judged = m_judged.emplace_back();
        judged.rule = &rule;
        judged.key = &keyOf(rule, arrival);
        judged.cost = rule.costIndex == Intake::kFixedCost
            ? rule.fixedCost
            : m_intake.layout().cost(arrival, rule.costIndex);
        if (alive != all) {
            part(rule, *judged.key, alive); // only who is still on the way may open a window
        }
        judged.denied = judge(judged, alive, arrival.timeNs);
        const std::uint64_t first = rule.isEnforced ? judged.denied & ~rejecting : 0;
        if (m_counts) {
            tally(rule, alive, judged.denied, first);
        }
        rejecting |= first;
        wouldReject |= rule.isEnforced ? 0 : judged.denied;
    }
    return rejecting;
}

void Sweep::Parts::tally(Rule& rule, std::uint64_t judged, std::uint64_t denied,
                         std::uint64_t rejected) const
{
    if (judged == all) [[likely]] {
        ++rule.judgedByAll;
    } else {
        forEachBit(judged, [&](std::size_t plan) { ++rule.counts[plan].judged; });
    }
    forEachBit(denied, [&](std::size_t plan) { ++rule.counts[plan].denied; });
    forEachBit(rejected, [&](std::size_t plan) { ++rule.counts[plan].rejected; });
}

/// Counts the cost in the plans of `admitted`; in the others of `alive` as far as their limits
/// count what was rejected, or denied in shadow.
void Sweep::Parts::count(const Judged& judged, std::uint64_t admitted, std::uint64_t alive,
                         std::int64_t nowNs) const
{
    Rule& rule = *judged.rule;
    if (admitted != alive) {
        part(rule, *judged.key, admitted);
    }
    judged.key->forEach([&](Version& version) {
        if ((version.plans & alive) == 0) {
            return;
        }
        const std::size_t limit
            = rule.isVaried ? static_cast<std::size_t>(std::countr_zero(version.plans)) : 0;
        if ((version.plans & admitted) != 0) {
            rule.limits[limit].count(version.cell, judged.cost, nowNs);
        } else if (rule.limits[limit].countsRejected()) {
            rule.limits[limit].countRejected(version.cell, judged.cost, nowNs);
        }
    });
}

Sweep::Verdicts Sweep::Parts::decide(const Arrival& arrival, bool counts)
{
    m_counts = counts;
    const Profile& profile = m_intake.profile(0, arrival.ids()[m_profileAt]);
    Verdicts verdicts;
    if (profile.exemption != kNoId) {
        exempt += counts ? 1 : 0;
        return verdicts;
    }
    std::uint64_t alive = all;
    for (std::size_t tier = 0; tier < kTierCount && alive != 0; ++tier) {
        const std::uint64_t rejecting
            = judgeTier(profile.rules[tier], arrival, alive, verdicts.wouldReject);
        for (const Judged& judged : m_judged) {
            if (judged.cost > 0) {
                count(judged, alive & ~rejecting & ~judged.denied, alive, arrival.timeNs);
            }
        }
        verdicts.rejected |= rejecting;
        alive &= ~rejecting;
    }
    verdicts.wouldReject &= ~verdicts.rejected;
    return verdicts;
}

/// Asks for the keys of a request, and for the versions of earlier ones, which are there by now.
void Sweep::Parts::expect(const Arrival& arrival)
{
    const Profile& profile = m_intake.profile(0, arrival.ids()[m_profileAt]);
    for (const std::vector<std::uint32_t>& tier : profile.rules) {
        for (const std::uint32_t index : tier) {
            Key* key = &rules[index].keys.at(arrival.ids()[rules[index].idAt]);
            __builtin_prefetch(key, 1);
            std::swap(key, m_expected[m_nextExpected]);
            m_nextExpected = (m_nextExpected + 1) % m_expected.size();
            if (key == nullptr) {
                continue;
            }
            const auto* const versions = reinterpret_cast<const std::byte*>(key->more.data());
            for (std::size_t at = 0; at < key->more.size() * sizeof(Version); at += sizeof(Key)) {
                __builtin_prefetch(versions + at, 1);
            }
        }
    }
}

const char* Sweep::whyNot(const std::vector<const Plan*>& plans)
{
    if (plans.size() > kMostPlans) {
        return "there are more than 64 of them";
    }
    for (const Plan* const plan : plans) {
        if (plan->counting == Counting::AllOrNothing) {
            return "all_or_nothing lets a later tier undo what an earlier one counted";
        }
        for (const PlanRule& rule : plan->rules) {
            if (rule.limit.algorithm == Algorithm::LeakyBucket) {
                return "a leaky_bucket delays requests past others";
            }
            if (holdsSlots(rule.limit.algorithm)) {
                return "slots of a concurrency rule are given back by later tiers";
            }
            if (rule.tighten) {
                return "tighten looks at another rule's slots";
            }
        }
    }
    return nullptr;
}

Sweep::Sweep(const Intake& intake, const std::vector<const Plan*>& plans)
    : m_parts(std::make_unique<Parts>(intake, plans))
{
}

Sweep::~Sweep() = default;

Sweep::Verdicts Sweep::decide(const Arrival& arrival, bool counts)
{
    return m_parts->decide(arrival, counts);
}

void Sweep::expect(const Arrival& arrival)
{
    m_parts->expect(arrival);
}

Sweep::RuleCounts Sweep::counts(std::size_t plan, std::size_t rule) const
{
    RuleCounts counts = m_parts->rules[rule].counts[plan];
    counts.judged += m_parts->rules[rule].judgedByAll;
    return counts;
}

std::uint64_t Sweep::exempt() const
{
    return m_parts->exempt;
}

} // namespace engine

#include "tests/support/model/engine_run.h"
#include "tests/support/model/wide.h"
#include "tests/support/model/world.h"

#include <QTest>

#include <algorithm>
#include <tuple>

using engine::Algorithm;
using engine::Limit;
using tests::model::Case;
using tests::model::CaseOptions;
using tests::model::Decision;
using tests::model::EngineRun;
using tests::model::firstComplaint;
using tests::model::floorDiv;
using tests::model::RulePart;
using tests::model::runEngine;
using tests::model::Wide;

namespace {

/// What one rule let through for one key, in order.
struct Passed {
    std::int64_t arrivalNs = 0;
    std::uint64_t n = 0;
    Wide time;
    Wide cost;
    Wide end; ///< where slots are held: when it was free again
    Wide delay;
    std::optional<Wide> most; ///< where slots are held: the most that there may be with it
    int attempt = 1;
};

using Key = std::vector<std::string>;

/// Whose state it is: first of the rules that share it, key, and the server or the outage.
using Whose = std::tuple<std::size_t, Key, std::string>;

Wide sumOf(const std::vector<Passed>& passed, const std::function<bool(const Passed&)>& chosen)
{
    Wide sum = 0;
    for (const Passed& one : passed) {
        if (chosen(one)) {
            sum = sum + one.cost;
        }
    }
    return sum;
}

/// Windows that begin at multiples of the period.
std::string windowsComplaint(const Limit& limit, const std::vector<Passed>& passed)
{
    std::map<Wide, Wide> sums;
    for (const Passed& one : passed) {
        Wide& sum = sums[floorDiv(one.time - limit.anchorNs, limit.rate.periodNs)];
        sum = sum + one.cost;
        if (sum > Wide(limit.rate.count)) {
            return "a window admits more than N";
        }
    }
    return "";
}

/// In any (t - P, t]; it is enough to look where something was let through.
std::string logComplaint(const Limit& limit, const std::vector<Passed>& passed)
{
    for (const Passed& last : passed) {
        const Wide sum = sumOf(passed, [&](const Passed& one) {
            return one.time > last.time - limit.rate.periodNs && one.time <= last.time;
        });
        if (sum > Wide(limit.rate.count)) {
            return "(t - P, t] admits more than N";
        }
    }
    return "";
}

/// From any admitted request to any later one: `atOnce` and what the rate gives in between. Both
/// sides times the period.
std::string rateComplaint(const Limit& limit, const Wide& atOnce, const std::vector<Passed>& passed)
{
    for (std::size_t i = 0; i < passed.size(); ++i) {
        Wide sum = 0;
        for (std::size_t j = i; j < passed.size(); ++j) {
            sum = sum + passed[j].cost;
            const Wide given = (passed[j].time - passed[i].time) * limit.rate.count;
            if (sum * limit.rate.periodNs > atOnce + given) {
                return "more passes than the bucket holds and the rate gives";
            }
        }
    }
    return "";
}

/// What a leaky bucket lets go, it lets go at its rate: whole spacings apart, less one nanosecond
/// for the rounding up of delays.
std::string spacingComplaint(const Limit& limit, const std::vector<Passed>& passed)
{
    for (std::size_t i = 1; i < passed.size(); ++i) {
        const Wide before = passed[i - 1].time + passed[i - 1].delay;
        const Wide gap = passed[i].time + passed[i].delay - before;
        const Wide spacing = floorDiv(passed[i - 1].cost * limit.rate.periodNs, limit.rate.count);
        if (limit.delayAfter == 0 && gap < spacing) {
            return "a queue lets two requests go closer than its rate";
        }
    }
    return "";
}

std::string overlapComplaint(const std::vector<Passed>& passed)
{
    for (std::size_t i = 0; i < passed.size(); ++i) {
        Wide sum = 0;
        for (std::size_t j = 0; j <= i; ++j) {
            // A slot that lasts no time is there for its own decision.
            if (passed[j].end > passed[i].time || i == j) {
                sum = sum + passed[j].cost;
            }
        }
        if (passed[i].most && sum > *passed[i].most) {
            return "more in flight than there may be";
        }
    }
    return "";
}

/// Windows that begin with the first judged request after the last one ended.
std::string ownWindowsComplaint(const Limit& limit, const std::vector<Passed>& passed,
                                const std::vector<Wide>& judged)
{
    std::optional<Wide> opened;
    for (const Wide& time : judged) {
        if (opened && time < *opened + limit.rate.periodNs) {
            continue;
        }
        opened = time;
        const Wide sum = sumOf(passed, [&](const Passed& one) {
            return one.time >= time && one.time < time + limit.rate.periodNs;
        });
        if (sum > Wide(limit.rate.count)) {
            return "a window that a request opened admits more than N";
        }
    }
    return "";
}

std::string complaintAbout(const Limit& limit, const std::vector<Passed>& passed,
                           const std::vector<Wide>& judged)
{
    const Wide period = limit.rate.periodNs;
    if (engine::holdsSlots(limit.algorithm)) {
        return overlapComplaint(passed);
    }
    if (limit.rate.count == 0) {
        return passed.empty() ? "" : "a zero rate admits";
    }
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
        return limit.alignToFirstRequest ? ownWindowsComplaint(limit, passed, judged)
                                         : windowsComplaint(limit, passed);
    case Algorithm::SlidingWindowLog:
        return logComplaint(limit, passed);
    case Algorithm::SlidingWindowCounter:
        return windowsComplaint(limit, passed);
    case Algorithm::TokenBucket:
        return rateComplaint(limit, Wide(limit.burst) * period, passed);
    case Algorithm::Gcra: {
        const Wide tau = limit.toleranceNs ? Wide(*limit.toleranceNs) * limit.rate.count
                                           : (Wide(limit.burst) - 1) * period;
        return rateComplaint(limit, tau + period, passed);
    }
    case Algorithm::LeakyBucket:
        break;
    case Algorithm::Concurrency:
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        return "";
    }
    const std::string complaint = rateComplaint(limit, (Wide(limit.queue) + 1) * period, passed);
    return complaint.empty() ? spacingComplaint(limit, passed) : complaint;
}

/// How much may be in flight with a request that is let through; nothing where nothing bounds it.
std::optional<Wide> mostInFlight(const Limit& limit)
{
    switch (limit.algorithm) {
    case Algorithm::Concurrency:
        return limit.inFlight;
    case Algorithm::AdaptiveConcurrency:
        return limit.maximum;
    case Algorithm::LoadShedder:
        return limit.strategy == engine::Strategy::Fleet
            ? std::optional(floorDiv(Wide(limit.inFlight) * limit.upTo, 100))
            : std::nullopt;
    default:
        return std::nullopt;
    }
}

/// Whose state a rule judged a decision by, and with which limit; nothing where the store was away.
std::optional<std::pair<Whose, Limit>> stateOf(const RulePart& part, const engine::Plan& plan,
                                               const Case& given, const Decision& decision)
{
    const engine::PlanRule& rule = plan.rules[part.rule];
    const engine::TierState& state
        = given.conditions.servers.states.at(static_cast<std::size_t>(rule.tier));
    const bool isShared = state.kind == engine::StateKind::Shared;
    std::string owner = isShared ? "" : "server " + std::to_string(decision.server);
    if (isShared || state.kind == engine::StateKind::Sync) {
        for (const engine::Outage& outage : given.conditions.outages) {
            if (part.judgedNs >= outage.fromNs && part.judgedNs < outage.toNs) {
                owner = "server " + std::to_string(decision.server) + ", outage at "
                    + std::to_string(outage.fromNs);
            }
        }
    }
    if (part.isStoreAway) {
        return std::nullopt;
    }
    Key key;
    for (const std::string& attribute : rule.key) {
        key.push_back(given.requests[decision.n - 1].attributes.at(attribute));
    }
    const Limit limit = state.kind == engine::StateKind::Split
        ? tests::model::shareOfServer(rule.limit, given.conditions.servers.count, decision.server)
        : rule.limit;
    return std::pair {Whose {part.rule - rule.stateBefore, key, owner}, limit};
}

/// What a rule let through: counted, and not only because it counts what it denies.
Passed passedBy(const RulePart& part, const engine::Plan& plan, const Case& given,
                const Decision& decision, const Limit& own)
{
    Passed passed;
    passed.most = mostInFlight(own);
    passed.attempt = decision.attempt;
    passed.arrivalNs = given.requests[decision.n - 1].timeNs;
    passed.n = decision.n;
    passed.time = part.judgedNs;
    passed.cost = part.cost;
    passed.delay = part.delayNs;
    const Limit& limit = plan.rules[part.rule].limit;
    const auto& recorded = given.requests[decision.n - 1].durationNs;
    passed.end = passed.time + (recorded ? *recorded : limit.assumeDurationNs.value_or(0));
    if (decision.rejected) {
        passed.end = min(passed.end, decision.decidedNs); // given back
    }
    return passed;
}

struct Seen {
    Limit limit;
    std::vector<Passed> passed;
    std::vector<Wide> judged;
};

std::string complaintAbout(const Case& given)
{
    const EngineRun run = runEngine(given);
    for (std::size_t p = 0; p < given.plans.size(); ++p) {
        const engine::Plan& plan = given.plans[p];
        std::map<Whose, Seen> states;
        for (const Decision& decision : run.decisions[p]) {
            for (const RulePart& part : decision.rules) {
                const auto state = stateOf(part, plan, given, decision);
                if (!state) {
                    continue;
                }
                Seen& seen = states[state->first];
                seen.limit = state->second;
                seen.judged.push_back(Wide(part.judgedNs));
                if (part.counted && part.admits) {
                    seen.passed.push_back(passedBy(part, plan, given, decision, state->second));
                }
            }
        }
        for (auto& [whose, seen] : states) {
            const auto earlier = [](const Passed& a, const Passed& b) {
                return std::tie(a.time, a.arrivalNs, a.n, a.attempt)
                    < std::tie(b.time, b.arrivalNs, b.n, b.attempt);
            };
            std::sort(seen.passed.begin(), seen.passed.end(), earlier);
            std::sort(seen.judged.begin(), seen.judged.end());
            const std::string complaint = complaintAbout(seen.limit, seen.passed, seen.judged);
            if (!complaint.empty()) {
                return "plan " + std::to_string(p) + ", rule " + std::to_string(std::get<0>(whose))
                    + " " + std::get<2>(whose) + ": " + complaint;
            }
        }
    }
    return "";
}

} // namespace

/// No rule lets more through than it promises, by adding up what it let through.
class TestBounds : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void noRuleAdmitsMoreThanItsBound()
    {
        const std::string complaint
            = firstComplaint(100000, {}, [](const Case& given) { return complaintAbout(given); });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }

    void noRuleAdmitsMoreThanItsBoundForLong()
    {
        const CaseOptions options {.maxPlans = 1, .maxRules = 1, .maxRequests = 400};
        const std::string complaint = firstComplaint(
            100000, options, [](const Case& given) { return complaintAbout(given); });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }

    /// On each server for itself where each has its own state, on all together where they share it;
    /// with synced states each server at least by what it counted itself. (Clocks that are off
    /// shift the windows themselves: those the model compares.)
    void noServerAdmitsMoreThanItsBound()
    {
        const CaseOptions options {.maxRules = 4, .maxRequests = 80, .conditions = true};
        const std::string complaint = firstComplaint(100000, options, [](const Case& given) {
            Case inTime = given;
            inTime.conditions.servers.skewNs = 0;
            return complaintAbout(inTime);
        });
        QVERIFY2(complaint.empty(), complaint.c_str());
    }
};

QTEST_APPLESS_MAIN(TestBounds)
#include "tst_bounds.moc"

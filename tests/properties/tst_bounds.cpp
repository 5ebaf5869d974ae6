#include "tests/support/model/engine_run.h"
#include "tests/support/model/wide.h"

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
    Wide end; ///< concurrency: when the slot was free again
    Wide delay;
};

using Key = std::vector<std::string>;

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

std::string overlapComplaint(const Limit& limit, const std::vector<Passed>& passed)
{
    for (std::size_t i = 0; i < passed.size(); ++i) {
        Wide sum = 0;
        for (std::size_t j = 0; j <= i; ++j) {
            // A slot that lasts no time is there for its own decision.
            if (passed[j].end > passed[i].time || i == j) {
                sum = sum + passed[j].cost;
            }
        }
        if (sum > Wide(limit.inFlight)) {
            return "more in flight than in_flight";
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
    if (limit.algorithm == Algorithm::Concurrency) {
        return overlapComplaint(limit, passed);
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
        return "";
    }
    const std::string complaint = rateComplaint(limit, (Wide(limit.queue) + 1) * period, passed);
    return complaint.empty() ? spacingComplaint(limit, passed) : complaint;
}

/// What a rule let through: counted, and not only because it counts what it denies.
Passed passedBy(const RulePart& part, const engine::Plan& plan, const Case& given,
                const Decision& decision)
{
    Passed passed;
    passed.arrivalNs = decision.arrivalNs;
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

std::string complaintAbout(const Case& given)
{
    const EngineRun run = runEngine(given);
    for (std::size_t p = 0; p < given.plans.size(); ++p) {
        const engine::Plan& plan = given.plans[p];
        std::map<std::pair<std::size_t, Key>, std::pair<std::vector<Passed>, std::vector<Wide>>>
            rules;
        for (const Decision& decision : run.decisions[p]) {
            for (const RulePart& part : decision.rules) {
                Key key;
                for (const std::string& attribute : plan.rules[part.rule].key) {
                    key.push_back(given.requests[decision.n - 1].attributes.at(attribute));
                }
                auto& [passed, judged] = rules[{part.rule, key}];
                judged.push_back(Wide(part.judgedNs));
                if (part.counted && part.admits) {
                    passed.push_back(passedBy(part, plan, given, decision));
                }
            }
        }
        for (auto& [ruleAndKey, seen] : rules) {
            auto& [passed, judged] = seen;
            const auto earlier = [](const Passed& a, const Passed& b) {
                return std::tie(a.time, a.arrivalNs, a.n) < std::tie(b.time, b.arrivalNs, b.n);
            };
            std::sort(passed.begin(), passed.end(), earlier);
            std::sort(judged.begin(), judged.end());
            const std::string complaint
                = complaintAbout(plan.rules[ruleAndKey.first].limit, passed, judged);
            if (!complaint.empty()) {
                return "plan " + std::to_string(p) + ", rule " + std::to_string(ruleAndKey.first)
                    + ": " + complaint;
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
};

QTEST_APPLESS_MAIN(TestBounds)
#include "tst_bounds.moc"

#include "tests/support/model/model.h"

#include "tests/support/model/limiter.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

namespace tests::model {

using engine::Algorithm;
using engine::Matcher;
using engine::Mode;
using engine::PlanRule;
using engine::Test;
using engine::TestKind;

namespace {

/// A text of plain decimal digits within int64.
std::optional<Wide> numberIn(const std::string& text)
{
    Wide number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        number = number * 10 + Wide(c - '0');
        if (!number.fitsInt64()) {
            return std::nullopt;
        }
    }
    return text.empty() ? std::nullopt : std::optional(number);
}

bool holds(const Test& test, const std::string* value)
{
    if (test.kind == TestKind::Absent) {
        return value == nullptr;
    }
    if (value == nullptr) {
        return false;
    }
    if (test.kind == TestKind::Equals) {
        return *value == test.text;
    }
    if (test.kind != TestKind::Range) {
        std::fprintf(stderr, "%s:%d: the model does not know this test\n", __FILE__, __LINE__);
        std::abort();
    }
    const auto number = numberIn(*value);
    return number && *number >= Wide(test.low) && *number <= Wide(test.high);
}

bool holds(const Matcher& matcher, const Request& request)
{
    const auto found = request.attributes.find(matcher.attribute);
    const std::string* value = found == request.attributes.end() ? nullptr : &found->second;
    const bool any = std::any_of(matcher.anyOf.begin(), matcher.anyOf.end(),
                                 [&](const Test& test) { return holds(test, value); });
    return matcher.negated ? value != nullptr && !any : any;
}

bool applies(const PlanRule& rule, const Request& request)
{
    return rule.mode != Mode::Off && matches(rule.match, request)
        && matches(rule.overrideMatch, request)
        && std::none_of(rule.unless.begin(), rule.unless.end(),
                        [&](const engine::Match& match) { return matches(match, request); });
}

std::optional<std::int64_t> durationFor(const PlanRule& rule, const Request& request)
{
    return request.durationNs ? request.durationNs : rule.limit.assumeDurationNs;
}

/// A request on its way through the tiers.
struct Passing {
    std::size_t order = 0; ///< of arrival
    const Request* request = nullptr;
    Wide now;
    std::size_t nextTier = 0;
    Decision decision;
    std::vector<Limiter*> holding; ///< concurrency rules of earlier tiers that counted it
};

class Replay {
public:
    explicit Replay(const engine::Plan& plan)
        : m_plan(plan)
    {
    }

    std::vector<Decision> run(const std::vector<Request>& requests)
    {
        takeIn(requests);
        while (!m_waiting.empty()) {
            const auto first = m_waiting.begin();
            const std::size_t order = std::get<1>(*first);
            m_waiting.erase(first);
            proceed(m_passing[order]);
        }
        std::vector<Decision> decisions;
        decisions.reserve(m_passing.size());
        for (Passing& passing : m_passing) {
            decisions.push_back(std::move(passing.decision));
        }
        std::stable_sort(
            decisions.begin(), decisions.end(),
            [](const Decision& a, const Decision& b) { return a.decidedNs < b.decidedNs; });
        return decisions;
    }

private:
    /// What one rule says to one request, while the tier has not made up its mind.
    struct Judged {
        std::size_t rule;
        Limiter* limiter;
        Wide cost;
        Wide at;
        RulePart part;
    };

    void takeIn(const std::vector<Request>& requests)
    {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            Passing passing;
            passing.request = &requests[i];
            passing.now = requests[i].timeNs;
            passing.decision.n = i + 1;
            passing.decision.arrivalNs = requests[i].timeNs;
            passing.decision.decidedNs = requests[i].timeNs;
            m_passing.push_back(std::move(passing));
        }
        std::stable_sort(m_passing.begin(), m_passing.end(),
                         [](const Passing& a, const Passing& b) {
                             return a.request->timeNs < b.request->timeNs;
                         });
        for (std::size_t order = 0; order < m_passing.size(); ++order) {
            m_passing[order].order = order;
            m_waiting.insert({m_passing[order].now, order});
        }
    }

    void proceed(Passing& passing)
    {
        if (passing.nextTier == 0) {
            for (std::size_t i = 0; i < m_plan.exempt.size(); ++i) {
                if (matches(m_plan.exempt[i].match, *passing.request)) {
                    passing.decision.exempt = i;
                    return;
                }
            }
            findSkips(passing);
        }
        if (m_plan.counting == engine::Counting::AllOrNothing) {
            passAllTiersAtOnce(passing);
        } else {
            passTiers(passing);
        }
    }

    void findSkips(Passing& passing) const
    {
        for (std::size_t i = 0; i < m_plan.rules.size(); ++i) {
            const PlanRule& rule = m_plan.rules[i];
            if (!applies(rule, *passing.request)) {
                continue;
            }
            if (const auto missing = missingFor(rule, *passing.request)) {
                passing.decision.skips.push_back({i, *missing});
            }
        }
    }

    static std::optional<std::size_t> missingFor(const PlanRule& rule, const Request& request)
    {
        for (std::size_t i = 0; i < rule.key.size(); ++i) {
            if (!request.attributes.contains(rule.key[i])) {
                return i;
            }
        }
        if (rule.limit.algorithm == Algorithm::Concurrency && !durationFor(rule, request)) {
            return rule.key.size();
        }
        return std::nullopt;
    }

    std::vector<Judged> judge(const Passing& passing, std::size_t tier)
    {
        std::vector<Judged> judged;
        for (std::size_t i = 0; i < m_plan.rules.size(); ++i) {
            const PlanRule& rule = m_plan.rules[i];
            if (static_cast<std::size_t>(rule.tier) != tier || !applies(rule, *passing.request)
                || missingFor(rule, *passing.request)) {
                continue;
            }
            Limiter& limiter = limiterFor(i, *passing.request);
            const std::int64_t cost = costOf(rule.cost, *passing.request);
            limiter.judge(passing.now);
            RulePart part;
            part.rule = i;
            part.judgedNs = passing.now.toInt64();
            part.cost = cost;
            part.admits = limiter.admits(passing.now, cost);
            part.delayNs = part.admits ? limiter.delay(passing.now).toInt64() : 0;
            judged.push_back({i, &limiter, cost, passing.now, part});
        }
        return judged;
    }

    Limiter& limiterFor(std::size_t rule, const Request& request)
    {
        std::vector<std::string> key;
        for (const std::string& attribute : m_plan.rules[rule].key) {
            key.push_back(request.attributes.at(attribute));
        }
        auto& limiter = m_limiters[{rule, key}];
        if (!limiter) {
            limiter = Limiter::make(m_plan.rules[rule].limit);
        }
        return *limiter;
    }

    [[nodiscard]] bool rejects(const Judged& judged) const
    {
        return !judged.part.admits && m_plan.rules[judged.rule].mode == Mode::Enforce;
    }

    /// Counts what is to be counted and takes the figures.
    void settle(Passing& passing, std::vector<Judged>& judged, bool admitted)
    {
        for (Judged& one : judged) {
            const PlanRule& rule = m_plan.rules[one.rule];
            if (one.cost > Wide(0) && ((admitted && one.part.admits) || rule.limit.countRejected)) {
                const auto duration = durationFor(rule, *passing.request);
                one.limiter->count(one.at, one.cost, passing.order, duration.value_or(0));
                one.part.counted = true;
                if (rule.limit.algorithm == Algorithm::Concurrency) {
                    passing.holding.push_back(one.limiter);
                }
            }
            if (!admitted) {
                one.part.delayNs = 0; // nobody waits for what is turned away
            }
            one.part.figures = one.limiter->figures(one.at, one.cost, one.part.admits);
            passing.decision.rules.push_back(one.part);
        }
    }

    /// After settle(): names the rule that rejects and the wait that helps.
    void reject(Passing& passing, const std::vector<Judged>& tier)
    {
        Decision& decision = passing.decision;
        decision.rejected = true;
        for (const Judged& one : tier) {
            if (!rejects(one)) {
                continue;
            }
            if (!decision.rejectedBy) {
                decision.rejectedBy = one.rule;
            }
            const auto part = std::find_if(
                decision.rules.begin(), decision.rules.end(),
                [&](const RulePart& candidate) { return candidate.rule == one.rule; });
            if (!part->figures.retryAfterNs || !decision.retryAfterNs) {
                decision.retryAfterNs = std::nullopt;
            } else {
                decision.retryAfterNs
                    = std::max(*decision.retryAfterNs, *part->figures.retryAfterNs);
            }
        }
    }

    /// How long the tier's enforcing rules make an admitted request wait.
    [[nodiscard]] std::int64_t delayOf(const std::vector<Judged>& judged) const
    {
        std::int64_t delayNs = 0;
        for (const Judged& one : judged) {
            if (m_plan.rules[one.rule].mode == Mode::Enforce) {
                delayNs = std::max(delayNs, one.part.delayNs);
            }
        }
        return delayNs;
    }

    void passTiers(Passing& passing)
    {
        for (std::size_t tier = passing.nextTier; tier < engine::kTierCount; ++tier) {
            std::vector<Judged> judged = judge(passing, tier);
            if (judged.empty()) {
                continue;
            }
            passing.decision.decidedNs = passing.now.toInt64();
            const bool admitted = std::none_of(judged.begin(), judged.end(),
                                               [&](const Judged& one) { return rejects(one); });
            if (!admitted) {
                for (Limiter* limiter : passing.holding) {
                    limiter->giveBack(passing.order);
                }
                settle(passing, judged, false);
                reject(passing, judged);
                return;
            }
            settle(passing, judged, true);
            if (const std::int64_t delayNs = delayOf(judged); delayNs > 0) {
                passing.decision.delayNs += delayNs;
                passing.now = min(passing.now + Wide(delayNs), Wide(INT64_MAX));
                passing.nextTier = tier + 1;
                m_waiting.insert({passing.now, passing.order});
                return;
            }
        }
    }

    void passAllTiersAtOnce(Passing& passing)
    {
        std::vector<Judged> all;
        std::vector<Judged> rejecting;
        for (std::size_t tier = 0; tier < engine::kTierCount && rejecting.empty(); ++tier) {
            std::vector<Judged> judged = judge(passing, tier);
            all.insert(all.end(), judged.begin(), judged.end());
            if (std::any_of(judged.begin(), judged.end(),
                            [&](const Judged& one) { return rejects(one); })) {
                rejecting = judged;
            }
        }
        settle(passing, all, rejecting.empty());
        if (rejecting.empty()) {
            passing.decision.delayNs = delayOf(all);
        } else {
            reject(passing, rejecting);
        }
    }

    const engine::Plan& m_plan;
    std::vector<Passing> m_passing; ///< by order of arrival
    std::set<std::tuple<Wide, std::size_t>> m_waiting; ///< time of the next look, order of arrival
    std::map<std::pair<std::size_t, std::vector<std::string>>, std::unique_ptr<Limiter>> m_limiters;
};

} // namespace

bool matches(const engine::Match& match, const Request& request)
{
    return std::all_of(match.begin(), match.end(),
                       [&](const Matcher& matcher) { return holds(matcher, request); });
}

std::int64_t costOf(const engine::Cost& cost, const Request& request)
{
    if (cost.attribute.empty()) {
        return cost.fixed;
    }
    const auto found = request.attributes.find(cost.attribute);
    const auto value = found == request.attributes.end() ? std::nullopt : numberIn(found->second);
    return value ? max(ceilDiv(*value, cost.per), 1).toInt64() : 1;
}

std::vector<Decision> decide(const engine::Plan& plan, const std::vector<Request>& requests)
{
    return Replay(plan).run(requests);
}

} // namespace tests::model

#include "tests/support/model/model.h"

#include "engine/draws.h"
#include "tests/support/model/crowd.h"
#include "tests/support/model/world.h"

#include <algorithm>
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
        && matches(rule.overrideMatch, request) && matches(rule.classMatch, request)
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
    std::int64_t waitedNs = 0; ///< before this attempt
    Decision decision;
    std::vector<Limiter*> holding; ///< of earlier tiers, whose slots it has
};

class Replay {
public:
    Replay(const engine::Plan& plan, const std::vector<Request>& requests,
           const engine::Conditions& conditions, const std::string& who)
        : m_plan(plan)
        , m_conditions(conditions)
        , m_world(plan, conditions, requests)
    {
        if (conditions.clients) {
            const std::string& named = conditions.clients->attribute;
            m_crowd.emplace(*conditions.clients, named.empty() ? who : named, conditions.seed);
        }
    }

    Run run(const std::vector<Request>& requests)
    {
        takeIn(requests);
        while (!m_waiting.empty()) {
            const auto first = m_waiting.begin();
            const std::size_t order = std::get<1>(*first);
            m_waiting.erase(first);
            proceed(m_passing[order]);
        }
        std::stable_sort(m_decided.begin(), m_decided.end(), [](const auto& a, const auto& b) {
            return std::tuple(a.decision.decidedNs, a.order)
                < std::tuple(b.decision.decidedNs, b.order);
        });
        Run run;
        for (Decided& one : m_decided) {
            run.decisions.push_back(std::move(one.decision));
        }
        if (m_crowd) {
            run.outcomes = m_crowd->outcomes();
        }
        return run;
    }

private:
    struct Decided {
        std::size_t order;
        Decision decision;
    };

    /// What one rule says to one request, while the tier has not made up its mind.
    struct Judged {
        std::size_t rule;
        Key key;
        Place place;
        Wide cost;
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
        bool isDelayed = false;
        if (passing.nextTier == 0) {
            passing.decision.server
                = m_world.serverOf(*passing.request, passing.decision.n, passing.decision.attempt);
            findExemption(passing);
        }
        if (!passing.decision.exempt) {
            if (passing.nextTier == 0) {
                findSkips(passing);
            }
            if (m_plan.counting == engine::Counting::AllOrNothing) {
                passAllTiersAtOnce(passing);
            } else {
                isDelayed = passTiers(passing);
            }
        }
        if (isDelayed) {
            m_waiting.insert({passing.now, passing.order});
        } else {
            end(passing);
        }
    }

    /// Decided; its client may come again.
    void end(Passing& passing)
    {
        const Decision& decision = passing.decision;
        m_decided.push_back({passing.order, decision});
        if (!m_crowd) {
            return;
        }
        const auto wait
            = m_crowd->decided(*passing.request, {decision.n, decision.attempt, passing.waitedNs},
                               !decision.rejected, decision.retryAfterNs);
        if (!wait) {
            return;
        }
        Passing again;
        again.order = passing.order;
        again.request = passing.request;
        again.now = min(Wide(decision.decidedNs) + *wait, INT64_MAX);
        again.waitedNs = *wait;
        again.decision.n = decision.n;
        again.decision.attempt = decision.attempt + 1;
        again.decision.arrivalNs = again.now.toInt64();
        again.decision.decidedNs = again.decision.arrivalNs;
        passing = std::move(again);
        m_waiting.insert({passing.now, passing.order});
    }

    void findExemption(Passing& passing) const
    {
        for (std::size_t i = 0; i < m_plan.exempt.size() && !passing.decision.exempt; ++i) {
            if (matches(m_plan.exempt[i].match, *passing.request)) {
                passing.decision.exempt = i;
            }
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
        if (engine::holdsSlots(rule.limit.algorithm) && !durationFor(rule, request)) {
            return rule.key.size();
        }
        return std::nullopt;
    }

    [[nodiscard]] bool meets(const Request& request, std::size_t rule) const
    {
        return applies(m_plan.rules[rule], request) && !missingFor(m_plan.rules[rule], request);
    }

    std::vector<Judged> judge(const Passing& passing, std::size_t tier)
    {
        std::vector<Judged> judged;
        for (std::size_t i = 0; i < m_plan.rules.size(); ++i) {
            if (static_cast<std::size_t>(m_plan.rules[i].tier) == tier
                && meets(*passing.request, i)) {
                judged.push_back(judgeRule(passing, i));
            }
        }
        return judged;
    }

    Judged judgeRule(const Passing& passing, std::size_t index)
    {
        const PlanRule& rule = m_plan.rules[index];
        const std::uint32_t server = passing.decision.server;
        Judged judged {index, {}, {}, costOf(rule.cost, *passing.request), {}};
        for (const std::string& attribute : rule.key) {
            judged.key.push_back(passing.request->attributes.at(attribute));
        }
        if (rule.tighten && m_world.isTight(*rule.tighten, server, passing.now)) {
            judged.cost = min(judged.cost * rule.tighten->factor, INT64_MAX);
        }
        const std::uint64_t draw
            = engine::draws::of(m_conditions.seed, engine::draws::For::Shedding, passing.decision.n,
                                static_cast<std::uint64_t>(passing.decision.attempt));
        judged.place = m_world.judge(index, judged.key, server, passing.now, draw >> 11);
        const Place& place = judged.place;
        RulePart& part = judged.part;
        part.rule = index;
        part.judgedNs = passing.now.toInt64();
        part.cost = judged.cost.toInt64();
        part.isStoreAway = place.limiter == nullptr;
        part.admits
            = part.isStoreAway ? place.isOpen : place.limiter->admits(place.now, judged.cost);
        if (part.admits && !part.isStoreAway) {
            part.delayNs = place.limiter->delay(place.now).toInt64();
        }
        return judged;
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
            if (!admitted) {
                one.part.delayNs = 0; // nobody waits for what is turned away
            }
            if (one.part.isStoreAway) {
                one.part.figures.retryAfterNs
                    = one.part.admits ? std::optional<std::int64_t>(0) : std::nullopt;
                passing.decision.rules.push_back(one.part);
                continue;
            }
            if (one.cost > Wide(0) && ((admitted && one.part.admits) || rule.limit.countRejected)) {
                const auto duration = durationFor(rule, *passing.request);
                m_world.count(one.place, one.rule, one.key, passing.decision.server, passing.now,
                              one.cost, passing.order, duration.value_or(0));
                one.part.counted = true;
                if (engine::holdsSlots(rule.limit.algorithm)) {
                    passing.holding.push_back(one.place.limiter);
                }
            }
            one.part.capacity = one.place.limiter->capacity().toInt64();
            one.part.figures = one.place.limiter->figures(one.place.now, one.cost, one.part.admits);
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

    /// Is it delayed, with more to come?
    bool passTiers(Passing& passing)
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
                    limiter->giveBack(m_world.clock(passing.decision.server, passing.now),
                                      passing.order);
                }
                settle(passing, judged, false);
                reject(passing, judged);
                return false;
            }
            settle(passing, judged, true);
            if (const std::int64_t delayNs = delayOf(judged); delayNs > 0) {
                passing.decision.delayNs
                    = min(Wide(passing.decision.delayNs) + delayNs, INT64_MAX).toInt64();
                if (meetsRuleAfter(*passing.request, tier)) {
                    passing.now = min(passing.now + Wide(delayNs), Wide(INT64_MAX));
                    passing.nextTier = tier + 1;
                    return true;
                }
            }
        }
        return false;
    }

    [[nodiscard]] bool meetsRuleAfter(const Request& request, std::size_t tier) const
    {
        for (std::size_t i = 0; i < m_plan.rules.size(); ++i) {
            if (static_cast<std::size_t>(m_plan.rules[i].tier) > tier && meets(request, i)) {
                return true;
            }
        }
        return false;
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
    const engine::Conditions& m_conditions;
    World m_world;
    std::optional<Crowd> m_crowd;
    std::vector<Passing> m_passing; ///< by order of arrival
    std::set<std::tuple<Wide, std::size_t>> m_waiting; ///< time of the next look, order of arrival
    std::vector<Decided> m_decided;
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

Run decide(const engine::Plan& plan, const std::vector<Request>& requests,
           const engine::Conditions& conditions, const std::string& who)
{
    return Replay(plan, requests, conditions, who).run(requests);
}

std::vector<Decision> decide(const engine::Plan& plan, const std::vector<Request>& requests)
{
    return decide(plan, requests, engine::Conditions {}).decisions;
}

} // namespace tests::model

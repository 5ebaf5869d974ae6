#include "app/workbench/key_witness.h"

#include "app/workbench/rule_name.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace app {
namespace {

/// Nothing: the rule did not judge that attempt.
const engine::RuleDecision* judgedBy(std::uint32_t rule, const engine::Decision& decision)
{
    const auto found
        = std::find_if(decision.rules.begin(), decision.rules.end(),
                       [rule](const engine::RuleDecision& judged) { return judged.rule == rule; });
    return found == decision.rules.end() ? nullptr : &*found;
}

} // namespace

bool NamedKey::means(const std::vector<std::string_view>& values) const
{
    const std::vector<std::string> shown = secrets.shown(attributes, values);
    const std::vector<std::string> raw(values.begin(), values.end());
    for (const std::string_view between : {", ", ","}) {
        if (escaped(joinedKey(shown, between)) == text || escaped(joinedKey(raw, between)) == text
            || joinedKey(raw, between) == text) {
            return true;
        }
    }
    return false;
}

bool KeyFinder::is(const engine::Arrival& arrival)
{
    const std::uint32_t id = arrival.ids()[m_intake->layout().tupleAt(m_tuple)];
    if (id == engine::kNoId) {
        return false;
    }
    if (id >= m_known.size()) {
        m_known.resize(std::max<std::size_t>(id + std::size_t {1}, 2 * m_known.size()),
                       Known::NotYet);
    }
    if (m_known[id] == Known::NotYet) {
        const std::vector<std::string_view> parts = m_intake->keyText(m_tuple, id);
        const bool isIt = m_key->means(parts);
        m_known[id] = isIt ? Known::Yes : Known::No;
        if (isIt) {
            ++found;
            values = m_key->secrets.shown(m_key->attributes, parts);
        }
    }
    return m_known[id] == Known::Yes;
}

KeyWitness::KeyWitness(const engine::Plan& plan, std::uint32_t rule, const NamedKey& key,
                       std::size_t mostKept)
    : m_plan(plan)
    , m_rule(rule)
    , m_key(key)
    , m_mostKept(mostKept)
    , m_episodes(quietSpanNs(plan.rules[rule].limit))
{
}

engine::Status KeyWitness::begin(const engine::Intake& intake, const engine::Replay&)
{
    finder.emplace(intake, intake.tupleOf(0, m_rule), m_key);
    m_episodes = KeyEpisodes(quietSpanNs(m_plan.rules[m_rule].limit));
    m_judged.clear();
    m_underWay.clear();
    requests = denied = deniedByRule = 0;
    comebacks = {};
    firstNs = std::numeric_limits<std::int64_t>::max();
    lastNs = std::numeric_limits<std::int64_t>::min();
    hasAll = true;
    return engine::Done {};
}

void KeyWitness::settle(const engine::Settled& settled)
{
    if (!settled.verdicts[0].warmup) {
        deniedByRule += static_cast<std::uint64_t>(
            std::count(settled.denied[0].begin(), settled.denied[0].end(), m_rule));
    }
}

bool KeyWitness::wants(std::size_t, const engine::Arrival& arrival)
{
    return finder->is(arrival);
}

void KeyWitness::decided(std::size_t, const engine::Decision& decision)
{
    follow(decision);
    if (decision.attempt > 1) {
        return; // figures are of first attempts, as everywhere
    }
    if (const engine::RuleDecision* judged = judgedBy(m_rule, decision)) {
        add(decision, *judged);
    }
}

void KeyWitness::follow(const engine::Decision& decision)
{
    if (!wasJudged(decision) || decision.verdict.warmup) {
        return;
    }
    using engine::ClientMove;
    const bool isOutOfBudget = decision.client == ClientMove::OutOfBudget;
    comebacks.gaveUp += isOutOfBudget || decision.client == ClientMove::OutOfAttempts ? 1 : 0;
    comebacks.outOfBudget += isOutOfBudget ? 1 : 0;
    if (decision.attempt == 1) {
        return;
    }
    comebacks.admittedLater += decision.verdict.outcome == engine::Outcome::Admitted ? 1 : 0;
    if (const engine::RuleDecision* judged = judgedBy(m_rule, decision)) {
        ++comebacks.retries;
        comebacks.denied += judged->admits ? 0 : 1;
    }
}

/// At this attempt or an earlier one: another rule may keep a request from it, or it may not match.
bool KeyWitness::wasJudged(const engine::Decision& decision)
{
    const bool before = m_underWay.erase(decision.arrival->n) > 0;
    const bool isJudged = before || judgedBy(m_rule, decision) != nullptr;
    if (isJudged && decision.client == engine::ClientMove::ComesAgain) {
        m_underWay.insert(decision.arrival->n);
    }
    return isJudged;
}

void KeyWitness::finish()
{
    // A delay in another tier may have had them decided in another order.
    std::stable_sort(m_judged.begin(), m_judged.end(), [](const Judged& a, const Judged& b) {
        return a.request.atNs < b.request.atNs;
    });
    for (const Judged& judged : m_judged) {
        tell(judged);
    }
}

std::vector<engine::KeyRequest> KeyWitness::keyRequests() const
{
    std::vector<engine::KeyRequest> all;
    std::transform(m_judged.begin(), m_judged.end(), std::back_inserter(all),
                   [](const Judged& judged) { return judged.request; });
    return all;
}

void KeyWitness::add(const engine::Decision& decision, const engine::RuleDecision& rule)
{
    const Judged judged {{rule.judgedNs, rule.cost, decision.arrival->durationNs, counts(decision),
                          decision.verdict.warmup},
                         decision.arrival->n,
                         rule.admits};
    if (!decision.verdict.warmup) {
        firstNs = std::min(firstNs, rule.judgedNs);
        lastNs = std::max(lastNs, rule.judgedNs);
        ++requests;
        denied += rule.admits ? 0 : 1;
    }
    if (hasAll && m_judged.size() == m_mostKept) {
        hasAll = false;
        finish();
        m_judged = {};
    }
    hasAll ? m_judged.push_back(judged) : tell(judged);
}

void KeyWitness::tell(const Judged& judged)
{
    if (!judged.request.mayBeDenied) {
        m_episodes.add(judged.request.atNs, judged.n, judged.admits);
    }
}

/// Would the request have been counted if this rule had admitted it, as far as the run says?
bool KeyWitness::counts(const engine::Decision& decision) const
{
    const engine::PlanRule& self = m_plan.rules[m_rule];
    const bool isHeld = engine::holdsSlots(self.limit.algorithm)
        || m_plan.counting == engine::Counting::AllOrNothing;
    return std::none_of(
        decision.rules.begin(), decision.rules.end(), [&](const engine::RuleDecision& other) {
            const engine::PlanRule& rule = m_plan.rules[other.rule];
            return other.rule != m_rule && !other.admits && rule.mode == engine::Mode::Enforce
                && (rule.tier == self.tier || isHeld);
        });
}

} // namespace app

#include "app/workbench/explain_key.h"

#include "app/workbench/enough_limit.h"
#include "app/workbench/enough_search.h"
#include "app/workbench/key_witness.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/stored_run.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {
namespace {

/// Decides the log by several plans at once and says of each whether its rule denied the key.
class KeyTrial final : public PassListener, public engine::DecisionSink {
public:
    KeyTrial(std::size_t plans, std::uint32_t rule, const NamedKey& key)
        : m_rule(rule)
        , m_key(key)
        , m_denied(plans)
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay&) override
    {
        m_finders.clear();
        for (std::size_t plan = 0; plan < m_denied.size(); ++plan) {
            m_finders.emplace_back(intake, intake.tupleOf(plan, m_rule), m_key);
        }
        m_denied.assign(m_denied.size(), false);
        return engine::Done {};
    }

    void settle(const engine::Settled&) override { }

    bool wants(std::size_t plan, const engine::Arrival& arrival) override
    {
        return !m_denied[plan] && m_finders[plan].is(arrival);
    }

    void decided(std::size_t plan, const engine::Decision& decision) override
    {
        for (const engine::RuleDecision& rule : decision.rules) {
            m_denied[plan] = m_denied[plan]
                || (rule.rule == m_rule && !rule.admits && !decision.verdict.warmup);
        }
    }

    [[nodiscard]] bool isAdmitted(std::size_t plan) const { return !m_denied[plan]; }

private:
    std::uint32_t m_rule;
    const NamedKey& m_key;
    std::vector<KeyFinder> m_finders;
    std::vector<bool> m_denied;
};

/// Tries the numbers that all searches ask for, in one pass over the log.
engine::Status tryAll(const StoredRun& stored, const PassOptions& options, std::uint32_t rule,
                      const NamedKey& key, std::vector<EnoughSearch>& searches)
{
    std::vector<engine::Plan> plans;
    std::vector<bool> canBe;
    for (const EnoughSearch& search : searches) {
        for (const std::int64_t number : search.wanted()) {
            plans.push_back(stored.plan);
            canBe.push_back(search.field().apply(number, plans.back()));
        }
    }
    std::vector<const engine::Plan*> pointers;
    std::transform(plans.begin(), plans.end(), std::back_inserter(pointers),
                   [](const engine::Plan& plan) { return &plan; });
    KeyTrial trial(plans.size(), rule, key);
    PassOptions trying = options;
    trying.decisions = &trial;
    const engine::Result<Pass> pass = runWholePass(pointers, trying, trial);
    if (!pass) {
        return engine::fail(pass.error());
    }
    std::size_t at = 0;
    for (EnoughSearch& search : searches) {
        std::vector<bool> admitted;
        for (std::size_t i = 0; i < search.wanted().size(); ++i) {
            admitted.push_back(canBe[at] && trial.isAdmitted(at));
            ++at;
        }
        search.take(admitted);
    }
    return engine::Done {};
}

std::string settingOf(const engine::PlanRule& rule, const LimitField& field, std::int64_t number)
{
    const std::string part = rule.overrideName ? "." + *rule.overrideName : std::string();
    return fmt::format("{}{}.{}={}", rule.rule, part, field.name(), field.textOf(number));
}

engine::Result<std::vector<EnoughField>>
findEnough(const StoredRun& stored, const PassOptions& options, const policies::Policy& policy,
           std::uint32_t rule, const NamedKey& key, const KeyWitness& witness)
{
    const engine::PlanRule& part = stored.plan.rules[rule];
    const std::vector<LimitField> fields = LimitField::of(policy, part);
    const std::vector<engine::KeyRequest> requests = witness.keyRequests();
    std::vector<EnoughSearch> searches;
    for (const LimitField& field : fields) {
        // What the key alone says is nearly always right, and is tried all the same.
        searches.emplace_back(field, witness.hasAll ? leastEnough(field, requests) : std::nullopt);
    }
    while (std::any_of(searches.begin(), searches.end(),
                       [](const EnoughSearch& search) { return !search.wanted().empty(); })) {
        if (engine::Status tried = tryAll(stored, options, rule, key, searches); !tried) {
            return engine::fail(tried.error());
        }
    }
    std::vector<EnoughField> enough;
    for (const EnoughSearch& search : searches) {
        const LimitField& field = search.field();
        EnoughField one {std::string(field.name()), {}, field.textOf(field.current()), {}};
        if (const std::optional<std::int64_t> number = search.found()) {
            one.value = field.textOf(*number);
            one.setting = settingOf(part, field, *number);
        }
        enough.push_back(std::move(one));
    }
    return enough;
}

/// "its rules are a, b and 3 more".
std::string firstOf(const std::vector<std::string>& names)
{
    constexpr std::size_t kMost = 10;
    const std::size_t shown = std::min(kMost, names.size());
    std::string text = "its rules are " + joinedKey(std::span(names).first(shown));
    return shown < names.size() ? text + fmt::format(" and {} more", names.size() - shown) : text;
}

engine::Result<std::uint32_t> ruleOf(const engine::Plan& plan, const std::string& name,
                                     storage::RunId run)
{
    std::vector<std::string> names;
    for (std::uint32_t rule = 0; rule < plan.rules.size(); ++rule) {
        names.push_back(fullName(plan.rules[rule]));
        if (names.back() == name) {
            return rule;
        }
    }
    return engine::fail("explain.no-rule", fmt::format("run {} has no rule `{}`", run, name),
                        names.empty() ? "its policy has no rule that is on"
                                      : suggest(name, names, firstOf(names)));
}

/// A rule's name may hold "=": the longest one that fits is meant.
KeyTarget withLongestRule(const engine::Plan& plan, KeyTarget target)
{
    const std::string text = target.rule + "=" + target.key;
    for (const engine::PlanRule& rule : plan.rules) {
        const std::string name = fullName(rule);
        if (name.size() > target.rule.size() && text.starts_with(name + "=")) {
            target = {name, text.substr(name.size() + 1)};
        }
    }
    return target;
}

/// The key for a message: it may be named by a credential.
std::string messageOf(const NamedKey& key)
{
    const bool isSecret
        = std::any_of(key.attributes.begin(), key.attributes.end(),
                      [&key](const std::string& name) { return key.secrets.has(name); });
    return isSecret ? "that key" : "`" + key.text + "`";
}

engine::Status checkFound(const KeyWitness& witness, const KeyTarget& target, const NamedKey& key,
                          const storage::RunDetail& run, std::uint32_t rule)
{
    if (witness.finder && witness.finder->found > 1) {
        return engine::fail(
            "explain.which-key",
            fmt::format("{} keys are shown as {}", witness.finder->found, messageOf(key)),
            "values with commas in them cannot be told apart; explain one request "
            "of the key (--request N)");
    }
    if (!witness.finder || witness.finder->found == 0 || witness.requests == 0) {
        return engine::fail(
            "explain.no-key",
            fmt::format("rule {} judged no request of {}", target.rule, messageOf(key)),
            "`weir show` has keys as they are to be written; a key that an override is for is one "
            "of RULE/OVERRIDE");
    }
    for (const storage::RuleTotals& totals : run.rules) {
        if (totals.index == rule && totals.denied != witness.deniedByRule) {
            return engine::fail("explain.differs",
                                fmt::format("{} requests are denied by rule {} now, {} were in run "
                                            "{}: the log has changed, or the run was made by "
                                            "another version",
                                            witness.deniedByRule, target.rule, totals.denied,
                                            run.summary.id),
                                "replay the log again");
        }
    }
    return engine::Done {};
}

} // namespace

engine::Result<KeyHistory> explainKey(storage::RunStore& store, storage::RunId run,
                                      const KeyTarget& asked, const ReadAgain& again,
                                      std::size_t mostKept)
{
    engine::Result<storage::RunDetail> detail = storage::RunReader(store).detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    const engine::Result<StoredRun> stored = openStoredRun(*detail, again);
    if (!stored) {
        return engine::fail(stored.error());
    }
    const engine::Result<policies::Policy> policy = policyOfRun(*detail);
    if (!policy) {
        return engine::fail(policy.error());
    }
    const KeyTarget target = withLongestRule(stored->plan, asked);
    const engine::Result<std::uint32_t> rule = ruleOf(stored->plan, target.rule, run);
    if (!rule) {
        return engine::fail(rule.error());
    }
    PassOptions options = stored->pass;
    const NamedKey key {target.key, stored->plan.rules[*rule].key, secretsOf(*detail)};
    KeyWitness witness(stored->plan, *rule, key, mostKept);
    PassOptions watching = options;
    watching.decisions = &witness;
    const engine::Result<Pass> pass = runWholePass({&stored->plan}, watching, witness);
    if (!pass) {
        return engine::fail(pass.error());
    }
    witness.finish();
    if (engine::Status found = checkFound(witness, target, key, *detail, *rule); !found) {
        return engine::fail(found.error());
    }
    KeyHistory history;
    history.run = std::move(*detail);
    history.rule = stored->plan.rules[*rule];
    history.key = witness.finder->values;
    history.requests = witness.requests;
    history.denied = witness.denied;
    if (options.conditions.clients) {
        history.comebacks = witness.comebacks;
    }
    history.firstNs = witness.firstNs;
    history.lastNs = witness.lastNs;
    history.episodes = witness.episodes();
    for (KeyEpisode& episode : history.episodes) {
        episode.firstN = stored->numbers.numberOf(episode.firstN);
    }
    if (history.denied > 0) {
        engine::Result<std::vector<EnoughField>> enough
            = findEnough(*stored, options, *policy, *rule, key, witness);
        if (!enough) {
            return engine::fail(enough.error());
        }
        history.enough = std::move(*enough);
    }
    return history;
}

} // namespace app

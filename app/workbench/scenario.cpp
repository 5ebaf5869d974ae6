#include "app/workbench/scenario.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/rule_name.h"
#include "engine/attributes.h"
#include "engine/decision.h"
#include "engine/intake.h"
#include "engine/replay.h"
#include "storage/sequencer.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <span>

namespace app {
namespace {

/// What is kept of a decision until its case is looked at.
struct Seen {
    engine::Verdict verdict;
    std::int64_t decidedNs = 0;
    std::optional<std::int64_t> retryAfterNs;
    std::vector<engine::RuleDecision> rules;
    bool isLate = false;
};

class Recorder : public engine::DecisionSink, public engine::SettledSink {
public:
    explicit Recorder(std::size_t cases)
        : seen(cases)
    {
    }

    bool wants(std::size_t, const engine::Arrival&) override { return true; }

    void decided(std::size_t, const engine::Decision& decision) override
    {
        seen[decision.arrival->n - 1]
            = {decision.verdict, decision.decidedNs, decision.retryAfterNs, decision.rules,
               (decision.arrival->flags & engine::kArrivalLate) != 0};
    }

    void settle(const engine::Settled&) override { } // the decisions say all

    std::vector<Seen> seen; ///< by case
};

/// `pro-plan` is the rule whatever the override, `pro-plan/acme` the one override.
bool isNamed(const engine::PlanRule& rule, std::string_view name)
{
    return name == rule.rule || name == fullName(rule);
}

std::string waitText(std::optional<std::int64_t> ns, std::string_view ofNothing)
{
    return !ns ? "never" : *ns == 0 ? std::string(ofNothing) : secondsText(*ns);
}

std::string figureText(Asked asked, const engine::RuleDecision& rule)
{
    switch (asked) {
    case Asked::Remaining:
        return fmt::format("{}", rule.figures.remaining);
    case Asked::Retry:
        return waitText(rule.figures.retryAfterNs, "-");
    case Asked::Next:
        return secondsText(rule.figures.nextAfterNs);
    case Asked::Full:
        return waitText(rule.figures.fullAfterNs, "0");
    case Asked::Delay:
        return waitText(rule.delayNs, "-");
    case Asked::Outcome:
    case Asked::Rule:
    case Asked::Tier:
    case Asked::Shadow:
    case Asked::Decided:
    case Asked::Late:
        break;
    }
    return "-";
}

/// Tells what was seen in the words of the table.
class Teller {
public:
    Teller(const engine::Plan& plan, const Seen& seen)
        : m_plan(plan)
        , m_seen(seen)
    {
    }

    [[nodiscard]] std::string seen(const Expectation& expectation) const
    {
        if (expectation.rule) {
            const auto found
                = std::find_if(m_seen.rules.begin(), m_seen.rules.end(), [&](const auto& rule) {
                      return isNamed(m_plan.rules[rule.rule], *expectation.rule);
                  });
            return found == m_seen.rules.end() ? "-" : figureText(expectation.asked, *found);
        }
        return ofRequest(expectation.asked);
    }

    [[nodiscard]] bool isAsExpected(const Expectation& expectation) const
    {
        const std::string was = seen(expectation);
        const bool isRuleName
            = expectation.asked == Asked::Rule || expectation.asked == Asked::Shadow;
        return was == expectation.value || (isRuleName && was.starts_with(expectation.value + '/'));
    }

    [[nodiscard]] std::vector<std::string> said() const
    {
        std::vector<std::string> lines;
        for (const engine::RuleDecision& decision : m_seen.rules) {
            const engine::PlanRule& rule = m_plan.rules[decision.rule];
            const std::string retry
                = decision.admits ? "" : ", retry " + figureText(Asked::Retry, decision);
            const std::string delay
                = decision.delayNs == 0 ? "" : ", delay " + secondsText(decision.delayNs);
            lines.push_back(fmt::format(
                "{} ({}{}): {}, remaining {}{}{}{}", fullName(rule), engine::nameOf(rule.tier),
                rule.mode == engine::Mode::Shadow ? ", shadow" : "",
                decision.admits ? "admits" : "denies", decision.figures.remaining, retry, delay,
                decision.counted ? "" : ", not counted"));
        }
        if (lines.empty()) {
            lines.emplace_back("no rule was judged");
        }
        return lines;
    }

private:
    [[nodiscard]] std::string ofRequest(Asked asked) const
    {
        const engine::Verdict& verdict = m_seen.verdict;
        const bool isRejected = verdict.outcome == engine::Outcome::Rejected;
        switch (asked) {
        case Asked::Outcome:
            return verdict.exemption != engine::kNoId ? "exempt"
                : isRejected                          ? "rejected"
                                                      : "admitted";
        case Asked::Rule:
            return verdict.exemption != engine::kNoId ? m_plan.exempt[verdict.exemption].name
                                                      : nameOr(verdict.rule);
        case Asked::Tier:
            return isRejected ? std::string(engine::nameOf(m_plan.rules[verdict.rule].tier)) : "-";
        case Asked::Shadow:
            return nameOr(verdict.shadowRule);
        case Asked::Retry:
            return isRejected ? waitText(m_seen.retryAfterNs, "-") : "-";
        case Asked::Delay:
            return waitText(verdict.delayNs, "-");
        case Asked::Decided:
            return secondsText(m_seen.decidedNs);
        case Asked::Late:
            return m_seen.isLate ? "yes" : "no";
        case Asked::Remaining:
        case Asked::Next:
        case Asked::Full:
            break;
        }
        const engine::RuleDecision* tightest = tightestRule();
        return tightest == nullptr ? "-" : figureText(asked, *tightest);
    }

    [[nodiscard]] std::string nameOr(std::uint32_t rule) const
    {
        return rule == engine::kNoId ? "-" : fullName(m_plan.rules[rule]);
    }

    /// The rule that rejected, else the enforcing one with the least remaining.
    [[nodiscard]] const engine::RuleDecision* tightestRule() const
    {
        const engine::RuleDecision* best = nullptr;
        for (const engine::RuleDecision& decision : m_seen.rules) {
            if (decision.rule == m_seen.verdict.rule) {
                return &decision;
            }
            const bool counts = m_plan.rules[decision.rule].mode == engine::Mode::Enforce;
            if (counts
                && (best == nullptr || decision.figures.remaining < best->figures.remaining)) {
                best = &decision;
            }
        }
        return best;
    }

    const engine::Plan& m_plan;
    const Seen& m_seen;
};

engine::Failure placed(engine::Failure failure, engine::Place place)
{
    failure.diagnostic.place = std::move(place);
    return failure;
}

engine::Status checkRules(const Scenario& scenario, const engine::Plan& plan)
{
    std::vector<std::string> names;
    for (const engine::PlanRule& rule : plan.rules) {
        for (const std::string& name : {rule.rule, fullName(rule)}) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
        }
    }
    std::vector<std::string> withExempt = names;
    for (const engine::Exemption& exemption : plan.exempt) {
        withExempt.push_back(exemption.name);
    }
    for (const ScenarioCase& step : scenario.cases) {
        for (const Expectation& expectation : step.expected) {
            const bool isName
                = expectation.asked == Asked::Rule || expectation.asked == Asked::Shadow;
            const std::string& name = isName ? expectation.value : expectation.rule.value_or("-");
            const std::vector<std::string>& known
                = expectation.asked == Asked::Rule ? withExempt : names;
            if (name != "-" && std::find(known.begin(), known.end(), name) == known.end()) {
                return placed(
                    engine::fail("scenario.rule", fmt::format("the policy has no rule `{}`", name),
                                 suggest(name, known, "name a rule of the policy that is not off")),
                    {scenario.file, step.line, expectation.column});
            }
        }
    }
    return engine::Done {};
}

engine::Status checkAttributes(const Scenario& scenario, const engine::Plan& plan,
                               const std::vector<std::string>& fields)
{
    std::vector<std::string> known(engine::kBuiltInAttributes.begin(),
                                   engine::kBuiltInAttributes.end());
    known.insert(known.end(), fields.begin(), fields.end());
    for (const auto& [name, place] : scenario.attributes) {
        const bool isDerived = std::any_of(plan.attributes.begin(), plan.attributes.end(),
                                           [&name = name](const engine::Derivation& d) {
                                               return d.name == name && d.from != name;
                                           });
        if (isDerived) {
            return placed(engine::fail("scenario.attribute",
                                       fmt::format("the policy derives `{}` itself", name),
                                       "give the attribute that it is derived from"),
                          place);
        }
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return placed(
                engine::fail("scenario.attribute",
                             fmt::format("no rule of the policy looks at `{}`", name),
                             suggest(name, known, "name an attribute that the policy uses")),
                place);
        }
    }
    return engine::Done {};
}

engine::RequestBatch batchOf(const Scenario& scenario, const std::vector<std::string>& fields)
{
    engine::RequestBatch batch;
    batch.fieldCount = fields.size();
    for (const ScenarioCase& step : scenario.cases) {
        engine::Request request;
        request.timeNs = request.stampNs = step.atNs;
        request.durationNs = step.durationNs;
        request.line = static_cast<std::uint64_t>(step.line);
        batch.requests.push_back(request);
        for (const std::string& field : fields) {
            const auto found = std::find_if(
                step.attributes.begin(), step.attributes.end(),
                [&field](const auto& attribute) { return attribute.first == field; });
            batch.values.push_back(found == step.attributes.end()
                                       ? std::string_view()
                                       : std::string_view(found->second));
        }
    }
    return batch;
}

/// Sends the cases the way of a log: intake, order of time, replay.
engine::Status play(engine::Intake& intake, const engine::RequestBatch& batch,
                    const Scenario& scenario, Recorder& recorder)
{
    engine::ReplayOptions replayOptions;
    replayOptions.decisions = &recorder;
    engine::Replay replay(intake, recorder, replayOptions);
    storage::SequencerOptions options;
    options.fullSort = !scenario.reorderNs;
    options.horizonNs = scenario.reorderNs.value_or(options.horizonNs);
    storage::Sequencer sequencer(options, [&replay](const storage::Sequenced& record) {
        auto& arrival = *reinterpret_cast<engine::Arrival*>(record.payload.data());
        arrival.timeNs = record.timeNs;
        arrival.flags |= record.late ? engine::kArrivalLate : 0U;
        replay.arrive(arrival);
    });
    std::optional<engine::Diagnostic> failure;
    const auto prepared = intake.makePrepared();
    intake.chooseWho(batch);
    intake.prepare(batch, *prepared);
    intake.intern(*prepared, [&](engine::Arrival& arrival, const engine::Request& request) {
        const storage::SequencerItem item = storage::itemOf(request, arrival.n);
        const auto pushed = sequencer.push(
            item, {reinterpret_cast<const std::byte*>(&arrival), intake.layout().size()});
        if (!pushed) {
            failure = pushed.error();
        }
    });
    if (const auto finished = sequencer.finish(); !failure && !finished) {
        failure = finished.error();
    }
    replay.finish();
    return failure ? engine::Status(engine::fail(*failure)) : engine::Status(engine::Done {});
}

} // namespace

engine::Result<ScenarioReport> runScenario(const Scenario& scenario, const engine::Plan& plan)
{
    engine::Result<std::unique_ptr<engine::Intake>> intake = engine::Intake::make({&plan}, {});
    if (!intake) {
        return engine::fail(intake.error());
    }
    const std::vector<std::string>& fields = (*intake)->fields();
    if (const engine::Status checked = checkRules(scenario, plan); !checked) {
        return engine::fail(checked.error());
    }
    if (const engine::Status checked = checkAttributes(scenario, plan, fields); !checked) {
        return engine::fail(checked.error());
    }
    Recorder recorder(scenario.cases.size());
    const engine::RequestBatch batch = batchOf(scenario, fields);
    if (const engine::Status played = play(**intake, batch, scenario, recorder); !played) {
        return engine::fail(played.error());
    }
    ScenarioReport report;
    report.cases = scenario.cases.size();
    for (std::size_t i = 0; i < scenario.cases.size(); ++i) {
        const ScenarioCase& step = scenario.cases[i];
        const Teller teller(plan, recorder.seen[i]);
        FailedCase failed {i + 1, step.line, {}, {}};
        for (const Expectation& expectation : step.expected) {
            if (!teller.isAsExpected(expectation)) {
                std::string column(nameOf(expectation.asked));
                column += expectation.rule ? " of " + *expectation.rule : "";
                failed.mismatches.push_back({std::move(column),
                                             expectation.value,
                                             teller.seen(expectation),
                                             {scenario.file, step.line, expectation.column}});
            }
        }
        if (!failed.mismatches.empty()) {
            failed.said = teller.said();
            report.failed.push_back(std::move(failed));
        }
    }
    return report;
}

} // namespace app

#include "app/workbench/scenario.h"

#include "app/workbench/near_miss.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/scenario_answers.h"
#include "engine/attributes.h"
#include "engine/decision.h"
#include "engine/intake.h"
#include "engine/replay.h"
#include "storage/sequencer.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace app {
namespace {

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

    std::vector<Answer> seen; ///< by case
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
    storage::Sequencer sequencer(options, [&replay](std::span<const storage::Sequenced> records) {
        for (const storage::Sequenced& record : records) {
            auto& arrival = *reinterpret_cast<engine::Arrival*>(record.payload.data());
            arrival.timeNs = record.timeNs;
            arrival.flags |= record.late ? engine::kArrivalLate : 0U;
            replay.arrive(arrival);
        }
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

engine::Result<Answers> answersTo(const Scenario& scenario, const engine::Plan& plan)
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
    return Answers(plan, std::move(recorder.seen));
}

engine::Result<ScenarioReport> runScenario(const Scenario& scenario, const engine::Plan& plan)
{
    const engine::Result<Answers> answers = answersTo(scenario, plan);
    if (!answers) {
        return engine::fail(answers.error());
    }
    ScenarioReport report;
    report.cases = scenario.cases.size();
    for (std::size_t i = 0; i < scenario.cases.size(); ++i) {
        const ScenarioCase& step = scenario.cases[i];
        FailedCase failed {i + 1, step.line, {}, {}};
        for (const Expectation& expectation : step.expected) {
            if (!answers->isAsExpected(i, expectation)) {
                std::string column(nameOf(expectation.asked));
                column += expectation.rule ? " of " + *expectation.rule : "";
                failed.mismatches.push_back({std::move(column),
                                             expectation.value,
                                             answers->seen(i, expectation),
                                             {scenario.file, step.line, expectation.column}});
            }
        }
        if (!failed.mismatches.empty()) {
            failed.said = answers->said(i);
            report.failed.push_back(std::move(failed));
        }
    }
    return report;
}

} // namespace app

#include "app/cli/both_view.h"
#include "app/cli/files_apart.h"
#include "app/cli/mask_args.h"
#include "app/cli/process.h"
#include "app/cli/replay_args.h"
#include "app/cli/run_view.h"
#include "app/workbench/client_answer.h"
#include "app/workbench/decisions.h"
#include "app/workbench/files.h"
#include "app/workbench/gate_figures.h"
#include "app/workbench/rejects_file.h"

#include <filesystem>
#include <fmt/format.h>

namespace app::cli {
namespace {

/// Passes the lines that could not be read on to the --rejects file.
class RejectsListener final : public PassListener {
public:
    explicit RejectsListener(RejectsFile& file)
        : m_file(file)
    {
    }

    engine::Status begin(const engine::Intake&, const engine::Replay&) override
    {
        m_file.restart();
        return engine::Done {};
    }

    void settle(const engine::Settled&) override { }

    void rejected(std::size_t log, const std::vector<storage::LineReject>& lines) override
    {
        m_file.add(log, lines);
    }

private:
    RejectsFile& m_file;
};

/// One `weir replay`, from its arguments to its last line.
class ReplayVerb {
public:
    explicit ReplayVerb(Context& context)
        : m_context(context)
        , m_progress(context.messages, "replay")
    {
    }

    ExitCode run();

private:
    ExitCode prepare();
    ExitCode openOutputs();
    ExitCode conclude(const ReplayOutcome& outcome);
    ExitCode checkBoth();
    ExitCode readAnswers();
    ExitCode runBoth();
    ExitCode concludeBoth(const ReplayOutcome& even, const ReplayOutcome& none);
    engine::Status finishOutputs(const ReplayOutcome& outcome);
    void warn(const ReplayOutcome& outcome);
    bool judge(const ReplayOutcome& outcome);

    ExitCode failed(const engine::Diagnostic& diagnostic)
    {
        if (diagnostic.code == "file.gone") {
            return ExitCode::Done; // whoever read the decisions has seen enough
        }
        return m_context.fail(diagnostic);
    }

    [[nodiscard]] std::vector<std::string> logPaths() const
    {
        return {m_context.args.arguments.begin() + 1, m_context.args.arguments.end()};
    }

    Context& m_context;
    PassProgress m_progress;
    std::optional<LoadedPolicy> m_policy;
    ReplayRequest m_request;
    std::unique_ptr<storage::RunStore> m_store;
    std::unique_ptr<DecisionFile> m_decisions;
    std::optional<engine::HeaderStyle> m_answers; ///< --answers
    std::unique_ptr<RejectsFile> m_rejects;
    std::optional<RejectsListener> m_rejectsListener;
    std::optional<ReplayGate> m_gate;
    bool m_both = false; ///< --spread both
    bool m_saysNo = false; ///< the gate, of any result
    std::vector<std::vector<std::pair<std::string, Ratio>>> m_gateValues; ///< of each result
    std::vector<bool> m_gateSaysNo;
};

ExitCode ReplayVerb::prepare()
{
    Context::Loaded loaded = m_context.load(m_context.args.arguments[0]);
    if (!loaded.policy) {
        return loaded.code;
    }
    m_policy = std::move(loaded.policy);
    engine::Result<ReplayRequest> request = replayRequestOf(m_context, logPaths());
    if (!request) {
        return failed(request.error());
    }
    m_request = std::move(*request);
    showClientAdvice(m_context, m_request, *m_policy->policy);
    m_both = m_context.args.text(OptionId::Spread) == "both";
    if (const ExitCode code = checkBoth(); code != ExitCode::Done) {
        return code;
    }
    if (const ExitCode code = readAnswers(); code != ExitCode::Done) {
        return code;
    }
    m_request.policies.push_back(replayPolicyOf(*m_policy, m_context.policyOptions().adjustments,
                                                m_context.args.text(OptionId::Name)));
    m_request.pass.progress = &m_progress;
    const KnownNames known
        = knownNames({&*m_policy->policy}, {&*m_policy->plan}, m_request.pass.logs);
    if (engine::Status fine = checkMask(m_request.mask, known); !fine) {
        return failed(fine.error());
    }
    engine::Result<std::optional<Gate>> gate = gateOf(m_context.args, GateContext::Replay, known);
    if (!gate) {
        return failed(gate.error());
    }
    if (*gate) {
        m_gate.emplace(std::move(**gate), 0);
        m_request.pass.intake.facets = m_gate->facets();
        m_request.listeners.push_back(&*m_gate);
    }
    return ExitCode::Done;
}

ExitCode ReplayVerb::openOutputs()
{
    const std::optional<std::string> decisions = m_context.args.text(OptionId::Decisions);
    const std::optional<std::string> rejects = m_context.args.text(OptionId::Rejects);
    const std::vector<LogChoice>& logs = m_request.pass.logs;
    if (const engine::Status apart = checkOutputs(m_context, logs, {&*m_policy}); !apart) {
        return failed(apart.error());
    }
    if (m_context.args.has(OptionId::NoStore)) {
        // The figures are shown from a store all the same: one that ends with the process.
        auto store = storage::RunStore::open(":memory:", storage::Access::Write);
        if (!store) {
            return failed(store.error());
        }
        m_store = std::move(*store);
    } else {
        auto store = openStore(m_context, storage::Access::Write);
        if (!store) {
            return failed(store.error());
        }
        m_store = std::move(*store);
    }
    m_request.store = m_store.get();
    if (decisions) {
        auto file = DecisionFile::create(*decisions, *m_policy->plan, {logs.size() > 1, m_answers});
        if (!file) {
            return failed(file.error());
        }
        m_decisions = std::move(*file);
        m_request.pass.decisions = m_decisions.get();
        m_request.listeners.push_back(m_decisions.get());
    }
    if (rejects) {
        auto file = RejectsFile::create(*rejects, pathsOf(logs));
        if (!file) {
            return failed(file.error());
        }
        m_rejects = std::move(*file);
        m_rejectsListener.emplace(*m_rejects);
        m_request.listeners.push_back(&*m_rejectsListener);
    }
    return ExitCode::Done;
}

/// --spread both reads the logs twice.
ExitCode ReplayVerb::checkBoth()
{
    if (!m_both) {
        return ExitCode::Done;
    }
    if (m_context.args.has(OptionId::Decisions)) {
        return m_context.usage("--decisions takes the decisions of one result, not of both",
                               "write --spread even or --spread none");
    }
    for (const LogChoice& log : m_request.pass.logs) {
        std::error_code ignored;
        if (log.path == "-" || std::filesystem::is_fifo(log.path, ignored)) {
            return m_context.usage(
                fmt::format("--spread both reads the log twice, and `{}` is a stream", log.path),
                "give a file, or one spread at a time");
        }
    }
    return ExitCode::Done;
}

/// --answers and --headers: is there something that they are about?
ExitCode ReplayVerb::readAnswers()
{
    const LowArgs& args = m_context.args;
    const bool hasAnswers = args.has(OptionId::Answers);
    if (hasAnswers && !args.has(OptionId::Decisions)) {
        return m_context.usage("--answers adds to what --decisions writes, which is not asked for",
                               "write `--decisions FILE --answers`");
    }
    if (args.has(OptionId::Headers) && !hasAnswers) {
        return m_context.usage("--headers says how --answers are written, which is not asked for",
                               "write `--decisions FILE --answers --headers FORM`");
    }
    const engine::Result<engine::HeaderStyle> style = headerStyleOf(givenOf(args));
    if (!style) {
        return failed(style.error());
    }
    if (hasAnswers) {
        m_answers = *style;
        m_context.messages.show(engine::unsayable(*m_policy->plan, *style));
    }
    return ExitCode::Done;
}

void ReplayVerb::warn(const ReplayOutcome& outcome)
{
    showWarnings(m_context.messages, outcome.pass.logs);
    noteMaskKey(m_context);
}

/// What the gate says of a result, while its tally is there. A gate that saw nothing says no.
bool ReplayVerb::judge(const ReplayOutcome& outcome)
{
    if (!m_gate) {
        return false;
    }
    const bool sawNothing = outcome.tally->run(0).requests == 0;
    const bool saysNo = sawNothing || m_gate->saysNo(*outcome.tally);
    if (sawNothing) {
        m_context.messages.warning("gate.nothing", "the gate saw no request, so it says no",
                                   "`weir inspect LOG` says what can be read of the log");
    }
    m_gateValues.push_back(m_gate->values(*outcome.tally));
    m_gateSaysNo.push_back(saysNo);
    m_saysNo = m_saysNo || saysNo;
    return saysNo;
}

engine::Status ReplayVerb::finishOutputs(const ReplayOutcome& outcome)
{
    if (m_decisions) {
        if (engine::Status finished = m_decisions->finish(outcome.pass.numbers); !finished) {
            return finished;
        }
    }
    return m_rejects ? m_rejects->finish() : engine::Status(engine::Done {});
}

ExitCode ReplayVerb::conclude(const ReplayOutcome& outcome)
{
    warn(outcome);
    const storage::RunReader reader(*m_store);
    const storage::RunId run = *outcome.runs.front();
    const bool saysNo = judge(outcome);
    RunViewOptions view;
    view.isStored = !m_context.args.has(OptionId::NoStore);
    if (m_gate) {
        view.more = [&](Json& json) {
            writeGateJson(json, m_gate->gate(), m_gateValues.front(), saysNo);
        };
    }
    const engine::Status written = m_context.common.json
        ? writeRunJson(m_context, reader, run, view)
        : writeRun(m_context, reader, run, view);
    if (!written) {
        return failed(written.error());
    }
    if (m_gate && !m_context.common.json) {
        writeGate(m_context, m_gate->gate(), m_gateValues.front(), saysNo);
    }
    if (outcome.pass.interrupted) {
        return ExitCode::Interrupted;
    }
    if (nothingRead(outcome.pass)) {
        return failed(unreadable(outcome.pass));
    }
    return saysNo ? ExitCode::GateSaysNo : ExitCode::Done;
}

ExitCode ReplayVerb::concludeBoth(const ReplayOutcome& even, const ReplayOutcome& none)
{
    warn(even);
    const storage::RunReader reader(*m_store);
    const BothRuns runs {*even.runs.front(), *none.runs.front()};
    RunViewOptions view;
    view.isStored = !m_context.args.has(OptionId::NoStore);
    if (m_gate) {
        // One gate over both: it lets pass what passes wherever in its second a request lay.
        view.more = [&](Json& json) {
            json.beginObject("gates");
            for (std::size_t i = 0; i < m_gateValues.size(); ++i) {
                json.beginObject(i == 0 ? "even" : "none");
                writeGateJson(json, m_gate->gate(), m_gateValues[i], m_gateSaysNo[i]);
                json.end();
            }
            json.end();
        };
    }
    const engine::Status written = m_context.common.json
        ? writeBothJson(m_context, reader, runs, view)
        : writeBoth(m_context, reader, runs, view);
    if (!written) {
        return failed(written.error());
    }
    for (std::size_t i = 0; i < m_gateValues.size() && !m_context.common.json; ++i) {
        writeGate(m_context, m_gate->gate(), m_gateValues[i], m_gateSaysNo[i],
                  i == 0 ? "spread even" : "spread none");
    }
    if (even.pass.interrupted || none.pass.interrupted) {
        return ExitCode::Interrupted;
    }
    if (nothingRead(even.pass)) {
        return failed(unreadable(even.pass));
    }
    return m_saysNo ? ExitCode::GateSaysNo : ExitCode::Done;
}

ExitCode ReplayVerb::runBoth()
{
    std::vector<ReplayOutcome> outcomes;
    const std::string name = m_request.policies.front().runName.empty()
        ? m_request.policies.front().record.name
        : m_request.policies.front().runName;
    for (const auto& [spread, word] :
         {std::pair(storage::Spread::Even, "even"), {storage::Spread::None, "none"}}) {
        for (LogChoice& log : m_request.pass.logs) {
            log.spread = spread;
        }
        m_request.policies.front().runName = fmt::format("{}, spread {}", name, word);
        engine::Result<ReplayOutcome> outcome = replay(m_request);
        m_context.messages.transient("");
        if (!outcome) {
            return failed(outcome.error());
        }
        judge(*outcome);
        outcomes.push_back(std::move(*outcome));
        if (outcomes.back().pass.interrupted) {
            break;
        }
    }
    if (engine::Status finished = finishOutputs(outcomes.back()); !finished) {
        return failed(finished.error());
    }
    if (outcomes.size() < 2) { // interrupted before there was anything to set beside it
        m_gateValues.clear();
        m_gateSaysNo.clear();
        return conclude(outcomes.front());
    }
    return concludeBoth(outcomes[0], outcomes[1]);
}

ExitCode ReplayVerb::run()
{
    if (const ExitCode code = prepare(); code != ExitCode::Done) {
        return code;
    }
    if (const ExitCode code = openOutputs(); code != ExitCode::Done) {
        return code;
    }
    if (m_both) {
        return runBoth();
    }
    const engine::Result<ReplayOutcome> outcome = replay(m_request);
    m_context.messages.transient("");
    if (!outcome) {
        return failed(outcome.error());
    }
    if (engine::Status finished = finishOutputs(*outcome); !finished) {
        return failed(finished.error());
    }
    return conclude(*outcome);
}

} // namespace

ExitCode runReplay(Context& context)
{
    return ReplayVerb(context).run();
}

} // namespace app::cli

#include "app/cli/compare_args.h"
#include "app/cli/compare_view.h"
#include "app/cli/mask_args.h"
#include "app/cli/pass_notes.h"
#include "app/cli/process.h"
#include "app/cli/run_view.h"
#include "app/workbench/condition_sides.h"
#include "storage/run_reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace app::cli {
namespace {

/// What both ways of comparing share: attributes to count by, the gate, the view.
class CompareVerb {
public:
    explicit CompareVerb(Context& context)
        : m_context(context)
        , m_progress(context.messages, "compare")
    {
    }

    ExitCode run();

private:
    ExitCode compareRuns();
    ExitCode comparePolicies(const std::vector<std::string>& logs);
    engine::Status readSource(const std::string& file);
    ExitCode addPolicy(const std::string& file, const policies::Adjustments& adjustments);
    ExitCode loadPolicies();
    engine::Status prepareReplay(ReplayRequest& request);
    engine::Status openStoreFor(ReplayRequest& request);
    [[nodiscard]] std::string label(const ReplayOutcome& outcome, std::size_t policy) const;
    ExitCode concludeReplay(const ReplayRequest& request, const ReplayOutcome& outcome,
                            const CompareOutcome& compared);
    engine::Status prepareOptions(const KnownNames& known);
    ExitCode conclude(CompareView view, bool interrupted);
    engine::Status write(const CompareView& view);

    Context& m_context;
    PassProgress m_progress;

    [[nodiscard]] bool isAdjusted() const
    {
        return !m_adjustments.sets.empty() || !m_adjustments.modes.empty();
    }

    [[nodiscard]] bool isStored() const { return !m_context.args.has(OptionId::NoStore); }

    std::optional<PolicySource> m_source; ///< the last one that was read
    std::string m_sourceFile; ///< its name
    std::vector<LoadedPolicy> m_policies; ///< the base, unless recorded; the candidate
    policies::Adjustments m_adjustments; ///< of the candidate
    bool m_isRecorded = false; ///< the base is what production did
    std::unique_ptr<storage::RunStore> m_store; ///< of what is replayed; none: nothing is kept
    std::vector<std::string> m_by;
    std::string m_format;
    std::size_t m_top = 0;
    CompareOptions m_options;
    std::optional<CompareGate> m_gate;
};

/// --by and --fail-if, checked against what the policies and the log can give.
engine::Status CompareVerb::prepareOptions(const KnownNames& known)
{
    m_by = listOf(m_context.args, OptionId::By);
    if (engine::Status there = checkAttributes(m_by, known); !there) {
        return there;
    }
    m_options.facets = m_by;
    engine::Result<std::optional<Gate>> gate = gateOf(m_context.args, GateContext::Compare, known);
    if (!gate) {
        return engine::fail(gate.error());
    }
    if (*gate) {
        for (const std::string& attribute : (*gate)->narrowedAttributes()) {
            if (std::find(m_options.facets.begin(), m_options.facets.end(), attribute)
                == m_options.facets.end()) {
                m_options.facets.push_back(attribute);
            }
        }
        m_gate.emplace(std::move(**gate), m_options.facets);
        m_options.watches = m_gate->watches();
    }
    return engine::Done {};
}

engine::Status CompareVerb::write(const CompareView& view)
{
    if (m_format == "json") {
        const engine::Result<std::string> json = comparisonJson(view, m_context.messages.all());
        if (!json) {
            return engine::fail(json.error());
        }
        m_context.out.write(*json);
    } else if (m_format == "markdown") {
        m_context.out.write(markdownReport(sheetOf(view)));
    } else if (m_format == "github") {
        m_context.out.write(githubComparison(view));
    } else if (m_format == "csv") {
        const ReportSheet sheet = sheetOf(view);
        m_context.out.write(csvReport(sheet));
        sayNotes(m_context.messages, sheet);
    } else {
        writeComparison(m_context, view);
    }
    return engine::Done {};
}

ExitCode CompareVerb::conclude(CompareView view, bool interrupted)
{
    const engine::Comparison& comparison = *view.outcome.comparison;
    view.gate = m_gate ? &*m_gate : nullptr;
    const bool sawNothing = comparison.totals().total() == 0;
    // A gate that saw nothing must not let a change pass.
    view.saysNo = m_gate && (sawNothing || m_gate->saysNo(comparison));
    if (m_gate && sawNothing) {
        m_context.messages.warning("gate.nothing", "the gate saw no request, so it says no",
                                   "`weir inspect LOG` says what can be read of the log");
    }
    if (engine::Status written = write(view); !written) {
        return m_context.fail(written.error());
    }
    if (interrupted) {
        return ExitCode::Interrupted;
    }
    return view.saysNo ? ExitCode::GateSaysNo : ExitCode::Done;
}

ExitCode CompareVerb::compareRuns()
{
    // What stored runs take of these says how they are read again, or what is made of the figures.
    const std::optional<std::string> option
        = m_context.args.firstOf({Category::Policy, Category::Log, Category::Replay},
                                 {OptionId::Jobs, OptionId::MaskKey, OptionId::FailIf});
    if (option) {
        return m_context.usage(fmt::format("`{}` does not change runs that are stored", *option),
                               "leave it out, or compare policies over a log: --log LOG");
    }
    if (m_context.args.arguments.size() != 2) {
        return m_context.usage("two runs are needed",
                               "write `weir compare BASE CANDIDATE`, or give a log: --log LOG");
    }
    const engine::Result<ComparedRuns> runs = comparedRunsOf(m_context.args);
    if (!runs) {
        return m_context.fail(runs.error());
    }
    const engine::Result<unsigned> jobs = jobsOf(m_context.args);
    if (!jobs) {
        return m_context.fail(jobs.error());
    }
    const auto store = openStore(m_context, storage::Access::Read);
    if (!store) {
        return m_context.fail(store.error());
    }
    if (m_context.args.has(OptionId::By) || m_context.args.has(OptionId::FailIf)) {
        const engine::Result<KnownNames> known = namesOfRuns(**store, *runs);
        if (!known) {
            return m_context.fail(known.error());
        }
        if (engine::Status prepared = prepareOptions(*known); !prepared) {
            return m_context.fail(prepared.error());
        }
    }
    const ReadAgain again {m_context.args.all(OptionId::Recording), *jobs, &interrupted(),
                           &m_progress};
    const engine::Result<CompareOutcome> outcome
        = compareStored(**store, runs->base, runs->candidate, m_options, again);
    m_context.messages.transient("");
    if (!outcome) {
        return m_context.fail(outcome.error());
    }
    CompareView view {*outcome, m_by, m_top};
    const storage::RunReader reader(**store);
    if (engine::Status told = describe(reader, runs->base.run, runs->candidate, view); !told) {
        return m_context.fail(told.error());
    }
    const engine::Result<KeyNames> names = keyNamesOfRuns(
        m_context, m_format, **store, {runs->base.run.value_or(runs->candidate), runs->candidate});
    if (!names) {
        return m_context.fail(names.error());
    }
    view.names = *names;
    return conclude(std::move(view), interrupted());
}

engine::Status CompareVerb::readSource(const std::string& file)
{
    if (m_source && m_sourceFile == file) {
        return engine::Done {}; // the same side twice: what was read cannot have changed
    }
    engine::Result<PolicySource> source = PolicySource::read(file, m_context.policyOptions());
    if (!source) {
        return engine::fail(source.error());
    }
    m_source = std::move(*source);
    m_sourceFile = file;
    return engine::Done {};
}

ExitCode CompareVerb::addPolicy(const std::string& file, const policies::Adjustments& adjustments)
{
    if (engine::Status read = readSource(file); !read) {
        return m_context.fail(read.error());
    }
    engine::Result<LoadedPolicy> loaded = m_source->load(adjustments);
    if (!loaded) {
        return m_context.fail(loaded.error(), ExitCode::Usage);
    }
    m_context.messages.show(loaded->diagnostics);
    if (!loaded->isValid()) {
        return ExitCode::PolicyInvalid;
    }
    m_policies.push_back(std::move(*loaded));
    return ExitCode::Done;
}

/// The base as it is, unless it is `recorded`; --set and --mode hold for the candidate.
ExitCode CompareVerb::loadPolicies()
{
    const std::vector<std::string>& arguments = m_context.args.arguments;
    m_isRecorded = arguments.front() == kRecorded;
    m_adjustments = m_context.policyOptions().adjustments;
    if (arguments.size() == 1 && (m_isRecorded || !isAdjusted())) {
        return m_context.usage(
            "there is only one side to compare",
            "give two policies, or one with --set or --mode, or `recorded` and one");
    }
    if (!m_isRecorded) {
        if (const ExitCode code = addPolicy(arguments.front(), {}); code != ExitCode::Done) {
            return code;
        }
    }
    return addPolicy(arguments.back(), m_adjustments);
}

/// What is replayed: the policies, the attributes to count by, the store.
engine::Status CompareVerb::prepareReplay(ReplayRequest& request)
{
    std::vector<const engine::Plan*> plans;
    std::vector<const policies::Policy*> sources;
    for (const LoadedPolicy& loaded : m_policies) {
        const bool isCandidate = &loaded == &m_policies.back();
        plans.push_back(&*loaded.plan);
        sources.push_back(&*loaded.policy);
        request.policies.push_back(
            replayPolicyOf(loaded, isCandidate ? m_adjustments : policies::Adjustments {},
                           m_context.args.text(OptionId::Name)));
    }
    showClientAdvice(m_context, request, *sources.back());
    const KnownNames known = knownNames(sources, plans, request.pass.logs);
    if (engine::Status fine = checkMask(request.mask, known); !fine) {
        return fine;
    }
    if (engine::Status prepared = prepareOptions(known); !prepared) {
        return prepared;
    }
    request.pass.intake.facets = m_options.facets;
    request.pass.progress = &m_progress;
    return openStoreFor(request);
}

/// What came of conditions is shown from a store also under --no-store: from one that ends with the
/// process. What has nothing of them is not written anywhere.
engine::Status CompareVerb::openStoreFor(ReplayRequest& request)
{
    const bool hasAny
        = std::any_of(m_policies.begin(), m_policies.end(), [&request](const LoadedPolicy& loaded) {
              return hasConditionSides(*loaded.plan, request.pass.conditions);
          });
    if (!isStored() && !hasAny) {
        return engine::Done {};
    }
    auto opened = isStored() ? openStore(m_context, storage::Access::Write)
                             : storage::RunStore::open(":memory:", storage::Access::Write);
    if (!opened) {
        return engine::fail(opened.error());
    }
    m_store = std::move(*opened);
    request.store = m_store.get();
    return engine::Done {};
}

/// "limits (run 2, limits.yaml, adjusted)".
std::string CompareVerb::label(const ReplayOutcome& outcome, std::size_t policy) const
{
    const std::string run = isStored() && outcome.runs[policy]
        ? fmt::format("run {}, ", *outcome.runs[policy])
        : std::string();
    const bool adjusted = isAdjusted() && policy + 1 == m_policies.size();
    return fmt::format("{} ({}{}{})", m_policies[policy].plan->name, run, m_policies[policy].file,
                       adjusted ? ", adjusted" : "");
}

ExitCode CompareVerb::comparePolicies(const std::vector<std::string>& logs)
{
    if (m_context.args.has(OptionId::Recording)) {
        return m_context.usage("`--recording` is for stored runs", "with --log the log is LOG");
    }
    engine::Result<ReplayRequest> request = replayRequestOf(m_context, logs);
    if (!request) {
        return m_context.fail(request.error());
    }
    if (const ExitCode code = loadPolicies(); code != ExitCode::Done) {
        return code;
    }
    if (engine::Status prepared = prepareReplay(*request); !prepared) {
        return m_context.fail(prepared.error());
    }
    LiveComparison comparison(m_isRecorded ? std::nullopt : std::optional<std::size_t>(0),
                              m_policies.size() - 1, m_options);
    request->listeners.push_back(&comparison);
    const engine::Result<ReplayOutcome> outcome = replay(*request);
    m_context.messages.transient("");
    if (!outcome) {
        return m_context.fail(outcome.error());
    }
    showWarnings(m_context.messages, outcome->pass.logs);
    noteMaskKey(m_context);
    if (nothingRead(outcome->pass)) {
        return m_context.fail(unreadable(outcome->pass));
    }
    CompareOutcome compared = comparison.take();
    compared.numbers = outcome->pass.numbers;
    compared.base = m_isRecorded ? std::string(kRecorded) : label(*outcome, 0);
    compared.candidate = label(*outcome, m_policies.size() - 1);
    return concludeReplay(*request, *outcome, compared);
}

ExitCode CompareVerb::concludeReplay(const ReplayRequest& request, const ReplayOutcome& outcome,
                                     const CompareOutcome& compared)
{
    CompareView view {compared, m_by, m_top};
    view.runs.resize(outcome.runs.size());
    if (isStored()) {
        view.runs = outcome.runs;
    }
    std::optional<storage::RunReader> reader; // the view borrows it
    if (m_store) {
        const std::optional<storage::RunId> base
            = m_isRecorded ? std::nullopt : outcome.runs.front();
        reader.emplace(*m_store);
        if (engine::Status told = describeSides(*reader, base, *outcome.runs.back(), view); !told) {
            return m_context.fail(told.error());
        }
    }
    view.notes = outcome.notes.back();
    view.badLines = outcome.badLines;
    for (const storage::Option& option : outcome.recording.reading) {
        view.sampled = option.name == "sampled" ? option.value : view.sampled;
    }
    view.policy = m_policies.back().policy;
    KeyOwners owners {{}, request.pass.logs, outcome.recording.fingerprint, compared.who};
    for (const LoadedPolicy& loaded : m_policies) {
        owners.plans.push_back(&*loaded.plan);
    }
    const engine::Result<KeyNames> names = keyNamesOf(m_context, m_format, owners);
    if (!names) {
        return m_context.fail(names.error());
    }
    view.names = *names;
    return conclude(std::move(view), outcome.pass.interrupted);
}

ExitCode CompareVerb::run()
{
    const engine::Result<std::string> format
        = m_context.formatOf({"text", "json", "markdown", "github", "csv"});
    if (!format) {
        return m_context.fail(format.error());
    }
    m_format = *format;
    const engine::Result<std::size_t> top = topOf(m_context.args);
    if (!top) {
        return m_context.fail(top.error());
    }
    // A bad --mask-key is told before anything is read.
    if (const auto names = keyNamesOf(m_context, m_format, {}); !names) {
        return m_context.fail(names.error());
    }
    // A table for other programs is whole unless somebody says otherwise.
    m_top = m_format == "csv" && !m_context.args.has(OptionId::Top) ? kAnyNumber : *top;
    const std::vector<std::string> logs = m_context.args.all(OptionId::Log);
    return logs.empty() && !m_context.args.has(OptionId::FilesFrom) ? compareRuns()
                                                                    : comparePolicies(logs);
}

} // namespace

ExitCode runCompare(Context& context)
{
    return CompareVerb(context).run();
}

} // namespace app::cli

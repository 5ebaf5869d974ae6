#include "app/cli/log_args.h"
#include "app/cli/replay_args.h"
#include "app/cli/sweep_view.h"
#include "app/workbench/missing_notes.h"

#include <deque>
#include <fmt/format.h>

namespace app::cli {
namespace {

/// The `=` behind RULE.FIELD: a rule's name may hold some, a field's does not.
std::size_t endOfField(std::string_view vary)
{
    std::size_t equals = vary.find('=');
    while (equals != std::string_view::npos) {
        const std::string_view path = vary.substr(0, equals);
        const std::size_t dot = path.find_last_not_of("abcdefghijklmnopqrstuvwxyz_");
        if (dot != std::string_view::npos && path[dot] == '.' && dot + 1 < path.size()) {
            return equals;
        }
        equals = vary.find('=', equals + 1);
    }
    return equals;
}

/// "10/min,[a, b],20/min" at the commas that stand in no brackets.
std::vector<std::string> valuesOf(std::string_view text)
{
    std::vector<std::string> values(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' || c == '{' ? 1 : 0;
        depth -= c == ']' || c == '}' ? 1 : 0;
        if (c == ',' && depth == 0) {
            values.emplace_back();
        } else {
            values.back() += c;
        }
    }
    return values;
}

class SweepVerb {
public:
    explicit SweepVerb(Context& context)
        : m_context(context)
        , m_progress(context.messages, "sweep")
    {
    }

    ExitCode run();

private:
    ExitCode load();
    ExitCode addPolicies();
    std::optional<ExitCode> addPolicy(PolicySource& source,
                                      const policies::Adjustments& adjustments);
    [[nodiscard]] PassNotes notesOf(const ReplayRequest& request,
                                    const SweepOutcome& outcome) const;
    void write(const SweepOutcome& outcome, const PassNotes& notes) const;

    Context& m_context;
    PassProgress m_progress;
    std::string m_format;
    std::string m_path; ///< "search.rate"
    std::string m_rule; ///< "search"
    std::vector<std::string> m_values; ///< of each policy but the first
    std::deque<LoadedPolicy> m_policies; ///< the base, then one for each value
};

std::optional<ExitCode> SweepVerb::addPolicy(PolicySource& source,
                                             const policies::Adjustments& adjustments)
{
    engine::Result<LoadedPolicy> loaded = source.load(adjustments);
    if (!loaded) {
        return m_context.fail(loaded.error(), ExitCode::Usage);
    }
    if (!loaded->isValid()) {
        m_context.messages.show(loaded->diagnostics);
        return ExitCode::PolicyInvalid;
    }
    m_policies.push_back(std::move(*loaded));
    return std::nullopt;
}

/// The policy as it is, and with each value; its files are read once.
ExitCode SweepVerb::addPolicies()
{
    const PolicyOptions options = m_context.policyOptions();
    engine::Result<PolicySource> source
        = PolicySource::read(m_context.args.arguments.front(), options);
    if (!source) {
        return m_context.fail(source.error(), ExitCode::Usage);
    }
    policies::Adjustments adjustments = options.adjustments;
    if (const std::optional<ExitCode> code = addPolicy(*source, adjustments)) {
        return *code;
    }
    adjustments.sets.emplace_back();
    for (const std::string& value : m_values) {
        adjustments.sets.back() = m_path + "=" + value;
        if (const std::optional<ExitCode> code = addPolicy(*source, adjustments)) {
            return *code;
        }
    }
    return ExitCode::Done;
}

/// --vary, and the policies that it makes.
ExitCode SweepVerb::load()
{
    const std::optional<std::string> vary = m_context.args.text(OptionId::Vary);
    const std::size_t equals = vary ? endOfField(*vary) : std::string::npos;
    if (equals == std::string::npos || equals + 1 == vary->size()) {
        return m_context.usage(vary ? fmt::format("`--vary {}` names no values", *vary)
                                    : std::string("sweep needs to know what to vary"),
                               "write `--vary RULE.FIELD=V1,V2`, like "
                               "`--vary search.rate=10/min,20/min`");
    }
    m_path = vary->substr(0, equals);
    m_values = valuesOf(std::string_view(*vary).substr(equals + 1));
    if (m_values.size() + 1 > engine::Sweep::kMostPlans) {
        return m_context.usage(fmt::format("{} values are too many", m_values.size()),
                               "give 63 at most");
    }
    if (const ExitCode code = addPolicies(); code != ExitCode::Done) {
        return code;
    }
    for (const engine::PlanRule& rule : m_policies.front().plan->rules) {
        if (m_path.starts_with(rule.rule + ".") && rule.rule.size() > m_rule.size()) {
            m_rule = rule.rule;
        }
    }
    return ExitCode::Done;
}

PassNotes SweepVerb::notesOf(const ReplayRequest& request, const SweepOutcome& outcome) const
{
    std::vector<const engine::Plan*> plans;
    for (const LoadedPolicy& policy : m_policies) {
        plans.push_back(&*policy.plan);
    }
    PassNotes notes = passNotesOf(outcome.pass, request, plans,
                                  {outcome.requests, outcome.withWho, outcome.recordedRejected});
    for (storage::Note& note : missingNotesOf(*outcome.pass.intake)) {
        notes.notes.push_back(std::move(note));
    }
    return notes;
}

void SweepVerb::write(const SweepOutcome& outcome, const PassNotes& notes) const
{
    SweepView view {outcome, notes, m_path, m_rule, m_values, {}};
    for (const LoadedPolicy& policy : m_policies) {
        view.plans.push_back(&*policy.plan);
    }
    if (m_format == "json") {
        writeSweepJson(m_context, view);
    } else if (m_format == "csv") {
        writeSweepCsv(m_context, view);
    } else {
        writeSweep(m_context, view);
    }
}

ExitCode SweepVerb::run()
{
    const engine::Result<std::string> format = m_context.formatOf({"text", "json", "csv"});
    if (!format) {
        return m_context.fail(format.error());
    }
    m_format = *format;
    if (const ExitCode loaded = load(); loaded != ExitCode::Done) {
        return loaded;
    }
    const std::vector<std::string>& arguments = m_context.args.arguments;
    engine::Result<ReplayRequest> replaying
        = replayRequestOf(m_context, {arguments.begin() + 1, arguments.end()});
    if (!replaying) {
        return m_context.fail(replaying.error());
    }
    SweepRequest request;
    request.pass = replaying->pass;
    request.pass.progress = &m_progress;
    for (const LoadedPolicy& policy : m_policies) {
        request.plans.push_back(&*policy.plan);
    }
    const engine::Result<SweepOutcome> outcome = app::sweep(request);
    m_context.messages.transient("");
    if (!outcome) {
        return m_context.fail(outcome.error());
    }
    if (nothingRead(outcome->pass)) {
        return m_context.fail(unreadable(outcome->pass));
    }
    showWarnings(m_context.messages, outcome->pass.logs);
    if (!outcome->separately.empty()) {
        m_context.messages.note(
            fmt::format("the candidates were decided one by one, since {}", outcome->separately));
    }
    write(*outcome, notesOf(*replaying, *outcome));
    return ExitCode::Done;
}

} // namespace

ExitCode runSweep(Context& context)
{
    return SweepVerb(context).run();
}

} // namespace app::cli

#include "app/cli/log_args.h"
#include "app/cli/pass_notes.h"
#include "app/cli/replay_args.h"
#include "app/cli/run_view.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/json.h"
#include "app/workbench/sweep.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

constexpr std::string_view kBase = "as it is";

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
    std::optional<ExitCode> addPolicy(const PolicyOptions& options);
    [[nodiscard]] PassNotes notesOf(const ReplayRequest& request,
                                    const SweepOutcome& outcome) const;
    [[nodiscard]] engine::Sweep::RuleCounts varied(const SweepOutcome& outcome,
                                                   std::size_t plan) const;
    void writeText(const SweepOutcome& outcome, const PassNotes& notes) const;
    void writeJson(const SweepOutcome& outcome, const PassNotes& notes) const;
    void writeCsv(const SweepOutcome& outcome) const;

    ExitCode failed(const engine::Diagnostic& diagnostic)
    {
        return m_context.fail(diagnostic, exitCodeOf(diagnostic));
    }

    Context& m_context;
    PassProgress m_progress;
    std::string m_path; ///< "search.rate"
    std::string m_rule; ///< "search"
    std::vector<std::string> m_values; ///< of each policy but the first
    std::deque<LoadedPolicy> m_policies; ///< the base, then one for each value
};

std::optional<ExitCode> SweepVerb::addPolicy(const PolicyOptions& options)
{
    engine::Result<LoadedPolicy> loaded = loadPolicy(m_context.args.arguments.front(), options);
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

/// --vary: the policy as it is, and with each value.
ExitCode SweepVerb::load()
{
    const std::optional<std::string> vary = m_context.args.text(OptionId::Vary);
    const std::size_t equals = vary ? vary->find('=') : std::string::npos;
    if (!vary || equals == std::string::npos || vary->find('.') > equals
        || equals + 1 == vary->size()) {
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
    PolicyOptions options = m_context.policyOptions();
    if (const std::optional<ExitCode> code = addPolicy(options)) {
        return *code;
    }
    options.adjustments.sets.emplace_back();
    for (const std::string& value : m_values) {
        options.adjustments.sets.back() = m_path + "=" + value;
        if (const std::optional<ExitCode> code = addPolicy(options)) {
            return *code;
        }
    }
    for (const engine::PlanRule& rule : m_policies.front().plan->rules) {
        if (m_path.starts_with(rule.rule + ".") && rule.rule.size() > m_rule.size()) {
            m_rule = rule.rule;
        }
    }
    return ExitCode::Done;
}

/// The varied rule, with its overrides.
engine::Sweep::RuleCounts SweepVerb::varied(const SweepOutcome& outcome, std::size_t plan) const
{
    engine::Sweep::RuleCounts sum;
    const std::vector<engine::PlanRule>& rules = m_policies[plan].plan->rules;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (rules[i].rule == m_rule) {
            const engine::Sweep::RuleCounts& counts = outcome.rows[plan].rules[i];
            sum.judged += counts.judged;
            sum.denied += counts.denied;
            sum.rejected += counts.rejected;
        }
    }
    return sum;
}

PassNotes SweepVerb::notesOf(const ReplayRequest& request, const SweepOutcome& outcome) const
{
    std::vector<const engine::Plan*> plans;
    for (const LoadedPolicy& policy : m_policies) {
        plans.push_back(&*policy.plan);
    }
    return passNotesOf(outcome.pass, request, plans, outcome.recordedRejected);
}

void SweepVerb::writeText(const SweepOutcome& outcome, const PassNotes& notes) const
{
    constexpr std::uint64_t kBar = 20;
    std::uint64_t most = 0;
    for (const SweepRow& row : outcome.rows) {
        most = std::max(most, row.rejected + row.wouldReject);
    }
    TextTable table({{m_path, Align::Left},
                     {"rejected", Align::Right},
                     {"would reject", Align::Right},
                     {"newly rejected", Align::Right},
                     {"newly admitted", Align::Right},
                     {"newly rejected " + outcome.who, Align::Right},
                     {m_rule + " denied", Align::Right},
                     {"", Align::Left}});
    for (std::size_t plan = 0; plan < outcome.rows.size(); ++plan) {
        const SweepRow& row = outcome.rows[plan];
        const std::uint64_t hit = row.rejected + row.wouldReject;
        const std::size_t length
            = hit == 0 ? 0 : std::max<std::uint64_t>(1, hit / (most / kBar + 1));
        table.add(
            {plan == 0 ? std::string(kBase) : m_values[plan - 1],
             fmt::format("{} ({})", grouped(row.rejected), percent(row.rejected, outcome.requests)),
             grouped(row.wouldReject), grouped(row.newlyRejected), grouped(row.newlyAdmitted),
             grouped(row.newlyRejectedKeys), grouped(varied(outcome, plan).denied),
             std::string(length, '#')},
            plan == 0 ? Style::Faint : Style::Plain);
    }
    const std::string warmup = outcome.warmup == 0
        ? ""
        : fmt::format(" ({} of the warm-up are not counted)", grouped(outcome.warmup));
    m_context.out.write(
        fmt::format("{}: {} requests{}\n\n{}", escaped(m_policies.front().plan->name),
                    grouped(outcome.requests), warmup, table.render(m_context.common.colour)));
    writeSampled(m_context, notes.sampled);
    writeNotes(m_context, notes.notes, notes.badLines, KeyNames(notes.secrets));
}

void SweepVerb::writeJson(const SweepOutcome& outcome, const PassNotes& notes) const
{
    Json json;
    json.beginObject();
    json.field("policy", m_policies.front().plan->name);
    json.field("vary", m_path);
    json.field("requests", outcome.requests);
    json.field("warmup", outcome.warmup);
    json.field("who", outcome.who);
    json.field("separately",
               outcome.separately.empty() ? std::nullopt
                                          : std::optional<std::string_view>(outcome.separately));
    json.beginList("rows");
    for (std::size_t plan = 0; plan < outcome.rows.size(); ++plan) {
        const SweepRow& row = outcome.rows[plan];
        json.beginObject();
        json.field("value",
                   plan == 0 ? std::nullopt : std::optional<std::string_view>(m_values[plan - 1]));
        json.field("rejected", row.rejected);
        json.field("would_reject", row.wouldReject);
        json.field("newly_rejected", row.newlyRejected);
        json.field("newly_admitted", row.newlyAdmitted);
        json.field("rejected_keys", row.keysRejected);
        json.field("newly_rejected_keys", row.newlyRejectedKeys);
        json.beginList("rules");
        const std::vector<engine::PlanRule>& rules = m_policies[plan].plan->rules;
        for (std::size_t i = 0; i < rules.size(); ++i) {
            json.beginObject();
            json.field("rule", rules[i].rule);
            json.field("override",
                       rules[i].overrideName
                           ? std::optional<std::string_view>(*rules[i].overrideName)
                           : std::nullopt);
            json.field("judged", row.rules[i].judged);
            json.field("denied", row.rules[i].denied);
            json.field("rejected", row.rules[i].rejected);
            json.end();
        }
        json.end();
        json.end();
    }
    json.end();
    writeNotesJson(json, notes.notes, notes.badLines);
    writeDiagnostics(json, m_context.messages.all());
    json.end();
    m_context.out.write(json.take());
}

void SweepVerb::writeCsv(const SweepOutcome& outcome) const
{
    std::string text = "value,requests,rejected,would_reject,newly_rejected,newly_admitted,"
                       "rejected_keys,newly_rejected_keys,rule_judged,rule_denied,rule_rejected\n";
    for (std::size_t plan = 0; plan < outcome.rows.size(); ++plan) {
        const SweepRow& row = outcome.rows[plan];
        const engine::Sweep::RuleCounts rule = varied(outcome, plan);
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{}\n", plan == 0 ? "" : csvCell(m_values[plan - 1]),
            outcome.requests, row.rejected, row.wouldReject, row.newlyRejected, row.newlyAdmitted,
            row.keysRejected, row.newlyRejectedKeys, rule.judged, rule.denied, rule.rejected);
    }
    m_context.out.write(text);
}

ExitCode SweepVerb::run()
{
    const engine::Result<std::string> format = tableFormatOf(m_context);
    if (!format) {
        return failed(format.error());
    }
    if (const ExitCode loaded = load(); loaded != ExitCode::Done) {
        return loaded;
    }
    const std::vector<std::string>& arguments = m_context.args.arguments;
    engine::Result<ReplayRequest> replaying
        = replayRequestOf(m_context, {arguments.begin() + 1, arguments.end()});
    if (!replaying) {
        return failed(replaying.error());
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
        return failed(outcome.error());
    }
    if (nothingRead(outcome->pass)) {
        return failed(unreadable(outcome->pass));
    }
    showWarnings(m_context.messages, outcome->pass.logs);
    if (!outcome->separately.empty()) {
        m_context.messages.note(
            fmt::format("the candidates were decided one by one, since {}", outcome->separately));
    }
    const PassNotes notes = notesOf(*replaying, *outcome);
    if (*format == "json") {
        writeJson(*outcome, notes);
    } else if (*format == "csv") {
        writeCsv(*outcome);
        sayNotes(m_context.messages, notes);
    } else {
        writeText(*outcome, notes);
    }
    return ExitCode::Done;
}

} // namespace

ExitCode runSweep(Context& context)
{
    return SweepVerb(context).run();
}

} // namespace app::cli

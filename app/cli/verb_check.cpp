#include "app/cli/check_formats.h"
#include "app/cli/context.h"
#include "app/cli/log_args.h"
#include "app/cli/replay_args.h"
#include "app/workbench/log_facts.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace app::cli {
namespace {

std::string counted(std::size_t number, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", number, number == 1 ? one : many);
}

/// Rules as the policy has them: overrides are part of theirs.
std::string summary(const LoadedPolicy& loaded)
{
    const std::size_t errors = countOf(loaded.diagnostics, engine::Severity::Error);
    const std::size_t advice = countOf(loaded.diagnostics, engine::Severity::Advice);
    std::string text = escaped(loaded.file) + ": ";
    if (loaded.isValid() && errors == 0) {
        std::size_t rules = 0;
        std::size_t tiers = 0;
        for (const auto& tier : loaded.policy->tiers) {
            rules += tier.size();
            tiers += tier.empty() ? 0U : 1U;
        }
        text += fmt::format("valid, {} in {}", counted(rules, "rule", "rules"),
                            counted(tiers, "tier", "tiers"));
    } else {
        text += counted(errors, "error", "errors");
    }
    return text + (advice == 0 ? "" : ", " + counted(advice, "warning", "warnings")) + "\n";
}

void writeJson(Output& out, const std::vector<engine::Diagnostic>& all)
{
    Json json;
    json.beginObject();
    json.field("errors", std::uint64_t {countOf(all, engine::Severity::Error)});
    json.field("advice", std::uint64_t {countOf(all, engine::Severity::Advice)});
    writeDiagnostics(json, all);
    json.end();
    out.write(json.take());
}

void writeText(Context& context, const LoadedPolicy& loaded)
{
    for (const engine::Diagnostic& diagnostic : loaded.diagnostics) {
        if (diagnostic.severity == engine::Severity::Error || !context.common.quiet) {
            context.out.write(rendered(diagnostic, context.common.colour));
        }
    }
    context.out.write(summary(loaded));
}

class CheckVerb {
public:
    explicit CheckVerb(Context& context)
        : m_context(context)
    {
    }

    ExitCode run()
    {
        const engine::Result<std::string> format
            = m_context.formatOf({"text", "json", "github", "sarif", "junit"});
        if (!format) {
            return m_context.fail(format.error());
        }
        for (const std::string& file : m_context.args.arguments) {
            engine::Result<LoadedPolicy> loaded = loadPolicy(file, m_context.policyOptions());
            if (!loaded) {
                return m_context.fail(loaded.error(), ExitCode::Usage);
            }
            m_policies.push_back(std::move(*loaded));
        }
        const engine::Result<ReadText> clients = readClients(m_context);
        if (!clients) {
            return m_context.fail(clients.error());
        }
        m_clientText = *clients;
        if (const engine::Status judged = judgeClients(); !judged) {
            return m_context.fail(judged.error());
        }
        if (const ExitCode code = readLogs(); code != ExitCode::Done) {
            return code;
        }
        addAdvice();
        write(*format);
        const auto hasErrors = [](const LoadedPolicy& loaded) {
            return countOf(loaded.diagnostics, engine::Severity::Error) > 0;
        };
        return std::any_of(m_policies.begin(), m_policies.end(), hasErrors) ? ExitCode::GateSaysNo
                                                                            : ExitCode::Done;
    }

private:
    /// What is worth a second look in --clients by itself goes with the first policy.
    engine::Status judgeClients()
    {
        const std::optional<std::string> name = m_context.args.text(OptionId::Clients);
        if (!name) {
            return engine::Done {};
        }
        engine::Result<GivenConditions> given = clientsOf(m_context, m_clientText);
        if (!given) {
            return engine::fail(given.error());
        }
        m_clients = std::move(given->conditions.clients);
        for (engine::Diagnostic& advice : given->advice) {
            advice.place.file = isClientFile(*name) ? *name : "--clients " + *name;
            addAdvice(m_policies.front(), std::move(advice));
        }
        return engine::Done {};
    }

    /// What the logs say about the policies that are valid.
    ExitCode readLogs()
    {
        const std::vector<std::string> logs = m_context.args.all(OptionId::Log);
        if (logs.empty() && !m_context.args.has(OptionId::FilesFrom)) {
            const std::optional<std::string> option
                = m_context.args.firstOf({Category::Log, Category::Replay}, {OptionId::Clients});
            return option
                ? m_context.usage(fmt::format("`{}` is about a log, and there is none", *option),
                                  "name one: `--log LOG`")
                : ExitCode::Done;
        }
        std::vector<const engine::Plan*> plans;
        for (const LoadedPolicy& loaded : m_policies) {
            if (loaded.isValid()) {
                plans.push_back(&*loaded.plan);
            }
        }
        engine::Result<ReplayRequest> request = replayRequestOf(m_context, logs, m_clientText);
        if (!request) {
            return m_context.fail(request.error());
        }
        if (plans.empty()) {
            return ExitCode::Done;
        }
        request->pass.conditions = {}; // what the log shows is not what clients add to it
        PassProgress progress(m_context.messages, "check");
        request->pass.progress = &progress;
        engine::Result<FactsOutcome> outcome = factsOf(plans, request->pass);
        m_context.messages.transient("");
        if (!outcome) {
            return m_context.fail(outcome.error());
        }
        showWarnings(m_context.messages, outcome->pass.logs);
        if (nothingRead(outcome->pass)) {
            return m_context.fail(unreadable(outcome->pass));
        }
        m_facts = std::move(outcome->facts);
        return ExitCode::Done;
    }

    void addAdvice()
    {
        std::size_t fact = 0;
        for (LoadedPolicy& loaded : m_policies) {
            if (!loaded.policy) {
                continue;
            }
            const policies::LogFacts* log
                = loaded.isValid() && fact < m_facts.size() ? &m_facts[fact++] : nullptr;
            for (engine::Diagnostic& advice :
                 policies::advise(*loaded.policy, loaded.plan ? &*loaded.plan : nullptr, log,
                                  m_clients ? &*m_clients : nullptr)) {
                addAdvice(loaded, std::move(advice));
            }
        }
    }

    void addAdvice(LoadedPolicy& loaded, engine::Diagnostic advice) const
    {
        advice.severity
            = m_context.args.has(OptionId::Strict) ? engine::Severity::Error : advice.severity;
        loaded.diagnostics.push_back(std::move(advice));
    }

    void write(const std::string& format)
    {
        if (format == "github") {
            m_context.out.write(githubAnnotations(m_policies));
        } else if (format == "sarif") {
            m_context.out.write(sarifLog(m_policies));
        } else if (format == "junit") {
            m_context.out.write(junitReport(m_policies));
        } else if (format == "json") {
            std::vector<engine::Diagnostic> all;
            for (const LoadedPolicy& loaded : m_policies) {
                all.insert(all.end(), loaded.diagnostics.begin(), loaded.diagnostics.end());
            }
            writeJson(m_context.out, all);
        } else {
            for (const LoadedPolicy& loaded : m_policies) {
                writeText(m_context, loaded);
            }
        }
    }

    Context& m_context;
    std::vector<LoadedPolicy> m_policies;
    ReadText m_clientText;
    std::optional<engine::ClientProfile> m_clients;
    std::vector<policies::LogFacts> m_facts; ///< of the valid ones, in their order
};

} // namespace

ExitCode runCheck(Context& context)
{
    return CheckVerb(context).run();
}

} // namespace app::cli

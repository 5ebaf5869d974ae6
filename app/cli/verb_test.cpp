#include "app/cli/context.h"
#include "app/workbench/files.h"
#include "app/workbench/scenario.h"
#include "app/workbench/text.h"

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace app::cli {
namespace {

constexpr std::size_t kTableBytes = 16 * 1024 * 1024;

/// A table that was played.
struct Played {
    std::string file;
    ScenarioReport report;
};

/// Plays tables, each against the policy given or its own; policies are read once.
class Tester {
public:
    Tester(Context& context, std::optional<std::string> policy)
        : m_context(context)
        , m_policy(std::move(policy))
    {
    }

    /// Done, or why the verb must stop.
    ExitCode play(const std::string& file)
    {
        const engine::Result<std::string> text = readFile(file, kTableBytes);
        if (!text) {
            return m_context.fail(text.error(), ExitCode::Usage);
        }
        const ReadScenario read = readScenario(file, *text);
        m_context.messages.show(read.diagnostics);
        if (!read.scenario) {
            return ExitCode::Usage;
        }
        if (!m_policy && !read.scenario->policy) {
            return m_context.usage(
                fmt::format("`{}` does not say which policy it is for", file),
                "write `weir test POLICY CASES...`, or `policy: FILE` in the table");
        }
        const std::string policyFile = m_policy ? *m_policy : beside(file, *read.scenario->policy);
        const auto [code, plan] = planOf(policyFile);
        if (plan == nullptr) {
            return code;
        }
        engine::Result<ScenarioReport> report = runScenario(*read.scenario, *plan);
        if (!report) {
            return m_context.fail(report.error(), ExitCode::Usage);
        }
        played.push_back({file, std::move(*report)});
        return ExitCode::Done;
    }

    std::vector<Played> played;

private:
    static std::string beside(const std::string& table, const std::string& policy)
    {
        return (std::filesystem::path(table).parent_path() / policy).string();
    }

    std::pair<ExitCode, const engine::Plan*> planOf(const std::string& file)
    {
        auto found = m_loaded.find(file);
        if (found == m_loaded.end()) {
            Context::Loaded loaded = m_context.load(file);
            if (!loaded.policy) {
                return {loaded.code, nullptr};
            }
            found = m_loaded.emplace(file, std::move(*loaded.policy)).first;
        }
        return {ExitCode::Done, &*found->second.plan};
    }

    Context& m_context;
    std::optional<std::string> m_policy;
    std::map<std::string, LoadedPolicy> m_loaded;
};

std::string caseText(const std::string& file, const FailedCase& failed)
{
    std::string text = fmt::format("{}:{}: case {} is not as expected\n", escaped(file),
                                   failed.line, failed.number);
    for (const Mismatch& mismatch : failed.mismatches) {
        text += fmt::format("  {}: expected {}, was {}\n", escaped(mismatch.column),
                            escaped(mismatch.expected), escaped(mismatch.seen));
    }
    for (const std::string& line : failed.said) {
        text += fmt::format("    {}\n", escaped(line));
    }
    return text;
}

void writeText(Output& out, const std::vector<Played>& all)
{
    for (const Played& played : all) {
        for (const FailedCase& failed : played.report.failed) {
            out.write(caseText(played.file, failed));
        }
        const std::size_t cases = played.report.cases;
        out.write(fmt::format(
            "{}: {} {}, {}\n", escaped(played.file), cases, cases == 1 ? "case" : "cases",
            played.report.failed.empty()
                ? std::string("all as expected")
                : fmt::format("{} not as expected", played.report.failed.size())));
    }
}

void writeCase(Json& json, const FailedCase& failed)
{
    json.beginObject();
    json.field("case", std::uint64_t {failed.number});
    json.field("line", failed.line);
    json.beginList("mismatches");
    for (const Mismatch& mismatch : failed.mismatches) {
        json.beginObject();
        json.field("column", mismatch.column);
        json.field("expected", mismatch.expected);
        json.field("seen", mismatch.seen);
        json.end();
    }
    json.end();
    json.beginList("said");
    for (const std::string& line : failed.said) {
        json.value(line);
    }
    json.end();
    json.end();
}

void writeJson(Context& context, const std::vector<Played>& all, std::size_t failures)
{
    Json json;
    json.beginObject();
    json.field("failed", std::uint64_t {failures});
    json.beginList("tables");
    for (const Played& played : all) {
        json.beginObject();
        json.field("file", played.file);
        json.field("cases", std::uint64_t {played.report.cases});
        json.beginList("failed");
        for (const FailedCase& failed : played.report.failed) {
            writeCase(json, failed);
        }
        json.end();
        json.end();
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace

ExitCode runTest(Context& context)
{
    std::vector<std::string> files = context.args.arguments;
    std::optional<std::string> policy;
    if (!files.front().ends_with(".scn")) {
        policy = files.front();
        files.erase(files.begin());
    }
    if (files.empty()) {
        return context.usage("`weir test` needs a table of cases",
                             "write `weir test POLICY CASES.scn`");
    }
    Tester tester(context, std::move(policy));
    for (const std::string& file : files) {
        if (const ExitCode code = tester.play(file); code != ExitCode::Done) {
            return code;
        }
    }
    std::size_t failures = 0;
    for (const Played& played : tester.played) {
        failures += played.report.failed.size();
    }
    if (context.common.json) {
        writeJson(context, tester.played, failures);
    } else {
        writeText(context.out, tester.played);
    }
    return failures == 0 ? ExitCode::Done : ExitCode::GateSaysNo;
}

} // namespace app::cli

#include "app/cli/context.h"
#include "app/cli/process.h"
#include "app/cli/test_view.h"
#include "app/workbench/files.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace app::cli {
namespace {

constexpr std::size_t kTableBytes = 16 * 1024 * 1024;

bool isTable(const std::string& file)
{
    return file.ends_with(".scn");
}

bool isCases(const std::string& file)
{
    return isTable(file) || file.ends_with(".cases.yaml") || file.ends_with(".cases.yml");
}

/// Plays tables and cases, each against the policy given or its own; policies are read once.
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
        const engine::Result<std::string> text = readFile(file, kTableBytes, &interrupted());
        if (!text) {
            return m_context.fail(text.error(), ExitCode::Usage);
        }
        return isTable(file) ? playTable(file, *text) : playYaml(file, *text);
    }

    std::vector<PlayedFile> played;

private:
    ExitCode playTable(const std::string& file, const std::string& text)
    {
        const ReadScenario read = readScenario(file, text);
        m_context.messages.show(read.diagnostics);
        if (!read.scenario) {
            return ExitCode::Usage;
        }
        const auto [code, plan] = planFor(file, read.scenario->policy);
        if (plan == nullptr) {
            return code;
        }
        engine::Result<ScenarioReport> report = runScenario(*read.scenario, *plan);
        if (!report) {
            return m_context.fail(report.error(), ExitCode::Usage);
        }
        played.push_back({file, std::move(*report), {}, 0});
        return ExitCode::Done;
    }

    ExitCode playYaml(const std::string& file, const std::string& text)
    {
        const policies::CheckedCases read = policies::readCases(file, text);
        m_context.messages.show(read.diagnostics);
        if (!read.cases) {
            return ExitCode::Usage;
        }
        const auto [code, plan] = planFor(
            file, read.cases->policy ? std::optional(read.cases->policy->text) : std::nullopt);
        if (plan == nullptr) {
            return code;
        }
        engine::Result<PlayedCases> cases = playCases(*read.cases, *plan);
        if (!cases) {
            return m_context.fail(cases.error(), ExitCode::Usage);
        }
        played.push_back({file, {}, std::move(*cases), 0});
        return m_context.args.has(OptionId::Update) ? update(played.back(), text) : ExitCode::Done;
    }

    /// Writes what was seen into the file; then nothing of it has failed.
    ExitCode update(PlayedFile& file, const std::string& text)
    {
        const engine::Result<policies::Edits> edits
            = policies::withExpected(text, file.cases->seen);
        if (!edits) {
            return m_context.fail(edits.error(), ExitCode::Usage);
        }
        if (!edits->empty()) {
            const std::string after = policies::applied(text, *edits);
            if (const engine::Status status = writeFile(file.file, after); !status) {
                return m_context.fail(status.error(), ExitCode::Usage);
            }
            for (const std::string& comment : policies::commentsLost(text, after)) {
                m_context.messages.warning(
                    "edit.comment",
                    fmt::format("what was seen took the place of `{}` in `{}` too", comment,
                                file.file),
                    "write the comment again if it is true of what is expected now");
            }
        }
        file.updated = file.cases->seen.size();
        for (PlayedTest& test : file.cases->tests) {
            test.failed.clear();
        }
        return ExitCode::Done;
    }

    std::pair<ExitCode, const engine::Plan*> planFor(const std::string& file,
                                                     const std::optional<std::string>& own)
    {
        if (!m_policy && !own) {
            return {m_context.usage(
                        fmt::format("`{}` does not say which policy it is for", file),
                        "write `weir test POLICY CASES...`, or `policy: FILE` in the table"),
                    nullptr};
        }
        return planOf(m_policy ? *m_policy
                               : (std::filesystem::path(file).parent_path() / *own).string());
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

} // namespace

ExitCode runTest(Context& context)
{
    const engine::Result<std::string> format = context.formatOf({"text", "json", "junit"});
    if (!format) {
        return context.fail(format.error());
    }
    std::vector<std::string> files = context.args.arguments;
    std::optional<std::string> policy;
    const bool isFromStdin = files.size() == 1 && files.front() == "-"; // cases that name a policy
    if (!isCases(files.front()) && !isFromStdin) {
        policy = files.front();
        files.erase(files.begin());
    }
    if (files.empty()) {
        return context.usage("`weir test` needs a table of cases",
                             "write `weir test POLICY CASES.scn`, or NAME.cases.yaml");
    }
    if (context.args.has(OptionId::Update)
        && std::find(files.begin(), files.end(), "-") != files.end()) {
        return context.usage("`--update` cannot write into stdin", "name the file of the cases");
    }
    const auto table = std::find_if(files.begin(), files.end(), isTable);
    if (context.args.has(OptionId::Update) && table != files.end()) {
        return context.usage(fmt::format("`--update` cannot write into `{}`", *table),
                             "it writes NAME.cases.yaml; change tables by hand");
    }
    Tester tester(context, std::move(policy));
    for (const std::string& file : files) {
        if (const ExitCode code = tester.play(file); code != ExitCode::Done) {
            return code;
        }
    }
    if (*format == "json") {
        writeJson(context, tester.played);
    } else if (*format == "junit") {
        writeJunit(context.out, tester.played);
    } else {
        writeText(context.out, tester.played);
    }
    return failuresIn(tester.played) == 0 ? ExitCode::Done : ExitCode::GateSaysNo;
}

} // namespace app::cli

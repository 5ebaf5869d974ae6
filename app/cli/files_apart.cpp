#include "app/cli/files_apart.h"

#include "app/workbench/conditions_options.h"
#include "app/workbench/files.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

namespace app::cli {
namespace {

namespace fs = std::filesystem;

/// The name of what "-" stands for.
constexpr const char* kStandardInput = "/dev/stdin";

struct Input {
    std::string_view what; ///< "the log"
    std::string path;
};

/// All files that the verb reads, whatever verb it is.
class Inputs {
public:
    void add(std::string_view what, std::string path)
    {
        if (!path.empty()) {
            m_inputs.push_back({what, path == "-" ? kStandardInput : std::move(path)});
        }
    }

    /// Of a policy's file, by the name that the policy has for it.
    void addLookup(const std::string& policy, const std::string& name,
                   const std::optional<std::string>& lookupDir)
    {
        const fs::path beside = policy == "-" ? fs::path() : fs::path(policy).parent_path();
        add("a lookup file", (beside / name).string());
        if (lookupDir) {
            add("a lookup file", (fs::path(*lookupDir) / name).string());
        }
    }

    [[nodiscard]] const std::vector<Input>& all() const { return m_inputs; }

private:
    std::vector<Input> m_inputs;
};

/// Where a name leads, also one that no file has yet; empty where that cannot be told.
fs::path placeOf(const std::string& path)
{
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    return error ? fs::path() : fs::weakly_canonical(whole, error);
}

bool isOne(const std::string& a, const std::string& b)
{
    std::error_code ignored;
    if (fs::is_character_file(a, ignored)) {
        return false; // /dev/null may be both
    }
    if (a == b || isSameFile(a, b)) {
        return true;
    }
    const fs::path place = placeOf(a);
    return !place.empty() && place == placeOf(b);
}

/// Those that options name, of any verb.
void addNamed(const Context& context, Inputs& inputs)
{
    for (const std::string& list : context.args.all(OptionId::FilesFrom)) {
        inputs.add("--files-from", list);
    }
    if (const auto clients = context.args.text(OptionId::Clients);
        clients && isClientFile(*clients)) {
        inputs.add("the profile of the clients", *clients);
    }
    inputs.add("--mask-key", context.args.text(OptionId::MaskKey).value_or(""));
    // A verb that keeps nothing there does not mean to write over it either.
    if (!context.args.has(OptionId::NoStore)) {
        inputs.add("the store", context.common.db.value_or(""));
    }
}

/// A file that the verb writes, and what names it: "-o", "FILE".
struct WrittenFile {
    std::string_view what;
    std::string path;
};

std::vector<WrittenFile> outputsOf(const LowArgs& args)
{
    constexpr std::array<std::pair<OptionId, std::string_view>, 3> kOptions {
        {{OptionId::Output, "-o"},
         {OptionId::Decisions, "--decisions"},
         {OptionId::Rejects, "--rejects"}}};
    std::vector<WrittenFile> outputs;
    for (const auto& [id, option] : kOptions) {
        const std::string path = args.text(id).value_or("");
        if (!path.empty() && !(id == OptionId::Output && path == "-")) {
            outputs.push_back({option, path});
        }
    }
    if (args.verb == Verb::New && !args.arguments.empty() && args.arguments.front() != "-") {
        outputs.push_back({"FILE", args.arguments.front()});
    }
    return outputs;
}

engine::Status checkApart(const Context& context, const Inputs& inputs)
{
    const std::vector<WrittenFile> outputs = outputsOf(context.args);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& [what, path] = outputs[i];
        for (const Input& input : inputs.all()) {
            if (isOne(path, input.path)) {
                return engine::fail(
                    "cli.usage", fmt::format("`{} {}` would write over {}", what, path, input.what),
                    "name another file");
            }
        }
        for (std::size_t other = 0; other < i; ++other) {
            if (isOne(path, outputs[other].path)) {
                return engine::fail(
                    "cli.usage",
                    fmt::format("`{}` and `{}` are one file", what, outputs[other].what),
                    "name another file");
            }
        }
    }
    return engine::Done {};
}

} // namespace

engine::Status checkOutputs(const Context& context, const std::vector<LogChoice>& logs,
                            const std::vector<const LoadedPolicy*>& policies)
{
    Inputs inputs;
    for (const LoadedPolicy* policy : policies) {
        inputs.add("the policy", policy->file);
        for (const auto& [name, bytes] : policy->lookups) {
            inputs.addLookup(policy->file, name, context.args.text(OptionId::LookupDir));
        }
    }
    for (const LogChoice& log : logs) {
        inputs.add("the log", log.path);
        inputs.add("the description of the logs", log.description);
    }
    addNamed(context, inputs);
    return checkApart(context, inputs);
}

engine::Status checkOutputs(const Context& context, const std::vector<storage::RunDetail>& runs)
{
    Inputs inputs;
    for (const storage::RunDetail& run : runs) {
        inputs.add("the policy", run.policy.path);
        for (const storage::Lookup& lookup : run.policy.lookups) {
            inputs.addLookup(run.policy.path, lookup.name, std::nullopt);
        }
        for (const storage::RecordingFile& log :
             run.recording ? run.recording->files : std::vector<storage::RecordingFile>()) {
            inputs.add("the log", log.path);
        }
    }
    for (const std::string& recording : context.args.all(OptionId::Recording)) {
        inputs.add("the log", recording);
    }
    addNamed(context, inputs);
    return checkApart(context, inputs);
}

} // namespace app::cli

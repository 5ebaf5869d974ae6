#include "app/workbench/policy_files.h"

#include "app/workbench/files.h"
#include "policies/compile.h"
#include "policies/fingerprint.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace app {
namespace {

constexpr std::size_t kPolicyBytes = 16 * 1024 * 1024;
constexpr std::size_t kLookupBytes = 256 * 1024 * 1024;

engine::Result<std::string> readLookup(const std::string& policyFile, const PolicyOptions& options,
                                       const std::string& name)
{
    namespace fs = std::filesystem;
    const fs::path beside = policyFile == "-" ? fs::path() : fs::path(policyFile).parent_path();
    if (options.lookupDir) {
        const fs::path path = fs::path(*options.lookupDir) / name;
        std::error_code error;
        if (fs::exists(path, error)) {
            return readFile(path.string(), kLookupBytes);
        }
    }
    engine::Result<std::string> bytes = readFile((beside / name).string(), kLookupBytes);
    if (!bytes && bytes.error().code == "file.missing") {
        engine::Diagnostic missing = bytes.error();
        missing.help = "put it beside the policy, or say where it is: --lookup-dir DIR";
        return engine::fail(std::move(missing));
    }
    return bytes;
}

engine::Diagnostic unreadable(const std::string& file, engine::Diagnostic why)
{
    why.code = "policy.unreadable";
    why.place.file = file;
    return why;
}

void append(std::vector<engine::Diagnostic>& to, std::vector<engine::Diagnostic> from)
{
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

} // namespace

engine::Result<std::string> readPolicyText(const std::string& file, const StopFlag* stop)
{
    engine::Result<std::string> text = readFile(file, kPolicyBytes, stop);
    if (text || text.error().code == "file.stopped") {
        return text;
    }
    return engine::fail(unreadable(file, text.error()));
}

engine::Result<LoadedPolicy> loadPolicy(const std::string& file, const PolicyOptions& options)
{
    const engine::Result<std::string> text = readPolicyText(file, options.stop);
    if (!text && text.error().code == "file.stopped") {
        return engine::fail(text.error());
    }
    if (!text) {
        LoadedPolicy loaded;
        loaded.file = file;
        loaded.diagnostics.push_back(text.error());
        return loaded;
    }
    return loadPolicyText(file, *text, options);
}

engine::Result<LoadedPolicy> loadPolicyText(const std::string& file, const std::string& text,
                                            const PolicyOptions& options)
{
    LoadedPolicy loaded;
    loaded.file = file;
    loaded.text = text;
    policies::Checked checked = policies::read(file, loaded.text);
    const bool isAdjusted = !options.adjustments.sets.empty() || !options.adjustments.modes.empty();
    if (checked.policy && isAdjusted) {
        engine::Result<policies::Checked> adjusted
            = policies::adjust(*checked.policy, options.adjustments);
        if (!adjusted) {
            return engine::fail(adjusted.error());
        }
        checked = std::move(*adjusted);
    }
    loaded.policy = std::move(checked.policy);
    append(loaded.diagnostics, std::move(checked.diagnostics));
    if (!loaded.policy) {
        return loaded;
    }
    policies::Compiled compiled = policies::compile(*loaded.policy, [&](const std::string& name) {
        engine::Result<std::string> bytes = readLookup(file, options, name);
        if (bytes) {
            loaded.lookups.emplace_back(name, *bytes);
        }
        return bytes;
    });
    append(loaded.diagnostics, std::move(compiled.diagnostics));
    loaded.plan = std::move(compiled.plan);
    if (loaded.plan) {
        loaded.fingerprint = policies::fingerprint(*loaded.plan);
    }
    return loaded;
}

} // namespace app

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

engine::Result<std::string> readLookup(const std::string& policyFile,
                                       const std::optional<std::string>& lookupDir,
                                       const std::string& name, const StopFlag* stop)
{
    namespace fs = std::filesystem;
    const fs::path beside = policyFile == "-" ? fs::path() : fs::path(policyFile).parent_path();
    if (lookupDir) {
        const fs::path path = fs::path(*lookupDir) / name;
        std::error_code error;
        if (fs::exists(path, error)) {
            return readFile(path.string(), kLookupBytes, stop);
        }
    }
    engine::Result<std::string> bytes = readFile((beside / name).string(), kLookupBytes, stop);
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

PolicySource::PolicySource(std::string file, std::string text, std::optional<std::string> lookupDir,
                           const StopFlag* stop)
    : m_file(std::move(file))
    , m_text(std::move(text))
    , m_lookupDir(std::move(lookupDir))
    , m_stop(stop)
{
}

engine::Result<PolicySource> PolicySource::read(std::string file, const PolicyOptions& options)
{
    engine::Result<std::string> text = readPolicyText(file, options.stop);
    if (!text && text.error().code == "file.stopped") {
        return engine::fail(text.error());
    }
    PolicySource source(std::move(file), text ? std::move(*text) : std::string(), options.lookupDir,
                        options.stop);
    if (!text) {
        source.m_unreadable = text.error();
    }
    return source;
}

engine::Result<std::string> PolicySource::lookup(const std::string& name)
{
    auto found = m_lookups.find(name);
    if (found == m_lookups.end()) {
        found = m_lookups.emplace(name, readLookup(m_file, m_lookupDir, name, m_stop)).first;
    }
    return found->second;
}

engine::Result<LoadedPolicy> PolicySource::load(const policies::Adjustments& adjustments)
{
    LoadedPolicy loaded;
    loaded.file = m_file;
    loaded.text = m_text;
    if (m_unreadable) {
        loaded.diagnostics.push_back(*m_unreadable);
        return loaded;
    }
    policies::Checked checked = policies::read(m_file, loaded.text);
    const bool isAdjusted = !adjustments.sets.empty() || !adjustments.modes.empty();
    if (checked.policy && isAdjusted) {
        engine::Result<policies::Checked> adjusted = policies::adjust(*checked.policy, adjustments);
        if (!adjusted) {
            return engine::fail(adjusted.error());
        }
        checked = std::move(*adjusted);
    }
    loaded.policy = std::move(checked.policy);
    loaded.draft = std::move(checked.draft);
    append(loaded.diagnostics, std::move(checked.diagnostics));
    if (!loaded.policy) {
        return loaded;
    }
    std::optional<engine::Diagnostic> stopped;
    policies::Compiled compiled = policies::compile(*loaded.policy, [&](const std::string& name) {
        engine::Result<std::string> bytes = lookup(name);
        if (bytes) {
            loaded.lookups.emplace_back(name, *bytes);
        } else if (bytes.error().code == "file.stopped") {
            stopped = bytes.error();
        }
        return bytes;
    });
    if (stopped) {
        return engine::fail(*stopped); // no mistake of the policy
    }
    append(loaded.diagnostics, std::move(compiled.diagnostics));
    loaded.plan = std::move(compiled.plan);
    if (loaded.plan) {
        loaded.fingerprint = policies::fingerprint(*loaded.plan);
    }
    return loaded;
}

engine::Result<LoadedPolicy> loadPolicy(const std::string& file, const PolicyOptions& options)
{
    engine::Result<PolicySource> source = PolicySource::read(file, options);
    if (!source) {
        return engine::fail(source.error());
    }
    return source->load(options.adjustments);
}

engine::Result<LoadedPolicy> loadPolicyText(const std::string& file, const std::string& text,
                                            const PolicyOptions& options)
{
    return PolicySource(file, text, options.lookupDir, options.stop).load(options.adjustments);
}

} // namespace app

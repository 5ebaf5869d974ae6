#include "app/workbench/stored_run.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/where.h"
#include "policies/adjust.h"
#include "policies/compile.h"
#include "policies/read.h"
#include "storage/log_source.h"

#include <filesystem>
#include <fmt/format.h>

namespace app {
namespace {

std::vector<std::string> valuesOf(const std::vector<storage::Option>& options,
                                  std::string_view name)
{
    std::vector<std::string> values;
    for (const storage::Option& option : options) {
        if (option.name == name) {
            values.push_back(option.value);
        }
    }
    return values;
}

std::string valueOf(const std::vector<storage::Option>& options, std::string_view name)
{
    const std::vector<std::string> values = valuesOf(options, name);
    return values.empty() ? std::string() : values.back();
}

engine::Failure firstError(const std::vector<engine::Diagnostic>& diagnostics)
{
    for (const engine::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == engine::Severity::Error) {
            return engine::fail(diagnostic);
        }
    }
    return engine::fail("policy.stored", "the policy that the run keeps cannot be compiled",
                        "replay the log again");
}

engine::Result<engine::Plan> planOf(const storage::RunDetail& run)
{
    policies::Checked checked = policies::read(run.policy.path, run.policy.text);
    if (!checked.policy) {
        return firstError(checked.diagnostics);
    }
    const policies::Adjustments adjustments {valuesOf(run.options, "set"),
                                             valuesOf(run.options, "mode")};
    if (!adjustments.sets.empty() || !adjustments.modes.empty()) {
        engine::Result<policies::Checked> adjusted = policies::adjust(*checked.policy, adjustments);
        if (!adjusted) {
            return engine::fail(adjusted.error());
        }
        if (!adjusted->policy) {
            return firstError(adjusted->diagnostics);
        }
        checked = std::move(*adjusted);
    }
    const auto load = [&run](const std::string& file) -> engine::Result<std::string> {
        for (const storage::Lookup& lookup : run.policy.lookups) {
            if (lookup.name == file) {
                return lookup.bytes;
            }
        }
        return engine::fail("policy.lookup-file", fmt::format("the run does not keep `{}`", file));
    };
    policies::Compiled compiled = policies::compile(*checked.policy, load);
    if (!compiled.plan) {
        return firstError(compiled.diagnostics);
    }
    return std::move(*compiled.plan);
}

engine::Status readAs(const std::vector<storage::Option>& reading, LogChoice& log)
{
    log.format = valueOf(reading, "format");
    log.spread
        = valueOf(reading, "spread") == "none" ? storage::Spread::None : storage::Spread::Even;
    if (const std::string reorder = valueOf(reading, "reorder");
        !reorder.empty() && reorder != "auto") {
        const engine::Result<std::int64_t> horizon = parseDuration(reorder);
        if (!horizon) {
            return engine::fail(horizon.error());
        }
        log.reorderNs = *horizon;
    }
    std::string_view mappings;
    const std::string text = valueOf(reading, "map");
    for (mappings = text; !mappings.empty();) {
        const std::size_t end = mappings.find('\n');
        const engine::Result<storage::FieldMapping> mapping
            = storage::parseMapping(mappings.substr(0, end));
        if (!mapping) {
            return engine::fail(mapping.error());
        }
        log.mappings.push_back(*mapping);
        mappings = end == std::string_view::npos ? std::string_view() : mappings.substr(end + 1);
    }
    return engine::Done {};
}

/// Is the file the recording that the run was made from, byte for byte, or does it begin with it?
engine::Status checkFile(const storage::RunDetail& run, LogChoice& log)
{
    const std::uint64_t bytes
        = run.recording->files.empty() ? 0 : run.recording->files.front().bytes;
    const engine::Result<storage::StoredBytes> found = storage::fingerprintFile(log.path, bytes);
    std::string how = "its content differs";
    if (!found && found.error().code == "log.short") {
        how = fmt::format("it has fewer than {} bytes", grouped(bytes));
    } else if (!found) {
        return engine::fail(found.error());
    } else if (found->fingerprint.toText() == run.recording->fingerprint) {
        log.storedBytes = bytes; // what was written to it since is no part of the run
        return engine::Done {};
    }
    return engine::fail("recording.changed",
                        fmt::format("`{}` is not the log that run {} was made from: {}", log.path,
                                    run.summary.id, how),
                        "say where the log is now (--recording FILE), or replay it again");
}

} // namespace

engine::Result<StoredPlan> planOfRun(const storage::RunDetail& run)
{
    if (!run.recording) {
        return engine::fail(
            "recording.unknown",
            fmt::format("run {} does not say how its log was read: it did not end", run.summary.id),
            "replay the log again");
    }
    StoredPlan stored;
    engine::Result<engine::Plan> plan = planOf(run);
    if (!plan) {
        return engine::fail(plan.error());
    }
    stored.plan = std::move(*plan);
    if (engine::Status read = readAs(run.recording->reading, stored.logs.emplace_back()); !read) {
        return engine::fail(read.error());
    }
    return stored;
}

engine::Result<StoredRun> openStoredRun(const storage::RunDetail& run, const std::string& recording)
{
    engine::Result<StoredPlan> planned = planOfRun(run);
    if (!planned) {
        return engine::fail(planned.error());
    }
    if (recording.empty() && run.recording->streamed) {
        return engine::fail("recording.streamed",
                            fmt::format("run {} was read from a stream", run.summary.id),
                            "give the same bytes as a file: --recording FILE");
    }
    StoredRun stored;
    stored.plan = std::move(planned->plan);
    stored.pass.logs = std::move(planned->logs);
    LogChoice& log = stored.pass.logs.front();
    if (recording.empty() && run.recording->files.empty()) {
        return engine::fail("store.damaged",
                            fmt::format("run {} does not say where its log was", run.summary.id),
                            "say where it is: --recording FILE");
    }
    log.path = recording.empty() ? run.recording->files.front().path : recording;
    std::error_code ignored;
    if (!std::filesystem::exists(log.path, ignored)) {
        return engine::fail(
            "recording.missing",
            fmt::format("the log of run {} is not at `{}` any more", run.summary.id, log.path),
            "say where it is now: --recording FILE");
    }
    if (engine::Status same = checkFile(run, log); !same) {
        return engine::fail(same.error());
    }
    if (const std::string who = valueOf(run.recording->reading, "who"); !who.empty()) {
        stored.pass.intake.who = {who};
    }
    if (const std::string where = valueOf(run.recording->reading, "where"); !where.empty()) {
        engine::Result<engine::Match> match = parseMatch(where, "--where");
        if (!match) {
            return engine::fail(match.error());
        }
        stored.pass.intake.where = std::move(*match);
    }
    stored.pass.sortWhole = valueOf(run.recording->reading, "sorted") == "whole";
    if (const std::string warmup = valueOf(run.options, "warmup"); !warmup.empty()) {
        const engine::Result<std::int64_t> ns = parseDuration(warmup);
        if (!ns) {
            return engine::fail(ns.error());
        }
        stored.pass.warmupNs = *ns;
    }
    return stored;
}

} // namespace app

#include "app/workbench/stored_run.h"

#include "app/workbench/conditions_options.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/log_reading.h"
#include "app/workbench/recorded.h"
#include "app/workbench/where.h"
#include "policies/adjust.h"
#include "policies/compile.h"
#include "policies/read.h"
#include "storage/log_source.h"

#include <algorithm>
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
    const engine::Result<policies::Policy> policy = policyOfRun(run);
    if (!policy) {
        return engine::fail(policy.error());
    }
    const auto load = [&run](const std::string& file) -> engine::Result<std::string> {
        for (const storage::Lookup& lookup : run.policy.lookups) {
            if (lookup.name == file) {
                return lookup.bytes;
            }
        }
        return engine::fail("policy.lookup-file", fmt::format("the run does not keep `{}`", file));
    };
    policies::Compiled compiled = policies::compile(*policy, load);
    if (!compiled.plan) {
        return firstError(compiled.diagnostics);
    }
    return std::move(*compiled.plan);
}

std::vector<std::string> lines(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

/// How the logs of a run are read, all alike but for their formats.
engine::Result<std::vector<LogChoice>> choicesOf(const storage::RecordingRecord& recording)
{
    const std::vector<storage::Option>& reading = recording.reading;
    LogChoice log;
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
    // Its stored bytes were read under limits once, and are checked to be the same.
    log.limits.maxRatio = storage::SourceLimits::kNoLimit;
    log.limits.maxBytes = storage::SourceLimits::kNoLimit;
    const std::string format = valueOf(reading, "format");
    // One for each log where they differ; a format text may itself have lines.
    const std::vector<std::string> formats = lines(format);
    const bool differ = recording.files.size() > 1 && formats.size() == recording.files.size();
    std::vector<LogChoice> logs;
    for (std::size_t i = 0; i < std::max<std::size_t>(recording.files.size(), 1); ++i) {
        LogChoice& choice = logs.emplace_back(log);
        choice.format = differ ? formats[i] : format;
        choice.path = recording.files.empty() ? std::string() : recording.files[i].path;
    }
    if (engine::Status done = readAs(reading, logs); !done) {
        return engine::fail(done.error());
    }
    return logs;
}

/// Which requests took part, and what says that production rejected one.
engine::Status readAsked(const std::vector<storage::Option>& reading, PassOptions& pass)
{
    for (const auto& [name, bound] : {std::pair("from", &pass.fromNs), {"to", &pass.toNs}}) {
        if (const std::string text = valueOf(reading, name); !text.empty()) {
            const engine::Result<std::int64_t> time = parseTime(text);
            if (!time) {
                return engine::fail(time.error());
            }
            *bound = *time;
        }
    }
    if (const std::string text = valueOf(reading, "recorded-rejection"); !text.empty()) {
        pass.findRecorded = false;
        if (engine::Status read = readRecorded(text, pass.intake); !read) {
            return read;
        }
    }
    pass.intake.dropRecorded = valueOf(reading, "recorded-rejected") == "drop";
    return engine::Done {};
}

/// Do the waits of its clients depend on the seed, or which behaviour a client has?
bool drawsWaits(const engine::ClientProfile& profile)
{
    return profile.behaviours.size() > 1
        || std::any_of(profile.behaviours.begin(), profile.behaviours.end(),
                       [](const engine::Behaviour& behaviour) {
                           return behaviour.jitter != engine::Jitter::None;
                       });
}

/// Do decisions depend on the seed?
bool draws(const engine::Conditions& conditions, const engine::Plan& plan)
{
    const engine::Servers& servers = conditions.servers;
    const bool byDraw = servers.balance == engine::Balance::Random
        || servers.balance == engine::Balance::ByAttribute || servers.skewNs > 0
        || (conditions.clients && drawsWaits(*conditions.clients));
    return byDraw
        || std::any_of(plan.rules.begin(), plan.rules.end(), [](const engine::PlanRule& rule) {
               return rule.limit.algorithm == engine::Algorithm::LoadShedder
                   && rule.limit.strategy == engine::Strategy::Utilisation;
           });
}

engine::Failure changed(const storage::RunDetail& run, const std::string& path,
                        const std::string& how)
{
    return engine::fail(
        "recording.changed",
        fmt::format("`{}` is not the log that run {} was made from: {}", path, run.summary.id, how),
        "say where the log is now (--recording FILE), or replay it again");
}

/// Are the files the recording that the run was made from, byte for byte, or do they begin with it?
engine::Status checkFiles(const storage::RunDetail& run, std::vector<LogChoice>& logs)
{
    std::string all;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        LogChoice& log = logs[i];
        const storage::RecordingFile& file = run.recording->files[i];
        const engine::Result<storage::StoredBytes> found
            = storage::fingerprintFile(log.path, file.bytes);
        if (!found && found.error().code == "log.short") {
            return changed(run, log.path,
                           fmt::format("it has fewer than {} bytes", grouped(file.bytes)));
        }
        if (!found) {
            return engine::fail(found.error());
        }
        const std::string fingerprint = found->fingerprint.toText();
        if (!file.fingerprint.empty() && file.fingerprint != fingerprint) {
            return changed(run, log.path, "its content differs");
        }
        all += fingerprint;
        log.storedBytes = file.bytes; // what was written to it since is no part of the run
    }
    const std::string fingerprint = logs.size() == 1 ? all : storage::fingerprintOf(all).toText();
    return fingerprint == run.recording->fingerprint
        ? engine::Status(engine::Done {})
        : changed(run, logs.front().path, "its content differs");
}

/// Where the logs are: as the run found them, or as it is told now.
engine::Status findFiles(const storage::RunDetail& run, const std::vector<std::string>& recordings,
                         std::vector<LogChoice>& logs)
{
    const std::vector<storage::RecordingFile>& files = run.recording->files;
    if (recordings.empty() && run.recording->streamed) {
        return engine::fail("recording.streamed",
                            fmt::format("run {} was read from a stream", run.summary.id),
                            "give the same bytes as a file: --recording FILE");
    }
    if (files.empty()) {
        return engine::fail("store.damaged",
                            fmt::format("run {} does not say where its log was", run.summary.id),
                            "replay the log again");
    }
    std::error_code ignored;
    const bool isFolder
        = recordings.size() == 1 && std::filesystem::is_directory(recordings.front(), ignored);
    if (!recordings.empty() && !isFolder && recordings.size() != files.size()) {
        return engine::fail(
            "recording.count",
            fmt::format("run {} is of {} logs, {} are given", run.summary.id, files.size(),
                        recordings.size()),
            "give --recording once for each log, in the order of the replay, or one "
            "folder that has them all");
    }
    for (std::size_t i = 0; i < logs.size(); ++i) {
        if (isFolder) {
            const std::filesystem::path name = std::filesystem::path(files[i].path).filename();
            logs[i].path = (std::filesystem::path(recordings.front()) / name).string();
        } else if (!recordings.empty()) {
            logs[i].path = recordings[i];
        }
        if (!std::filesystem::exists(logs[i].path, ignored)) {
            return engine::fail(
                "recording.missing",
                fmt::format("the log of run {} is not at `{}` any more", run.summary.id,
                            logs[i].path),
                logs.size() == 1
                    ? "say where it is now: --recording FILE"
                    : "say where they are now: --recording FOLDER, or --recording FILE for each");
        }
    }
    return checkFiles(run, logs);
}

} // namespace

engine::Result<policies::Policy> policyOfRun(const storage::RunDetail& run)
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
    return std::move(*checked.policy);
}

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
    engine::Result<std::vector<LogChoice>> logs = choicesOf(*run.recording);
    if (!logs) {
        return engine::fail(logs.error());
    }
    stored.logs = std::move(*logs);
    return stored;
}

engine::Result<StoredRun> openStoredRun(const storage::RunDetail& run, const ReadAgain& again)
{
    engine::Result<StoredPlan> planned = planOfRun(run);
    if (!planned) {
        return engine::fail(planned.error());
    }
    StoredRun stored;
    stored.plan = std::move(planned->plan);
    stored.pass.logs = std::move(planned->logs);
    stored.pass.jobs = again.jobs;
    stored.pass.stop = again.stop;
    stored.pass.progress = again.progress;
    if (engine::Status found = findFiles(run, again.recordings, stored.pass.logs); !found) {
        return engine::fail(found.error());
    }
    engine::Result<storage::RequestNumbers> numbers = storage::RequestNumbers::fromText(
        valueOf(run.recording->reading, storage::RequestNumbers::kOption));
    if (!numbers) {
        return engine::fail(numbers.error());
    }
    stored.numbers = std::move(*numbers);
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
    if (engine::Status asked = readAsked(run.recording->reading, stored.pass); !asked) {
        return engine::fail(asked.error());
    }
    stored.pass.sortWhole = valueOf(run.recording->reading, "sorted") == "whole";
    if (const std::string warmup = valueOf(run.options, "warmup"); !warmup.empty()) {
        const engine::Result<std::int64_t> ns = parseDuration(warmup);
        if (!ns) {
            return engine::fail(ns.error());
        }
        stored.pass.warmupNs = *ns;
    }
    engine::Result<engine::Conditions> conditions = conditionsOfRun(run.options, run.summary.seed);
    if (!conditions) {
        return engine::fail(conditions.error());
    }
    if (run.summary.seed == 0 && !valueOf(run.options, "mask").empty()
        && draws(*conditions, stored.plan)) {
        return engine::fail("recording.seed",
                            fmt::format("run {} was decided by draws, and with --mask a run does "
                                        "not keep the seed that they came from",
                                        run.summary.id),
                            "replay the log again without --mask");
    }
    stored.pass.conditions = std::move(*conditions);
    return stored;
}

} // namespace app

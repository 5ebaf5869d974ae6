#include "app/workbench/replay_options.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"
#include "app/workbench/log_options.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/recorded.h"
#include "app/workbench/text.h"
#include "app/workbench/version.h"
#include "app/workbench/where.h"

#include <array>
#include <chrono>
#include <fmt/format.h>

namespace app {
namespace {

/// Options that change what a run says: runs keep them as they were given, in this order.
constexpr std::array<std::string_view, 15> kKept {"warmup",
                                                  "who",
                                                  "log-format",
                                                  "map",
                                                  "tz",
                                                  "trusted-proxies",
                                                  "reorder",
                                                  "spread",
                                                  "where",
                                                  "from",
                                                  "to",
                                                  "recorded-rejection",
                                                  "recorded-rejected",
                                                  "sampled",
                                                  "mask"};

void addGiven(const GivenOptions& given, std::vector<storage::Option>& options)
{
    for (const std::string_view name : kKept) {
        for (std::string& value : given.all(name)) {
            options.push_back({std::string(name), std::move(value)});
        }
    }
}

/// What production did, and of which part of it the log tells.
engine::Status readProduction(const GivenOptions& given, ReplayRequest& request)
{
    if (const std::optional<std::string> text = given.text("recorded-rejection")) {
        if (engine::Status read = readRecorded(*text, request.pass.intake); !read) {
            return read;
        }
        request.pass.findRecorded = false;
        request.reading.push_back({"recorded-rejection", *text});
    }
    const std::string keep = given.text("recorded-rejected").value_or("keep");
    const std::vector<std::string> ways {"keep", "drop"};
    if (keep != "keep" && keep != "drop") {
        return engine::fail("cli.usage",
                            fmt::format("`--recorded-rejected {}` is neither keep nor drop", keep),
                            suggest(keep, ways, "write " + choices(ways)));
    }
    if (keep == "drop") {
        request.pass.intake.dropRecorded = true;
        request.reading.push_back({"recorded-rejected", keep});
    }
    if (const std::optional<std::string> text = given.text("sampled")) {
        const std::optional<std::int64_t> n = text->starts_with("1/")
            ? parseWhole(std::string_view(*text).substr(2))
            : std::nullopt;
        if (!n || *n < 1) {
            return engine::fail("cli.usage", fmt::format("`--sampled {}` is no share", *text),
                                "write 1/N, like 1/100 where one request of a hundred is logged");
        }
        if (*n > 1) { // 1/1 is the whole log
            request.reading.push_back({"sampled", fmt::format("1/{}", *n)});
        }
    }
    return engine::Done {};
}

engine::Result<std::string> readClientFile(const std::string& path)
{
    return readFile(path, kMostClientBytes);
}

std::string fileWord(const std::string& path)
{
    return shellWord(path.size() > 1 && path.front() == '-' ? "./" + path : path);
}

} // namespace

engine::Result<ReplayRequest> replayRequestOf(const GivenOptions& given,
                                              std::vector<LogChoice> logs, std::uint64_t seed,
                                              const ReadText& readClients)
{
    ReplayRequest request;
    request.seed = seed;
    request.pass.logs = std::move(logs);
    if (const std::optional<std::string> who = given.text("who")) {
        request.pass.intake.who = {*who};
    }
    if (const std::optional<std::string> where = given.text("where")) {
        engine::Result<engine::Match> match = parseMatch(*where, "--where");
        if (!match) {
            return engine::fail(match.error());
        }
        request.pass.intake.where = std::move(*match);
        request.reading.push_back({"where", *where});
    }
    const engine::Result<Period> period = givenPeriod(given);
    if (!period) {
        return engine::fail(period.error());
    }
    request.pass.fromNs = period->fromNs;
    request.pass.toNs = period->toNs;
    if (engine::Status read = readProduction(given, request); !read) {
        return engine::fail(read.error());
    }
    if (const std::optional<std::string> warmup = given.text("warmup")) {
        const engine::Result<std::int64_t> ns = parseDuration(*warmup);
        if (!ns) {
            return engine::fail("cli.usage", fmt::format("`--warmup {}` is no duration", *warmup),
                                "write a duration like `10min`");
        }
        request.pass.warmupNs = *ns;
    }
    engine::Result<GivenConditions> conditions
        = conditionsOf(given, seed, readClients ? readClients : readClientFile);
    if (!conditions) {
        return engine::fail(conditions.error());
    }
    request.pass.conditions = std::move(conditions->conditions);
    request.advice = std::move(conditions->advice);
    addGiven(given, request.options);
    request.options.insert(request.options.end(), conditions->options.begin(),
                           conditions->options.end());
    request.version = kVersion;
    request.startedNs = wallClockNs();
    request.clock = wallClockNs;
    return request;
}

ReplayPolicy replayPolicyOf(const LoadedPolicy& loaded, const policies::Adjustments& adjustments,
                            const std::optional<std::string>& name)
{
    ReplayPolicy policy;
    policy.plan = &*loaded.plan;
    policy.record.name = loaded.plan->name;
    policy.record.path = loaded.file;
    policy.record.text = loaded.policy->text;
    policy.record.fingerprint = loaded.fingerprint;
    for (const auto& [file, bytes] : loaded.lookups) {
        policy.record.lookups.push_back({file, bytes});
    }
    for (const std::string& set : adjustments.sets) {
        policy.options.push_back({"set", set});
    }
    for (const std::string& mode : adjustments.modes) {
        policy.options.push_back({"mode", mode});
    }
    policy.runName = name.value_or("");
    return policy;
}

std::string replayCommand(const std::string& policy, const std::vector<std::string>& logs,
                          const GivenOptions& given)
{
    std::string command = "weir replay " + fileWord(policy);
    for (const std::string& log : logs) {
        command += " " + fileWord(log);
    }
    for (const storage::Option& option : given.inOrder()) {
        // A value that begins with a dash would be taken for an option.
        const bool isJoined = option.value.starts_with('-');
        command += " --" + option.name + (isJoined ? "=" : " ") + shellWord(option.value);
    }
    return command;
}

std::int64_t wallClockNs()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

} // namespace app

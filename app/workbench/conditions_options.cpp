#include "app/workbench/conditions_options.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/near_miss.h"
#include "policies/advice.h"
#include "policies/client_profile.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <fmt/format.h>

namespace app {
namespace {

constexpr std::string_view kBy = "by:";
constexpr std::string_view kSync = "sync:";
constexpr std::string_view kClientsText = "clients-text";
constexpr std::array<std::string_view, 5> kServerOptions {"nodes", "balance", "state",
                                                          "simulate-skew", "store-outage"};

engine::Failure usage(std::string message, std::string help)
{
    return engine::fail("cli.usage", std::move(message), std::move(help));
}

std::vector<std::string_view> partsOf(std::string_view text)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t comma = text.find(',');
        parts.push_back(text.substr(0, comma));
        if (comma == text.npos) {
            return parts;
        }
        text.remove_prefix(comma + 1);
    }
}

engine::Status readNodes(const GivenOptions& given, engine::Servers& servers)
{
    const std::optional<std::string> text = given.text("nodes");
    if (!text) {
        return engine::Done {};
    }
    if (text->starts_with(kBy) && text->size() > kBy.size()) {
        servers.balance = engine::Balance::Logged;
        servers.attribute = text->substr(kBy.size());
        return engine::Done {};
    }
    const std::optional<std::int64_t> count = parseWhole(*text);
    if (!count || *count < 1 || *count > engine::kMostServers) {
        return usage(fmt::format("`--nodes {}` is no number of servers", *text),
                     fmt::format("write 1 .. {}, or by:ATTRIBUTE where the log says which server "
                                 "it was",
                                 engine::kMostServers));
    }
    servers.count = static_cast<std::uint32_t>(*count);
    return engine::Done {};
}

engine::Status readBalance(const GivenOptions& given, engine::Servers& servers)
{
    const std::optional<std::string> text = given.text("balance");
    if (!text) {
        return engine::Done {};
    }
    if (servers.balance == engine::Balance::Logged) {
        return usage("`--balance` stands against `--nodes by:`, where the log says which server "
                     "it was",
                     "leave --balance out");
    }
    if (servers.count == 1) {
        return usage("`--balance` has nothing to share out: there is one server",
                     "write `--nodes N` too");
    }
    if (text->starts_with(kBy) && text->size() > kBy.size()) {
        servers.balance = engine::Balance::ByAttribute;
        servers.attribute = text->substr(kBy.size());
    } else if (*text == "random") {
        servers.balance = engine::Balance::Random;
    } else if (*text != "round_robin") {
        const std::vector<std::string> ways {"round_robin", "random", "by:ATTRIBUTE"};
        return usage(fmt::format("`--balance {}` is no way to share requests out", *text),
                     suggest(*text, ways, "write " + choices(ways)));
    }
    return engine::Done {};
}

engine::Result<engine::TierState> stateOf(std::string_view text)
{
    using engine::StateKind;
    for (const StateKind kind : {StateKind::Shared, StateKind::Local, StateKind::Split}) {
        if (text == engine::nameOf(kind)) {
            return engine::TierState {kind, 0};
        }
    }
    if (text.starts_with(kSync)) {
        const engine::Result<std::int64_t> every = parseDuration(text.substr(kSync.size()));
        if (every && *every > 0) {
            return engine::TierState {StateKind::Sync, *every};
        }
    }
    const std::vector<std::string> ways {"shared", "local", "split", "sync:D"};
    return usage(fmt::format("`--state {}` is not where counts can be kept", text),
                 suggest(std::string(text), ways, "write " + choices(ways) + ", as `sync:1s`"));
}

/// "local", or "edge=local,gateway=sync:1s".
engine::Status readState(const GivenOptions& given, engine::Servers& servers)
{
    std::bitset<engine::kTierCount> givenTiers;
    for (const std::string& text : given.all("state")) {
        for (const std::string_view part : partsOf(text)) {
            const std::size_t equals = part.find('=');
            const engine::Result<engine::TierState> state
                = stateOf(equals == part.npos ? part : part.substr(equals + 1));
            if (!state) {
                return engine::fail(state.error());
            }
            if (equals == part.npos) {
                if (givenTiers.any()) {
                    return usage(
                        fmt::format("`--state {}` says two things of one tier", text),
                        "write one state, or one for each tier: edge=local,gateway=shared");
                }
                servers.states.fill(*state);
                givenTiers.set();
                continue;
            }
            const std::string_view name = part.substr(0, equals);
            const std::optional<engine::Tier> tier = engine::tierNamed(name);
            if (!tier) {
                const std::vector<std::string> tiers {"edge", "gateway", "endpoint", "tenant"};
                return usage(fmt::format("`--state {}`: `{}` is no tier", text, name),
                             suggest(std::string(name), tiers, "write " + choices(tiers)));
            }
            const auto at = static_cast<std::size_t>(*tier);
            if (givenTiers.test(at)) {
                return usage(fmt::format("`--state {}` says two things of one tier", text),
                             "write one state, or one for each tier: edge=local,gateway=shared");
            }
            givenTiers.set(at);
            servers.states[at] = *state;
        }
    }
    const bool isOne = servers.count == 1 && servers.balance != engine::Balance::Logged;
    if (given.has("state") && isOne) {
        return usage("`--state` says nothing with one server", "write `--nodes N` too");
    }
    return engine::Done {};
}

engine::Status readSkew(const GivenOptions& given, engine::Servers& servers)
{
    if (const std::optional<std::string> text = given.text("simulate-skew")) {
        const engine::Result<std::int64_t> skew = parseDuration(*text);
        constexpr std::int64_t kDay = std::int64_t {86'400} * 1'000'000'000;
        if (!skew || *skew > 366 * kDay) {
            return usage(fmt::format("`--simulate-skew {}` is not how far clocks are off", *text),
                         "write a duration of at most a year, as `250ms`");
        }
        servers.skewNs = *skew;
    }
    return engine::Done {};
}

engine::Status readOutages(const GivenOptions& given, std::vector<engine::Outage>& outages)
{
    for (const std::string& text : given.all("store-outage")) {
        const std::size_t dots = text.find("..");
        const std::string help = "write FROM..TO, as `2026-11-28T12:00:00Z..2026-11-28T12:05:00Z`";
        if (dots == text.npos) {
            return usage(fmt::format("`--store-outage {}` has no end", text), help);
        }
        const engine::Result<std::int64_t> from = parseTime(text.substr(0, dots));
        const engine::Result<std::int64_t> to = parseTime(text.substr(dots + 2));
        if (!from || !to || *from >= *to) {
            return usage(fmt::format("`--store-outage {}` is no span of time", text), help);
        }
        outages.push_back({*from, *to});
    }
    std::sort(outages.begin(), outages.end(),
              [](const engine::Outage& a, const engine::Outage& b) { return a.fromNs < b.fromNs; });
    return engine::Done {};
}

engine::Result<engine::ClientProfile> profileFrom(const std::string& name, const std::string& text)
{
    policies::CheckedClients checked = policies::readClientProfile(name, text);
    if (!checked.profile) {
        return engine::fail(checked.diagnostics.front());
    }
    return std::move(*checked.profile);
}

const engine::ClientProfile* presetNamed(std::string_view name)
{
    for (const engine::ClientProfile& preset : engine::clientPresets()) {
        if (preset.name == name) {
            return &preset;
        }
    }
    return nullptr;
}

std::vector<std::string> presetNames()
{
    std::vector<std::string> names;
    for (const engine::ClientProfile& preset : engine::clientPresets()) {
        names.push_back(preset.name);
    }
    return names;
}

engine::Status readClients(const GivenOptions& given, const ReadText& readText,
                           GivenConditions& made)
{
    const std::optional<std::string> name = given.text("clients");
    if (!name) {
        return engine::Done {};
    }
    if (const engine::ClientProfile* const preset = presetNamed(*name)) {
        made.conditions.clients = *preset;
        made.options.push_back({"clients", *name});
    } else {
        if (!isClientFile(*name)) {
            const std::vector<std::string> names = presetNames();
            return usage(
                fmt::format("`--clients {}` is no profile", *name),
                suggest(*name, names, "write " + choices(names) + ", or a file NAME.clients.yaml"));
        }
        const engine::Result<std::string> text = readText(*name);
        if (!text) {
            return engine::fail(text.error());
        }
        engine::Result<engine::ClientProfile> profile = profileFrom(*name, *text);
        if (!profile) {
            return engine::fail(profile.error());
        }
        made.conditions.clients = std::move(*profile);
        made.options.push_back({"clients", *name});
        made.options.push_back({std::string(kClientsText), *text});
    }
    made.advice = policies::adviseClients(*made.conditions.clients);
    return engine::Done {};
}

std::string serverWords(const engine::Servers& servers)
{
    std::string text;
    switch (servers.balance) {
    case engine::Balance::Logged:
        text = fmt::format("a server for each {}", servers.attribute);
        break;
    case engine::Balance::ByAttribute:
        text = fmt::format("{} servers, by {}", servers.count, servers.attribute);
        break;
    case engine::Balance::RoundRobin:
        text = fmt::format("{} servers in turn", servers.count);
        break;
    case engine::Balance::Random:
        text = fmt::format("{} servers at random", servers.count);
        break;
    }
    for (std::size_t tier = 0; tier < engine::kTierCount; ++tier) {
        const engine::TierState& state = servers.states[tier];
        text += fmt::format("{} {} {}", tier == 0 ? "; counts of" : ",",
                            engine::nameOf(static_cast<engine::Tier>(tier)),
                            engine::nameOf(state.kind));
        if (state.kind == engine::StateKind::Sync) {
            text += " every " + durationText(state.everyNs);
        }
    }
    return text;
}

} // namespace

bool isClientFile(std::string_view name)
{
    return name.find('.') != name.npos || name.find('/') != name.npos;
}

engine::Result<GivenConditions> conditionsOf(const GivenOptions& given, std::uint64_t seed,
                                             const ReadText& readText)
{
    GivenConditions made;
    made.conditions.seed = seed;
    engine::Servers& servers = made.conditions.servers;
    for (const auto& read : {readNodes, readBalance, readState, readSkew}) {
        if (engine::Status done = read(given, servers); !done) {
            return engine::fail(done.error());
        }
    }
    if (engine::Status done = readOutages(given, made.conditions.outages); !done) {
        return engine::fail(done.error());
    }
    for (const std::string_view name : kServerOptions) {
        for (std::string& value : given.all(name)) {
            made.options.push_back({std::string(name), std::move(value)});
        }
    }
    if (engine::Status done = readClients(given, readText, made); !done) {
        return engine::fail(done.error());
    }
    return made;
}

std::vector<engine::Diagnostic> retryAdvice(const engine::Conditions& conditions,
                                            const policies::Policy& policy)
{
    const engine::Servers& servers = conditions.servers;
    const bool areSeveral = servers.count > 1 || servers.balance == engine::Balance::Logged;
    const bool countTogether = servers.skewNs == 0
        && std::all_of(servers.states.begin(), servers.states.end(),
                       [](const engine::TierState& state) {
                           return state.kind == engine::StateKind::Shared;
                       });
    // While the store is away, attempts may pass unjudged, or are counted elsewhere.
    const bool isJudged = conditions.outages.empty() && (!areSeveral || countTogether);
    return conditions.clients && isJudged ? policies::adviseRetries(policy, *conditions.clients)
                                          : std::vector<engine::Diagnostic> {};
}

engine::Result<engine::Conditions> conditionsOfRun(const std::vector<storage::Option>& options,
                                                   std::uint64_t seed)
{
    GivenOptions given;
    std::string profile;
    for (const storage::Option& option : options) {
        if (option.name == kClientsText) {
            profile = option.value;
        } else {
            given.add(option.name, option.value);
        }
    }
    engine::Result<GivenConditions> made
        = conditionsOf(given, seed, [&profile](const std::string&) {
              return engine::Result<std::string>(profile);
          });
    if (!made) {
        return engine::fail(made.error());
    }
    return std::move(made->conditions);
}

std::vector<std::string> conditionWords(const engine::Conditions& conditions)
{
    std::vector<std::string> words;
    const engine::Servers& servers = conditions.servers;
    if (servers.count > 1 || servers.balance == engine::Balance::Logged) {
        words.push_back(serverWords(servers));
    }
    if (servers.skewNs > 0) {
        words.push_back("clocks off by up to " + durationText(servers.skewNs));
    }
    for (const engine::Outage& outage : conditions.outages) {
        words.push_back(fmt::format("the store away from {} to {}", timeText(outage.fromNs),
                                    timeText(outage.toNs)));
    }
    if (conditions.clients) {
        for (const engine::Behaviour& behaviour : conditions.clients->behaviours) {
            words.push_back(fmt::format("clients `{}`: {}", behaviour.name,
                                        policies::behaviourWords(behaviour)));
        }
    }
    return words;
}

std::string serverAttribute(const engine::Conditions& conditions)
{
    return conditions.servers.balance == engine::Balance::Logged ? conditions.servers.attribute
                                                                 : std::string();
}

std::string clientAttribute(const engine::Conditions& conditions, const std::string& who)
{
    const bool isNamed = conditions.clients && !conditions.clients->attribute.empty();
    return isNamed ? conditions.clients->attribute : who;
}

std::string conditionLabel(const std::vector<storage::Option>& options)
{
    std::string label;
    for (const storage::Option& option : options) {
        if (option.name == "clients"
            || std::find(kServerOptions.begin(), kServerOptions.end(), option.name)
                != kServerOptions.end()) {
            label += fmt::format(", --{} {}", option.name, option.value);
        }
    }
    return label;
}

} // namespace app

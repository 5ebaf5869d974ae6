#pragma once
#include "app/workbench/given_options.h"
#include "engine/conditions.h"
#include "engine/result.h"
#include "policies/policy.h"
#include "storage/run_records.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Options that say under which conditions a replay decides: nodes, balance, state, simulate-skew,
/// store-outage, clients.
struct GivenConditions {
    engine::Conditions conditions;
    /// As given, for the run's record: a profile from a file as "clients" with its name and
    /// "clients-text" with its text.
    std::vector<storage::Option> options;
    std::vector<engine::Diagnostic> advice; ///< about the profile of the clients
};

/// Is it the name of a file of clients, rather than of a preset?
bool isClientFile(std::string_view name);

/// The most that such a file may have.
inline constexpr std::size_t kMostClientBytes = std::size_t {1} << 20;

/// The bytes of a file of clients.
using ReadText = std::function<engine::Result<std::string>(const std::string& path)>;

/// What the options say. Without any: the usual conditions. `readText` reads a profile that is no
/// preset.
///
/// Example: {"nodes", "10"}, {"state", "edge=local,gateway=sync:1s"}, {"store-outage",
/// "2026-11-28T12:00:00Z..2026-11-28T12:05:00Z"}. Errors: cli.usage, those of times and durations,
/// and those of the profile.
engine::Result<GivenConditions> conditionsOf(const GivenOptions& given, std::uint64_t seed,
                                             const ReadText& readText);

/// What is worth a second look where these clients meet this policy: which rules they do not get
/// past. Nothing where servers count apart, since the next attempt may come to another one, nor
/// where the store of the counts is away for a time, since an attempt may then pass unjudged.
std::vector<engine::Diagnostic> retryAdvice(const engine::Conditions& conditions,
                                            const policies::Policy& policy);

/// The same from the options that a run keeps.
engine::Result<engine::Conditions> conditionsOfRun(const std::vector<storage::Option>& options,
                                                   std::uint64_t seed);

/// "10 servers, round_robin; edge local, gateway sync every 1s; ...": one line for each condition
/// that is not the usual one.
std::vector<std::string> conditionWords(const engine::Conditions& conditions);

/// The attribute whose values are the servers, or "".
std::string serverAttribute(const engine::Conditions& conditions);
/// The attribute whose values are the clients; `who` where the profile names none.
std::string clientAttribute(const engine::Conditions& conditions, const std::string& who);

/// Conditions among other words, as options: ", --nodes 4, --clients budgeted"; "" for the usual
/// ones.
std::string conditionLabel(const std::vector<storage::Option>& options);

} // namespace app

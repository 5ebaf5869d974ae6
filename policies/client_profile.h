#pragma once
#include "engine/clients.h"
#include "engine/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The profile of clients, NAME.clients.yaml: who comes again after a rejection, and when.
namespace policies {

/// As Checked of read.h.
struct CheckedClients {
    std::optional<engine::ClientProfile> profile;
    std::vector<engine::Diagnostic> diagnostics;
};

/// Reads and checks a profile; every mistake is told, with file, line and column.
///
///     clients: 1
///     client: api_key               # whose values are the clients; left out: who
///     behaviours:
///       - name: sdk
///         share: 70%
///         attempts: 4               # in all
///         wait: 100ms..20s          # doubles; `1s` is always that long, `none` no wait
///         jitter: full              # none, full, equal, decorrelated
///         retry_after: at_least     # ignore, obey, at_least (its own jitter on top)
///         budget: 20%
///       - { name: cron, share: 30%, attempts: 10, wait: none }
///
/// Shares add up to 100 %; a single behaviour may leave its share out. Codes: those of the YAML
/// layer and of fields with `clients.` for `policy.`, clients.wait, clients.percent, clients.range,
/// clients.shares. Any bytes are fine. Pure; safe from any thread.
CheckedClients readClientProfile(std::string fileName, std::string_view bytes);

/// The name of a profile of that file: "retry.clients.yaml" is "retry".
std::string clientProfileName(std::string_view fileName);

/// What is worth a second look, one sentence each: a profile that cannot recover.
std::vector<engine::Diagnostic> adviseClients(const engine::ClientProfile& profile);

/// "70 %: up to 4 attempts, 100ms..20s doubling, full jitter, at least Retry-After, 20 % budget".
std::string behaviourWords(const engine::Behaviour& behaviour);

} // namespace policies

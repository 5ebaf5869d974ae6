#pragma once
#include "engine/clients.h"
#include "engine/diagnostic.h"
#include "policies/policy.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace policies {

/// What a log can say about a policy. Whoever has read one fills this; nothing here reads logs.
///
/// Example: a day of 1,000,000 requests of which 400,000 have an API key: {1000000,
/// 86400000000000, 0, 1000000, {{"api_key", 400000}}, {{"free-plan", 1200}},
/// {{"free-plan", 96000}}}.
struct LogFacts {
    std::uint64_t requests = 0;
    std::int64_t spanNs = 0; ///< last arrival - first
    std::int64_t warmupNs = 0; ///< at the start, decided but not counted (`--warmup`)
    std::uint64_t withDuration = 0; ///< requests that have a duration
    std::map<std::string, std::uint64_t, std::less<>> having; ///< attribute -> requests with it;
                                                              ///< not listed: not known
    std::map<std::string, std::uint64_t, std::less<>> keys; ///< rule -> different keys seen
    /// Rule -> bytes that the states of these keys took at the end of the log, as measured.
    std::map<std::string, std::uint64_t, std::less<>> stateBytes;
};

/// What has to be at hand, beside the policy, for a kind of advice to be told.
enum class AdviceNeeds : std::uint8_t { Policy, Log, Clients };

/// One kind of advice. The page for it is the section of its name in policies/advice/README.md.
struct AdviceCode {
    std::string_view code; ///< "window.edge"; stable
    std::string_view title; ///< what it is about, in a few words
    std::string_view reason; ///< why it matters: one sentence
    std::string_view fix; ///< what to do: one sentence
    AdviceNeeds needs = AdviceNeeds::Policy;
};

/// All kinds of advice, in the order of their codes.
std::span<const AdviceCode> adviceCodes();
const AdviceCode* adviceCode(std::string_view code); ///< nullptr: there is none

/// What deserves a second look in a policy that is valid: diagnostics with Severity::Advice, sorted
/// by place, each with the numbers of this policy, its reason and what to do.
///
/// Example: a rule `login` with `algorithm: fixed_window` and `rate: 1000/min` gives window.edge at
/// the algorithm: "rule `login` admits up to 2,000 requests in a moment around the edge of a
/// window, though 1,000 in 60 s are meant".
///
/// A rule's `allow: [window.edge]` silences that code for the rule; a code that there is not, or
/// one that silences nothing, is advice itself. `plan` is the policy's, for what its lookup files
/// hold; nullptr: they are not looked at. `log` and `clients` may be nullptr. What is said is
/// proved from the policy (and the log): advice may be missing where a proof would take too long,
/// never false. Time and memory grow with the number of rules, not with its square. Pure; safe from
/// any thread.
std::vector<engine::Diagnostic> advise(const Policy& policy, const engine::Plan* plan,
                                       const LogFacts* log,
                                       const engine::ClientProfile* clients = nullptr);

/// Of that advice what is about these clients and needs no log: clients.gives-up,
/// clients.kept-out. For one server, or several that share their counts,
/// and a store of counts that is never away.
///
/// Example: a behaviour `sdk` of 4 attempts, 100 ms apart and doubling, and a rule `search` with
/// `fixed_window`, `rate: 10/min`: "clients that behave as `sdk` give up 700 ms after the first
/// rejection, and rule `search` (10 in 60 s), once all 10 are used at the start of a window, admits
/// nothing for 60 s", at the rate.
std::vector<engine::Diagnostic> adviseRetries(const Policy& policy,
                                              const engine::ClientProfile& clients);

} // namespace policies

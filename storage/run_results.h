#pragma once
#include "engine/client_tally.h"
#include "engine/server_tally.h"
#include "engine/tally.h"
#include "storage/run_records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the store keeps of a run, as plain values. Texts that came from a log are raw bytes:
/// whoever shows them escapes them. Times are ns since the Unix epoch, UTC.
namespace storage {

using RunId = std::int64_t;

enum class RunState : std::uint8_t { Running, Complete, Interrupted, Failed };

std::string_view nameOf(RunState state); ///< "interrupted"

/// Counts of one run; engine::RunTally without its lists.
struct RunTotals {
    std::uint64_t requests = 0;
    std::uint64_t admitted = 0;
    std::uint64_t rejected = 0;
    std::uint64_t exempt = 0;
    std::uint64_t wouldReject = 0;
    std::uint64_t late = 0;
    std::uint64_t delayed = 0;
    std::uint64_t warmup = 0;
    std::uint64_t recordedKnown = 0;
    std::uint64_t recordedRejected = 0;
    std::optional<std::int64_t> firstNs;
    std::optional<std::int64_t> lastNs;
};

/// One row of the list of runs. `totals` are zero while the run is not complete, unless it was
/// ended with figures.
struct RunSummary {
    RunId id = 0;
    std::string name;
    RunState state = RunState::Running;
    std::string policyName;
    std::string policyFingerprint;
    std::string source; ///< what was replayed, in words: "access.log, access.log.1"
    std::string recordingFingerprint;
    std::string version;
    std::uint64_t seed = 0;
    std::int64_t startedNs = 0;
    std::optional<std::int64_t> endedNs;
    RunTotals totals;
    bool partial = false;
    std::string failureCode; ///< of a failed run
    std::string failure;
};

struct SkipTotal {
    std::string attribute; ///< or "duration"
    std::uint64_t count = 0;
};

/// Percentiles are at most 1 % too high; count, mean and maximum are exact.
struct DelayTotals {
    std::uint64_t count = 0;
    std::int64_t meanNs = 0;
    std::int64_t p50Ns = 0;
    std::int64_t p90Ns = 0;
    std::int64_t p95Ns = 0;
    std::int64_t p99Ns = 0;
    std::int64_t p999Ns = 0;
    std::int64_t maximumNs = 0;
};

DelayTotals totalsOf(const engine::DelayHistogram& delays);

/// Totals of one rule, override, class or rest; `index` is its place in Plan::rules.
struct RuleTotals {
    std::uint32_t index = 0;
    std::string rule;
    std::optional<std::string> overrideName;
    std::optional<std::string> className; ///< of a load_shedder
    engine::Tier tier = engine::Tier::Edge;
    engine::Mode mode = engine::Mode::Enforce;
    std::string algorithm;
    std::vector<std::string> key;
    std::uint64_t judged = 0;
    std::uint64_t admitted = 0;
    std::uint64_t denied = 0;
    std::uint64_t rejected = 0;
    std::uint64_t costMissing = 0;
    std::uint64_t keys = 0; ///< distinct keys judged
    std::uint64_t keysDenied = 0; ///< distinct keys denied
    std::uint64_t keysLeftOut = 0; ///< denied keys beyond the row limit: counted, without a row
    std::vector<SkipTotal> skips; ///< that are not zero
    DelayTotals delays;
    engine::StateMemory memory; ///< of the states at the end of the run
};

struct TierTotals {
    engine::Tier tier = engine::Tier::Edge;
    std::uint64_t judged = 0;
    std::uint64_t rejected = 0;
};

struct ExemptionTotal {
    std::string name;
    std::uint64_t requests = 0;
};

/// The most that one key was admitted by all servers together; 0: nothing was.
struct MostAdmittedTotal {
    std::int64_t cost = 0;
    std::vector<std::string> key; ///< values, in the order of the rule's key
    std::int64_t fromNs = 0; ///< begin of the window or second
};

struct ServerTotal {
    std::string name; ///< a value of the attribute that names them in the log, else "0", "1" ...
    engine::ServerLoad load;
};

/// What several servers and outages of the store did to one rule.
struct ServerRuleTotal {
    std::uint32_t rule = 0;
    MostAdmittedTotal inWindow;
    MostAdmittedTotal inSecond;
    std::vector<engine::OutageTally> outages; ///< as many as RunConditions::outages
};

struct OutageSpan {
    std::int64_t fromNs = 0;
    std::int64_t toNs = 0;
};

struct BehaviourTotal {
    std::string name;
    engine::BehaviourTally tally;
};

struct LockoutTotal {
    std::string client;
    std::uint64_t attempts = 0;
    std::uint64_t gaveUp = 0;
    std::int64_t sinceNs = 0;
};

/// What came of clients that come again; see engine::ClientTally.
struct ClientTotals {
    std::vector<BehaviourTotal> behaviours;
    std::uint64_t nameless = 0;
    std::uint64_t peakAttempts = 0;
    std::int64_t peakSecond = 0;
    std::uint64_t herd = 0;
    std::int64_t herdNs = 0;
    DelayTotals untilAdmitted;
    std::uint64_t lockouts = 0;
    std::vector<LockoutTotal> longest;
};

/// What came of the conditions of a run: all empty under the usual ones.
struct RunConditions {
    std::vector<ServerTotal> servers;
    std::vector<ServerRuleTotal> rules; ///< by rule, where there are servers or outages
    std::vector<OutageSpan> outages;
    std::optional<ClientTotals> clients;
};

/// Everything of one run but its rows.
struct RunDetail {
    RunSummary summary;
    PolicyRecord policy;
    std::optional<RecordingRecord> recording; ///< nothing while running, or after a kill
    std::vector<Option> options;
    std::vector<TierTotals> tiers;
    std::vector<RuleTotals> rules;
    std::vector<ExemptionTotal> exemptions;
    RunConditions conditions;
    std::vector<BadLines> badLines;
    std::vector<Note> notes;
    std::uint64_t whos = 0; ///< distinct, with or without a row
    /// What a request took: measured on a part of them, so not the same in every replay.
    std::optional<std::int64_t> requestNs;
};

struct KeyRow {
    std::uint32_t rule = 0;
    std::uint32_t id = 0;
    std::vector<std::string> values; ///< in the order of the rule's key
    std::uint64_t judged = 0;
    std::uint64_t denied = 0;
};

struct WhoRow {
    std::uint32_t id = 0;
    std::string who;
    engine::WhoTally tally;
};

enum class StoredOutcome : std::uint8_t {
    Admitted,
    Rejected,
    Exempt,
    WarmupAdmitted, ///< in no figure
    WarmupRejected
};

/// A request that was rejected, or admitted while a shadow rule denied. Ids: names() of the run.
struct RejectionRow {
    std::uint32_t position = 0; ///< in its block
    std::uint32_t rule = engine::kNoId; ///< that rejected, else the first shadow rule that denied
    std::uint32_t key = engine::kNoId; ///< of that rule
    std::uint32_t who = engine::kNoId;
    std::uint32_t pathGroup = engine::kNoId;
    std::int64_t timeNs = 0;
    std::uint64_t n = 0;
    std::uint64_t ordinal = 0; ///< which request of its who, from 1
};

/// Up to 65,536 verdicts in order of arrival. Request i of the block is number first + i of the
/// run, from 0; `numbers[i]` is its n in input order.
struct VerdictBlock {
    std::uint64_t first = 0;
    std::vector<StoredOutcome> outcomes;
    std::vector<std::uint32_t> rules; ///< that rejected, or kNoId
    std::vector<std::uint32_t> shadowRules; ///< first that denied, or kNoId
    std::vector<std::uint64_t> numbers; ///< empty unless asked for
    std::vector<RejectionRow> rows; ///< by position
};

/// What production did with the same requests, in the same blocks.
struct RecordedBlock {
    std::uint64_t first = 0;
    std::vector<std::uint8_t> known; ///< 1: the log says what happened
    std::vector<std::uint8_t> rejected; ///< 1: rejected
    std::vector<RejectionRow> rows; ///< of the rejected; without rule and key
};

} // namespace storage

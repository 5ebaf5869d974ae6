#pragma once
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

/// Totals of one rule, override or rest; `index` is its place in Plan::rules.
struct RuleTotals {
    std::uint32_t index = 0;
    std::string rule;
    std::optional<std::string> overrideName;
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

/// Everything of one run but its rows.
struct RunDetail {
    RunSummary summary;
    PolicyRecord policy;
    std::optional<RecordingRecord> recording; ///< nothing while running, or after a kill
    std::vector<Option> options;
    std::vector<TierTotals> tiers;
    std::vector<RuleTotals> rules;
    std::vector<ExemptionTotal> exemptions;
    std::vector<BadLines> badLines;
    std::vector<Note> notes;
    std::uint64_t whos = 0; ///< distinct, with or without a row
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

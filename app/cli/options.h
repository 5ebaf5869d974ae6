#pragma once
#include "app/cli/verbs.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace app::cli {

/// Every option of the command line, as data: the parser, --help, and whatever else speaks of
/// options (man page, completions) read this table and nothing else.
enum class OptionId : std::uint8_t {
    // for every verb
    Help,
    Db,
    Json,
    Quiet,
    NoColor,
    NoProgress,
    Seed,
    // policies
    Format,
    Strict,
    LookupDir,
    Set,
    Mode,
    Remove,
    Rename,
    Add,
    Duplicate,
    Move,
    DryRun,
    Diff,
    Update,
    Output,
    To,
    NewFrom,
    Key,
    Window,
    Rate,
    Limit,
    Stop,
    Protect,
    Deriving,
    Vary,
    // made traffic
    TrafficRate,
    Factor,
    AtOffset,
    Length,
    Burst,
    Every,
    EdgesOf,
    Attempts,
    Wait,
    Keys,
    Tenants,
    Latency,
    Duration,
    Start,
    Count,
    Requests,
    Sources,
    SourcesRate,
    LimitRate,
    // logs
    FilesFrom,
    LogFormat,
    Map,
    Tz,
    TrustedProxies,
    MaxRatio,
    MaxBytes,
    Where,
    TimeFrom,
    TimeTo,
    RecordedRejection,
    RecordedRejected,
    Sampled,
    Reorder,
    Spread,
    Rejects,
    Unsorted,
    For,
    Mask,
    MaskKey,
    SampleBy,
    Jobs,
    // replays and what is made of them
    Name,
    NoStore,
    Decisions,
    Answers,
    Headers,
    Who,
    Warmup,
    Nodes,
    Balance,
    State,
    SimulateSkew,
    StoreOutage,
    Clients,
    FailIf,
    Log,
    By,
    Top,
    ShowKeys,
    Cost,
    Keep,
    Request,
    Line,
    At,
    RuleKey,
    Recording,
};

enum class Category : std::uint8_t {
    Verb, ///< of the verb itself
    Policy,
    Log,
    Replay,
    Everywhere
};

struct OptionInfo {
    OptionId id;
    std::string_view name; ///< with its dashes: "--db"
    std::string_view brief; ///< one-letter form, "-o", or ""
    std::string_view value; ///< what to write for the value, "FILE", or "" for a flag
    std::string_view help; ///< one line, no full stop
    VerbSet verbs;
    Category category;
    bool isRepeatable = false; ///< else the last one given holds
};

std::span<const OptionInfo> allOptions();
const OptionInfo& optionInfo(OptionId id);

} // namespace app::cli

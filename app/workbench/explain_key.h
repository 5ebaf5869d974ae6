#pragma once
#include "app/workbench/compare.h"
#include "app/workbench/key_episodes.h"
#include "app/workbench/key_witness.h"
#include "app/workbench/secrets.h"
#include "engine/plan.h"
#include "storage/run_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// A number of the rule that is just enough: with it the key is never denied, with one less it is,
/// all else unchanged. Both were tried over the whole log.
struct EnoughField {
    std::string field; ///< "rate"
    std::string value; ///< "25/min"; empty: no number that can be counted is enough
    std::string current; ///< "10/min"
    std::string setting; ///< for --set: "search.rate=25/min"
};

/// What one key met at one rule of a run.
struct KeyHistory {
    storage::RunDetail run;
    engine::PlanRule rule;
    std::vector<std::string> key; ///< as they may be shown, in the order of rule.key; raw bytes
    std::uint64_t requests = 0; ///< judged at their first attempts, warm-up left out
    std::uint64_t denied = 0;
    std::optional<KeyComebacks> comebacks; ///< where clients come again
    std::int64_t firstNs = 0; ///< judged
    std::int64_t lastNs = 0;
    std::vector<KeyEpisode> episodes;
    std::vector<EnoughField> enough; ///< none where nothing was denied
};

/// RULE or RULE/OVERRIDE, and the key as NamedKey has it: what `weir show` shows. Where a longer
/// name fits `rule=key`, since it holds "=" itself, that one is meant.
struct KeyTarget {
    std::string rule;
    std::string key;
};

/// Requests of one key that are kept, 40 bytes each, to tell from them which limits are enough.
inline constexpr std::size_t kMostKeptRequests = 4'000'000;

/// Reads the recording again: once for the history, then at least once for the limits, by which it
/// is decided anew: more often where the key had more than `mostKept` requests. Denials are counted
/// against the store's.
///
/// Errors: explain.no-rule, explain.no-key, explain.which-key (two keys are shown alike),
/// explain.differs, recording.*, those of the store and of runPass().
engine::Result<KeyHistory> explainKey(storage::RunStore& store, storage::RunId run,
                                      const KeyTarget& asked, const ReadAgain& again,
                                      std::size_t mostKept = kMostKeptRequests);

} // namespace app

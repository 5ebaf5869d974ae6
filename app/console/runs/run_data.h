#pragma once
#include "app/workbench/figure_table.h"
#include "app/workbench/period_view.h"
#include "app/workbench/run_moments.h"
#include "app/workbench/secrets.h"
#include "engine/series.h"
#include "storage/key_list.h"
#include "storage/run_reader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What the page of a run reads from the store, each part in a job with a store of its own. No Qt.
/// Errors of all: those of the store, run.interrupted (the flag was set).
namespace app::console {

/// Points of a timeline and how fine they are.
struct RunPoints {
    storage::TimelineLevel level = storage::TimelineLevel::Minute;
    std::int64_t from = 0; ///< what was read: from <= second < to
    std::int64_t to = 0;
    std::vector<engine::SecondTally> points {};
    std::vector<engine::AttemptSecond> attempts {}; ///< of clients that come again
    std::vector<std::vector<engine::LimitSecond>> limits {}; ///< of each rule that learns
};

/// Of the clients of all behaviours.
engine::BehaviourTally allOf(const storage::ClientTotals& clients);

/// The rule of which a key was admitted the most, measured by its limit, by all servers together.
struct MostTimes {
    std::string rule; ///< raw bytes
    std::int64_t admitted = 0;
    std::int64_t limit = 0; ///< above 0
};

/// Totals, rules, notes: what tiles and tables need, and how values may be shown.
struct RunOverview {
    storage::RunDetail detail;
    SecretAttributes secrets;
    std::vector<std::string> asIf {}; ///< conditions that are not the usual ones; raw bytes
    std::vector<FigureTable> conditions {}; ///< what came of them; only tables that have rows
    FigureTable states {}; ///< what the states of its rules took
    std::optional<MostTimes> most {};
};

engine::Result<RunOverview> readOverview(const std::string& store, storage::RunId run);

engine::Result<RunPoints> readPoints(const std::string& store, const storage::RunDetail& run,
                                     storage::TimelineLevel level, std::int64_t from,
                                     std::int64_t to);

/// What takes a walk over the whole run.
struct RunMoments {
    std::optional<WorstSecond> worstSecond;
    std::vector<WorstMinute> worstMinutes; ///< by rule
    std::shared_ptr<const KeyMoments> keys;
};

engine::Result<RunMoments> readMoments(const std::string& store, const storage::RunDetail& run,
                                       const StopFlag& stop);

/// A range of whole seconds: rules and keys as they were within it.
struct RangeView {
    std::int64_t from = 0;
    std::int64_t to = 0;
    PeriodView view;
    std::vector<WorstMinute> worstMinutes; ///< by rule
    KeyMoments moments;
};

engine::Result<std::shared_ptr<const RangeView>> readRange(const std::string& store,
                                                           const storage::RunDetail& run,
                                                           std::int64_t from, std::int64_t to,
                                                           const StopFlag& stop);

/// The order of a run's keys by a column of the page: those of the store, or a moment.
enum class KeyColumn { Rule, Key, Judged, Denied, Share, WorstMinute, FirstAt };

/// `moments` may be nullptr: then by moment is by most denied.
engine::Result<std::vector<storage::KeyPlace>>
readKeyPlaces(const std::string& store, storage::RunId run, storage::KeyQuery query,
              KeyColumn column, const KeyMoments* moments);

engine::Result<std::vector<storage::KeyRow>> readKeys(const std::string& store, storage::RunId run,
                                                      const std::vector<storage::KeyPlace>& places);

/// The coarsest level of which no bin is wider than a pixel, Second at last.
storage::TimelineLevel levelFor(double secondsPerPixel);

/// How many seconds a point of a level has.
inline std::int64_t widthOf(storage::TimelineLevel level)
{
    return static_cast<std::int64_t>(level);
}

/// The whole seconds in which a run's requests arrived: first <= s < second; {0, 0} without any.
std::pair<std::int64_t, std::int64_t> secondsOf(const storage::RunTotals& totals);

} // namespace app::console

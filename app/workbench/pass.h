#pragma once
#include "app/workbench/log_choice.h"
#include "app/workbench/progress.h"
#include "app/workbench/read_log.h"
#include "engine/conditions.h"
#include "engine/intake.h"
#include "engine/replay.h"
#include "engine/result.h"
#include "engine/verdict.h"
#include "storage/request_numbers.h"
#include "storage/run_records.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// Takes part in a pass: is told when it begins, and every settled request in order of arrival.
class PassListener : public engine::SettledSink {
public:
    /// Before the first request. Called again, with others, when the log turned out not to be in
    /// order and is read a second time: forget everything that came before. Both outlive the pass.
    virtual engine::Status begin(const engine::Intake& intake, const engine::Replay& replay) = 0;

    /// Lines of one LOG that could not be read, block by block.
    virtual void rejected(std::size_t /*log*/, const std::vector<storage::LineReject>& /*lines*/) {
    }

    /// Asked after each block; a failure ends the pass.
    virtual engine::Status health() { return engine::Done {}; }

    /// Asked after each block: true ends the pass early, which is no failure.
    [[nodiscard]] virtual bool enough() const { return false; }
};

struct PassOptions {
    std::vector<LogChoice> logs; ///< at least one; the index of a LOG is its place here
    engine::IntakeOptions intake;
    bool findRecorded = true; ///< signs of rejections that the logs have, too: see recorded.h
    bool sortWhole = false; ///< known to be out of order: no first attempt
    /// Only requests that are decided at or after `fromNs` and before `toNs`; the others are
    /// counted.
    std::optional<std::int64_t> fromNs;
    std::optional<std::int64_t> toNs;
    std::int64_t warmupNs = 0;
    engine::DecisionSink* decisions = nullptr;
    bool decides = true; ///< see engine::ReplayOptions
    engine::Conditions conditions; ///< their places among the facets are found here
    engine::SeriesSink* series = nullptr; ///< borrowed
    unsigned jobs = 2;
    std::size_t blockBytes = std::size_t {1} << 20;
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
};

/// One reading of one or several LOGs by a list of plans, start to end. Owns what the listener's
/// ids refer to.
///
/// Requests are decided in order of (arrival, LOG, line). Lateness and spreading are judged within
/// each LOG. While several LOGs are read side by side, Arrival::n is a place that `numbers` turns
/// into the number of the request.
struct Pass {
    std::vector<ReadLog> logs; ///< in the order given
    storage::LogReport report; ///< of all of them
    std::unique_ptr<engine::Conditions> conditions; ///< under which the replay decided
    std::unique_ptr<engine::Intake> intake;
    std::unique_ptr<engine::Replay> replay;
    storage::SequencerStatistics order;
    storage::RequestNumbers numbers;
    std::uint64_t outOfRange = 0; ///< left out by fromNs and toNs
    bool interrupted = false;
    bool sortedWhole = false; ///< a LOG was not in order within 60 s: all were sorted as a whole
    std::vector<storage::Note> twice; ///< advice about requests that may be there twice
    /// What deciding, counting and storing took, of one batch in 64: so many requests, so many ns.
    std::uint64_t timedRequests = 0;
    std::int64_t timedNs = 0;

    [[nodiscard]] std::optional<std::int64_t> requestNs() const
    {
        return timedRequests == 0
            ? std::nullopt
            : std::optional(timedNs / static_cast<std::int64_t>(timedRequests));
    }
};

/// How many requests at the start of a log settle what `who` is.
inline constexpr std::size_t kWhoSample = 10'000;
/// They are looked for among the first so many lines, which bounds what is held meanwhile. Of
/// several LOGs the first 1,000 lines of each say it.
inline constexpr std::uint64_t kWhoLines = 200'000;

/// Reads the logs, decides by all plans, tells the listener. Results do not depend on jobs or
/// blockBytes. Borrows plans and listener.
///
/// Errors: those of LogFeed, Sequencer, Intake and engine::checkConditions(), and the listener's
/// own.
engine::Result<Pass> runPass(const std::vector<const engine::Plan*>& plans,
                             const PassOptions& options, PassListener& listener);

/// The same for who cannot use half a pass. Errors: run.interrupted as well.
engine::Result<Pass> runWholePass(const std::vector<const engine::Plan*>& plans,
                                  const PassOptions& options, PassListener& listener);

} // namespace app

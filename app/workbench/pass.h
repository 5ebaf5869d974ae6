#pragma once
#include "app/workbench/progress.h"
#include "engine/intake.h"
#include "engine/replay.h"
#include "engine/result.h"
#include "engine/verdict.h"
#include "storage/log_format.h"
#include "storage/log_reader.h"
#include "storage/sequencer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// Which log, and how it is read.
struct LogChoice {
    std::string path; ///< "-" is standard input
    std::string format; ///< name or format text; empty: detect
    std::vector<storage::FieldMapping> mappings;
    std::optional<std::int64_t> reorderNs; ///< nothing: auto
    storage::Spread spread = storage::Spread::Even;
    std::uint64_t storedBytes = 0; ///< only the first so many, of a log that grew since; 0: all
};

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
    bool sortWhole = false; ///< known to be out of order: no first attempt
    std::int64_t warmupNs = 0;
    engine::DecisionSink* decisions = nullptr;
    unsigned jobs = 2;
    std::size_t blockBytes = std::size_t {1} << 20;
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
};

/// One reading of one log by a list of plans, start to end. Owns what the listener's ids refer to.
struct Pass {
    std::unique_ptr<storage::LogReader> reader;
    std::unique_ptr<engine::Intake> intake;
    std::unique_ptr<engine::Replay> replay;
    storage::SequencerStatistics order;
    bool interrupted = false;
    bool sortedWhole = false; ///< the log was not in order within 60 s and was sorted as a whole
};

/// How many requests at the start of a log settle what `who` is.
inline constexpr std::size_t kWhoSample = 10'000;
/// They are looked for among the first so many lines, which bounds what is held meanwhile.
inline constexpr std::uint64_t kWhoLines = 200'000;

/// The log of a choice, opened. Errors: those of LogReader.
engine::Result<std::unique_ptr<storage::LogReader>>
openLog(const LogChoice& log, const StopFlag* stop, std::size_t blockBytes = std::size_t {1} << 20);

/// What a use case says that cannot use half a pass: run.interrupted.
engine::Failure interruptedFailure();

/// Reads the log, decides by all plans, tells the listener. Results do not depend on jobs or
/// blockBytes. Borrows plans and listener.
///
/// Errors: those of LogReader, Sequencer and Intake, and the listener's own.
engine::Result<Pass> runPass(const std::vector<const engine::Plan*>& plans,
                             const PassOptions& options, PassListener& listener);

} // namespace app

#pragma once
#include "engine/decision.h"
#include "engine/intake.h"
#include "engine/series.h"
#include "storage/run_figures.h"
#include "storage/run_store.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace storage {

/// What is known of a run when it begins.
struct RunHeader {
    std::string name;
    PolicyRecord policy;
    std::string source; ///< what is replayed, in words
    std::vector<Option> options; ///< as given; names are free
    std::uint64_t seed = 0;
    std::string version;
    std::int64_t startedNs = 0; ///< wall clock, given by the caller
};

/// What is known of a run only when its recording was read.
struct RunClosing {
    RecordingRecord recording;
    std::vector<BadLines> badLines;
    std::vector<Note> notes;
    std::int64_t endedNs = 0;
    std::optional<std::int64_t> requestNs; ///< what a request took, as measured
};

/// Where one plan's ids stand in an arrival. Example: RunShape::of(intake, 0).
struct RunShape {
    std::size_t plan = 0;
    engine::ArrivalLayout layout;
    std::vector<std::size_t> tupleOfRule;

    static RunShape of(const engine::Intake& intake, std::size_t plan);
};

struct RunLimits {
    std::size_t keyRowsPerRule = 1'000'000; ///< of denied keys; the most denied stay
    std::size_t largest = 1'000; ///< rows of keys and whos that were never denied or rejected
};

/// Writes one plan's run. Several (one for each plan of a pass) may write to one store at the
/// same time, from one thread.
///
/// begin(), then settle() for every settled request in order of arrival, second() for every second
/// and limits() and attempts() for what there is of them, then one of finish(), interrupt(),
/// fail(). A writer that is destroyed without any of them leaves its run interrupted. When the
/// store fails on the way (disk full, file locked or gone), failure() says so; the writer then
/// ignores what comes and marks the run failed as far as the store still can. What was committed
/// before stays readable and sound.
class RunWriter final : public engine::TimelineSink, public engine::SeriesSink {
public:
    /// The run is visible as `running` when this returns. Borrows store and plan. With more than
    /// one job, full blocks are encoded on a thread of their own; what is written is the same.
    static engine::Result<std::unique_ptr<RunWriter>>
    begin(RunStore& store, const RunHeader& header, const engine::Plan& plan, RunShape shape,
          RunLimits limits = {}, unsigned jobs = 1);
    ~RunWriter() override;

    [[nodiscard]] RunId id() const;
    [[nodiscard]] const std::optional<engine::Diagnostic>& failure() const;

    /// `ordinals`, as many as there are requests: which request of its who each is; see
    /// Tally::add().
    void settle(std::span<const engine::Settled> group, std::span<const std::uint64_t> ordinals);

    /// Takes the seconds of its own plan and ignores those of others.
    void second(std::size_t plan, const engine::SecondTally& tally) override;
    void limits(std::size_t plan, const engine::LimitSecond& second) override;
    void attempts(std::size_t plan, const engine::AttemptSecond& second) override;

    /// Forgets all that was settled so far: the recording is read again, from its start.
    engine::Status restart();

    /// Writes the figures and turns the run complete, in one durable transaction: afterwards all of
    /// it is there, or the run is not complete.
    engine::Status finish(const RunFigures& figures, const RunClosing& closing);

    /// Keeps what there is, figures included, as interrupted.
    engine::Status interrupt(const RunFigures& figures, const RunClosing& closing);

    /// Keeps the blocks that are there, as failed, with the reason.
    engine::Status fail(const engine::Diagnostic& reason, std::int64_t endedNs);

private:
    class Parts;
    explicit RunWriter(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace storage

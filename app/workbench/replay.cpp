#include "app/workbench/replay.h"

#include "app/workbench/notes.h"
#include "app/workbench/recording.h"

#include <algorithm>
#include <span>

namespace app {
namespace {

/// Tallies, writes the runs, and passes everything on to the request's own listeners.
class Recorder final : public PassListener, public engine::TimelineSink, public engine::SeriesSink {
public:
    explicit Recorder(const ReplayRequest& request)
        : m_request(request)
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay& replay) override;

    void settle(const engine::Settled& settled) override { settleAll({&settled, 1}); }

    void settleAll(std::span<const engine::Settled> group) override;

    void expect(std::span<const engine::Arrival* const> arrivals) override
    {
        tally->expect(arrivals);
    }

    void rejected(std::size_t log, const std::vector<storage::LineReject>& lines) override;
    engine::Status health() override;

    std::unique_ptr<engine::Tally> tally;
    std::vector<std::unique_ptr<storage::RunWriter>> writers;

private:
    engine::Status beginRuns(const engine::Intake& intake);

    void second(std::size_t plan, const engine::SecondTally& seconds) override
    {
        if (!writers.empty()) {
            writers[plan]->second(plan, seconds);
        }
    }

    void limits(std::size_t plan, const engine::LimitSecond& second) override
    {
        if (!writers.empty()) {
            writers[plan]->limits(plan, second);
        }
    }

    void attempts(std::size_t plan, const engine::AttemptSecond& second) override
    {
        if (!writers.empty()) {
            writers[plan]->attempts(plan, second);
        }
    }

    const ReplayRequest& m_request;
    std::vector<std::uint64_t> m_ordinals; ///< of the group at hand
};

/// "access.log, access.log.1"
std::string sourceText(const std::vector<LogChoice>& logs)
{
    std::string text;
    for (const LogChoice& log : logs) {
        text += (text.empty() ? "" : ", ") + log.path;
    }
    return text;
}

engine::Status Recorder::beginRuns(const engine::Intake& intake)
{
    if (!writers.empty()) {
        for (const auto& writer : writers) {
            if (engine::Status again = writer->restart(); !again) {
                return again;
            }
        }
        return engine::Done {};
    }
    for (std::size_t p = 0; p < m_request.policies.size(); ++p) {
        const ReplayPolicy& policy = m_request.policies[p];
        storage::RunHeader header;
        header.name = policy.runName.empty() ? policy.record.name : policy.runName;
        header.policy = policy.record;
        header.source = sourceText(m_request.pass.logs);
        header.options = m_request.options;
        header.options.insert(header.options.end(), policy.options.begin(), policy.options.end());
        // Pseudonyms of a seed could be turned back by whoever has it.
        const bool isTelling = m_request.mask.isOn()
            && m_request.mask.key.words == MaskKey::ofSeed(m_request.seed).words;
        header.seed = isTelling ? 0 : m_request.seed;
        header.version = m_request.version;
        header.startedNs = m_request.startedNs;
        auto writer
            = storage::RunWriter::begin(*m_request.store, header, *policy.plan,
                                        storage::RunShape::of(intake, p), {}, m_request.pass.jobs);
        if (!writer) {
            return engine::fail(writer.error());
        }
        writers.push_back(std::move(*writer));
    }
    return engine::Done {};
}

engine::Status Recorder::begin(const engine::Intake& intake, const engine::Replay& replay)
{
    tally = std::make_unique<engine::Tally>(intake, this);
    if (m_request.store != nullptr) {
        if (engine::Status begun = beginRuns(intake); !begun) {
            return begun;
        }
    }
    for (PassListener* listener : m_request.listeners) {
        if (engine::Status begun = listener->begin(intake, replay); !begun) {
            return begun;
        }
    }
    return engine::Done {};
}

void Recorder::settleAll(std::span<const engine::Settled> group)
{
    m_ordinals.resize(std::max(m_ordinals.size(), group.size()));
    const auto ordinals = std::span(m_ordinals).first(group.size());
    tally->add(group, ordinals);
    for (const auto& writer : writers) {
        writer->settle(group, ordinals);
    }
    for (PassListener* listener : m_request.listeners) {
        listener->settleAll(group);
    }
}

void Recorder::rejected(std::size_t log, const std::vector<storage::LineReject>& lines)
{
    for (PassListener* listener : m_request.listeners) {
        listener->rejected(log, lines);
    }
}

engine::Status Recorder::health()
{
    for (const auto& writer : writers) {
        if (writer->failure()) {
            return engine::fail(*writer->failure());
        }
    }
    for (PassListener* listener : m_request.listeners) {
        if (engine::Status health = listener->health(); !health) {
            return health;
        }
    }
    return engine::Done {};
}

/// Marks all runs as failed, for the reason that ended the pass.
void failRuns(const Recorder& recorder, const engine::Diagnostic& reason, std::int64_t endedNs)
{
    for (const auto& writer : recorder.writers) {
        // The reason is what the caller reports; that the store cannot even take the mark is part
        // of it, and the next writer marks the run.
        static_cast<void>(writer->fail(reason, endedNs).has_value());
    }
}

/// Writes the figures of every plan; complete, or interrupted where the pass was.
engine::Status closeRuns(const Recorder& recorder, const ReplayRequest& request,
                         const ReplayOutcome& outcome, std::int64_t endedNs)
{
    for (std::size_t p = 0; p < recorder.writers.size(); ++p) {
        const engine::Intake& intake = *outcome.pass.intake;
        const storage::EngineFigures plain(intake, *outcome.pass.replay, *recorder.tally, p,
                                           outcome.pass.conditions.get());
        const MaskedFigures hidden(plain, intake.plans(), p, intake.who(), request.mask,
                                   outcome.pass.conditions.get());
        const storage::RunFigures& figures
            = request.mask.isOn() ? static_cast<const storage::RunFigures&>(hidden) : plain;
        const storage::RunClosing closing {outcome.recording,
                                           request.mask.isOn() ? withoutTexts(outcome.badLines)
                                                               : outcome.badLines,
                                           outcome.notes[p], endedNs, outcome.pass.requestNs()};
        engine::Status closed = outcome.pass.interrupted
            ? recorder.writers[p]->interrupt(figures, closing)
            : recorder.writers[p]->finish(figures, closing);
        if (!closed) {
            return closed;
        }
    }
    return engine::Done {};
}

} // namespace

engine::Result<ReplayOutcome> replay(const ReplayRequest& request)
{
    std::vector<const engine::Plan*> plans;
    plans.reserve(request.policies.size());
    for (const ReplayPolicy& policy : request.policies) {
        plans.push_back(policy.plan);
    }
    Recorder recorder(request);
    PassOptions options = request.pass;
    options.series = &recorder;
    engine::Result<Pass> pass = runPass(plans, options, recorder);
    if (!pass) {
        failRuns(recorder, pass.error(), request.clock());
        return engine::fail(pass.error());
    }
    recorder.tally->finish();

    ReplayOutcome outcome;
    outcome.pass = std::move(*pass);
    outcome.recording = recordingOf(outcome.pass, request);
    outcome.badLines = badLinesOf(outcome.pass.logs);
    for (std::size_t p = 0; p < plans.size(); ++p) {
        outcome.notes.push_back(notesOf(outcome.pass, *recorder.tally, request, p));
    }
    if (engine::Status closed = closeRuns(recorder, request, outcome, request.clock()); !closed) {
        failRuns(recorder, closed.error(), request.clock());
        return engine::fail(closed.error());
    }
    for (std::size_t p = 0; p < plans.size(); ++p) {
        outcome.runs.push_back(recorder.writers.empty() ? std::nullopt
                                                        : std::optional(recorder.writers[p]->id()));
    }
    outcome.tally = std::move(recorder.tally);
    return outcome;
}

} // namespace app

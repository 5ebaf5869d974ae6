#include "app/workbench/by_attribute.h"

#include "app/workbench/reread.h"
#include "app/workbench/stored_run.h"

namespace app {
namespace {

/// Walks the verdicts of the store while the recording is read again.
class ByReader final : public Reread {
public:
    ByReader(storage::VerdictCursor verdicts, std::size_t attributes, const Period& period)
        : counts(attributes)
        , m_verdicts(std::move(verdicts))
        , m_period(period)
    {
    }

    /// Has every verdict had its request?
    engine::Status finish()
    {
        if (engine::Status fine = health(); !fine) {
            return fine;
        }
        const bool isBlockDone = m_at == m_block.outcomes.size();
        const engine::Result<bool> more = m_verdicts.next(m_block);
        if (!more || *more || !isBlockDone) {
            return engine::fail(more ? otherRequests() : more.error());
        }
        return engine::Done {};
    }

    std::vector<ByValue> counts; ///< by attribute

private:
    engine::Status take(const engine::Arrival& arrival) override
    {
        if (m_at == m_block.outcomes.size()) {
            const engine::Result<bool> more = m_verdicts.next(m_block);
            if (!more || !*more) {
                return engine::fail(more ? otherRequests() : more.error());
            }
            m_at = 0;
        }
        count(arrival, m_at++);
        return engine::Done {};
    }

    void count(const engine::Arrival& arrival, std::size_t at)
    {
        const storage::StoredOutcome outcome = m_block.outcomes[at];
        if (outcome == storage::StoredOutcome::WarmupAdmitted
            || outcome == storage::StoredOutcome::WarmupRejected
            || !m_period.holds(arrival.timeNs)) {
            return;
        }
        facetsOf(intake(), 0, counts.size(), arrival, m_values);
        for (std::size_t attribute = 0; attribute < counts.size(); ++attribute) {
            ValueTally& tally = counts[attribute][std::string(m_values[attribute])];
            const bool rejected = outcome == storage::StoredOutcome::Rejected;
            ++tally.requests;
            tally.rejected += rejected ? 1U : 0U;
            tally.wouldReject += !rejected && m_block.shadowRules[at] != engine::kNoId ? 1U : 0U;
            tally.recordedRejected
                += (arrival.flags & engine::kArrivalRecordedRejected) != 0 ? 1U : 0U;
        }
    }

    storage::VerdictCursor m_verdicts;
    storage::VerdictBlock m_block;
    std::size_t m_at = 0;
    Period m_period;
    std::vector<std::string_view> m_values;
};

} // namespace

engine::Result<std::vector<ByValue>> countByAttributes(storage::RunStore& store, storage::RunId run,
                                                       const std::vector<std::string>& attributes,
                                                       const Period& period, const ReadAgain& again)
{
    const storage::RunReader reader(store);
    const engine::Result<storage::RunDetail> detail = reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    engine::Result<StoredRun> stored = openStoredRun(*detail, again);
    if (!stored) {
        return engine::fail(stored.error());
    }
    engine::Result<storage::VerdictCursor> verdicts = reader.verdicts(run);
    if (!verdicts) {
        return engine::fail(verdicts.error());
    }
    ByReader listener(std::move(*verdicts), attributes.size(), period);
    PassOptions pass = stored->pass;
    pass.intake.facets = attributes;
    const engine::Result<Pass> done = runWholePass({&stored->plan}, pass, listener);
    if (!done) {
        return engine::fail(done.error());
    }
    if (engine::Status finished = listener.finish(); !finished) {
        return engine::fail(finished.error());
    }
    return std::move(listener.counts);
}

} // namespace app

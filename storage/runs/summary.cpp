#include "storage/runs/summary.h"

#include "storage/runs/writer_process.h"

namespace storage::runs {
namespace {

RunState stateNamed(std::string_view name)
{
    for (const RunState state : {RunState::Running, RunState::Complete, RunState::Interrupted}) {
        if (name == nameOf(state)) {
            return state;
        }
    }
    return RunState::Failed;
}

} // namespace

const char* const kSummaries = "SELECT r.id, r.name, r.state, r.process, p.name, "
                               "p.fingerprint, r.source, c.fingerprint, r.version, r.seed, "
                               "r.started_ns, r.ended_ns, c.partial, r.failure_code, "
                               "r.failure, r.requests, r.admitted, r.rejected, r.exempt, "
                               "r.would_reject, r.late, r.delayed, r.warmup, r.recorded_known, "
                               "r.recorded_rejected, r.first_ns, r.last_ns, "
                               "r.options, r.policy, r.recording, r.whos "
                               "FROM runs r JOIN policies p ON p.id = r.policy LEFT JOIN "
                               "recordings c ON c.id = r.recording ";

RunSummary summaryFrom(const Statement& row)
{
    RunSummary summary;
    summary.id = row.integer(0);
    summary.name = row.text(1);
    summary.state = stateNamed(row.bytes(2));
    if (summary.state == RunState::Running && !isAlive(row.bytes(3))) {
        summary.state = RunState::Interrupted; // the next writer will say so in the file
    }
    summary.policyName = row.text(4);
    summary.policyFingerprint = row.text(5);
    summary.source = row.text(6);
    summary.recordingFingerprint = row.text(7);
    summary.version = row.text(8);
    summary.seed = row.count(9);
    summary.startedNs = row.integer(10);
    summary.endedNs = row.maybe(11);
    summary.partial = row.integer(12) != 0;
    summary.failureCode = row.text(13);
    summary.failure = row.text(14);
    RunTotals& totals = summary.totals;
    int column = 15;
    for (std::uint64_t* total : {&totals.requests, &totals.admitted, &totals.rejected,
                                 &totals.exempt, &totals.wouldReject, &totals.late, &totals.delayed,
                                 &totals.warmup, &totals.recordedKnown, &totals.recordedRejected}) {
        *total = row.count(column++);
    }
    totals.firstNs = row.maybe(column++);
    totals.lastNs = row.maybe(column);
    return summary;
}

engine::Failure unknownRun(const std::string& path, RunId run)
{
    engine::Failure failure
        = engine::fail("store.unknown-run", "`" + path + "` has no run " + std::to_string(run),
                       "`weir runs` lists them");
    failure.diagnostic.place.file = path;
    return failure;
}

engine::Failure damaged(const std::string& path, std::string reason)
{
    engine::Failure failure = engine::fail(
        "store.damaged", "`" + path + "` is damaged",
        "copy the file, then try `sqlite3 FILE .recover`, or start a new store with --db FILE");
    failure.diagnostic.reason = std::move(reason);
    failure.diagnostic.place.file = path;
    return failure;
}

std::optional<Statement> ofRun(Steps& steps, std::string_view sql, std::int64_t run)
{
    std::optional<Statement> rows = steps.prepare(sql);
    if (rows) {
        rows->bind(run);
    }
    return rows;
}

int takeCounts(const Statement& row, int column, std::initializer_list<std::uint64_t*> counts)
{
    for (std::uint64_t* const count : counts) {
        *count = row.count(column++);
    }
    return column;
}

} // namespace storage::runs

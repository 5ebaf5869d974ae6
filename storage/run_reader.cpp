#include "storage/run_reader.h"

#include "storage/runs/summary.h"
#include "storage/runs/text.h"
#include "storage/runs/timeline.h"

#include <algorithm>

namespace storage {
namespace {

using runs::ofRun;
using runs::Statement;
using runs::Steps;

std::string_view orderOf(KeyOrder order)
{
    switch (order) {
    case KeyOrder::Denied:
        return "denied DESC, judged DESC, key";
    case KeyOrder::Judged:
        return "judged DESC, key";
    case KeyOrder::Key:
        return "key";
    }
    return "key";
}

std::string_view orderOf(WhoOrder order)
{
    switch (order) {
    case WhoOrder::Rejected:
        return "rejected DESC, requests DESC, who";
    case WhoOrder::WouldReject:
        return "would_reject DESC, requests DESC, who";
    case WhoOrder::RecordedRejected:
        return "recorded_rejected DESC, requests DESC, who";
    case WhoOrder::Requests:
        return "requests DESC, who";
    case WhoOrder::Who:
        return "who";
    }
    return "who";
}

/// A number larger than SQLite's means "all".
std::int64_t limited(std::size_t count)
{
    return static_cast<std::int64_t>(std::min<std::size_t>(count, INT64_MAX));
}

} // namespace

RunReader::RunReader(RunStore& store)
    : m_store(store)
{
}

engine::Status RunReader::find(RunId run) const
{
    Steps steps(m_store.database());
    std::optional<Statement> row = ofRun(steps, "SELECT 1 FROM runs WHERE id = ?1", run);
    if (steps.next(row)) {
        return engine::Done {};
    }
    return steps.isFine() ? runs::unknownRun(m_store.path(), run) : steps.status();
}

engine::Result<std::vector<RunSummary>> RunReader::list() const
{
    Steps steps(m_store.database());
    std::vector<RunSummary> summaries;
    std::optional<Statement> rows = steps.prepare(std::string(runs::kSummaries) + "ORDER BY r.id");
    while (steps.next(rows)) {
        summaries.push_back(runs::summaryFrom(*rows));
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return summaries;
}

engine::Result<std::vector<KeyRow>> RunReader::keys(RunId run, std::uint32_t rule, KeyOrder order,
                                                    Page page) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    std::optional<Statement> width
        = steps.prepare("SELECT json_array_length(key) FROM rules WHERE run = ?1 AND rule = ?2");
    if (width) {
        width->bind(run, rule);
    }
    const std::size_t values = steps.next(width) ? static_cast<std::size_t>(width->integer(0)) : 0;
    std::vector<KeyRow> keys;
    std::optional<Statement> rows = steps.prepare(
        "SELECT id, key, judged, denied FROM keys WHERE run = ?1 AND rule = ?2 ORDER BY "
        + std::string(orderOf(order)) + " LIMIT ?3 OFFSET ?4");
    if (rows) {
        rows->bind(run, rule, limited(page.count), limited(page.offset));
    }
    while (steps.next(rows)) {
        keys.push_back({rule, rows->id(0), runs::splitKey(rows->bytes(1), values), rows->count(2),
                        rows->count(3)});
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return keys;
}

engine::Result<std::uint64_t> RunReader::keyRows(RunId run, std::uint32_t rule) const
{
    Steps steps(m_store.database());
    std::optional<Statement> row
        = steps.prepare("SELECT count(*) FROM keys WHERE run = ?1 AND rule = ?2");
    if (row) {
        row->bind(run, rule);
    }
    const std::uint64_t count = steps.next(row) ? row->count(0) : 0;
    return steps.isFine() ? engine::Result<std::uint64_t>(count) : engine::fail(steps.error());
}

engine::Result<std::vector<WhoRow>> RunReader::whos(RunId run, WhoOrder order, Page page) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    std::vector<WhoRow> whos;
    std::optional<Statement> rows
        = steps.prepare("SELECT id, who, requests, rejected, would_reject, recorded_rejected FROM "
                        "whos WHERE run = ?1 "
                        "ORDER BY "
                        + std::string(orderOf(order)) + " LIMIT ?2 OFFSET ?3");
    if (rows) {
        rows->bind(run, limited(page.count), limited(page.offset));
    }
    while (steps.next(rows)) {
        whos.push_back({rows->id(0),
                        rows->text(1),
                        {rows->count(2), rows->count(3), rows->count(4), rows->count(5)}});
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return whos;
}

engine::Result<std::uint64_t> RunReader::whoRows(RunId run) const
{
    return counted("SELECT count(*) FROM whos WHERE run = ?1", run);
}

engine::Result<std::uint64_t> RunReader::rejectedWhoRows(RunId run) const
{
    return counted("SELECT count(*) FROM whos WHERE run = ?1 AND rejected > 0", run);
}

engine::Result<std::uint64_t> RunReader::counted(const char* sql, RunId run) const
{
    Steps steps(m_store.database());
    std::optional<Statement> row = ofRun(steps, sql, run);
    const std::uint64_t count = steps.next(row) ? row->count(0) : 0;
    return steps.isFine() ? engine::Result<std::uint64_t>(count) : engine::fail(steps.error());
}

engine::Result<std::vector<engine::SecondTally>> RunReader::timeline(RunId run,
                                                                     std::int64_t fromSecond,
                                                                     std::int64_t toSecond,
                                                                     TimelineLevel level) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    runs::Decompressor decompressor;
    std::vector<engine::SecondTally> points;
    std::optional<Statement> rows = steps.prepare(
        "SELECT columns FROM timelines WHERE run = ?1 AND level = ?2 AND last_second >= ?3 "
        "AND first_second < ?4 ORDER BY first_second");
    if (rows) {
        rows->bind(run, static_cast<std::int64_t>(level), fromSecond, toSecond);
    }
    while (steps.next(rows)) {
        if (!runs::decodeTimeline(rows->bytes(0), decompressor, points)) {
            return runs::damaged(m_store.path(), "a timeline cannot be decoded");
        }
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    std::erase_if(points, [&](const engine::SecondTally& point) {
        return point.second < fromSecond || point.second >= toSecond;
    });
    return points;
}

} // namespace storage

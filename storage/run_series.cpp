#include "storage/run_reader.h"
#include "storage/runs/schema.h"
#include "storage/runs/series.h"
#include "storage/runs/summary.h"

#include <algorithm>

namespace storage {
namespace {

using runs::Statement;
using runs::Steps;

/// The blocks of one kind that reach into a span of seconds; none in a store that is older than
/// them. A rule of nothing: attempts.
std::optional<Statement> blocksOf(Steps& steps, RunId run, std::optional<std::uint32_t> rule,
                                  std::int64_t fromSecond, std::int64_t toSecond)
{
    if (!runs::has(steps, runs::kConditionsVersion)) {
        return std::nullopt;
    }
    std::optional<Statement> rows
        = steps.prepare("SELECT first_second, last_second, points, columns FROM series WHERE run = "
                        "?1 AND kind = ?2 AND rule IS ?3 AND last_second >= ?4 AND first_second < "
                        "?5 ORDER BY first_second");
    if (rows) {
        rows->bind(run, std::string_view(rule ? "limit" : "attempts"), rule, fromSecond, toSecond);
    }
    return rows;
}

/// The row at hand; false where it is not what it says of itself, or does not follow the points.
template <class Point>
bool decode(const Statement& row, runs::Decompressor& decompressor, std::vector<Point>& points)
{
    const std::size_t before = points.size();
    return runs::decodeSeries(row.bytes(3), decompressor, points)
        && points[before].second == row.integer(0) && points.back().second == row.integer(1)
        && points.size() - before == row.count(2)
        && (before == 0 || points[before - 1].second < points[before].second);
}

template <class Point>
engine::Result<std::vector<Point>> pointsOf(Steps& steps, RunId run,
                                            std::optional<std::uint32_t> rule,
                                            std::int64_t fromSecond, std::int64_t toSecond)
{
    std::optional<Statement> rows = blocksOf(steps, run, rule, fromSecond, toSecond);
    runs::Decompressor decompressor;
    std::vector<Point> points;
    while (steps.next(rows)) {
        if (!decode(*rows, decompressor, points)) {
            return runs::damaged(steps.database().path(), "a series cannot be decoded");
        }
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    std::erase_if(points, [&](const Point& point) {
        return point.second < fromSecond || point.second >= toSecond;
    });
    return points;
}

} // namespace

engine::Result<std::vector<engine::AttemptSecond>>
RunReader::attempts(RunId run, std::int64_t fromSecond, std::int64_t toSecond) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    return pointsOf<engine::AttemptSecond>(steps, run, std::nullopt, fromSecond, toSecond);
}

engine::Result<std::vector<engine::LimitSecond>> RunReader::limits(RunId run, std::uint32_t rule,
                                                                   std::int64_t fromSecond,
                                                                   std::int64_t toSecond) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    engine::Result<std::vector<engine::LimitSecond>> points
        = pointsOf<engine::LimitSecond>(steps, run, rule, fromSecond, toSecond);
    if (points) {
        for (engine::LimitSecond& point : *points) {
            point.rule = rule;
        }
    }
    return points;
}

} // namespace storage

#include "storage/runs/series.h"

#include <algorithm>
#include <array>

namespace storage::runs {
namespace {

constexpr std::size_t kColumns = 4;
/// Of one decoded column, whatever it claims: a varint has at most 10 bytes.
constexpr std::size_t kLargestColumn = 10 * kSeriesPoints;

using Columns = std::array<std::uint64_t, kColumns - 1>;

Columns columnsOf(const engine::AttemptSecond& point)
{
    return {point.attempts, point.retries, point.admitted};
}

// Differences are taken modulo 2^64, so that damage cannot overflow.

Columns columnsOf(const engine::LimitSecond& point)
{
    const auto last = static_cast<std::uint64_t>(point.last);
    return {zigzag(point.last), last - static_cast<std::uint64_t>(point.lowest),
            static_cast<std::uint64_t>(point.highest) - last};
}

void take(const Columns& columns, engine::AttemptSecond& point)
{
    point.attempts = columns[0];
    point.retries = columns[1];
    point.admitted = columns[2];
}

void take(const Columns& columns, engine::LimitSecond& point)
{
    point.last = unzigzag(columns[0]);
    const auto last = static_cast<std::uint64_t>(point.last);
    point.lowest = static_cast<std::int64_t>(last - columns[1]);
    point.highest = static_cast<std::int64_t>(last + columns[2]);
}

template <class Point> std::string encode(const std::vector<Point>& points, Compressor& compressor)
{
    std::array<std::string, kColumns> columns;
    auto before = static_cast<std::uint64_t>(points.front().second);
    for (const Point& point : points) {
        const auto second = static_cast<std::uint64_t>(point.second);
        appendVarint(columns[0], second - before);
        before = second;
        const Columns values = columnsOf(point);
        for (std::size_t i = 0; i < values.size(); ++i) {
            appendVarint(columns[i + 1], values[i]);
        }
    }
    return pointBlock(points.size(), points.front().second, columns, compressor);
}

} // namespace

template <class Point>
bool decodeSeries(std::string_view bytes, Decompressor& decompressor, std::vector<Point>& points)
{
    ByteReader in(bytes);
    const std::uint64_t count = in.varint();
    std::int64_t before = unzigzag(in.varint());
    if (count == 0 || count > kSeriesPoints) {
        return false;
    }
    VarintColumns columns(in, decompressor, kColumns, kLargestColumn);
    for (std::uint64_t i = 0; i < count; ++i) {
        Point point;
        point.second
            = static_cast<std::int64_t>(static_cast<std::uint64_t>(before) + columns[0].varint());
        if (i == 0 ? point.second != before : point.second <= before) {
            return false;
        }
        before = point.second;
        Columns values {};
        for (std::size_t column = 0; column < values.size(); ++column) {
            values[column] = columns[column + 1].varint();
        }
        take(values, point);
        points.push_back(point);
    }
    return in.isSound() && in.isAtEnd() && columns.areRead();
}

template bool decodeSeries(std::string_view, Decompressor&, std::vector<engine::AttemptSecond>&);
template bool decodeSeries(std::string_view, Decompressor&, std::vector<engine::LimitSecond>&);

template <class Point>
void SeriesBuilder::close(std::optional<std::uint32_t> rule, std::vector<Point>& points)
{
    if (!points.empty()) {
        m_blocks.push_back({rule, points.front().second, points.back().second, points.size(),
                            encode(points, m_compressor)});
        points.clear();
    }
}

template <class Point>
void SeriesBuilder::add(std::optional<std::uint32_t> rule, std::vector<Point>& points,
                        const Point& second)
{
    if (points.size() == kSeriesPoints) {
        close(rule, points);
    }
    points.push_back(second);
}

void SeriesBuilder::add(const engine::AttemptSecond& second)
{
    add(std::nullopt, m_attempts, second);
}

void SeriesBuilder::add(const engine::LimitSecond& second)
{
    if (second.rule >= m_limits.size()) {
        m_limits.resize(second.rule + std::size_t {1});
    }
    add(second.rule, m_limits[second.rule], second);
}

void SeriesBuilder::flush()
{
    close(std::nullopt, m_attempts);
    for (std::uint32_t rule = 0; rule < m_limits.size(); ++rule) {
        close(rule, m_limits[rule]);
    }
}

void SeriesBuilder::insertBlocks(Steps& steps, std::int64_t run) const
{
    std::optional<Statement> insert = steps.prepare(
        "INSERT INTO series(run, kind, rule, first_second, last_second, points, columns) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    for (const Block& block : m_blocks) {
        steps.again(insert, run, std::string_view(block.rule ? "limit" : "attempts"), block.rule,
                    block.first, block.last, block.points, Blob {block.columns});
    }
}

void SeriesBuilder::forgetBlocks()
{
    m_blocks.clear();
}

void SeriesBuilder::clear()
{
    m_attempts.clear();
    m_limits.clear();
    forgetBlocks();
}

} // namespace storage::runs

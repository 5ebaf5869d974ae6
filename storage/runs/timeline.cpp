#include "storage/runs/timeline.h"

#include <algorithm>
#include <limits>

namespace storage::runs {
namespace {

/// An hour of one rule may count beyond 32 bits.
std::uint32_t saturated(std::uint32_t a, std::uint32_t b)
{
    const std::uint64_t sum = std::uint64_t {a} + b;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(sum, std::numeric_limits<std::uint32_t>::max()));
}

void addRules(std::vector<engine::SecondTally::Count>& into,
              const std::vector<engine::SecondTally::Count>& rules)
{
    for (const engine::SecondTally::Count& count : rules) {
        const auto at = std::lower_bound(
            into.begin(), into.end(), count.rule,
            [](const auto& held, std::uint32_t rule) { return held.rule < rule; });
        if (at == into.end() || at->rule != count.rule) {
            into.insert(at, count);
            continue;
        }
        at->judged = saturated(at->judged, count.judged);
        at->denied = saturated(at->denied, count.denied);
        at->rejected = saturated(at->rejected, count.rejected);
    }
}

void addTally(engine::SecondTally& into, const engine::SecondTally& tally)
{
    into.requests += tally.requests;
    into.admitted += tally.admitted;
    into.rejected += tally.rejected;
    into.wouldReject += tally.wouldReject;
    into.recordedRejected += tally.recordedRejected;
    for (std::size_t tier = 0; tier < engine::kTierCount; ++tier) {
        into.tiers[tier].judged += tally.tiers[tier].judged;
        into.tiers[tier].rejected += tally.tiers[tier].rejected;
    }
    addRules(into.rules, tally.rules);
}

std::int64_t startOf(std::int64_t second, TimelineLevel level)
{
    const auto step = static_cast<std::int64_t>(level);
    const std::int64_t quotient = second / step - (second % step < 0 ? 1 : 0);
    return quotient * step;
}

constexpr std::size_t kPlainColumns = 6;
constexpr std::size_t kTierColumns = 2 * engine::kTierCount;
constexpr std::size_t kColumns = kPlainColumns + kTierColumns + 4;
/// Of one decoded column, whatever it claims.
constexpr std::size_t kLargestColumn = std::size_t {64} << 20;

} // namespace

std::string encodeTimeline(const std::vector<engine::SecondTally>& points, Compressor& compressor)
{
    std::array<std::string, kColumns> columns;
    std::int64_t before = points.front().second;
    for (const engine::SecondTally& point : points) {
        std::size_t column = 0;
        const auto put = [&](std::uint64_t value) { appendVarint(columns[column++], value); };
        put(static_cast<std::uint64_t>(point.second - before));
        before = point.second;
        put(point.requests);
        put(point.rejected);
        put(point.wouldReject);
        put(point.recordedRejected);
        put(point.rules.size());
        for (const engine::TierTally& tier : point.tiers) {
            put(zigzag(static_cast<std::int64_t>(point.requests - tier.judged)));
            put(tier.rejected);
        }
        std::uint32_t next = 0;
        for (const engine::SecondTally::Count& count : point.rules) {
            column = kPlainColumns + kTierColumns;
            put(count.rule - next);
            next = count.rule + 1;
            put(count.judged);
            put(count.denied);
            put(count.rejected);
        }
    }
    return pointBlock(points.size(), points.front().second, columns, compressor);
}

bool decodeTimeline(std::string_view bytes, Decompressor& decompressor,
                    std::vector<engine::SecondTally>& points)
{
    ByteReader in(bytes);
    const std::uint64_t count = in.varint();
    std::int64_t second = unzigzag(in.varint());
    if (count > kTimelinePoints) {
        return false;
    }
    VarintColumns columns(in, decompressor, kColumns, kLargestColumn);
    for (std::uint64_t i = 0; i < count; ++i) {
        engine::SecondTally point;
        std::size_t column = 0;
        const auto take = [&] { return columns[column++].varint(); };
        second = static_cast<std::int64_t>(static_cast<std::uint64_t>(second) + take());
        point.second = second; // modulo 2^64, so that damage cannot overflow
        point.requests = take();
        point.rejected = take();
        point.admitted = point.requests - point.rejected;
        point.wouldReject = take();
        point.recordedRejected = take();
        const std::uint64_t rules = take();
        for (engine::TierTally& tier : point.tiers) {
            tier.judged = point.requests - static_cast<std::uint64_t>(unzigzag(take()));
            tier.rejected = take();
        }
        std::uint32_t next = 0;
        for (std::uint64_t rule = 0;
             rule < rules && columns[kPlainColumns + kTierColumns].isSound(); ++rule) {
            column = kPlainColumns + kTierColumns;
            engine::SecondTally::Count counts;
            counts.rule = next + static_cast<std::uint32_t>(take());
            next = counts.rule + 1;
            counts.judged = static_cast<std::uint32_t>(take());
            counts.denied = static_cast<std::uint32_t>(take());
            counts.rejected = static_cast<std::uint32_t>(take());
            point.rules.push_back(counts);
        }
        points.push_back(std::move(point));
    }
    return in.isSound() && in.isAtEnd() && columns.areRead();
}

void TimelineBuilder::add(const engine::SecondTally& second, const Full& full)
{
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        std::vector<engine::SecondTally>& points = m_levels[i];
        const std::int64_t start = startOf(second.second, kTimelineLevels[i]);
        if (points.empty() || points.back().second != start) {
            if (points.size() == kTimelinePoints) {
                full(kTimelineLevels[i], points);
                points.clear();
            }
            points.emplace_back().second = start;
        }
        addTally(points.back(), second);
    }
}

void TimelineBuilder::flush(const Full& full)
{
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        if (!m_levels[i].empty()) {
            full(kTimelineLevels[i], m_levels[i]);
        }
    }
    clear();
}

void TimelineBuilder::clear()
{
    for (std::vector<engine::SecondTally>& points : m_levels) {
        points.clear();
    }
}

} // namespace storage::runs

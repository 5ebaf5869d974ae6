#include "app/workbench/run_moments.h"

#include "app/workbench/figures_text.h"

#include <algorithm>

namespace app {
namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kDay = 86'400;

engine::Failure stopped()
{
    return engine::fail("run.interrupted", "interrupted before there was an answer");
}

std::int64_t minuteOfSecond(std::int64_t second)
{
    const std::int64_t into = second % kMinute;
    return second - (into < 0 ? into + kMinute : into);
}

bool isSet(const StopFlag* stop)
{
    return stop != nullptr && stop->load(std::memory_order_relaxed);
}

} // namespace

std::int64_t minuteOf(std::int64_t timeNs)
{
    return minuteOfSecond(secondOf(timeNs));
}

void countMinute(WorstMinute& now, WorstMinute& worst, std::int64_t minute, std::uint64_t count)
{
    if (now.second != minute) {
        now = {minute, 0};
    }
    now.count += count;
    if (now.count > worst.count) {
        worst = now;
    }
}

engine::Result<std::optional<WorstSecond>>
worstSecond(const storage::RunReader& reader, const storage::RunDetail& run, const StopFlag* stop)
{
    std::optional<WorstSecond> worst;
    const storage::RunTotals& totals = run.summary.totals;
    if (!totals.firstNs || !totals.lastNs) {
        return worst;
    }
    const std::int64_t end = secondOf(*totals.lastNs) + 1;
    for (std::int64_t from = secondOf(*totals.firstNs); from < end; from += kDay) {
        if (isSet(stop)) {
            return stopped();
        }
        const auto seconds = reader.timeline(run.summary.id, from, std::min(end, from + kDay),
                                             storage::TimelineLevel::Second);
        if (!seconds) {
            return engine::fail(seconds.error());
        }
        for (const engine::SecondTally& second : *seconds) {
            if (second.rejected > (worst ? worst->rejected : 0)) {
                worst = {second.second, second.rejected, second.requests};
            }
        }
    }
    return worst;
}

engine::Result<std::vector<WorstMinute>> worstMinutes(const storage::RunReader& reader,
                                                      const storage::RunDetail& run,
                                                      std::int64_t fromSecond,
                                                      std::int64_t toSecond)
{
    // A minute that the range cuts is what the range has of it.
    const bool isWhole = fromSecond == INT64_MIN && toSecond == INT64_MAX;
    const auto points = reader.timeline(run.summary.id, fromSecond, toSecond,
                                        isWhole ? storage::TimelineLevel::Minute
                                                : storage::TimelineLevel::Second);
    if (!points) {
        return engine::fail(points.error());
    }
    std::vector<WorstMinute> worst(run.rules.size());
    std::vector<WorstMinute> now(run.rules.size());
    for (const engine::SecondTally& point : *points) {
        const std::int64_t minute = minuteOfSecond(point.second);
        for (const engine::SecondTally::Count& rule : point.rules) {
            if (rule.rule < worst.size()) {
                countMinute(now[rule.rule], worst[rule.rule], minute, rule.denied);
            }
        }
    }
    return worst;
}

void KeyMoments::add(std::uint32_t rule, std::uint32_t key, std::int64_t timeNs)
{
    const auto [at, isNew] = m_keys.try_emplace(std::uint64_t {rule} << 32U | key);
    State& state = at->second;
    if (isNew) {
        state.moment.firstNs = timeNs;
    }
    countMinute(state.now, state.moment.worst, minuteOf(timeNs));
}

const KeyMoment* KeyMoments::at(std::uint32_t rule, std::uint32_t key) const
{
    const auto found = m_keys.find(std::uint64_t {rule} << 32U | key);
    return found == m_keys.end() ? nullptr : &found->second.moment;
}

engine::Result<KeyMoments> keyMoments(const storage::RunReader& reader, storage::RunId run,
                                      const Period& period, const StopFlag* stop)
{
    auto cursor = reader.verdicts(run);
    if (!cursor) {
        return engine::fail(cursor.error());
    }
    KeyMoments moments;
    storage::VerdictBlock block;
    for (;;) {
        const engine::Result<bool> more = cursor->next(block);
        if (!more) {
            return engine::fail(more.error());
        }
        if (!*more) {
            return moments;
        }
        if (isSet(stop)) {
            return stopped();
        }
        for (const storage::RejectionRow& row : block.rows) {
            if (period.holds(row.timeNs)) {
                moments.add(row.rule, row.key, row.timeNs);
            }
        }
    }
}

} // namespace app

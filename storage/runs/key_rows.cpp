#include "storage/runs/key_rows.h"

#include "storage/runs/best.h"
#include "storage/runs/row_insert.h"
#include "storage/runs/text.h"

#include <algorithm>

namespace storage::runs {
namespace {

/// Ties by id, so that the same run keeps the same rows.
bool isMoreDenied(const KeyFigures& a, const KeyFigures& b)
{
    return a.tally.denied != b.tally.denied ? a.tally.denied > b.tally.denied
        : a.tally.judged != b.tally.judged  ? a.tally.judged > b.tally.judged
                                            : a.id < b.id;
}

bool isMoreJudged(const KeyFigures& a, const KeyFigures& b)
{
    return a.tally.judged != b.tally.judged ? a.tally.judged > b.tally.judged : a.id < b.id;
}

struct WhoFigures {
    std::uint32_t id = 0;
    std::uint64_t requests = 0;
};

bool isLarger(const WhoFigures& a, const WhoFigures& b)
{
    return a.requests != b.requests ? a.requests > b.requests : a.id < b.id;
}

} // namespace

KeyRows gatherKeys(const RunFigures& figures, std::size_t rule, const RunLimits& limits)
{
    KeyRows gathered;
    const std::size_t keys = figures.keyCount(rule);
    Best<KeyFigures, decltype(&isMoreDenied)> mostDenied(limits.keyRowsPerRule, &isMoreDenied);
    Best<KeyFigures, decltype(&isMoreJudged)> mostJudged(limits.largest, &isMoreJudged);
    for (std::size_t id = 0; id < keys; ++id) {
        const KeyFigures key {static_cast<std::uint32_t>(id),
                              figures.keyTally(rule, static_cast<std::uint32_t>(id))};
        gathered.judged += key.tally.judged > 0 ? 1U : 0U;
        gathered.denied += key.tally.denied > 0 ? 1U : 0U;
        if (key.tally.denied > 0) {
            mostDenied.add(key);
        } else if (key.tally.judged > 0) {
            mostJudged.add(key);
        }
    }
    gathered.rows = mostDenied.take();
    gathered.leftOut = gathered.denied - gathered.rows.size();
    const std::vector<KeyFigures> largest = mostJudged.take();
    gathered.rows.insert(gathered.rows.end(), largest.begin(), largest.end());
    std::sort(gathered.rows.begin(), gathered.rows.end(),
              [](const KeyFigures& a, const KeyFigures& b) { return a.id < b.id; });
    gathered.memory = figures.memoryOf(rule);
    return gathered;
}

void insertKeys(Steps& steps, RunId run, std::size_t rule, const RunFigures& figures,
                const std::vector<KeyFigures>& rows)
{
    RowInsert<RunId, std::size_t, std::uint32_t, OwnBlob, std::uint64_t, std::uint64_t> insert(
        steps, "keys(run, rule, id, key, judged, denied)");
    for (const KeyFigures& row : rows) {
        if (!steps.isFine()) {
            break;
        }
        insert.add(run, rule, row.id, {joinKey(figures.keyText(rule, row.id))}, row.tally.judged,
                   row.tally.denied);
    }
    insert.finish();
}

std::vector<std::uint32_t> gatherWhos(const RunFigures& figures, std::size_t largest)
{
    std::vector<std::uint32_t> ids;
    Best<WhoFigures, decltype(&isLarger)> others(largest, &isLarger);
    const std::size_t count = figures.whoCount();
    for (std::size_t i = 0; i < count; ++i) {
        const auto id = static_cast<std::uint32_t>(i);
        const engine::WhoTally tally = figures.who(id);
        if (tally.rejected > 0 || tally.wouldReject > 0 || tally.recordedRejected > 0) {
            ids.push_back(id);
        } else if (tally.requests > 0) {
            others.add({id, tally.requests});
        }
    }
    for (const WhoFigures& other : others.take()) {
        ids.push_back(other.id);
    }
    std::sort(ids.begin(), ids.end());
    if (figures.who(engine::kNoId).requests > 0) {
        ids.push_back(engine::kNoId); // those that say nothing of their sender
    }
    return ids;
}

void insertWhos(Steps& steps, RunId run, const RunFigures& figures,
                const std::vector<std::uint32_t>& ids)
{
    RowInsert<RunId, std::uint32_t, OwnBlob, std::uint64_t, std::uint64_t, std::uint64_t,
              std::uint64_t>
        insert(steps, "whos(run, id, who, requests, rejected, would_reject, recorded_rejected)");
    for (const std::uint32_t id : ids) {
        if (!steps.isFine()) {
            break;
        }
        const engine::WhoTally tally = figures.who(id);
        insert.add(run, id, {std::string(figures.whoText(id))}, tally.requests, tally.rejected,
                   tally.wouldReject, tally.recordedRejected);
    }
    insert.finish();
}

} // namespace storage::runs

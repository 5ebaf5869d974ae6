#include "app/console/runs/run_data.h"

#include "app/console/frame/values.h"
#include "app/workbench/figures_text.h"

#include <algorithm>
#include <limits>

namespace app::console {

namespace {

engine::Result<std::unique_ptr<storage::RunStore>> opened(const std::string& store)
{
    return storage::RunStore::open(store, storage::Access::Read);
}

storage::KeySort sortOf(KeyColumn column)
{
    switch (column) {
    case KeyColumn::Rule:
        return storage::KeySort::Rule;
    case KeyColumn::Key:
        return storage::KeySort::Key;
    case KeyColumn::Judged:
        return storage::KeySort::Judged;
    case KeyColumn::Share:
        return storage::KeySort::Share;
    case KeyColumn::Denied:
    case KeyColumn::WorstMinute:
    case KeyColumn::FirstAt:
        break;
    }
    return storage::KeySort::Denied;
}

/// Keys of which no moment is known come last.
void sortByMoment(std::vector<storage::KeyPlace>& places, KeyColumn column, bool descending,
                  const KeyMoments& moments)
{
    using Ranked = std::pair<std::int64_t, storage::KeyPlace>;
    std::vector<Ranked> ranked;
    ranked.reserve(places.size());
    for (const storage::KeyPlace& place : places) {
        const KeyMoment* const moment = moments.at(place.rule, place.id);
        const std::int64_t last = descending ? std::numeric_limits<std::int64_t>::min()
                                             : std::numeric_limits<std::int64_t>::max();
        ranked.emplace_back(moment == nullptr ? last
                                : column == KeyColumn::FirstAt
                                ? moment->firstNs
                                : static_cast<std::int64_t>(moment->worst.count),
                            place);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [&](const Ranked& a, const Ranked& b) {
        return descending ? a.first > b.first : a.first < b.first;
    });
    std::transform(ranked.begin(), ranked.end(), places.begin(),
                   [](const Ranked& one) { return one.second; });
}

} // namespace

storage::TimelineLevel levelFor(double secondsPerPixel)
{
    for (const storage::TimelineLevel level :
         {storage::TimelineLevel::Hour, storage::TimelineLevel::Minute}) {
        if (static_cast<double>(widthOf(level)) <= secondsPerPixel) {
            return level;
        }
    }
    return storage::TimelineLevel::Second;
}

std::pair<std::int64_t, std::int64_t> secondsOf(const storage::RunTotals& totals)
{
    if (!totals.firstNs || !totals.lastNs) {
        return {0, 0};
    }
    return {secondOf(*totals.firstNs), secondOf(*totals.lastNs) + 1};
}

engine::Result<RunOverview> readOverview(const std::string& store, storage::RunId run)
{
    const auto open = opened(store);
    if (!open) {
        return engine::fail(open.error());
    }
    engine::Result<storage::RunDetail> detail = storage::RunReader(**open).detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    SecretAttributes secrets = secretsOf(*detail);
    return RunOverview {std::move(*detail), std::move(secrets)};
}

engine::Result<RunPoints> readPoints(const std::string& store, storage::RunId run,
                                     storage::TimelineLevel level, std::int64_t from,
                                     std::int64_t to)
{
    const auto open = opened(store);
    if (!open) {
        return engine::fail(open.error());
    }
    // A point belongs to the second in which it begins: take the one that reaches into the range.
    const std::int64_t first = from - widthOf(level) + 1;
    auto points = storage::RunReader(**open).timeline(run, first, to, level);
    if (!points) {
        return engine::fail(points.error());
    }
    return RunPoints {level, from, to, std::move(*points)};
}

engine::Result<RunMoments> readMoments(const std::string& store, const storage::RunDetail& run,
                                       const StopFlag& stop)
{
    const auto open = opened(store);
    if (!open) {
        return engine::fail(open.error());
    }
    const storage::RunReader reader(**open);
    const auto second = worstSecond(reader, run, &stop);
    if (!second) {
        return engine::fail(second.error());
    }
    auto minutes = worstMinutes(reader, run);
    if (!minutes) {
        return engine::fail(minutes.error());
    }
    auto keys = keyMoments(reader, run.summary.id, {}, &stop);
    if (!keys) {
        return engine::fail(keys.error());
    }
    return RunMoments {*second, std::move(*minutes),
                       std::make_shared<const KeyMoments>(std::move(*keys))};
}

engine::Result<std::shared_ptr<const RangeView>> readRange(const std::string& store,
                                                           const storage::RunDetail& run,
                                                           std::int64_t from, std::int64_t to,
                                                           const StopFlag& stop)
{
    const auto open = opened(store);
    if (!open) {
        return engine::fail(open.error());
    }
    const storage::RunReader reader(**open);
    const Period period {from * kNs, to * kNs};
    auto view = periodOf(reader, run.summary.id, period);
    if (!view) {
        return engine::fail(view.error());
    }
    auto minutes = worstMinutes(reader, run, from, to);
    if (!minutes) {
        return engine::fail(minutes.error());
    }
    auto keys = keyMoments(reader, run.summary.id, period, &stop);
    if (!keys) {
        return engine::fail(keys.error());
    }
    return std::make_shared<const RangeView>(
        RangeView {from, to, std::move(*view), std::move(*minutes), std::move(*keys)});
}

engine::Result<std::vector<storage::KeyPlace>>
readKeyPlaces(const std::string& store, storage::RunId run, storage::KeyQuery query,
              KeyColumn column, const KeyMoments* moments)
{
    const auto open = opened(store);
    if (!open) {
        return engine::fail(open.error());
    }
    query.sort = sortOf(column);
    const bool isByMoment
        = moments != nullptr && (column == KeyColumn::WorstMinute || column == KeyColumn::FirstAt);
    const bool descending = query.descending;
    query.descending = isByMoment ? true : descending;
    auto places = storage::keyPlaces(**open, run, query);
    if (places && isByMoment) {
        sortByMoment(*places, column, descending, *moments);
    }
    return places;
}

engine::Result<std::vector<storage::KeyRow>> readKeys(const std::string& store, storage::RunId run,
                                                      const std::vector<storage::KeyPlace>& places)
{
    const auto open = opened(store);
    if (!open) {
        return engine::fail(open.error());
    }
    return storage::keysAt(**open, run, places);
}

} // namespace app::console

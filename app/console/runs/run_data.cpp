#include "app/console/runs/run_data.h"

#include "app/console/frame/values.h"
#include "app/workbench/condition_tables.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/stored_run.h"

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

std::optional<MostTimes> mostTimes(const storage::RunDetail& run, const engine::Plan& plan)
{
    std::optional<MostTimes> most;
    for (const storage::ServerRuleTotal& total : run.conditions.rules) {
        if (total.rule >= plan.rules.size() || total.rule >= run.rules.size()) {
            continue;
        }
        const std::int64_t limit = limitInWindow(plan.rules[total.rule].limit).most;
        const std::int64_t admitted = total.inWindow.cost;
        const auto times = [](std::int64_t part, std::int64_t whole) {
            return static_cast<long double>(part) / static_cast<long double>(whole);
        };
        if (limit > 0 && admitted > 0
            && (!most || times(admitted, limit) > times(most->admitted, most->limit))) {
            most = MostTimes {fullName(run.rules[total.rule]), admitted, limit};
        }
    }
    return most;
}

void addAttempts(engine::AttemptSecond& sum, const engine::AttemptSecond& second)
{
    sum.attempts += second.attempts;
    sum.retries += second.retries;
    sum.admitted += second.admitted;
}

void addLimits(engine::LimitSecond& sum, const engine::LimitSecond& second)
{
    sum.lowest = std::min(sum.lowest, second.lowest);
    sum.highest = std::max(sum.highest, second.highest);
    sum.last = second.last;
}

engine::Status addConditions(const storage::RunReader& reader, RunOverview& overview)
{
    constexpr std::size_t kTop = 100; // all that a run keeps of lockouts
    const storage::RunDetail& run = overview.detail;
    overview.states = statesTable(run);
    if (const auto conditions = conditionsOfRun(run.options, run.summary.seed)) {
        overview.asIf = conditionWords(*conditions);
    }
    auto tables = conditionTables(reader, run, kTop, KeyNames(overview.secrets));
    if (!tables) {
        return engine::fail(tables.error());
    }
    overview.conditions = std::move(*tables);
    if (!run.conditions.rules.empty()) {
        if (const auto stored = planOfRun(run)) {
            overview.most = mostTimes(run, stored->plan);
        }
    }
    return engine::Done {};
}

/// Where the bin of a second begins.
std::int64_t wholeBin(std::int64_t second, storage::TimelineLevel level)
{
    const std::int64_t width = widthOf(level);
    const std::int64_t rest = second % width;
    return second - rest - (rest < 0 ? width : 0);
}

/// Seconds, in order of time, put together bin by bin.
template <class Second>
std::vector<Second> inBins(const std::vector<Second>& seconds, storage::TimelineLevel level,
                           void (*add)(Second&, const Second&))
{
    std::vector<Second> bins;
    for (const Second& second : seconds) {
        const std::int64_t begin = wholeBin(second.second, level);
        if (!bins.empty() && bins.back().second == begin) {
            add(bins.back(), second);
        } else {
            bins.push_back(second);
            bins.back().second = begin;
        }
    }
    return bins;
}

/// Attempts and learned limits of the same bins as the timeline's.
engine::Status addSeries(const storage::RunReader& reader, const storage::RunDetail& run,
                         std::int64_t first, RunPoints& read)
{
    if (run.conditions.clients) {
        const auto attempts = reader.attempts(run.summary.id, first, read.to);
        if (!attempts) {
            return engine::fail(attempts.error());
        }
        read.attempts = inBins(*attempts, read.level, addAttempts);
    }
    for (const storage::RuleTotals& rule : run.rules) {
        if (!learns(rule)) {
            continue;
        }
        const auto limits = reader.limits(run.summary.id, rule.index, first, read.to);
        if (!limits) {
            return engine::fail(limits.error());
        }
        if (!limits->empty()) {
            read.limits.push_back(inBins(*limits, read.level, addLimits));
        }
    }
    return engine::Done {};
}

} // namespace

engine::BehaviourTally allOf(const storage::ClientTotals& clients)
{
    engine::ClientTally all;
    for (const storage::BehaviourTotal& behaviour : clients.behaviours) {
        all.behaviours.push_back(behaviour.tally);
    }
    return all.all();
}

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
    RunOverview overview {std::move(*detail), std::move(secrets)};
    if (const engine::Status read = addConditions(storage::RunReader(**open), overview); !read) {
        return engine::fail(read.error());
    }
    return overview;
}

engine::Result<RunPoints> readPoints(const std::string& store, const storage::RunDetail& run,
                                     storage::TimelineLevel level, std::int64_t from,
                                     std::int64_t to)
{
    const auto open = opened(store);
    if (!open) {
        return engine::fail(open.error());
    }
    // A point belongs to the second in which it begins: take the one that reaches into the range.
    const std::int64_t first = from - widthOf(level) + 1;
    const storage::RunReader reader(**open);
    auto points = reader.timeline(run.summary.id, first, to, level);
    if (!points) {
        return engine::fail(points.error());
    }
    RunPoints read {level, from, to, std::move(*points)};
    if (const engine::Status series = addSeries(reader, run, wholeBin(first, level), read);
        !series) {
        return engine::fail(series.error());
    }
    return read;
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

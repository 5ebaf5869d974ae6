#include "app/console/runs/timeline_bands.h"

#include "app/console/frame/values.h"
#include "app/workbench/condition_tables.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <array>

namespace app::console {

namespace {

const QString kRequests = QStringLiteral("requests");
const QString kAdmitted = QStringLiteral("admitted");
const QString kRejected = QStringLiteral("rejected");
const QString kDenied = QStringLiteral("denied");
const QString kShadow = QStringLiteral("denied in shadow");

void add(ChartSeries& series, std::int64_t second, std::uint64_t value)
{
    series.samples.push_back({second, static_cast<double>(value)});
}

/// Requests first, so that what became of them is drawn over them.
std::vector<ChartSeries> emptySeries(const QString& turnedAway, bool isShadow)
{
    std::vector<ChartSeries> series {{kRequests, Mark::Offered}, {kAdmitted, Mark::Admitted}};
    if (isShadow) {
        series.push_back({kShadow, Mark::Shadow, Dash::Short});
    } else {
        series.push_back({turnedAway, Mark::Rejected});
    }
    return series;
}

bool isShadow(const storage::RuleTotals& rule)
{
    return rule.mode == engine::Mode::Shadow;
}

QString rejectedFact(std::uint64_t rejected, std::uint64_t judged, const QString& word)
{
    return rejected == 0
        ? QStringLiteral("0 ") + word
        : QStringLiteral("%1 %2 (%3)").arg(countText(rejected), word, shareText(rejected, judged));
}

/// Of each tier, the rules in shadow that it has.
std::array<std::vector<std::uint32_t>, engine::kTierCount>
shadowRules(const storage::RunDetail& run)
{
    std::array<std::vector<std::uint32_t>, engine::kTierCount> rules;
    for (const storage::RuleTotals& rule : run.rules) {
        if (isShadow(rule)) {
            rules.at(static_cast<std::size_t>(rule.tier)).push_back(rule.index);
        }
    }
    return rules;
}

std::uint64_t deniedBy(const engine::SecondTally& point, const std::vector<std::uint32_t>& rules)
{
    std::uint64_t denied = 0;
    for (const engine::SecondTally::Count& count : point.rules) {
        denied
            += std::find(rules.begin(), rules.end(), count.rule) != rules.end() ? count.denied : 0U;
    }
    return denied;
}

ChartBand tierBand(const storage::TierTotals& totals)
{
    ChartBand band;
    band.name = words(engine::nameOf(totals.tier));
    band.tier = totals.tier;
    band.facts = {{countText(totals.judged) + QStringLiteral(" requests"), std::nullopt},
                  {rejectedFact(totals.rejected, totals.judged, kRejected),
                   totals.rejected > 0 ? std::optional(Mark::Rejected) : std::nullopt}};
    return band;
}

ChartBand ruleBand(const storage::RuleTotals& totals)
{
    ChartBand band;
    band.name = shown(fullName(totals), 60);
    band.tier = totals.tier;
    const Mark mark = isShadow(totals) ? Mark::Shadow : Mark::Rejected;
    band.facts = {{countText(totals.judged) + QStringLiteral(" requests"), std::nullopt},
                  {rejectedFact(totals.denied, totals.judged, isShadow(totals) ? kShadow : kDenied),
                   totals.denied > 0 ? std::optional(mark) : std::nullopt}};
    band.series = emptySeries(kDenied, isShadow(totals));
    return band;
}

ChartBand attemptsBand(const storage::ClientTotals& clients,
                       const std::vector<engine::AttemptSecond>& attempts)
{
    const engine::BehaviourTally sum = allOf(clients);
    const std::uint64_t made = sum.first + sum.retries;
    ChartBand band;
    band.name = QStringLiteral("Attempts");
    band.facts = {{countText(made) + QStringLiteral(" attempts"), std::nullopt},
                  {QStringLiteral("%1 for each request")
                       .arg(words(timesText(static_cast<std::int64_t>(made),
                                            static_cast<std::int64_t>(sum.first)))),
                   std::nullopt}};
    band.series = {{QStringLiteral("first attempts"), Mark::Offered},
                   {QStringLiteral("retries"), Mark::Delayed, Dash::Dotted},
                   {kAdmitted, Mark::Admitted}};
    for (const engine::AttemptSecond& second : attempts) {
        add(band.series[0], second.second, second.attempts - second.retries);
        add(band.series[1], second.second, second.retries);
        add(band.series[2], second.second, second.admitted);
    }
    return band;
}

/// The limit of a rule stays as it is while nobody asks.
ChartBand limitBand(const storage::RuleTotals& rule, const std::vector<engine::LimitSecond>& limits,
                    const Bins& bins)
{
    const bool isLimit = rule.algorithm == engine::nameOf(engine::Algorithm::AdaptiveConcurrency);
    ChartBand band;
    band.name = shown(fullName(rule), 60);
    band.tier = rule.tier;
    band.unit = isLimit ? QStringLiteral("in flight") : QStringLiteral("thousandths of a class");
    band.facts = {
        {isLimit ? QStringLiteral("limit learned") : QStringLiteral("classes shed"), std::nullopt}};
    band.series = {{QStringLiteral("limit, lowest"), Mark::Offered, Dash::Short},
                   {QStringLiteral("limit, highest"), Mark::Offered}};
    const auto put = [&band](std::int64_t second, std::int64_t lowest, std::int64_t highest) {
        band.series[0].samples.push_back({second, static_cast<double>(lowest)});
        band.series[1].samples.push_back({second, static_cast<double>(highest)});
    };
    for (std::size_t i = 0; i < limits.size(); ++i) {
        put(limits[i].second, limits[i].lowest, limits[i].highest);
        const std::int64_t next = i + 1 < limits.size() ? limits[i + 1].second : limits[i].second;
        for (std::int64_t silent = limits[i].second + bins.width;
             silent < next && next - limits[i].second < bins.gap; silent += bins.width) {
            put(silent, limits[i].last, limits[i].last);
        }
    }
    return band;
}

} // namespace

QString unitOf(storage::TimelineLevel level)
{
    switch (level) {
    case storage::TimelineLevel::Second:
        return QStringLiteral("per second");
    case storage::TimelineLevel::Minute:
        return QStringLiteral("per minute");
    case storage::TimelineLevel::Hour:
        break;
    }
    return QStringLiteral("per hour");
}

Bins binsOf(const storage::RunDetail& run, storage::TimelineLevel level)
{
    const auto [first, last] = secondsOf(run.summary.totals);
    const std::uint64_t requests = run.summary.totals.requests + run.summary.totals.warmup;
    return {widthOf(level), std::max(gapOf(requests, last - first), 2 * widthOf(level))};
}

ChartData tierBands(const storage::RunDetail& run, const RunPoints& points)
{
    ChartData data {{}, binsOf(run, points.level), unitOf(points.level)};
    const auto shadows = shadowRules(run);
    for (const storage::TierTotals& totals : run.tiers) {
        if (totals.judged == 0) {
            continue; // no rule of it applied to anything
        }
        const auto tier = static_cast<std::size_t>(totals.tier);
        ChartBand band = tierBand(totals);
        band.series = emptySeries(kRejected, false);
        if (!shadows[tier].empty()) {
            band.series.push_back({kShadow, Mark::Shadow, Dash::Short});
        }
        for (const engine::SecondTally& point : points.points) {
            const engine::TierTally& tally = point.tiers[tier];
            add(band.series[0], point.second, tally.judged);
            add(band.series[1], point.second, tally.judged - tally.rejected);
            add(band.series[2], point.second, tally.rejected);
            if (band.series.size() > 3) {
                add(band.series[3], point.second, deniedBy(point, shadows[tier]));
            }
        }
        data.bands.push_back(std::move(band));
    }
    return data;
}

ChartData ruleBands(const storage::RunDetail& run, const RunPoints& points)
{
    ChartData data {{}, binsOf(run, points.level), unitOf(points.level)};
    std::vector<std::size_t> bandOf(run.rules.size(), SIZE_MAX);
    for (const storage::RuleTotals& totals : run.rules) {
        if (totals.judged > 0 && totals.index < bandOf.size()) {
            bandOf[totals.index] = data.bands.size();
            data.bands.push_back(ruleBand(totals));
        }
    }
    for (const engine::SecondTally& point : points.points) {
        for (ChartBand& band : data.bands) { // a rule that is not listed judged nothing
            for (ChartSeries& series : band.series) {
                add(series, point.second, 0);
            }
        }
        for (const engine::SecondTally::Count& count : point.rules) {
            if (count.rule >= bandOf.size() || bandOf[count.rule] == SIZE_MAX) {
                continue;
            }
            std::vector<ChartSeries>& series = data.bands[bandOf[count.rule]].series;
            series[0].samples.back().value = count.judged;
            series[1].samples.back().value = count.judged - count.denied;
            series[2].samples.back().value = count.denied;
        }
    }
    return data;
}

std::vector<ChartBand> conditionBands(const storage::RunDetail& run, const RunPoints& points)
{
    std::vector<ChartBand> bands;
    if (run.conditions.clients) {
        bands.push_back(attemptsBand(*run.conditions.clients, points.attempts));
    }
    const Bins bins = binsOf(run, points.level);
    for (const std::vector<engine::LimitSecond>& limits : points.limits) {
        if (!limits.empty() && limits.front().rule < run.rules.size()) {
            bands.push_back(limitBand(run.rules[limits.front().rule], limits, bins));
        }
    }
    return bands;
}

std::vector<ChartSeries> wholeSeries(const RunPoints& points)
{
    std::vector<ChartSeries> series {{kRequests, Mark::Offered}, {kRejected, Mark::Rejected}};
    for (const engine::SecondTally& point : points.points) {
        add(series[0], point.second, point.requests);
        add(series[1], point.second, point.rejected);
    }
    return series;
}

} // namespace app::console

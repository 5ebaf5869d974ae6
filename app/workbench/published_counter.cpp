#include "app/workbench/counter_against_log.h"
#include "app/workbench/published_figures.h"
#include "app/workbench/traffic.h"

#include <fmt/format.h>

/// Figure (v): two counters of 100/min against the exact count, both fed with every arrival.
namespace app {
namespace {

using engine::wide::Int128;

constexpr std::int64_t kS = 1'000'000'000;
constexpr engine::Rate kLimit {100, 60 * kS};
constexpr std::int64_t kSeeds = 1000;

CounterGaps gapsOfTrace()
{
    CounterAgainstLog counts(kLimit, 1);
    for (const std::int32_t us : publishedTraceUs()) {
        counts.meet(0, std::int64_t {us} * 1000);
    }
    return counts.gaps();
}

CounterGaps gapsOfSeed(std::uint64_t seed)
{
    TrafficSettings settings;
    settings.rate = {90, 60 * kS};
    settings.durationNs = 120 * kS;
    settings.factor = 2;
    settings.atNs = 60 * kS;
    settings.lengthNs = 40 * kS;
    const std::unique_ptr<TrafficStream> stream = trafficScenario("spike")->make(settings, seed);
    CounterAgainstLog counts(kLimit, 1);
    TrafficRequest request;
    while (stream->next(request)) {
        counts.meet(0, request.atNs);
    }
    return counts.gaps();
}

/// 1750 is "1.75".
std::string thousandths(std::int64_t value)
{
    std::string text = decimalText(value, 1000);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

/// A mean of many draws against a range: published is the mean of other draws.
FigureCheck meanWithin(std::string what, std::string published, Int128 sum, Int128 count,
                       std::int64_t leastThousandths, std::int64_t mostThousandths)
{
    const bool holds
        = sum * 1000 >= count * leastThousandths && sum * 1000 <= count * mostThousandths;
    return {std::move(what),
            fmt::format("{} ({} to {})", published, thousandths(leastThousandths),
                        thousandths(mostThousandths)),
            decimalText(sum, count), holds};
}

} // namespace

ReproducedFigure figureOfCounter()
{
    const CounterGaps trace = gapsOfTrace();
    ReproducedFigure figure;
    figure.checks = {
        sameText("the published trace: decisions", "239", std::to_string(trace.decisions)),
        sameText("its mean |estimate - count|", "2.393", meanGapText(trace)),
        sameText("its largest", "8.464", worstGapText(trace)),
        sameText("its decisions that differ: let through, limited", "1, 0",
                 fmt::format("{}, {}", trace.letThrough, trace.limited)),
    };
    Int128 decisions = 0;
    Int128 meanMillionths = 0;
    Int128 worstMillionths = 0;
    Int128 flips = 0;
    std::int64_t tame = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const CounterGaps gaps = gapsOfSeed(seed);
        const auto count = static_cast<std::int64_t>(gaps.decisions);
        const Int128 mean = gaps.gapParts * 1'000'000 / (Int128 {kLimit.periodNs} * count);
        const Int128 worst = gaps.worstParts * 1'000'000 / kLimit.periodNs;
        decisions += count;
        meanMillionths += mean;
        worstMillionths += worst;
        flips += static_cast<std::int64_t>(gaps.letThrough + gaps.limited);
        tame += mean < 5'000'000 && worst < 20'000'000 ? 1 : 0;
    }
    const Int128 all = Int128 {kSeeds} * 1'000'000;
    figure.checks.push_back(meanWithin("1,000 other draws, means: decisions", "239.8", decisions,
                                       kSeeds, 238'000, 242'000));
    figure.checks.push_back(
        meanWithin("their mean |estimate - count|", "1.92", meanMillionths, all, 1'750, 2'090));
    figure.checks.push_back(
        meanWithin("their largest", "7.76", worstMillionths, all, 7'300, 8'200));
    figure.checks.push_back(
        meanWithin("their decisions that differ", "4.32", flips, kSeeds, 3'500, 5'100));
    figure.checks.push_back({"draws with a mean below 5 and a largest below 20", "at least 980",
                             std::to_string(tame), tame >= 980});
    figure.notes = {
        "90/min, 180/min within [60 s, 100 s), 120 s; both counts are fed with every arrival",
        "2.4, 8 and 1 of 239 are figures of one draw: others differ by as much as the ranges say"};
    return figure;
}

} // namespace app

#include "app/workbench/published_figures.h"
#include "engine/key_trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

/// Figures (i) to (iv): one key that meets trains of requests.
namespace app {
namespace {

using engine::Algorithm;
using engine::Limit;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kS = 1000 * kMs;
constexpr std::int64_t kNotTold = -1;

/// Requests at firstNs + i * stepNs / parts, rounded down to a nanosecond, `each` at a time.
struct Train {
    std::int64_t firstNs = 0;
    std::int64_t count = 0; ///< of times
    std::int64_t stepNs = 0;
    std::int64_t parts = 1;
    std::int64_t each = 1;
};

/// What a key admits of one train after another.
struct TrainCase {
    std::string what;
    Limit limit;
    std::vector<Train> trains;
    std::vector<std::int64_t> admitted; ///< of each train; kNotTold
    std::int64_t worstNs = 0; ///< above 0: the most within any (t - worstNs, t] is looked at, too
    std::int64_t worst = 0;
};

Limit windowOf(Algorithm algorithm)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {100, 60 * kS};
    return limit;
}

Limit bucketOf(std::int64_t perSecond, std::int64_t burst)
{
    Limit limit;
    limit.algorithm = Algorithm::TokenBucket;
    limit.rate = {perSecond, kS};
    limit.burst = burst;
    return limit;
}

Limit gcraOf(std::int64_t toleranceNs)
{
    Limit limit;
    limit.algorithm = Algorithm::Gcra;
    limit.rate = {1, 10 * kMs};
    limit.toleranceNs = toleranceNs;
    return limit;
}

/// The times that were admitted.
std::vector<std::int64_t> admittedTimes(engine::KeyTrace& key, const Train& train)
{
    std::vector<std::int64_t> times;
    for (std::int64_t i = 0; i < train.count; ++i) {
        const std::int64_t atNs = train.firstNs + i * train.stepNs / train.parts;
        for (std::int64_t n = 0; n < train.each; ++n) {
            if (key.judge({atNs}).admits) {
                times.push_back(atNs);
            }
        }
    }
    return times;
}

std::size_t mostWithin(const std::vector<std::int64_t>& times, std::int64_t lengthNs)
{
    std::size_t most = 0;
    std::size_t oldest = 0;
    for (std::size_t newest = 0; newest < times.size(); ++newest) {
        while (times[oldest] <= times[newest] - lengthNs) {
            ++oldest;
        }
        most = std::max(most, newest - oldest + 1);
    }
    return most;
}

FigureCheck checkOf(const TrainCase& given)
{
    engine::KeyTrace key(given.limit);
    std::vector<std::int64_t> all;
    std::string expected;
    std::string seen;
    for (std::size_t i = 0; i < given.trains.size(); ++i) {
        const std::vector<std::int64_t> times = admittedTimes(key, given.trains[i]);
        all.insert(all.end(), times.begin(), times.end());
        if (given.admitted[i] != kNotTold) {
            const char* comma = expected.empty() ? "" : ", ";
            expected += fmt::format("{}{}", comma, given.admitted[i]);
            seen += fmt::format("{}{}", comma, times.size());
        }
    }
    if (given.worstNs > 0) {
        expected += fmt::format("; at most {}", given.worst);
        seen += fmt::format("; at most {}", mostWithin(all, given.worstNs));
    }
    return sameText(given.what, std::move(expected), std::move(seen));
}

std::vector<FigureCheck> checksOf(const std::vector<TrainCase>& cases)
{
    std::vector<FigureCheck> checks;
    std::transform(cases.begin(), cases.end(), std::back_inserter(checks), checkOf);
    return checks;
}

/// 20 at 0 s, 98 at 5 ms spacing from secondMs on, 100 at 20 ms spacing from thirdMs on.
std::vector<Train> gcraTrains(std::int64_t secondMs, std::int64_t thirdMs)
{
    return {{0, 20, 0}, {secondMs * kMs, 98, 5 * kMs}, {thirdMs * kMs, 100, 20 * kMs}};
}

/// Over whole ms with the third train behind the second and later than 480 ms: where 49 and 99
/// pass, against where they are said to.
FigureCheck whereFortyNine()
{
    std::int64_t exceptions = 0;
    for (std::int64_t second = 0; second <= 20; ++second) {
        for (std::int64_t third = std::max<std::int64_t>(second + 485, 481); third <= 520;
             ++third) {
            engine::KeyTrace key(gcraOf(100 * kMs));
            const std::vector<Train> trains = gcraTrains(second, third);
            admittedTimes(key, trains[0]);
            const bool isSeen = admittedTimes(key, trains[1]).size() == 49
                && admittedTimes(key, trains[2]).size() == 99;
            const bool isSaid = second >= 5 && second < 15 && third < 500;
            exceptions += isSeen != isSaid ? 1 : 0;
        }
    }
    return sameText("t2 of 0 to 20 ms, t3 to 520 ms: 49, 99 iff 5 <= t2 < 15 and t3 < 500 ms",
                    "0 exceptions", fmt::format("{} exceptions", exceptions));
}

/// What passes in each second of a client that tries at every stepNs until it is refused. Seconds
/// are (k, k + 1] with t = 0 in the first, or [k, k + 1).
std::string greedySeconds(std::int64_t stepNs, bool isEndIncluded)
{
    engine::KeyTrace key(bucketOf(20, 40));
    std::vector<int> seconds(5, 0);
    for (std::int64_t at = 0; at <= 5 * kS; at += stepNs) {
        while (key.judge({at}).admits) {
            const std::int64_t second = isEndIncluded && at > 0 ? (at - 1) / kS : at / kS;
            if (second < 5) {
                ++seconds[static_cast<std::size_t>(second)];
            }
        }
    }
    return fmt::format("{}", fmt::join(seconds, ", "));
}

} // namespace

ReproducedFigure figureOfFixedWindow()
{
    const std::vector<Train> trains {{59 * kS, 100, 10 * kMs}, {60 * kS, 100, 10 * kMs}};
    const std::string what = "100/min: 100 from 59.00 s, 100 from 60.00 s, 10 ms apart";
    return {checksOf({
                {"fixed_window " + what,
                 windowOf(Algorithm::FixedWindow),
                 trains,
                 {100, 100},
                 60 * kS,
                 200},
                {"sliding_window_log " + what,
                 windowOf(Algorithm::SlidingWindowLog),
                 trains,
                 {100, 0},
                 60 * kS,
                 100},
            }),
            {"admitted of each hundred; at most: in any (t - 60 s, t]"}};
}

ReproducedFigure figureOfSecondBurst()
{
    const Limit limit = bucketOf(100, 500);
    const Train first {0, 500};
    const Train second {2 * kS, 500, 50 * kMs, 499};
    const std::int64_t part = kMs / 10; // of 50 ms, one in 500
    const auto again = [&](std::string what, Train train, std::int64_t passes) {
        return TrainCase {"then 500 at 2 s + " + what, limit, {first, train}, {500, passes}};
    };
    const auto steady = [&](std::int64_t fromMs, std::int64_t passes) {
        return TrainCase {
            fmt::format("then 1000, 10 ms apart, from {}.{:03} s", fromMs / 1000, fromMs % 1000),
            limit,
            {first, second, {fromMs * kMs, 1000, 10 * kMs}},
            {kNotTold, 205, passes}};
    };
    return {checksOf({
                again("i * 50 ms / 499 (last at 2.050 s)", second, 205),
                again("i * 50 ms / 500 (last at 2.0499 s)", {2 * kS, 500, part}, 204),
                again("(i + 1/2) * 50 ms / 500", {2 * kS + part / 2, 500, part}, 204),
                again("(i + 1) * 50 ms / 500", {2 * kS + part, 500, part}, 205),
                again("i * 100,200 ns (cut to ns)", {2 * kS, 500, 100'200}, 204),
                again("10 at each of 0..49 ms", {2 * kS, 50, kMs, 1, 10}, 204),
                again("10 at each of 1..50 ms", {2 * kS + kMs, 50, kMs, 1, 10}, 205),
                again("0 (all at once)", {2 * kS, 500}, 200),
                steady(2050, 999),
                steady(2059, 999),
                steady(2060, 1000),
                steady(2061, 1000),
            }),
            {"500 at 0 s first; the 205th token exists at 2.050 s and not before"}};
}

ReproducedFigure figureOfGcra()
{
    const Limit limit = gcraOf(100 * kMs);
    const auto after
        = [&](std::int64_t secondMs, std::int64_t thirdMs, std::vector<std::int64_t> passes) {
              return TrainCase {fmt::format("20 at 0 s, 98 from t2 = {} ms, 100 from t3 = {} ms",
                                            secondMs, thirdMs),
                                limit, gcraTrains(secondMs, thirdMs), std::move(passes)};
          };
    ReproducedFigure figure {
        checksOf({
            {"20 at 0 s", limit, {{0, 20}}, {11}},
            {"20 at 0 s, strict: TAT - tau < t", gcraOf(100 * kMs - 1), {{0, 20}}, {10}},
            {"20, 1 ms apart", limit, {{0, 20, kMs}}, {12}},
            {"20, 2 ms apart", limit, {{0, 20, 2 * kMs}}, {14}},
            after(5, 495, {11, 49, 99}),
            after(14, 499, {11, 49, 99}),
            after(10, 500, {11, 49, 100}),
            after(0, 485, {11, 48, kNotTold}),
        }),
        {"strict is a tolerance of 1 ns less: the same where times are whole ns",
         "the 98 are 5 ms apart, the 100 are 20 ms apart"}};
    figure.checks.push_back(whereFortyNine());
    return figure;
}

ReproducedFigure figureOfGreedyClient()
{
    ReproducedFigure figure;
    for (const bool isEndIncluded : {true, false}) {
        for (const std::int64_t stepMs : {50, 25, 10, 1}) {
            figure.checks.push_back(
                sameText(fmt::format("bucket 40, 20/s, a try each {} ms, seconds {}", stepMs,
                                     isEndIncluded ? "(k, k + 1]" : "[k, k + 1)"),
                         isEndIncluded ? "60, 20, 20, 20, 20" : "59, 20, 20, 20, 20",
                         greedySeconds(stepMs * kMs, isEndIncluded)));
        }
    }
    figure.notes = {"the 60th token falls at 1 s, which is in one of the two seconds"};
    return figure;
}

} // namespace app

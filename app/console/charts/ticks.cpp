#include "app/console/charts/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::console {

std::int64_t clockStep(double seconds, int most)
{
    constexpr std::array<std::int64_t, 18> kSteps {1,     2,     5,      10,     15,     30,
                                                   60,    120,   300,    600,    900,    1'800,
                                                   3'600, 7'200, 10'800, 21'600, 43'200, 86'400};
    const double least = seconds / std::max(most, 1);
    const auto found = std::find_if(kSteps.begin(), kSteps.end(), [&](std::int64_t step) {
        return static_cast<double>(step) >= least;
    });
    if (found != kSteps.end()) {
        return *found;
    }
    return kSteps.back()
        * static_cast<std::int64_t>(std::ceil(least / static_cast<double>(kSteps.back())));
}

std::int64_t wholeMinutes(std::int64_t second, bool isUp)
{
    constexpr std::int64_t kMinute = 60;
    const std::int64_t into = (second % kMinute + kMinute) % kMinute;
    return into == 0 ? second : second - into + (isUp ? kMinute : 0);
}

std::vector<std::int64_t> clockTicks(double from, double to, std::int64_t step, std::int64_t offset)
{
    std::vector<std::int64_t> ticks;
    const auto first = static_cast<std::int64_t>(
        std::ceil((from + static_cast<double>(offset)) / static_cast<double>(step)));
    for (std::int64_t tick = first * step - offset; static_cast<double>(tick) <= to; tick += step) {
        ticks.push_back(tick);
    }
    return ticks;
}

std::vector<double> valueTicks(double greatest, int most)
{
    const double top = std::max(greatest, 1.0); // of counts: no lines between 0 and 1
    const double rough = top / std::max(most, 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power * 10;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9)) {
            step = factor * power;
            break;
        }
    }
    step = std::max(step, 1.0);
    std::vector<double> ticks {0};
    while (ticks.back() < top) {
        ticks.push_back(ticks.back() + step);
    }
    return ticks;
}

std::vector<double> logTicks(double greatest, int most)
{
    int decades = 1;
    while (std::pow(10.0, decades) < greatest) {
        ++decades;
    }
    const int step = (decades + std::max(most, 1) - 1) / std::max(most, 1);
    std::vector<double> ticks;
    for (int decade = decades; decade > 0; decade -= step) {
        ticks.push_back(std::pow(10.0, decade));
    }
    ticks.push_back(0);
    std::reverse(ticks.begin(), ticks.end());
    return ticks;
}

double logPlace(double value)
{
    return value < 0 ? -std::log10(1 - value) : std::log10(1 + value);
}

} // namespace app::console

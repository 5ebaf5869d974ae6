#include "engine/algorithms/fixed_window.h"

#include <algorithm>

namespace engine::fixed_window {
namespace {

std::int64_t untilEnd(const Limit& limit, const State& state, std::int64_t nowNs)
{
    const std::uint64_t age = limit.alignToFirstRequest
        ? wide::between(state.startNs, nowNs)
        : window_start::into(limit, state.startNs, nowNs);
    return wide::toWait(wide::Int128 {limit.rate.periodNs} - age);
}

} // namespace

Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs)
{
    const std::int64_t capacity = limit.rate.count;
    if (capacity == 0) {
        return zeroRateFigures(admitted);
    }
    Figures figures;
    figures.remaining = std::max<std::int64_t>(0, capacity - state.count);
    if (state.count > 0) {
        figures.nextAfterNs = untilEnd(limit, state, nowNs);
        figures.fullAfterNs = figures.nextAfterNs;
    }
    if (!admitted) {
        figures.retryAfterNs
            = cost > capacity ? std::nullopt : std::optional(untilEnd(limit, state, nowNs));
    }
    return figures;
}

bool atRest(const Limit& limit, const State& state, std::int64_t nowNs)
{
    if (!state.open) {
        return true;
    }
    if (limit.alignToFirstRequest) {
        return wide::between(state.startNs, nowNs)
            >= static_cast<std::uint64_t>(limit.rate.periodNs);
    }
    State later = state;
    advance(limit, later, nowNs);
    return later.count == 0;
}

} // namespace engine::fixed_window

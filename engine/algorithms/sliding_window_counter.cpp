#include "engine/algorithms/sliding_window_counter.h"

#include <algorithm>

namespace engine::sliding_window_counter {
namespace {

using wide::Int128;

/// The windows of one key at one instant, as wide numbers.
struct View {
    View(const Limit& limit, const State& state, std::int64_t nowNs)
        : period(limit.rate.periodNs)
        , ahead(period - window_start::into(limit, state.startNs, nowNs))
        , previous(state.previous)
        , current(state.current)
        , floors(limit.floorEstimate)
    {
    }

    [[nodiscard]] Int128 remaining(std::int64_t capacity) const
    {
        const Int128 weighed = previous * ahead;
        return std::max<Int128>(
            0,
            capacity - current - (floors ? weighed / period : wide::ceilDivide(weighed, period)));
    }

    /// The longest rest of a window in which `count` of the window before weighs at most `most`.
    [[nodiscard]] Int128 longestRest(Int128 count, Int128 most) const
    {
        return floors ? ((most + 1) * period - 1) / count : most * period / count;
    }

    /// The least wait until the estimate is at most `most` (>= 0), if nothing else comes. The
    /// estimate falls without a jump to `current` at the end of the window, then on to 0.
    [[nodiscard]] std::int64_t until(Int128 most) const
    {
        if (current > most) {
            return wide::toWait(ahead + period - longestRest(current, most));
        }
        return previous == 0 ? 0 : wide::toWait(ahead - longestRest(previous, most - current));
    }

    Int128 period;
    Int128 ahead; ///< what is left of the current window
    Int128 previous;
    Int128 current;
    bool floors;
};

/// Is the window that starts at `later` the next one after that of `earlier`?
bool follows(const Limit& limit, std::int64_t earlier, std::int64_t later)
{
    if (earlier != wide::kFirstNs) {
        return wide::between(earlier, later) == static_cast<std::uint64_t>(limit.rate.periodNs);
    }
    return later - window_start::exactOf(limit, earlier) == limit.rate.periodNs;
}

} // namespace

void changeWindow(const Limit& limit, State& state, std::int64_t nowNs)
{
    const std::int64_t start = window_start::of(limit, nowNs);
    if ((state.previous | state.current) != 0 && start != state.startNs) {
        state.previous = follows(limit, state.startNs, start) ? state.current : 0;
        state.current = 0;
    }
    state.startNs = start;
}

Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs)
{
    const std::int64_t capacity = limit.rate.count;
    if (capacity == 0) {
        return zeroRateFigures(admitted);
    }
    const View view(limit, state, nowNs);
    Figures figures;
    figures.remaining = static_cast<std::int64_t>(view.remaining(capacity));
    figures.nextAfterNs
        = figures.remaining == capacity ? 0 : view.until(Int128 {capacity} - figures.remaining - 1);
    figures.fullAfterNs = view.until(0);
    if (!admitted) {
        figures.retryAfterNs
            = cost > capacity ? std::nullopt : std::optional(view.until(Int128 {capacity} - cost));
    }
    return figures;
}

bool atRest(const Limit& limit, const State& state, std::int64_t nowNs)
{
    State later = state;
    advance(limit, later, nowNs);
    return later.previous == 0 && later.current == 0;
}

} // namespace engine::sliding_window_counter

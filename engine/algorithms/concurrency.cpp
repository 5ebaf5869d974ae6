#include "engine/algorithms/concurrency.h"

namespace engine::concurrency {

void advance(State& state, std::int64_t nowNs)
{
    if (state.slots != nullptr) {
        state.slots->releaseUntil(nowNs, [](std::uint32_t) {});
    }
}

std::int64_t inFlight(const State& state)
{
    return state.slots == nullptr ? 0 : state.slots->inFlight();
}

bool admits(const Limit& limit, const State& state, std::int64_t cost)
{
    return cost <= limit.inFlight - inFlight(state);
}

bool giveBack(State& state, Ticket ticket)
{
    return state.slots != nullptr && state.slots->giveBack(ticket);
}

Figures figures(const Limit& limit, const State& state, std::int64_t cost, bool admitted,
                std::int64_t nowNs)
{
    const Slots none;
    const Slots& slots = state.slots == nullptr ? none : *state.slots;
    return slots.figures(limit.inFlight, cost, admitted, nowNs);
}

bool atRest(const State& state)
{
    return inFlight(state) == 0;
}

State copyOf(const State& state)
{
    return {state.slots == nullptr ? nullptr : new Slots(*state.slots)};
}

void release(State& state)
{
    delete state.slots;
    state.slots = nullptr;
}

std::size_t memoryBytes(const State& state)
{
    return state.slots == nullptr ? 0 : state.slots->memoryBytes();
}

} // namespace engine::concurrency

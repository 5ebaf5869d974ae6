#include "engine/algorithms/load_shedder.h"

namespace engine::load_shedder {

struct Shedder {
    Slots slots;
    shed_ramp::Ramp ramp;
};

namespace {

Shedder& shedderOf(State& state)
{
    if (state.shedder == nullptr) {
        state.shedder = new Shedder; // freed by release()
    }
    return *state.shedder;
}

} // namespace

void advance(const Limit& limit, int classes, State& state, std::int64_t nowNs)
{
    if (limit.strategy == Strategy::Utilisation) {
        Shedder& shedder = shedderOf(state);
        releaseUntil(state, nowNs);
        shed_ramp::advance(shedder.ramp, shedder.slots.inFlight(), limit.inFlight, classes, nowNs);
    } else {
        releaseUntil(state, nowNs);
    }
}

void releaseUntil(State& state, std::int64_t nowNs)
{
    if (state.shedder != nullptr) {
        state.shedder->slots.releaseUntil(nowNs, [](std::uint32_t) {});
    }
}

std::int64_t inFlight(const State& state)
{
    return state.shedder == nullptr ? 0 : state.shedder->slots.inFlight();
}

bool admits(const Limit& limit, const State& state, std::uint64_t draw)
{
    if (limit.strategy == Strategy::Fleet) {
        return inFlight(state) < slotsOf(limit);
    }
    return !limit.shedAfter || state.shedder == nullptr
        || !shed_ramp::sheds(state.shedder->ramp, limit.inFlight, *limit.shedAfter, draw);
}

concurrency::Ticket take(State& state, std::int64_t nowNs, std::int64_t durationNs)
{
    return shedderOf(state).slots.take(1, nowNs, durationNs);
}

bool giveBack(State& state, concurrency::Ticket ticket)
{
    return state.shedder != nullptr && state.shedder->slots.giveBack(ticket);
}

Figures figures(const Limit& limit, const State& state, bool admitted, std::int64_t nowNs)
{
    const Slots none;
    const Slots& slots = state.shedder == nullptr ? none : state.shedder->slots;
    const bool isFleet = limit.strategy == Strategy::Fleet;
    Figures figures
        = slots.figures(isFleet ? slotsOf(limit) : limit.inFlight, 1, admitted || !isFleet, nowNs);
    if (!admitted && !isFleet) {
        figures.retryAfterNs.reset();
    }
    return figures;
}

std::int64_t shedThousandths(const Limit& limit, const State& state)
{
    return limit.strategy == Strategy::Fleet || state.shedder == nullptr
        ? 0
        : shed_ramp::thousandthsOf(state.shedder->ramp, limit.inFlight);
}

bool atRest(const Limit& limit, const State& state)
{
    return state.shedder == nullptr
        || (limit.strategy == Strategy::Fleet && state.shedder->slots.inFlight() == 0);
}

State copyOf(const State& state)
{
    return {state.shedder == nullptr ? nullptr : new Shedder(*state.shedder)};
}

void release(State& state)
{
    delete state.shedder;
    state.shedder = nullptr;
}

std::size_t memoryBytes(const State& state)
{
    return state.shedder == nullptr
        ? 0
        : sizeof(Shedder) - sizeof(Slots) + state.shedder->slots.memoryBytes();
}

} // namespace engine::load_shedder

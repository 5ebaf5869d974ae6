#include "engine/algorithms/adaptive_concurrency.h"

namespace engine::adaptive_concurrency {

struct Learner {
    Slots slots;
    std::vector<adaptive_limit::Sample> started; ///< by place of the holding
    adaptive_limit::Learned learned;
};

void advance(const adaptive_limit::Settings& settings, State& state, std::int64_t nowNs)
{
    if (state.learner == nullptr) {
        return;
    }
    Learner& learner = *state.learner;
    learner.slots.releaseUntil(nowNs, [&](std::uint32_t place) {
        if (learner.started[place].durationNs > 0) {
            adaptive_limit::learn(settings, learner.learned, learner.started[place]);
        }
    });
}

std::int64_t inFlight(const State& state)
{
    return state.learner == nullptr ? 0 : state.learner->slots.inFlight();
}

std::int64_t limitOf(const adaptive_limit::Settings& settings, const State& state)
{
    return adaptive_limit::limitOf(state.learner == nullptr ? adaptive_limit::begin(settings)
                                                            : state.learner->learned);
}

bool admits(const adaptive_limit::Settings& settings, const State& state, std::int64_t cost)
{
    return cost <= limitOf(settings, state) - inFlight(state);
}

concurrency::Ticket take(const adaptive_limit::Settings& settings, State& state, std::int64_t cost,
                         std::int64_t nowNs, std::int64_t durationNs)
{
    if (state.learner == nullptr) {
        state.learner = new Learner; // freed by release()
        state.learner->learned = adaptive_limit::begin(settings);
    }
    Learner& learner = *state.learner;
    const concurrency::Ticket ticket = learner.slots.take(cost, nowNs, durationNs);
    const std::uint32_t place = Slots::placeOf(ticket);
    if (place >= learner.started.size()) {
        learner.started.resize(place + std::size_t {1});
    }
    learner.started[place] = {durationNs, learner.slots.inFlight(), false};
    return ticket;
}

bool giveBack(State& state, concurrency::Ticket ticket)
{
    return state.learner != nullptr && state.learner->slots.giveBack(ticket);
}

Figures figures(const adaptive_limit::Settings& settings, const State& state, std::int64_t cost,
                bool admitted, std::int64_t nowNs)
{
    const Slots none;
    const Slots& slots = state.learner == nullptr ? none : state.learner->slots;
    return slots.figures(limitOf(settings, state), cost, admitted, nowNs);
}

State copyOf(const State& state)
{
    return {state.learner == nullptr ? nullptr : new Learner(*state.learner)};
}

void release(State& state)
{
    delete state.learner;
    state.learner = nullptr;
}

std::size_t memoryBytes(const State& state)
{
    return state.learner == nullptr
        ? 0
        : sizeof(Learner) - sizeof(Slots) + state.learner->slots.memoryBytes()
            + state.learner->started.capacity() * sizeof(adaptive_limit::Sample);
}

} // namespace engine::adaptive_concurrency

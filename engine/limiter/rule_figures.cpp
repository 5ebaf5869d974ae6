#include "engine/limiter/rule_state.h"

#include <algorithm>
#include <cstdlib>

// What a rule tells of its states; nothing changes here.
namespace engine {

std::int64_t RuleState::capacity(const KeyCell& cell) const
{
    return m_limit.algorithm == Algorithm::AdaptiveConcurrency ? fillOf(cell).limit
                                                               : capacityOf(m_limit);
}

std::int64_t RuleState::learned(const KeyCell& cell) const
{
    return m_limit.algorithm == Algorithm::AdaptiveConcurrency
        ? fillOf(cell).limit
        : load_shedder::shedThousandths(m_limit, cell.state.shedder);
}

namespace {

bool isNew(const KeyState& state)
{
    return std::all_of(state.words.begin(), state.words.end(),
                       [](std::int64_t word) { return word == 0; });
}

} // namespace

StateMemory RuleState::memory()
{
    StateMemory memory;
    cells.forEach([&](const KeyCell& cell) {
        memory.keys += cell.judged > 0 ? 1 : 0;
        // A class of a load_shedder has its state with the first one.
        if (cell.judged > 0 || !isNew(cell.state)) {
            memory.bytes += sizeof cell + heapBytes(cell.state);
        }
    });
    return memory;
}

std::uint64_t RuleState::stateBytes()
{
    std::uint64_t bytes = 0;
    cells.forEach([&](const KeyCell& cell) {
        bytes += isNew(cell.state) ? 0 : sizeof cell + heapBytes(cell.state);
    });
    return bytes;
}

std::size_t RuleState::heapBytes(const KeyState& state) const
{
    switch (m_limit.algorithm) {
    case Algorithm::SlidingWindowLog:
        return sliding_window_log::memoryBytes(state.log);
    case Algorithm::Concurrency:
        return concurrency::memoryBytes(state.slots);
    case Algorithm::AdaptiveConcurrency:
        return adaptive_concurrency::memoryBytes(state.adaptive);
    case Algorithm::LoadShedder:
        return load_shedder::memoryBytes(state.shedder);
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowCounter:
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        break;
    }
    return 0;
}

Figures RuleState::figures(const KeyCell& cell, std::int64_t cost, bool admitted,
                           std::int64_t nowNs) const
{
    const KeyState& state = cell.state;
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        return fixed_window::figures(m_limit, state.window, cost, admitted, nowNs);
    case Algorithm::SlidingWindowLog:
        return sliding_window_log::figures(m_limit, state.log, cost, admitted, nowNs);
    case Algorithm::SlidingWindowCounter:
        return sliding_window_counter::figures(m_limit, state.counter, cost, admitted, nowNs);
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        return meter::figures(m_spec, state.meter, cost, admitted);
    case Algorithm::Concurrency:
        return concurrency::figures(m_limit, state.slots, cost, admitted, nowNs);
    case Algorithm::AdaptiveConcurrency:
        return adaptive_concurrency::figures(m_learning, state.adaptive, cost, admitted, nowNs);
    case Algorithm::LoadShedder:
        return load_shedder::figures(m_limit, state.shedder, admitted, nowNs);
    }
    std::abort();
}

std::vector<StateFigure> RuleState::describe(const KeyCell& cell, std::int64_t nowNs) const
{
    using Unit = StateFigure::Unit;
    const Figures peek = figures(cell, 0, true, nowNs);
    std::vector<StateFigure> figures;
    const std::int64_t most = capacity(cell);
    figures.push_back({"capacity", most, Unit::Count});
    figures.push_back({"remaining", peek.remaining, Unit::Count});
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        figures.push_back({"count", cell.state.window.count, Unit::Count});
        break;
    case Algorithm::SlidingWindowCounter:
        figures.push_back({"previous_count", cell.state.counter.previous, Unit::Count});
        figures.push_back({"count", cell.state.counter.current, Unit::Count});
        break;
    case Algorithm::SlidingWindowLog:
        figures.push_back({"count", most - peek.remaining, Unit::Count});
        break;
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        figures.push_back({"backlog", cell.state.meter.backlogNs, Unit::DurationNs});
        break;
    case Algorithm::Concurrency:
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        figures.push_back({"in_flight", fillOf(cell).inFlight, Unit::Count});
        break;
    }
    if (peek.fullAfterNs) {
        figures.push_back({"full_after", *peek.fullAfterNs, Unit::DurationNs});
    }
    return figures;
}

} // namespace engine

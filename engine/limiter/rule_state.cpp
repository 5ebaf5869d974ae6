#include "engine/limiter/rule_state.h"

#include "engine/request.h"

#include <algorithm>
#include <cstdlib>

namespace engine {

RuleState::RuleState(const PlanRule& rule, std::size_t idAt, std::size_t costIndex,
                     CellGroup& group)
    : cells(group)
    , m_limit(rule.limit)
    , m_mode(rule.mode)
    , m_idAt(idAt)
    , m_costIndex(costIndex)
    , m_fixedCost(rule.cost.fixed)
{
    switch (m_limit.algorithm) {
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        m_spec = meter::specOf(m_limit);
        break;
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
    case Algorithm::Concurrency:
        break;
    }
}

RuleState::~RuleState()
{
    if (m_limit.algorithm == Algorithm::SlidingWindowLog) {
        cells.forEach([](KeyCell& cell) { sliding_window_log::release(cell.state.log); });
    } else if (m_limit.algorithm == Algorithm::Concurrency) {
        cells.forEach([](KeyCell& cell) { concurrency::release(cell.state.slots); });
    }
}

std::int64_t RuleState::delayNs(const KeyCell& cell) const
{
    return meter::delayNs(m_spec, cell.state.meter);
}

void RuleState::countRejected(KeyCell& cell, std::int64_t cost, std::int64_t nowNs)
{
    KeyState& state = cell.state;
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        fixed_window::countRejected(m_limit, state.window, cost);
        break;
    case Algorithm::SlidingWindowLog: {
        const bool wasEmpty = state.log.ring == nullptr;
        sliding_window_log::countRejected(m_limit, state.log, cost, nowNs);
        m_withMemory += wasEmpty ? 1 : 0;
        break;
    }
    case Algorithm::SlidingWindowCounter:
        sliding_window_counter::countRejected(m_limit, state.counter, cost);
        break;
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
    case Algorithm::Concurrency:
        break; // the language has count_rejected for windows only
    }
}

std::int64_t RuleState::holdingNs(std::int64_t durationNs) const
{
    return durationNs == kUnknownDuration ? m_limit.assumeDurationNs.value_or(0) : durationNs;
}

void RuleState::sweep(std::int64_t nowNs)
{
    m_withMemory = 0;
    cells.forEach([this, nowNs](KeyCell& cell) {
        KeyState& state = cell.state;
        if (m_limit.algorithm == Algorithm::SlidingWindowLog && state.log.ring != nullptr) {
            sliding_window_log::advance(m_limit, state.log, nowNs);
            if (sliding_window_log::atRest(state.log)) {
                sliding_window_log::release(state.log);
            }
            m_withMemory += state.log.ring != nullptr ? 1 : 0;
        } else if (m_limit.algorithm == Algorithm::Concurrency && state.slots.slots != nullptr) {
            concurrency::advance(state.slots, nowNs);
            if (concurrency::atRest(state.slots)) {
                concurrency::release(state.slots);
            }
            m_withMemory += state.slots.slots != nullptr ? 1 : 0;
        }
    });
    m_sweepAt = std::max(kFirstSweep, 2 * m_withMemory);
}

bool RuleState::atRest(const KeyCell& cell, std::int64_t nowNs) const
{
    const KeyState& state = cell.state;
    switch (m_limit.algorithm) {
    case Algorithm::FixedWindow:
        return fixed_window::atRest(m_limit, state.window, nowNs);
    case Algorithm::SlidingWindowLog:
        return sliding_window_log::atRest(state.log);
    case Algorithm::SlidingWindowCounter:
        return sliding_window_counter::atRest(m_limit, state.counter, nowNs);
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        return meter::atRest(state.meter);
    case Algorithm::Concurrency:
        return concurrency::atRest(state.slots);
    }
    std::abort();
}

void RuleState::giveBack(KeyCell& cell, concurrency::Ticket ticket) const
{
    concurrency::giveBack(cell.state.slots, ticket);
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
    }
    std::abort();
}

std::vector<StateFigure> RuleState::describe(const KeyCell& cell, std::int64_t nowNs) const
{
    using Unit = StateFigure::Unit;
    const Figures peek = figures(cell, 0, true, nowNs);
    std::vector<StateFigure> figures;
    const std::int64_t capacity = capacityOf(m_limit);
    figures.push_back({"capacity", capacity, Unit::Count});
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
        figures.push_back({"count", capacity - peek.remaining, Unit::Count});
        break;
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        figures.push_back({"backlog", cell.state.meter.backlogNs, Unit::DurationNs});
        break;
    case Algorithm::Concurrency:
        figures.push_back({"in_flight", concurrency::inFlight(cell.state.slots), Unit::Count});
        break;
    }
    if (peek.fullAfterNs) {
        figures.push_back({"full_after", *peek.fullAfterNs, Unit::DurationNs});
    }
    return figures;
}

} // namespace engine

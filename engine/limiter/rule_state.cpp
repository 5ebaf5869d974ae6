#include "engine/limiter/rule_state.h"

#include "engine/request.h"

#include <algorithm>
#include <cstdlib>

namespace engine {

RuleState::RuleState(const PlanRule& rule, const Limit& limit, std::size_t idAt,
                     std::size_t costIndex, CellGroup& group)
    : cells(group)
    , m_limit(limit)
    , m_mode(rule.mode)
    , m_tightens(rule.tighten.has_value())
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
    case Algorithm::AdaptiveConcurrency:
        m_learning = adaptive_limit::settingsOf(m_limit);
        break;
    case Algorithm::LoadShedder:
        m_classes = m_limit.shedAfter ? *m_limit.shedAfter + 1 : 0;
        break;
    }
}

RuleState::~RuleState()
{
    if (hasHeap()) {
        cells.forEach([this](KeyCell& cell) { release(cell.state); });
    }
}

bool RuleState::hasHeap() const
{
    return holds() || m_limit.algorithm == Algorithm::SlidingWindowLog;
}

void RuleState::release(KeyState& state) const
{
    switch (m_limit.algorithm) {
    case Algorithm::SlidingWindowLog:
        sliding_window_log::release(state.log);
        break;
    case Algorithm::Concurrency:
        concurrency::release(state.slots);
        break;
    case Algorithm::AdaptiveConcurrency:
        adaptive_concurrency::release(state.adaptive);
        break;
    case Algorithm::LoadShedder:
        load_shedder::release(state.shedder);
        break;
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowCounter:
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        break;
    }
}

concurrency::Ticket RuleState::take(KeyCell& cell, std::int64_t cost, std::int64_t nowNs,
                                    std::int64_t heldNs)
{
    KeyState& state = cell.state;
    const bool wasEmpty = state.words.front() == 0; // the pointer to what is on the heap
    keeper().m_withMemory += wasEmpty ? 1 : 0;
    if (m_limit.algorithm == Algorithm::Concurrency) {
        return concurrency::take(state.slots, cost, nowNs, heldNs);
    }
    return m_limit.algorithm == Algorithm::AdaptiveConcurrency
        ? adaptive_concurrency::take(m_learning, state.adaptive, cost, nowNs, heldNs)
        : load_shedder::take(state.shedder, nowNs, heldNs);
}

void RuleState::advance(KeyCell& cell, std::int64_t nowNs) const
{
    if (m_limit.algorithm == Algorithm::LoadShedder) {
        load_shedder::releaseUntil(cell.state.shedder, nowNs);
    } else {
        judge(cell, 0, nowNs);
    }
}

RuleState::Fill RuleState::fillAt(const KeyCell& cell, std::int64_t nowNs) const
{
    KeyCell then = cell;
    if (m_limit.algorithm == Algorithm::Concurrency) {
        then.state.slots = concurrency::copyOf(cell.state.slots);
    } else if (m_limit.algorithm == Algorithm::AdaptiveConcurrency) {
        then.state.adaptive = adaptive_concurrency::copyOf(cell.state.adaptive);
    } else {
        then.state.shedder = load_shedder::copyOf(cell.state.shedder);
    }
    advance(then, nowNs);
    const Fill fill = fillOf(then);
    release(then.state);
    return fill;
}

RuleState::Fill RuleState::fillOf(const KeyCell& cell) const
{
    const KeyState& state = cell.state;
    switch (m_limit.algorithm) {
    case Algorithm::Concurrency:
        return {concurrency::inFlight(state.slots), m_limit.inFlight};
    case Algorithm::AdaptiveConcurrency:
        return {adaptive_concurrency::inFlight(state.adaptive),
                adaptive_concurrency::limitOf(m_learning, state.adaptive)};
    case Algorithm::LoadShedder:
        return {load_shedder::inFlight(state.shedder), m_limit.inFlight};
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        break;
    }
    return {};
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
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        break; // the language has count_rejected for windows only
    }
}

void RuleState::countBeyond(KeyCell& cell, std::int64_t cost, std::int64_t nowNs)
{
    const bool isWindow = m_limit.algorithm == Algorithm::FixedWindow
        || m_limit.algorithm == Algorithm::SlidingWindowLog
        || m_limit.algorithm == Algorithm::SlidingWindowCounter;
    if (isWindow) {
        countRejected(cell, cost, nowNs); // what may be above the limit, saturating
    } else {
        count(cell, cost, nowNs);
    }
}

void RuleState::copy(const KeyCell& from, KeyCell& to)
{
    if (m_limit.algorithm != Algorithm::SlidingWindowLog) {
        to.state = from.state;
        return;
    }
    const bool wasEmpty = to.state.log.ring == nullptr;
    sliding_window_log::release(to.state.log);
    if (from.state.log.ring != nullptr) {
        to.state.log = sliding_window_log::copyOf(from.state.log);
        m_withMemory += wasEmpty ? 1 : 0;
    }
}

std::int64_t RuleState::holdingNs(std::int64_t durationNs) const
{
    return durationNs == kUnknownDuration ? m_limit.assumeDurationNs.value_or(0) : durationNs;
}

bool RuleState::forgetIfAtRest(KeyState& state, std::int64_t nowNs) const
{
    bool isAtRest = false;
    switch (m_limit.algorithm) {
    case Algorithm::SlidingWindowLog:
        sliding_window_log::advance(m_limit, state.log, nowNs);
        isAtRest = sliding_window_log::atRest(state.log);
        break;
    case Algorithm::Concurrency:
        concurrency::advance(state.slots, nowNs);
        isAtRest = concurrency::atRest(state.slots);
        break;
    case Algorithm::LoadShedder:
        if (m_limit.strategy == Strategy::Fleet) {
            load_shedder::advance(m_limit, m_classes, state.shedder, nowNs);
            isAtRest = load_shedder::atRest(m_limit, state.shedder);
        }
        break;
    case Algorithm::AdaptiveConcurrency: // what was learned is kept
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowCounter:
    case Algorithm::TokenBucket:
    case Algorithm::LeakyBucket:
    case Algorithm::Gcra:
        break;
    }
    if (isAtRest) {
        release(state);
    }
    return state.words.front() != 0;
}

void RuleState::sweep(std::int64_t nowNs)
{
    m_withMemory = 0;
    cells.forEach([this, nowNs](KeyCell& cell) {
        if (cell.state.words.front() != 0 && forgetIfAtRest(cell.state, nowNs)) {
            ++m_withMemory;
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
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        return fillOf(cell).inFlight == 0;
    }
    std::abort();
}

void RuleState::giveBack(KeyCell& cell, concurrency::Ticket ticket) const
{
    if (m_limit.algorithm == Algorithm::AdaptiveConcurrency) {
        adaptive_concurrency::giveBack(cell.state.adaptive, ticket);
    } else if (m_limit.algorithm == Algorithm::LoadShedder) {
        load_shedder::giveBack(cell.state.shedder, ticket);
    } else {
        concurrency::giveBack(cell.state.slots, ticket);
    }
}

} // namespace engine

#pragma once
#include "engine/limiter.h"
#include "engine/replay.h"
#include "engine/replay/pending.h"
#include "engine/replay/retries.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace engine {

/// Arrivals are decided in groups of this many, a group after the next one came in. The states of
/// a whole group are asked for at once: waits for memory overlap then, and while the next group
/// gathers they end.
inline constexpr std::size_t kGroup = 16;
inline constexpr std::size_t kMostWaiting = 2 * kGroup;

/// The loop: arrivals in a ring (replay.cpp), and those that must wait (waiting.cpp).
class Replay::Parts {
public:
    Parts(const Intake& source, SettledSink& settledSink, ReplayOptions replayOptions);

    void enqueue(const Arrival& arrival);
    void keepWaiting();
    void drain();

    const Intake& intake;
    std::vector<std::unique_ptr<Limiter>> limiters;
    std::vector<std::unique_ptr<Retries>> retries; ///< one per plan, where clients come again

private:
    /// Delayed flights of one plan, soonest first; equal times in order of arrival.
    struct Later {
        bool operator()(const Flight& a, const Flight& b) const
        {
            return a.nowNs != b.nowNs ? a.nowNs > b.nowNs : a.order > b.order;
        }
    };

    [[nodiscard]] Upcoming* upcoming(std::size_t plan, std::size_t at)
    {
        return m_upcoming.data() + plan * kMostWaiting + at % kMostWaiting;
    }

    void expectGroup();
    void decideGroup();
    std::size_t runFrom(std::size_t at);
    void decideRun(std::size_t end);
    void decide(const Arrival& arrival);
    void runDelayed(std::int64_t untilNs);
    void resume(std::size_t plan);
    void begin(std::size_t plan, Flight& flight);
    void end(std::size_t plan, Flight& flight);
    void runDelayed(std::size_t plan, std::int64_t untilNs);
    void comeAgain(std::size_t plan);
    void delay(std::size_t plan, Flight flight);
    void settleNow(const Arrival& arrival);
    void settleFirst(const Arrival& arrival, std::span<const Verdict> verdicts);
    void settleHead();
    void keep(const Arrival& arrival, std::uint64_t order);
    void record(std::size_t plan, Flight& flight);
    bool isWarmup(const Arrival& arrival);

    [[nodiscard]] bool isStopped() const
    {
        return m_isDraining && m_options.stop != nullptr
            && m_options.stop->load(std::memory_order_relaxed);
    }

    SettledSink& m_sink;
    ReplayOptions m_options;
    const std::size_t m_size; ///< bytes of an arrival
    const std::size_t m_stride;
    const std::size_t m_plans; ///< that decide
    std::array<const Arrival*, kMostWaiting> m_waiting {}; ///< arrivals on their way, in a ring
    std::vector<std::uint64_t> m_kept; ///< room for each of them
    std::vector<Upcoming> m_upcoming; ///< of each of them, plan by plan
    std::size_t m_came = 0; ///< arrivals, of which the last ones are in the ring
    std::size_t m_expected = 0; ///< of them, states were asked for
    std::size_t m_decided = 0;
    std::size_t m_own = 0; ///< of them, those before this are not borrowed

    std::uint64_t m_nextOrder = 0;
    std::int64_t m_firstNs = 0;
    std::int64_t m_warmupEndNs = 0;
    std::vector<Flight> m_flights; ///< one per plan, of the request at hand
    // What settles, in the places of the ring: the lists of each, plan by plan.
    std::array<Settled, kMostWaiting> m_settled {};
    std::vector<Verdict> m_verdicts;
    std::vector<std::span<const std::uint32_t>> m_denied;
    std::vector<std::span<const RuleDelay>> m_delays;
    std::vector<std::vector<Flight>> m_delayed; ///< heaps, one per plan
    PendingQueue m_pending;
    bool m_isDraining = false; ///< after the last arrival
};

} // namespace engine

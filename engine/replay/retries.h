#pragma once
#include "engine/client_tally.h"
#include "engine/conditions.h"
#include "engine/intake.h"
#include "engine/limiter.h"
#include "engine/limiter/key_table.h"
#include "engine/series.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace engine {

/// What is kept of a request between two attempts.
struct Comeback {
    std::vector<std::uint64_t> bytes; ///< its arrival, at the time of the attempt
    std::int64_t firstNs = 0; ///< when it came first
    std::int64_t waitedNs = 0; ///< before the attempt
};

/// Clients of one plan that come again: those that wait, and what came of all.
///
/// began() and decided() for each attempt, in order of time. Memory follows those that wait and the
/// number of clients.
class Retries {
public:
    /// Borrows all. conditions.clients is set.
    Retries(const Intake& intake, std::size_t plan, const Conditions& conditions,
            SeriesSink* series);

    [[nodiscard]] bool needsRetryAfter() const { return m_needsRetryAfter; }

    void began(const Flight& flight);
    /// May keep the flight's request for another attempt. Says what its client does.
    ClientMove decided(Flight& flight);

    [[nodiscard]] bool empty() const { return m_waiting.empty(); }

    [[nodiscard]] std::int64_t nextNs() const { return m_waiting.front().timeNs; }

    [[nodiscard]] std::uint64_t nextOrder() const { return m_waiting.front().order; }

    /// The next attempt, ready to be advanced.
    Flight take();
    /// After the last attempt.
    void finish();

    [[nodiscard]] const ClientTally& tally() const { return m_tally; }

private:
    struct Waiting {
        std::int64_t timeNs = 0;
        std::uint64_t order = 0; ///< of the request's first arrival
        int attempt = 1;
        bool isWarmup = false;
        std::shared_ptr<Comeback> comeback;
    };

    /// Soonest first; at one time whoever arrived first.
    struct Later {
        bool operator()(const Waiting& a, const Waiting& b) const
        {
            return a.timeNs != b.timeNs ? a.timeNs > b.timeNs : a.order > b.order;
        }
    };

    struct Client {
        std::uint32_t behaviour = 0; ///< 1 more than its index; 0: not met yet
        std::uint64_t first = 0;
        std::uint64_t retries = 0;
        std::uint64_t waiting = 0; ///< retries to come
        std::uint64_t attemptsSince = 0; ///< its last admission
        std::uint64_t gaveUpSince = 0;
        std::int64_t sinceNs = 0; ///< first attempt since then
    };

    [[nodiscard]] std::uint32_t clientOf(const Arrival& arrival) const;
    Client& client(std::uint32_t id);
    void second(std::int64_t timeNs);
    void closeSecond();
    void comeAgain(Flight& flight, const Behaviour& behaviour);

    const Intake& m_intake;
    const std::size_t m_plan;
    const Conditions& m_conditions;
    SeriesSink* const m_series;
    std::size_t m_idAt; ///< of the client, among the ids of an arrival
    bool m_isWho;
    bool m_needsRetryAfter = false;
    std::vector<Waiting> m_waiting; ///< a heap
    KeyTable<Client> m_clients;
    std::uint32_t m_clientEnd = 0; ///< ids below it may have been met
    AttemptSecond m_second;
    bool m_isOpen = false; ///< m_second
    std::int64_t m_tenth = 0;
    std::uint64_t m_inTenth = 0;
    ClientTally m_tally;
};

} // namespace engine

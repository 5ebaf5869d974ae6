#pragma once
#include "engine/algorithms.h"
#include "engine/arrival.h"
#include "engine/conditions.h"
#include "engine/decision.h"
#include "engine/intake.h"
#include "engine/plan.h"
#include "engine/series.h"
#include "engine/server_tally.h"
#include "engine/tally.h"
#include "engine/verdict.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace engine {

class RuleState;
class ServerStates;
struct Comeback;
struct KeyCell;
struct LimiterProgram;

/// Where the states lie that a request will need, found when it comes in. They never move.
struct StatePlaces {
    static constexpr std::size_t kMost = 6; ///< a request that needs more looks for them itself
    std::array<KeyCell*, kMost> cells {}; ///< of the key, in each group of rules; none beyond
};

/// A request that one plan will decide soon.
struct Upcoming {
    const Arrival* arrival = nullptr; ///< borrowed
    const LimiterProgram* program = nullptr; ///< what its profile asks of the limiter
    StatePlaces places;
    Verdict* verdict = nullptr; ///< borrowed: where decideRun() writes
    std::vector<std::uint32_t> denied; ///< likewise: rules that denied
    bool isPlain = false; ///< nobody asks for more, and no rule of it delays, or holds slots
};

/// One request on its way through the tiers of one plan.
///
/// Example: a request that a leaky_bucket in edge delays by 200 ms comes to rest with nextTier
/// Gateway and nowNs 200 ms after its arrival, and goes on when the clock has got there.
struct Flight {
    struct Held {
        std::uint32_t rule = 0;
        std::uint32_t key = 0;
        RuleState* state = nullptr; ///< whose cell it is
        KeyCell* cell = nullptr;
        concurrency::Ticket ticket = 0;
        std::int64_t sinceNs = 0; ///< by the clock of its state
        std::int64_t holdingNs = 0; ///< after that the slot is free anyway
        concurrency::Ticket together = 0; ///< of what all servers hold
        bool isTogether = false; ///< `together` names something
    };

    const Arrival* arrival = nullptr; ///< borrowed
    std::uint64_t order = 0; ///< of arrival
    std::int64_t nowNs = 0; ///< when the next tier sees it
    std::int64_t decidedNs = 0; ///< time of the last tier that judged it
    std::size_t nextTier = 0;
    int attempt = 1; ///< above 1: a client that comes again
    std::uint32_t server = kNoId; ///< that has it; chosen when it is first advanced
    bool isCounted = true; ///< in the figures by key: first attempts, outside of the warm-up
    bool wantsRetryAfter = false;
    std::optional<std::int64_t> retryAfterNs; ///< rejected, and wanted: nothing where no wait helps
    std::shared_ptr<Comeback> comeback; ///< of a client that came again: owns the arrival
    std::optional<std::uint32_t> awayRule; ///< rejected because the store of this rule was away
    Verdict verdict;
    std::vector<std::uint32_t> denied;
    std::vector<RuleDelay> delays;
    std::vector<Held> held; ///< slots of concurrency rules in tiers that it has passed
    std::unique_ptr<Decision> detail; ///< only where somebody wants the figures

    /// As new, but keeps its memory.
    void start(const Arrival& arrived, std::uint64_t orderOfArrival);
};

struct LimiterOptions {
    DecisionSink* decisions = nullptr; ///< borrowed
    SeriesSink* series = nullptr; ///< borrowed
    const Conditions* conditions = nullptr; ///< borrowed; nullptr: the usual ones
};

/// The embedded limiter: the states of one plan's rules, and the decision.
///
/// In each tier judges all applying rules, then counts all or none (semantics, section 3). States
/// lie in tables by key id, a cache line or half of one to a key; what varies in length (logs,
/// slots) is given back when the key comes to rest. Not thread safe; borrows plan and intake.
class Limiter {
public:
    Limiter(const Intake& intake, std::size_t plan, const LimiterOptions& options);
    ~Limiter();
    Limiter(const Limiter&) = delete;
    Limiter& operator=(const Limiter&) = delete;

    enum class Progress : std::uint8_t { Decided, Delayed };

    /// Takes a flight through its tiers from nextTier on at nowNs. Delayed: an admitting
    /// leaky_bucket moved it to a later nowNs, and a later tier has yet to judge it.
    /// nowNs never goes back from one call to the next.
    Progress advance(Flight& flight);

    /// Finds the states that requests will need soon, and asks the processor for them.
    void expect(std::span<Upcoming> requests);

    /// The same as advance() for each request, where all of them are plain, expected, and not of
    /// the warm-up; they are decided at their arrival.
    void decideRun(std::span<Upcoming> requests);

    /// After the last request: what is still to be told to the series.
    void finish();

    [[nodiscard]] KeyTally keyTally(std::uint32_t rule, std::uint32_t key) const;
    /// What the states of a rule take, by key that has one; 0 without any.
    [[nodiscard]] StateMemory memoryOf(std::uint32_t rule) const;
    /// Where there are several servers, clocks that are off, or an outage; nullptr else.
    [[nodiscard]] const ServerStates* servers() const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace engine

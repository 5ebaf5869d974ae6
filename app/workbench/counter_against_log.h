#pragma once
#include "app/workbench/progress.h"
#include "engine/algorithms.h"
#include "engine/plan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// How far sliding_window_counter is from the exact count of the last period, and what that does to
/// decisions.
namespace app {

/// What was found. A gap is |estimate - count| of one arrival, before it is counted; exact.
struct CounterGaps {
    std::uint64_t decisions = 0;
    std::uint64_t letThrough = 0; ///< the counter admits, the log would not
    std::uint64_t limited = 0; ///< the counter rejects, the log would not
    engine::wide::Int128 gapParts = 0; ///< sum of all gaps, in units of 1 / periodNs requests
    engine::wide::Int128 worstParts = 0; ///< the largest gap, likewise
    /// Sum of the gaps, each as a share of the count with the arrival itself, in billionths, each
    /// cut off.
    std::uint64_t shareBillionths = 0;
    std::int64_t periodNs = 1;
};

/// Both counts of many sources, fed with every arrival, rejected or not: were each fed with what it
/// admits, their histories would part and there would be nothing to compare.
///
/// The states and the arithmetic are the engine's. Memory: 40 bytes a source, and 16 for each of
/// its arrivals of the last period. One thread.
///
/// Example: 1 per 10 s, arrivals at 0 and 16 s: the counter's estimate is 0.4 and it rejects; the
/// log has none in (6 s, 16 s] and admits: one gap of 0.4, one decision that limits wrongly.
class CounterAgainstLog {
public:
    /// Of a rate that checkLimit() has nothing against.
    CounterAgainstLog(const engine::Rate& rate, std::size_t sources);
    ~CounterAgainstLog();
    CounterAgainstLog(const CounterAgainstLog&) = delete;
    CounterAgainstLog& operator=(const CounterAgainstLog&) = delete;

    /// An arrival of cost 1; times of one source never go back.
    void meet(std::size_t source, std::int64_t atNs);

    [[nodiscard]] const CounterGaps& gaps() const { return m_gaps; }

    /// How many sources had something let through, or limited, wrongly at least once.
    [[nodiscard]] std::uint64_t sourcesLetThrough() const;
    [[nodiscard]] std::uint64_t sourcesLimited() const;
    [[nodiscard]] std::uint64_t sourcesSeen() const;

private:
    struct Source {
        engine::sliding_window_counter::State counter;
        engine::sliding_window_log::State log;
        bool wasSeen = false;
        bool wasLetThrough = false;
        bool wasLimited = false;
    };

    void addGap(const Source& source, std::int64_t atNs);

    engine::Limit m_counter;
    engine::Limit m_log;
    engine::Limit m_all; ///< the log's own, that enters whatever comes
    std::vector<Source> m_sources;
    CounterGaps m_gaps;
};

/// Random arrivals of many sources of which the nth busiest has 1/n of what the busiest has.
struct CounterExperiment {
    std::uint64_t requests = 1'000'000;
    std::uint64_t sources = 10'000;
    engine::Rate rate {200, 1'000'000'000}; ///< of all sources together
    engine::Rate limit {100, 60'000'000'000}; ///< of each
    std::uint64_t seed = 1;
    const StopFlag* stop = nullptr;
    std::function<void(std::uint64_t requests)> progress; ///< told now and then
};

struct CounterOutcome {
    CounterGaps gaps;
    std::uint64_t sourcesSeen = 0;
    std::uint64_t sourcesLetThrough = 0;
    std::uint64_t sourcesLimited = 0;
    std::int64_t spanNs = 0; ///< from the first window's begin to the last arrival
    bool interrupted = false;
};

/// The same for the same seed on every machine.
CounterOutcome runCounterExperiment(const CounterExperiment& experiment);

/// part / whole with three decimals, rounded half up: (2393, 1000) is "2.393". Both >= 0.
std::string decimalText(engine::wide::Int128 part, engine::wide::Int128 whole);
std::string meanGapText(const CounterGaps& gaps); ///< "2.393"; "0.000" of no decision
std::string worstGapText(const CounterGaps& gaps);

} // namespace app

#pragma once
#include "engine/algorithms.h"
#include "engine/plan.h"

#include <cstdint>
#include <limits>

namespace tests::support {

/// What an algorithm says about one request.
struct Answer {
    bool admitted = false;
    std::int64_t delayNs = 0; ///< leaky_bucket
    engine::Figures figures;
};

/// One key of one rule that uses any algorithm but concurrency, decided as semantics section 5
/// says. Copying copies the state, so that a copy can be asked "what if".
class OneKey {
public:
    explicit OneKey(const engine::Limit& limit);
    OneKey(const OneKey& other);
    OneKey& operator=(const OneKey&) = delete;
    ~OneKey();

    /// Judges, counts, and tells. Times before the last one are taken as the last one.
    Answer decide(std::int64_t nowNs, std::int64_t cost);

    /// Would it be at rest if nothing came until then?
    [[nodiscard]] bool atRest(std::int64_t nowNs) const;

    [[nodiscard]] const engine::sliding_window_log::State& log() const { return m_log; }

private:
    bool judge(std::int64_t nowNs, std::int64_t cost);
    void count(std::int64_t nowNs, std::int64_t cost);
    void countRejected(std::int64_t nowNs, std::int64_t cost);
    [[nodiscard]] engine::Figures figures(std::int64_t nowNs, std::int64_t cost,
                                          bool admitted) const;

    engine::Limit m_limit;
    engine::meter::Spec m_spec;
    std::int64_t m_lastNs = std::numeric_limits<std::int64_t>::min();
    engine::fixed_window::State m_window;
    engine::sliding_window_counter::State m_counter;
    engine::sliding_window_log::State m_log;
    engine::meter::State m_meter;
};

} // namespace tests::support

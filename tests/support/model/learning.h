#pragma once
#include "engine/plan.h"

#include <cstdint>

namespace tests::model {

/// The limit of adaptive_concurrency, learned sample by sample: notes-adaptive.md section 4 line by
/// line, in doubles (the one place of the model that has any).
class Learning {
public:
    explicit Learning(const engine::Limit& limit);

    /// A duration of 0 is no sample.
    void sample(double duration, double inFlight);

    [[nodiscard]] std::int64_t limit() const { return static_cast<std::int64_t>(m_limit); }

private:
    void vegas(double rtt, double inFlight);
    void gradient2(double rtt, double inFlight);
    void aimd(double rtt, double inFlight);
    [[nodiscard]] double clamped(double limit) const;

    engine::Strategy m_strategy;
    double m_min;
    double m_max;
    double m_limit;
    double m_noLoad = 0;
    double m_probeCount = 0;
    double m_long = 0;
    double m_sum = 0;
    int m_count = 0;
};

} // namespace tests::model

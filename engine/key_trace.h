#pragma once
#include "engine/decision.h"
#include "engine/key_history.h"
#include "engine/plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace engine {

/// One key of one rule at work: what it answers to each request, and its state at any time between.
///
/// The same state and arithmetic as the limiter's, without the rest of a policy. Times never go
/// back from one call to the next. Of a limit that checkLimit() has nothing against; one thread.
///
/// Example: token_bucket 1/s, burst 2: requests at 0, 0, 0 s are admitted, admitted, denied; at
/// 0.5 s state() has remaining 0, at 1 s 1.
class KeyTrace {
public:
    explicit KeyTrace(const Limit& limit);
    ~KeyTrace();
    KeyTrace(const KeyTrace&) = delete;
    KeyTrace& operator=(const KeyTrace&) = delete;

    struct Answer {
        bool admits = true;
        std::int64_t delayNs = 0; ///< leaky_bucket that admits
    };

    /// Judges the request, and counts it as the limiter would.
    Answer judge(const KeyRequest& request);

    /// The figures of the state at a time, as in RuleDecision::before. Changes no later answer: a
    /// window that a request opens stays closed.
    [[nodiscard]] std::vector<StateFigure> state(std::int64_t nowNs);

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace engine

#pragma once

#include "app/workbench/progress.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace app::console {

/// How fast a job goes and how long it still takes, from its progress of the last five seconds.
///
/// Example: at 0 s 0 of 100 bytes, at 4 s 40 bytes and 4,000 lines: 1,000 lines a second, 6 s left.
class JobPace {
public:
    /// `nowNs` never goes back. A second pass over the log starts anew.
    void add(std::int64_t nowNs, const ProgressState& state);

    [[nodiscard]] const ProgressState& state() const { return m_state; }

    /// From 0 to 1; nothing where the size is not known.
    [[nodiscard]] std::optional<double> share() const;
    [[nodiscard]] std::uint64_t linesPerSecond() const;

    /// Whole seconds, rounded up, from 2 s after the begin on; grows by 5 % or more, or not at all.
    [[nodiscard]] std::optional<std::int64_t> secondsLeft() const { return m_left; }

private:
    struct Point {
        std::int64_t ns = 0;
        std::uint64_t bytes = 0;
        std::uint64_t lines = 0;
    };

    void findLeft(std::int64_t nowNs);

    ProgressState m_state;
    std::deque<Point> m_points;
    std::int64_t m_beganNs = 0;
    std::optional<std::int64_t> m_left;
};

} // namespace app::console

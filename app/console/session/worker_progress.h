#pragma once

#include "app/console/session/worker.h"
#include "app/workbench/progress.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

namespace app::console {

/// Brings the progress of a pass to the thread that owns the worker, ten times a second at most.
/// Lives as long as the work; `step` runs only while the worker lives.
class WorkerProgress final : public Progress {
public:
    using Step = std::function<void(const ProgressState&)>;

    WorkerProgress(Worker& worker, Step step)
        : m_worker(worker)
        , m_step(std::move(step))
    {
    }

    void update(const ProgressState& state) override
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - m_last >= std::chrono::milliseconds(100)) {
            m_last = now;
            m_worker.post([step = m_step, state] { step(state); });
        }
    }

private:
    Worker& m_worker;
    Step m_step;
    std::chrono::steady_clock::time_point m_last;
};

/// Whole per cent that are read; nothing where the size is not known.
inline std::optional<int> percentOf(const ProgressState& state)
{
    return state.bytesTotal == 0
        ? std::nullopt
        : std::optional(
            static_cast<int>(std::min(state.bytesRead, state.bytesTotal) * 100 / state.bytesTotal));
}

} // namespace app::console

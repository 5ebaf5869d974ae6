#pragma once

#include "app/console/session/worker.h"
#include "engine/result.h"

#include <deque>
#include <functional>

namespace app::console {

/// What changes files or the store, one after the other and each to its end: nothing that was asked
/// for is dropped, and what came of each is told. What still waits when the program ends is not
/// begun. GUI thread.
class WriteQueue {
public:
    using Work = std::function<engine::Status()>; ///< on another thread
    using Done = std::function<void(const engine::Status&)>;

    void add(Work work, Done done);

    [[nodiscard]] bool isBusy() const { return m_worker.isBusy(); }

private:
    void next();

    std::deque<std::pair<Work, Done>> m_waiting; ///< oldest first
    Worker m_worker;
};

} // namespace app::console

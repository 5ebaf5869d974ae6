#include "app/console/session/write_queue.h"

namespace app::console {

void WriteQueue::add(Work work, Done done)
{
    m_waiting.emplace_back(std::move(work), std::move(done));
    if (!m_worker.isBusy()) {
        next();
    }
}

void WriteQueue::next()
{
    if (m_waiting.empty()) {
        return;
    }
    auto [work, done] = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_worker.start([work = std::move(work)](const StopFlag&) { return work(); },
                   [this, done = std::move(done)](const engine::Status& written) {
                       next();
                       done(written);
                   });
}

} // namespace app::console

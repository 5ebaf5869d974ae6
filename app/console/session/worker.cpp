#include "app/console/session/worker.h"

#include <algorithm>

namespace app::console {

Worker::Worker(QObject* parent)
    : QObject(parent)
{
}

Worker::~Worker()
{
    for (const Running& running : m_running) {
        running.flag->store(true);
    }
    for (Running& running : m_running) {
        running.thread.join();
    }
}

void Worker::launch(std::shared_ptr<StopFlag> flag, std::function<void()> work,
                    std::function<void()> done)
{
    m_current = flag;
    m_running.push_back(
        {flag, std::thread([this, flag, work = std::move(work), done = std::move(done)]() mutable {
             work();
             work = nullptr; // what it holds ends on its own thread
             post([this, flag, done = std::move(done)] { finish(flag, done); });
         })});
    Q_EMIT busyChanged(true);
}

void Worker::finish(const std::shared_ptr<StopFlag>& flag, const std::function<void()>& done)
{
    const auto place = std::find_if(m_running.begin(), m_running.end(),
                                    [&](const Running& one) { return one.flag == flag; });
    place->thread.join(); // its last act was to post this
    m_running.erase(place);
    if (m_current != flag) {
        return; // stopped, or another took its place
    }
    m_current.reset();
    Q_EMIT busyChanged(false);
    done();
}

void Worker::stop()
{
    if (m_current) {
        m_current->store(true);
        m_current.reset();
        Q_EMIT busyChanged(false);
    }
}

} // namespace app::console

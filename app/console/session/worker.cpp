#include "app/console/session/worker.h"

namespace app::console {

Worker::Worker(QObject* parent)
    : QObject(parent)
{
}

Worker::~Worker()
{
    if (m_running) {
        m_running->store(true);
        m_thread.join();
    }
}

void Worker::launch(Piece piece)
{
    m_current = piece.flag;
    if (m_running) {
        m_next = std::move(piece);
    } else {
        begin(std::move(piece));
    }
    Q_EMIT busyChanged(true);
}

void Worker::begin(Piece piece)
{
    m_running = piece.flag;
    m_thread = std::thread([this, piece = std::move(piece)]() mutable {
        piece.work();
        piece.work = nullptr; // what it holds ends on its own thread
        post([this, flag = piece.flag, done = std::move(piece.done)] { finish(flag, done); });
    });
}

void Worker::finish(const std::shared_ptr<StopFlag>& flag, const std::function<void()>& done)
{
    m_thread.join(); // its last act was to post this
    m_running.reset();
    if (m_next) {
        Piece next = std::move(*m_next);
        m_next.reset();
        begin(std::move(next));
    }
    if (m_current != flag) {
        return; // stopped, or another took its place
    }
    m_current.reset();
    Q_EMIT busyChanged(false);
    done();
}

void Worker::stop()
{
    m_next.reset();
    if (m_current) {
        m_current->store(true);
        m_current.reset();
        Q_EMIT busyChanged(false);
    }
}

} // namespace app::console

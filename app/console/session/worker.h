#pragma once

#include "app/workbench/progress.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

namespace app::console {

/// Runs one piece of work at a time on a thread of its own and brings its value back to the thread
/// that owns the worker, the GUI's. Newest wins: start() stops what was running, whose value is
/// then thrown away, and begins once that has ended; what waits gives way to what comes after it.
/// Values cross, never references: what the work captures is its own copy.
///
/// The work gets a StopFlag and should end soon after it is set. The destructor sets it and waits.
///
/// Example: worker.start([path](const StopFlag& stop) { return count(path, stop); },
///                       [this](std::uint64_t lines) { show(lines); });
class Worker : public QObject {
    Q_OBJECT

public:
    explicit Worker(QObject* parent = nullptr);
    ~Worker() override;

    /// `work(const StopFlag&)` on the other thread, then `done(value)` here, unless start() or
    /// stop() came in between.
    template <typename Work, typename Done> void start(Work work, Done done)
    {
        using Value = std::invoke_result_t<Work&, const StopFlag&>;
        stop();
        auto flag = std::make_shared<StopFlag>(false);
        auto value = std::make_shared<std::unique_ptr<Value>>();
        launch({flag,
                [work = std::move(work), flag, value]() mutable {
                    *value = std::make_unique<Value>(work(*flag));
                },
                [done = std::move(done), value]() mutable { done(std::move(**value)); }});
    }

    /// Calls `step` here soon; to be called from within the work (progress).
    template <typename Step> void post(Step step)
    {
        QMetaObject::invokeMethod(this, std::move(step), Qt::QueuedConnection);
    }

    /// Ends what is running; its value is thrown away.
    void stop();

    [[nodiscard]] bool isBusy() const { return m_current != nullptr; }

Q_SIGNALS:
    void busyChanged(bool isBusy);

private:
    struct Piece {
        std::shared_ptr<StopFlag> flag;
        std::function<void()> work;
        std::function<void()> done;
    };

    void launch(Piece piece);
    void begin(Piece piece);
    void finish(const std::shared_ptr<StopFlag>& flag, const std::function<void()>& done);

    std::thread m_thread; ///< runs the current piece, or one that was stopped and still ends
    std::shared_ptr<StopFlag> m_running; ///< of that piece; nothing: the thread has ended
    std::shared_ptr<StopFlag> m_current; ///< of the piece whose value is wanted
    std::optional<Piece> m_next; ///< waits for the thread
};

} // namespace app::console

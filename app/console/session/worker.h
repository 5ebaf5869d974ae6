#pragma once

#include "app/workbench/progress.h"

#include <QObject>

#include <functional>
#include <list>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

namespace app::console {

/// Runs one piece of work at a time on a thread of its own and brings its value back to the thread
/// that owns the worker, the GUI's. Newest wins: start() stops what was running, whose value is
/// then thrown away. Values cross, never references: what the work captures is its own copy.
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
        launch(
            flag,
            [work = std::move(work), flag, value]() mutable {
                *value = std::make_unique<Value>(work(*flag));
            },
            [done = std::move(done), value]() mutable { done(std::move(**value)); });
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
    struct Running {
        std::shared_ptr<StopFlag> flag;
        std::thread thread;
    };

    void launch(std::shared_ptr<StopFlag> flag, std::function<void()> work,
                std::function<void()> done);
    void finish(const std::shared_ptr<StopFlag>& flag, const std::function<void()>& done);

    std::list<Running> m_running; ///< the current one, and those that were stopped and still end
    std::shared_ptr<StopFlag> m_current;
};

} // namespace app::console

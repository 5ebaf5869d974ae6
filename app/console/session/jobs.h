#pragma once

#include "app/console/session/job_pace.h"
#include "app/console/session/job_run.h"
#include "app/console/session/worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace app::console {

class Session;

enum class JobState { Waiting, Running, Stopping, Complete, Cancelled, Failed };

/// A replay in the line, on its way, or done.
struct Job {
    std::uint64_t id = 0;
    JobOrder order;
    std::string store; ///< where its runs are, from its start
    JobState state = JobState::Waiting;
    JobPace pace; ///< while it runs, and as it ended
    JobResult result; ///< when it ended
    std::int64_t tookNs = 0;
    bool comparesAfter = false; ///< its two runs are compared when they are there

    [[nodiscard]] bool isOver() const
    {
        return state == JobState::Complete || state == JobState::Cancelled
            || state == JobState::Failed;
    }
};

/// The line of replays: one at a time, on a thread of its own with a store of its own. Jobs that
/// are over stay until the program ends. What was decided until a job is cancelled is kept as an
/// interrupted run. GUI thread.
class Jobs : public QObject {
    Q_OBJECT

public:
    explicit Jobs(Session& session, QObject* parent = nullptr);
    ~Jobs() override; ///< stops the running one and waits: its run is marked interrupted

    std::uint64_t add(JobOrder order, bool comparesAfter = false);
    /// Ends the running one, or takes a waiting one out.
    void cancel(std::uint64_t id);
    /// Takes one out that does not run.
    void remove(std::uint64_t id);
    /// A waiting one changes places with the one before (-1) or behind (1) it; false: none is
    /// there.
    bool move(std::uint64_t id, int step);

    /// In order: over, running, waiting.
    [[nodiscard]] const std::vector<Job>& all() const { return m_jobs; }

    [[nodiscard]] const Job* job(std::uint64_t id) const;
    [[nodiscard]] const Job* running() const;

Q_SIGNALS:
    void listChanged(); ///< jobs came, went or moved
    void jobChanged(std::uint64_t id); ///< state or progress of one
    void ended(std::uint64_t id);

private:
    void startNext();
    void progressed(std::uint64_t id, const ProgressState& state);
    void finish(std::uint64_t id, JobResult result);
    void tell(const Job& job);
    void compareWhenListed();
    Job* find(std::uint64_t id);

    Session& m_session;
    std::vector<Job> m_jobs;
    std::uint64_t m_lastId = 0;
    std::optional<std::pair<storage::RunId, storage::RunId>> m_toCompare; ///< once they are listed
    std::shared_ptr<StopFlag> m_stop;
    QElapsedTimer m_clock; ///< since the running one began
    Worker m_worker;
};

} // namespace app::console

#include "app/console/session/jobs.h"

#include "app/console/frame/actions.h"
#include "app/console/frame/values.h"
#include "app/console/session/session.h"
#include "app/console/session/worker_progress.h"

#include <algorithm>

namespace app::console {

Jobs::Jobs(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    session.handle(
        ActionId::CancelJob, [this] { return running() != nullptr; },
        [this] { cancel(running()->id); });
    connect(&session, &Session::storeChanged, this, [this] { m_toCompare.reset(); });
    // Queued: every page knows the runs by then.
    connect(&session, &Session::runsChanged, this, &Jobs::compareWhenListed, Qt::QueuedConnection);
}

Jobs::~Jobs()
{
    if (m_stop) {
        m_stop->store(true);
    }
}

std::uint64_t Jobs::add(JobOrder order, bool comparesAfter)
{
    Job job;
    job.id = ++m_lastId;
    job.order = std::move(order);
    job.comparesAfter = comparesAfter;
    m_jobs.push_back(std::move(job));
    Q_EMIT listChanged();
    startNext();
    return m_lastId;
}

Job* Jobs::find(std::uint64_t id)
{
    const auto found
        = std::find_if(m_jobs.begin(), m_jobs.end(), [id](const Job& one) { return one.id == id; });
    return found == m_jobs.end() ? nullptr : &*found;
}

const Job* Jobs::job(std::uint64_t id) const
{
    return const_cast<Jobs*>(this)->find(id);
}

const Job* Jobs::running() const
{
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [](const Job& one) {
        return one.state == JobState::Running || one.state == JobState::Stopping;
    });
    return found == m_jobs.end() ? nullptr : &*found;
}

void Jobs::cancel(std::uint64_t id)
{
    Job* one = find(id);
    if (one == nullptr || one->isOver()) {
        return;
    }
    if (one->state == JobState::Waiting) {
        remove(id);
        return;
    }
    one->state = JobState::Stopping;
    m_stop->store(true);
    Q_EMIT jobChanged(id);
}

void Jobs::remove(std::uint64_t id)
{
    const Job* one = find(id);
    if (one == nullptr || one == running()) {
        return;
    }
    m_jobs.erase(m_jobs.begin() + (one - m_jobs.data()));
    Q_EMIT listChanged();
}

bool Jobs::move(std::uint64_t id, int step)
{
    Job* one = find(id);
    if (one == nullptr || one->state != JobState::Waiting) {
        return false;
    }
    const auto from = one - m_jobs.data();
    const auto to = from + step;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(m_jobs.size())
        || m_jobs[static_cast<std::size_t>(to)].state != JobState::Waiting) {
        return false;
    }
    std::swap(m_jobs[static_cast<std::size_t>(from)], m_jobs[static_cast<std::size_t>(to)]);
    Q_EMIT listChanged();
    return true;
}

void Jobs::startNext()
{
    const auto next = std::find_if(m_jobs.begin(), m_jobs.end(),
                                   [](const Job& one) { return one.state == JobState::Waiting; });
    if (running() != nullptr || next == m_jobs.end()) {
        return;
    }
    next->state = JobState::Running;
    next->store = m_session.storePath();
    m_stop = std::make_shared<StopFlag>(false);
    m_clock.start();
    const std::uint64_t id = next->id;
    auto reporter = std::make_shared<WorkerProgress>(
        m_worker, [this, id](const ProgressState& state) { progressed(id, state); });
    m_worker.start(
        // Its own flag: what a cancelled job has decided is wanted, so the worker must not drop it.
        [order = next->order, path = next->store, stop = m_stop, reporter](const StopFlag&) {
            return runJob(order, path, *stop, *reporter);
        },
        [this, id](JobResult result) { finish(id, std::move(result)); });
    Q_EMIT jobChanged(id);
    Q_EMIT m_session.actionsChanged();
}

void Jobs::progressed(std::uint64_t id, const ProgressState& state)
{
    Job* one = find(id);
    if (one == nullptr || one->isOver()) {
        return;
    }
    one->pace.add(m_clock.nsecsElapsed(), state);
    Q_EMIT jobChanged(id);
    tell(*one);
}

void Jobs::finish(std::uint64_t id, JobResult result)
{
    Job* one = find(id);
    one->tookNs = m_clock.nsecsElapsed();
    one->state = result.failure ? JobState::Failed
        : result.isInterrupted  ? JobState::Cancelled
                                : JobState::Complete;
    one->result = std::move(result);
    const Job over = *one;
    QStringList logs;
    for (const std::string& log : over.order.logs) {
        logs << QString::fromStdString(log);
    }
    if (over.state == JobState::Complete) {
        m_session.setLastLogs(logs, over.order.given);
    }
    if (over.comparesAfter && over.state == JobState::Complete && over.result.runs.size() == 2
        && over.store == m_session.storePath()) {
        m_toCompare = {over.result.runs[0], over.result.runs[1]};
    }
    m_session.refreshRuns();
    tell(over);
    Q_EMIT jobChanged(id);
    Q_EMIT ended(id);
    startNext();
    Q_EMIT m_session.actionsChanged();
}

void Jobs::compareWhenListed()
{
    if (m_toCompare && m_session.run(m_toCompare->first) != nullptr
        && m_session.run(m_toCompare->second) != nullptr) {
        const auto [base, candidate] = *std::exchange(m_toCompare, std::nullopt);
        m_session.compare(base, candidate);
    }
}

/// The status bar.
void Jobs::tell(const Job& job)
{
    const QString name = shown(job.order.name(), 60);
    switch (job.state) {
    case JobState::Complete:
        m_session.say(QStringLiteral("%1 complete: %2 in %3.")
                          .arg(name,
                               plural(job.result.requests, QStringLiteral("request"),
                                      QStringLiteral("requests")),
                               lengthText(job.tookNs)));
        break;
    case JobState::Cancelled:
        m_session.say(QStringLiteral("%1 was cancelled. Its first %2 are kept and marked "
                                     "interrupted.")
                          .arg(name,
                               plural(job.result.requests, QStringLiteral("request"),
                                      QStringLiteral("requests"))));
        break;
    case JobState::Failed:
        m_session.say(QStringLiteral("%1 failed: %2").arg(name, sentence(*job.result.failure)));
        break;
    case JobState::Running: {
        const std::optional<double> share = job.pace.share();
        const std::optional<std::int64_t> left = job.pace.secondsLeft();
        QString what = share
            ? QStringLiteral("%1: %2 %").arg(name, QString::number(static_cast<int>(*share * 100)))
            : QStringLiteral("%1: %2").arg(name, sizeText(job.pace.state().bytesRead));
        if (left) {
            what += QStringLiteral(", %1:%2 left")
                        .arg(*left / 60)
                        .arg(*left % 60, 2, 10, QLatin1Char('0'));
        }
        m_session.say(what);
        break;
    }
    case JobState::Waiting:
    case JobState::Stopping:
        break;
    }
}

} // namespace app::console

#include "app/console/session/last_replay.h"

#include "app/console/frame/actions.h"
#include "app/console/session/session.h"
#include "storage/run_reader.h"
#include "storage/run_store.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace app::console {

namespace {

struct Learned {
    std::vector<std::string> logs;
    GivenOptions given;
    std::uint64_t seed = 1;
};

/// Of a stored run: nothing where its logs are gone.
Learned learn(const std::string& path, storage::RunId run)
{
    const auto store = storage::RunStore::open(path, storage::Access::Read);
    if (!store) {
        return {};
    }
    const auto detail = storage::RunReader(**store).detail(run);
    if (!detail || !detail->recording || detail->recording->streamed) {
        return {};
    }
    Learned learned;
    for (const storage::RecordingFile& file : detail->recording->files) {
        std::error_code ignored;
        if (!std::filesystem::exists(file.path, ignored)) {
            return {};
        }
        learned.logs.push_back(file.path);
    }
    const bool isMasked = std::any_of(detail->options.begin(), detail->options.end(),
                                      [](const auto& option) { return option.name == "mask"; });
    if (!isMasked) { // a masked run keeps no seed
        learned.seed = detail->summary.seed;
    }
    // What was said of the policy is in the text by now, or was meant for that run alone; a profile
    // of clients is read from its file again.
    constexpr std::array<std::string_view, 4> kLeftOut {"set", "mode", "mask", "clients-text"};
    for (const storage::Option& option : detail->options) {
        if (std::find(kLeftOut.begin(), kLeftOut.end(), option.name) == kLeftOut.end()) {
            learned.given.add(option.name, option.value);
        }
    }
    return learned;
}

} // namespace

LastReplay::LastReplay(Session& session, Jobs& jobs, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_jobs(jobs)
{
    session.handle(
        ActionId::TryAgainstLastLog, [this] { return canTry(); }, [this] { tryEdits(); });
    connect(&jobs, &Jobs::ended, this, [this](std::uint64_t id) {
        const Job* job = m_jobs.job(id);
        if (job->state == JobState::Complete) {
            m_logs = job->order.logs;
            m_given = job->order.given;
            m_seed = job->order.seed;
        }
    });
    connect(&session, &Session::storeChanged, this, &LastReplay::forget);
    connect(&session, &Session::runsChanged, this, &LastReplay::learnFromStore);
    connect(&session.document(), &Document::stateChanged, this,
            [this] { Q_EMIT m_session.actionsChanged(); });
    connect(&session.document(), &Document::checkedChanged, this,
            [this] { Q_EMIT m_session.actionsChanged(); });
}

void LastReplay::learnFromStore()
{
    if (!m_logs.empty() || m_reader.isBusy()) {
        return;
    }
    const auto& runs = m_session.runs();
    const auto newest = std::find_if(runs.begin(), runs.end(), [](const auto& run) {
        return run.state == storage::RunState::Complete;
    });
    if (newest == runs.end()) {
        return;
    }
    m_reader.start([path = m_session.storePath(),
                    run = newest->id](const StopFlag&) { return learn(path, run); },
                   [this](Learned learned) {
                       if (!m_logs.empty() || learned.logs.empty()) {
                           return;
                       }
                       m_logs = std::move(learned.logs);
                       m_given = std::move(learned.given);
                       m_seed = learned.seed;
                       QStringList paths;
                       for (const std::string& log : m_logs) {
                           paths << QString::fromStdString(log);
                       }
                       m_session.setLastLogs(paths, m_given);
                       Q_EMIT m_session.actionsChanged();
                   });
}

/// Another store has another last replay.
void LastReplay::forget()
{
    m_reader.stop();
    m_logs.clear();
    m_given = {};
    m_seed = 1;
    m_session.setLastLogs({});
    Q_EMIT m_session.actionsChanged();
}

bool LastReplay::canTry() const
{
    const Document& document = m_session.document();
    return document.isOpen() && document.isModified() && !document.savedBytes().empty()
        && document.checked() && document.checked()->errors() == 0 && !m_logs.empty();
}

void LastReplay::tryEdits()
{
    const Document& document = m_session.document();
    const std::string file
        = (document.path().isEmpty() ? document.fileName() : document.path()).toStdString();
    const std::string name = document.fileName().toStdString();
    JobOrder order;
    order.policies = {{file, document.savedBytes(), name + ", saved", document.lookups()},
                      {file, document.bytes(), name + ", edited", document.lookups()}};
    order.logs = m_logs;
    order.given = m_given;
    order.seed = m_seed;
    m_jobs.add(std::move(order), true);
    m_session.say(QStringLiteral("Trying %1 against the last log.").arg(document.fileName()));
}

} // namespace app::console

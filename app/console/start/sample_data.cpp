#include "app/console/start/sample_data.h"

#include "app/console/frame/actions.h"
#include "app/console/session/jobs.h"
#include "app/console/session/session.h"
#include "app/console/start/templates.h"
#include "app/workbench/files.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

namespace app::console {

SampleData::SampleData(Session& session, Jobs& jobs, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_jobs(jobs)
    , m_folder(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
               + QStringLiteral("/weir/sample"))
{
    session.handle(
        ActionId::SampleData, [] { return true; }, [this] { begin(); });
}

/// The path of the file, written where it is not there yet; "" where it could not be.
QString SampleData::write(const QString& shipped, const QString& name)
{
    const QString path = m_folder + QLatin1Char('/') + name;
    if (QFile::exists(path)) {
        return path;
    }
    if (!QDir().mkpath(m_folder)) {
        Q_EMIT failed(QStringLiteral("The folder %1 could not be made.").arg(m_folder));
        return {};
    }
    if (const engine::Status written = writeFile(path.toStdString(), shippedFile(shipped));
        !written) {
        Q_EMIT failed(QString::fromStdString(written.error().message));
        return {};
    }
    return path;
}

void SampleData::begin()
{
    const QString policy
        = write(QStringLiteral("examples/public-api.yaml"), QStringLiteral("public-api.yaml"));
    const QString plans = write(QStringLiteral("examples/plans.csv"), QStringLiteral("plans.csv"));
    const QString log
        = write(QStringLiteral("sample/access.log.gz"), QStringLiteral("access.log.gz"));
    if (policy.isEmpty() || plans.isEmpty() || log.isEmpty()) {
        return;
    }
    Q_EMIT m_session.openAsked(policy);
    Document& document = m_session.document();
    if (document.path() != policy) {
        return; // the text that is open is not saved, and stays
    }
    m_session.showLogs({log});
    JobOrder order;
    order.policies.push_back({policy.toStdString(), document.bytes(), "sample"});
    order.logs = {log.toStdString()};
    order.given.add("log-format",
                    QString::fromStdString(shippedFile(QStringLiteral("sample/log_format.txt")))
                        .trimmed()
                        .toStdString());
    const std::uint64_t id = m_jobs.add(std::move(order));
    auto* once = new QObject(this);
    connect(&m_jobs, &Jobs::ended, once, [this, id, once](std::uint64_t ended) {
        if (ended != id) {
            return;
        }
        once->deleteLater();
        const Job* job = m_jobs.job(id);
        if (job != nullptr && job->state == JobState::Complete && !job->result.runs.empty()) {
            m_session.openRun(job->result.runs.front());
        }
    });
}

} // namespace app::console

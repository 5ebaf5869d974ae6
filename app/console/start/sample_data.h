#pragma once

#include <QObject>
#include <QString>

namespace app::console {

class Jobs;
class Session;

/// "Try the sample data": writes the example policy and the recorded day that come with the program
/// into the user's data folder (never over a file that was changed there), opens the policy,
/// replays the day and shows the run. Takes the action of the table over. GUI thread.
class SampleData : public QObject {
    Q_OBJECT

public:
    SampleData(Session& session, Jobs& jobs, QObject* parent = nullptr);

    /// Where it is written; tests set their own.
    void setFolder(const QString& folder) { m_folder = folder; }

Q_SIGNALS:
    void failed(const QString& why);

private:
    void begin();
    [[nodiscard]] QString write(const QString& shipped, const QString& name);

    Session& m_session;
    Jobs& m_jobs;
    QString m_folder;
};

} // namespace app::console

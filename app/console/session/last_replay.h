#pragma once

#include "app/console/session/jobs.h"
#include "app/console/session/worker.h"
#include "app/workbench/given_options.h"

#include <QObject>

#include <cstdint>
#include <string>
#include <vector>

namespace app::console {

class Session;

/// The logs that were replayed last and how they were read, also by an earlier session or the
/// command line: what "Try against last log" runs the saved and the edited text over, in one pass,
/// to compare them. GUI thread.
class LastReplay : public QObject {
    Q_OBJECT

public:
    LastReplay(Session& session, Jobs& jobs, QObject* parent = nullptr);

    [[nodiscard]] bool canTry() const;
    void tryEdits();

private:
    void learnFromStore();
    void forget();

    Session& m_session;
    Jobs& m_jobs;
    std::vector<std::string> m_logs;
    GivenOptions m_given;
    std::uint64_t m_seed = 1;
    Worker m_reader;
};

} // namespace app::console

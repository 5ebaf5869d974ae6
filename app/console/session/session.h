#pragma once

#include "app/console/session/document.h"
#include "app/console/session/worker.h"
#include "app/workbench/explain.h"
#include "app/workbench/given_options.h"
#include "storage/run_results.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace app::console {

enum class PageId;
enum class ActionId;

/// One side of a comparison: a run, or what production did.
using CompareBase = std::optional<storage::RunId>;

/// What all pages share: the policy that is open, the store with its runs, and where to go next.
/// Pages never know each other; they ask here. GUI thread.
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);

    [[nodiscard]] Document& document() { return m_document; }

    /// The store; it need not be there yet. Every job opens one of its own from this path.
    [[nodiscard]] std::string storePath() const { return m_storePath; }

    void setStorePath(const std::string& path);

    /// All runs, newest first, as of the last refreshRuns(); it asks in the background.
    [[nodiscard]] const std::vector<storage::RunSummary>& runs() const { return m_runs; }

    [[nodiscard]] const storage::RunSummary* run(storage::RunId id) const;
    void refreshRuns();

    /// Why the store cannot be read; empty: it can, or is not there yet.
    [[nodiscard]] const std::optional<engine::Diagnostic>& storeProblem() const
    {
        return m_storeProblem;
    }

    /// The run that Runs shows.
    [[nodiscard]] std::optional<storage::RunId> currentRun() const { return m_currentRun; }

    // Where to go, and with what. Each shows its page.
    void openRun(storage::RunId id);
    void compare(CompareBase base, storage::RunId candidate);
    void explain(storage::RunId id, const ExplainTarget& target);
    /// The page of one key: RULE or RULE/OVERRIDE, and the key as shown.
    void explainKey(storage::RunId id, const std::string& rule, const std::string& key);
    /// The requests of one second, or of a rule or key: Explain's list.
    void findRequests(storage::RunId id, std::int64_t fromNs, std::int64_t toNs);
    void suggestFor(const QString& rule);
    void showLogs(const QStringList& paths);
    void show(PageId page);
    /// A policy that was made, not opened; the window guards the one that is open.
    void openDraft(const std::string& text, const QString& name);
    /// The file of the open policy again, by the window, which guards what was changed.
    void reload();

    /// Logs of the last replay, for "Try against last log" and Suggest.
    [[nodiscard]] QStringList lastLogs() const { return m_lastLogs; }

    /// How they were read: the options of that replay.
    [[nodiscard]] const GivenOptions& lastGiven() const { return m_lastGiven; }

    void setLastLogs(const QStringList& paths, const GivenOptions& given = {});

    /// What is going on, at the left of the status bar.
    void say(const QString& what);

    /// An action of the whole window that something below it does (a queue of jobs, a page). An
    /// action that nobody handles is not shown.
    void handle(ActionId id, std::function<bool()> can, std::function<void()> perform);

    [[nodiscard]] bool handles(ActionId id) const { return m_handlers.contains(id); }

    [[nodiscard]] bool can(ActionId id) const;
    void perform(ActionId id) const;

Q_SIGNALS:
    void openAsked(const QString& path); ///< a policy, by its file; the window guards
    void draftAsked(const std::string& text, const QString& name);
    void reloadAsked();
    void storeChanged(); ///< runs() is empty until the new one's are listed: forget the old ones
    void runsChanged();
    void runOpened(storage::RunId id);
    void compareAsked(app::console::CompareBase base, storage::RunId candidate);
    void explainAsked(storage::RunId id, const app::ExplainTarget& target);
    void explainKeyAsked(storage::RunId id, const std::string& rule, const std::string& key);
    void findAsked(storage::RunId id, qint64 fromNs, qint64 toNs);
    void suggestAsked(const QString& rule);
    void logsAsked(const QStringList& paths);
    void pageAsked(app::console::PageId page);
    void lastLogsChanged();
    void said(const QString& what);
    void timesChanged(); ///< of which zone they are
    void actionsChanged();

private:
    struct Handler {
        std::function<bool()> can;
        std::function<void()> perform;
    };

    Document m_document;
    std::string m_storePath;
    std::vector<storage::RunSummary> m_runs;
    std::optional<engine::Diagnostic> m_storeProblem;
    std::optional<storage::RunId> m_currentRun;
    QStringList m_lastLogs;
    GivenOptions m_lastGiven;
    std::map<ActionId, Handler> m_handlers;
    Worker m_lister;
};

} // namespace app::console

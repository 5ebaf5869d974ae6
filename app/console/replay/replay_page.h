#pragma once

#include "app/console/frame/page.h"
#include "app/console/replay/log_collection.h"
#include "app/console/session/jobs.h"
#include "app/console/session/last_replay.h"

#include <functional>

class QLabel;
class QScrollArea;
class QSplitter;
class QStackedWidget;

namespace app::console {

struct CheckedOptions;
class FigureModel;
class FigureView;
class JobModel;
class JobView;
class LogModel;
class LogView;
class Panel;
class PreviewPanel;
class ReplayForm;

/// Logs with a preview, the options of a replay, and the line of jobs.
class ReplayPage : public Page {
    Q_OBJECT

public:
    ReplayPage(Session& session, Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] QList<QWidget*> panes() const override;
    [[nodiscard]] std::vector<ActionId> offers() const override;
    [[nodiscard]] bool can(ActionId action) const override;
    void perform(ActionId action) override;
    void keepState(QSettings& settings) const override;
    void restoreState(QSettings& settings) override;

    [[nodiscard]] Jobs& jobs() { return m_jobs; }

    [[nodiscard]] LogCollection& logs() { return m_logs; }

    [[nodiscard]] LogView& logView() const { return *m_logView; }

    [[nodiscard]] PreviewPanel& preview() const { return *m_preview; }

    [[nodiscard]] FigureView& notReadView() const { return *m_notRead; }

    [[nodiscard]] JobView& jobView() const { return *m_jobView; }

    [[nodiscard]] ReplayForm& form() const { return *m_form; }

    /// The sentence under the options: what will happen, or what is missing.
    [[nodiscard]] QString sentenceText() const;

private:
    // replay_page_build.cpp: its parts.
    QWidget* buildLogs();
    QWidget* buildNotRead();
    QWidget* buildOptions();
    QWidget* buildJobs();
    void connectAll();

    // replay_page.cpp: what is shown.
    void addLogs(const QStringList& paths);
    void showLogs();
    void showLog();
    void showNotRead(const LogRow* log);
    void chooseFormat();
    void showReady();
    void showClients(const CheckedOptions* options);
    void showJobs();
    [[nodiscard]] const LogRow* currentLog() const;
    /// Why nothing can be replayed now; "" where it can.
    [[nodiscard]] QString obstacle() const;

    // replay_page_actions.cpp: what it does when it is asked to.
    [[nodiscard]] JobOrder order() const;
    void start();
    void actOn(int row);
    void copyCommand();
    void draftPolicy();
    void offerDraft(const std::string& text);
    void saveNotRead();

    Jobs m_jobs;
    LastReplay m_last;
    LogCollection m_logs;
    Worker m_drafter;
    Worker m_saver;
    LogModel* m_logModel;
    LogView* m_logView;
    Panel* m_logPanel;
    QStackedWidget* m_logStack;
    PreviewPanel* m_preview;
    Panel* m_notReadPanel;
    FigureView* m_notRead;
    FigureModel* m_notReadModel;
    ReplayForm* m_form;
    QScrollArea* m_options = nullptr;
    QLabel* m_sentence;
    Panel* m_jobPanel;
    JobModel* m_jobModel;
    JobView* m_jobView;
    QStackedWidget* m_jobStack;
    QSplitter* m_left;
    QSplitter* m_across;
    QSplitter* m_down;
    bool m_isReady = false;
};

} // namespace app::console

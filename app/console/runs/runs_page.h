#pragma once
#include "app/console/frame/page.h"
#include "app/console/runs/run_data.h"
#include "app/console/session/worker.h"
#include "app/console/session/write_queue.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QSplitter;
class QStackedWidget;

namespace app::console {

class FigureView;
class KeysPanel;
class Panel;
class RulesModel;
class RunList;
class RunTiles;
class RunTimeline;
class TwoPanels;

/// What a run came to: tiles, its timeline, rules, keys. A range of the timeline narrows both
/// tables. The list of runs opens at the left.
class RunsPage : public Page {
    Q_OBJECT

public:
    RunsPage(Session& session, Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] QList<QWidget*> panes() const override;
    [[nodiscard]] std::vector<ActionId> offers() const override;
    [[nodiscard]] bool can(ActionId action) const override;
    void perform(ActionId action) override;
    void entered() override;
    void keepState(QSettings& settings) const override;
    void restoreState(QSettings& settings) override;

    /// Parts, for tests.
    [[nodiscard]] RunTimeline& timeline() const { return *m_timeline; }

    [[nodiscard]] FigureView& rules() const { return *m_rules; }

    [[nodiscard]] KeysPanel& keys() const { return *m_keys; }

    [[nodiscard]] RunTiles& tiles() const { return *m_tiles; }

    [[nodiscard]] RunList& list() const { return *m_list; }

    [[nodiscard]] QString asIfText() const;

    [[nodiscard]] bool isBusy() const;

    /// Whether to delete; tests set their own.
    std::function<bool(const QString& question)> askToDelete;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // runs_page_build.cpp: its parts.
    QWidget* buildBody();
    QWidget* buildEmpty();
    void connectParts();

    // runs_page.cpp: what is shown of a run.
    void open(storage::RunId run);
    void show(std::shared_ptr<const RunOverview> run);
    void showMoments(const RunMoments& moments);
    void showRuns();
    /// No run: what was read of one goes, and what is being read.
    void forget();
    void showRange();
    void clearRange();
    void showList(bool isShown);
    void showTimes();
    void showRulesCaption();
    [[nodiscard]] bool hasOtherFigures(const storage::RunSummary& now) const;
    void askTile(int which);
    void showConditions(const std::string& table);
    void report(const engine::Diagnostic& why);

    // runs_page_actions.cpp: what the actions of the table do.
    void explainSelected();
    void explainKey(int row);
    void compareWith();
    void saveList();
    void savePicture();
    void saveReport();
    void remove();
    void rename(storage::RunId run, const QString& name);
    void write(std::function<engine::Status()> work, const QString& done);
    void showWritten(const engine::Status& written, const QString& done);
    [[nodiscard]] std::optional<std::uint32_t> selectedRule() const;

    std::shared_ptr<const RunOverview> m_run;
    QStackedWidget* m_stack;
    QLabel* m_empty;
    QLabel* m_asIf; ///< conditions that are not the usual ones
    RunList* m_list;
    RunTiles* m_tiles;
    RunTimeline* m_timeline;
    Panel* m_rulesPanel;
    FigureView* m_rules;
    RulesModel* m_rulesModel;
    KeysPanel* m_keys;
    QSplitter* m_across = nullptr; ///< list, run
    QSplitter* m_down = nullptr; ///< timeline, tables
    TwoPanels* m_tables = nullptr; ///< rules, keys
    std::optional<WorstSecond> m_worstSecond;
    bool m_wasInList = false; ///< the focus is to go back there when a run comes
    bool m_isEntered = false; ///< the focus is to go to the chart when the run comes
    Worker m_opener;
    Worker m_counter; ///< moments
    Worker m_ranger;
    WriteQueue m_writes; ///< files, names, deletions
};

} // namespace app::console

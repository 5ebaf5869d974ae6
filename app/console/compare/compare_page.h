#pragma once
#include "app/console/compare/compare_data.h"
#include "app/console/frame/page.h"
#include "app/console/session/worker.h"
#include "app/console/session/write_queue.h"

#include <QTimer>

#include <array>
#include <functional>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace app::console {

class FigureModel;
class FigureView;
class Legend;
class NewlyRejectedModel;
class Panel;
class RuleChangesModel;
class Tile;
class TimeChart;
class TwoPanels;

/// Two runs of one recording, or a run with what production did: tiles that add up, rejections over
/// time with their difference, changed decisions by rule, who, path and attribute, what came of
/// the conditions of both, and the list of who is newly rejected.
class ComparePage : public Page {
    Q_OBJECT

public:
    enum Tab { ByRule, ByWho, ByPath, ByAttribute, OfPolicy, OfConditions };

    ComparePage(Session& session, Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] QList<QWidget*> panes() const override;
    [[nodiscard]] std::vector<ActionId> offers() const override;
    [[nodiscard]] bool can(ActionId action) const override;
    void perform(ActionId action) override;
    void entered() override;
    void keepState(QSettings& settings) const override;
    void restoreState(QSettings& settings) override;

    /// Parts, for tests.
    [[nodiscard]] TimeChart& chart() const { return *m_chart; }

    [[nodiscard]] FigureView& newlyRejected() const { return *m_newly; }

    [[nodiscard]] FigureView& changes(Tab tab) const
    {
        return *m_changes.at(static_cast<std::size_t>(tab));
    }

    [[nodiscard]] QTabBar& tabs() const { return *m_tabs; }

    [[nodiscard]] QComboBox& baseBox() const { return *m_base; }

    [[nodiscard]] QComboBox& candidateBox() const { return *m_candidate; }

    [[nodiscard]] QString tilesText() const;
    [[nodiscard]] QString asIfText() const;
    [[nodiscard]] bool isBusy() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // compare_page.cpp: what there is, and what it does.
    void compare(CompareBase base, storage::RunId candidate);
    void showRuns();
    /// No sides: what was read of some goes, and what is being read.
    void forget();
    void forgetFigures();
    void fillBases();
    void start();
    void swapSides();
    void readAttribute();
    void explainSelected();
    void saveList();
    void showSaved(const engine::Status& saved, const QString& path);
    void report(const engine::Diagnostic& why);
    [[nodiscard]] std::optional<storage::RunId> candidate() const;
    [[nodiscard]] CompareBase base() const;

    // compare_page_build.cpp: its parts.
    QWidget* buildBody();
    QWidget* buildTiles();
    QWidget* buildAttribute();
    void buildHead();
    void buildChart();
    void buildChanges();
    void buildNewly();
    void connectParts();

    // compare_page_view.cpp: what is shown of a comparison.
    void show(std::shared_ptr<const ComparedRuns> compared);
    void showTiles(const ComparedRuns& compared);
    void showTables(const ComparedRuns& compared);
    void showNewlyCaption();
    void clearFigures();
    void showEmpty(const QString& why);

    std::shared_ptr<const ComparedRuns> m_compared;
    QComboBox* m_base;
    QComboBox* m_candidate;
    QPushButton* m_cancel;
    QStackedWidget* m_stack;
    QLabel* m_empty;
    QLabel* m_asIf; ///< conditions of the sides that are not the usual ones
    std::array<Tile*, 5> m_tiles {};
    Panel* m_chartPanel;
    TimeChart* m_chart;
    Legend* m_legend;
    QPushButton* m_log;
    Panel* m_changesPanel;
    QTabBar* m_tabs;
    QStackedWidget* m_tabStack;
    QComboBox* m_attribute;
    RuleChangesModel* m_rules;
    std::array<FigureModel*, 6> m_others {}; ///< by tab; none for rules
    std::array<FigureView*, 6> m_changes {};
    Panel* m_newlyPanel;
    QLineEdit* m_filter;
    FigureView* m_newly;
    NewlyRejectedModel* m_newlyModel;
    QSplitter* m_down = nullptr;
    TwoPanels* m_tables = nullptr;
    QTimer m_patience; ///< after the last key of the filter
    bool m_isCancelled = false; ///< by the user: another starts when it is asked for
    bool m_isFilling = false; ///< the boxes change by themselves
    bool m_isNew = false; ///< the focus is to go to the figures when they come
    Worker m_comparer;
    Worker m_attributeReader;
    WriteQueue m_writes;
};

/// Titles of columns that leave the room to the values.
void shorten(FigureTable& table);

} // namespace app::console

#pragma once

#include "app/console/frame/page.h"
#include "app/console/session/worker.h"
#include "app/workbench/rule_curve.h"
#include "storage/run_results.h"

#include <string>
#include <vector>

namespace policies {
struct Rule;
}

class QComboBox;
class QLabel;
class QLineEdit;

namespace app::console {

class ActionButton;
class CurveChart;
class FigureModel;
class FigureView;
class Panel;

/// Limits from what clients did: what each limit of one rule, judged by itself, would have cost.
///
/// The line in the chart and the row of the table are one selection; writing its value into the
/// policy is one step of undo.
class SuggestPage : public Page {
    Q_OBJECT

public:
    SuggestPage(Session& session, Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] QList<QWidget*> panes() const override;
    [[nodiscard]] std::vector<ActionId> offers() const override;
    [[nodiscard]] bool can(ActionId action) const override;
    void perform(ActionId action) override;
    void entered() override;

    [[nodiscard]] bool isBusy() const { return m_worker.isBusy(); }

    [[nodiscard]] CurveChart& chart() const { return *m_chart; }

    /// What the text at the right says.
    [[nodiscard]] QString plainText() const;

private:
    QWidget* buildLeft();
    QWidget* buildRight();
    void clear();
    void fillRules();
    void fillRuns();
    void start();
    void show(engine::Result<RuleCurve> curve);
    void choose(std::size_t point, bool fromTable);
    void say();
    void write();
    void saveList();
    void showRule();
    void showNow(const policies::Rule& rule);
    [[nodiscard]] const CurvePoint* current() const;
    [[nodiscard]] QString emptyReason() const;

    CurveChart* m_chart;
    Panel* m_chartPanel;
    FigureView* m_candidates;
    FigureModel* m_candidatesModel;
    Panel* m_candidatesPanel;
    FigureView* m_peaks;
    FigureModel* m_peaksModel;
    Panel* m_peaksPanel;
    QComboBox* m_rule;
    QComboBox* m_run;
    QLabel* m_key;
    QLabel* m_match;
    QLabel* m_algorithm;
    QLineEdit* m_stop;
    QLineEdit* m_protect;
    QLabel* m_sentence;
    QLabel* m_more;
    ActionButton* m_write;
    RuleCurve m_curve;
    std::vector<storage::RunId> m_runs;
    QString m_asked; ///< the rule that was asked for before the policy was checked
    std::string m_written; ///< the value that was written last
    std::string m_writtenText; ///< the policy with it
    bool m_isStale = true; ///< policy, rule or log changed since the curve
    Worker m_worker;
};

} // namespace app::console

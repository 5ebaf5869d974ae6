#pragma once

#include "app/console/author/policy_desk.h"
#include "app/console/frame/panel.h"
#include "app/console/session/worker.h"
#include "app/workbench/busiest_key.h"
#include "app/workbench/given_options.h"
#include "app/workbench/lab.h"

#include <QStringList>

#include <map>
#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QTimer;

namespace app::console {

class FigureModel;
class FigureView;
class LabConditionsRow;
class LabFigures;
class LabPlot;
class NumberEdit;

/// The rule that is selected at work against a pattern of requests, or the busiest key of a log, on
/// one server or as if there were several; worked out again 50 ms after each change.
class LabPanel : public Panel {
    Q_OBJECT

public:
    explicit LabPanel(PolicyDesk& desk, QWidget* parent = nullptr);

    void showRule(const std::string& rule); ///< "" for none

    /// The rule is about to be called so.
    void follow(const std::string& rule) { m_rule = rule; }

    /// Takes in what the desk has now.
    void refresh();
    void nextPattern();
    void toggleTable(); ///< the chart, or what it shows as a table
    /// The logs whose busiest key may be tried, and how they are read: those of the last replay.
    void setLogs(const QStringList& paths, const GivenOptions& given);
    void focusPattern();
    [[nodiscard]] QString figures() const; ///< as text
    [[nodiscard]] bool isBusy() const;

Q_SIGNALS:
    void drawn();

private:
    struct Drawn {
        LabTraffic traffic;
        LabConditions conditions;
        LabResult result;
    };

    void build();
    void choosePattern();
    void proposePattern();
    void start();
    void startLog(const engine::PlanRule& rule);
    void draw(const engine::PlanRule& rule, const Drawn& drawn, const QString& note);
    void say(const QString& message); ///< in place of a picture
    [[nodiscard]] std::optional<LabPattern> pattern() const; ///< nothing: the log
    [[nodiscard]] LabConditions conditions() const;
    [[nodiscard]] std::optional<engine::PlanRule> planned() const;
    [[nodiscard]] QString logId(const engine::PlanRule& rule) const;
    void nameEntries(const engine::PlanRule& rule);

    PolicyDesk& m_desk;
    std::string m_rule;
    QComboBox* m_patterns;
    NumberEdit* m_count;
    QPushButton* m_asIf;
    LabConditionsRow* m_conditions;
    QLabel* m_message;
    QWidget* m_drawing;
    LabFigures* m_figures;
    LabPlot* m_plot;
    FigureView* m_table;
    FigureModel* m_tableModel;
    QStackedLayout* m_chart;
    QTimer* m_soon;
    Worker m_worker;
    QStringList m_logs;
    GivenOptions m_given;
    bool m_isChosen = false; ///< the pattern, by the user
    std::map<LabPattern, std::int64_t> m_counts; ///< that were chosen for this rule
    QString m_logId; ///< what m_busiest is of
    std::optional<BusiestKey> m_busiest;
};

} // namespace app::console

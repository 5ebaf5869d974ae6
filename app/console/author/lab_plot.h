#pragma once

#include "app/console/charts/plot.h"
#include "app/workbench/lab.h"

#include <QColor>
#include <QString>

namespace app::console {

/// What a pattern did to a rule, drawn: requests so far, and below it the rule's state, with its
/// limit where that says more, over one axis of time.
class LabPlot : public QCustomPlot {
    Q_OBJECT

public:
    explicit LabPlot(QWidget* parent = nullptr);

    /// The state in the hue of the rule's tier. `note`: a few words beside the state.
    void show(const LabResult& result, engine::Tier tier, const QString& note);
    /// The picture is not of the rule as it is now.
    void setStale(bool isStale);
    void fit();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    void applyTheme();
    void label(QCPItemText* item, QCPAxisRect* rect, double value, const QString& text,
               const QColor& colour);
    void placeLabels();
    double showLine(QCPGraph& graph, const std::vector<LabState>& line); ///< the most of it

    QCPAxisRect* m_top;
    QCPAxisRect* m_bottom;
    QCPGraph* m_offered;
    QCPGraph* m_attempts; ///< where some come again
    QCPGraph* m_admitted;
    QCPGraph* m_rejected;
    QCPGraph* m_state;
    QCPGraph* m_limit; ///< that is learned, or that several servers share
    QCPItemText* m_topTitle;
    QCPItemText* m_stateTitle;
    QCPItemText* m_note;
    QCPItemText* m_offeredLabel;
    QCPItemText* m_attemptsLabel;
    QCPItemText* m_admittedLabel;
    QCPItemText* m_rejectedLabel;
    engine::Tier m_tier = engine::Tier::Tenant;
    double m_length = 1;
    double m_stateMost = 1;
    bool m_isStale = false;
};

} // namespace app::console

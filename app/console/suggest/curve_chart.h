#pragma once

#include "app/console/charts/plot.h"
#include "app/workbench/rule_curve.h"

#include <optional>

namespace app::console {

class Painted;

/// What each limit would cost: above, the share of requests that it denies; below, the keys that it
/// hits. One axis of limits, logarithmic; zero lies on a line of its own below the logarithm.
///
/// A solid line with a handle stands at the chosen candidate: drag it, or Left and Right from
/// candidate to candidate, Page Up and Page Down by five. A dashed one stands at the policy's
/// value.
class CurveChart : public QCustomPlot {
    Q_OBJECT

public:
    explicit CurveChart(QWidget* parent = nullptr);

    void setCurve(RuleCurve curve);
    void clear();
    void setCurrent(std::size_t point); ///< without chosen()

    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }

    void setLogScale(bool isLog);

    [[nodiscard]] bool isLogScale() const { return m_isLog; }

    /// By the name's end: .png or .pdf. False where it cannot be written.
    bool savePicture(const QString& path);

Q_SIGNALS:
    void chosen(std::size_t point); ///< by the user

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    // curve_chart.cpp: what is chosen, and how.
    void build();
    void choose(std::size_t point);
    void chooseAt(double x);

    // curve_chart_draw.cpp: how it looks.
    void restyle();
    void scaleLeft();
    [[nodiscard]] double shareAt(double share) const; ///< where on the y axis
    [[nodiscard]] double keysAt(double keys) const;
    [[nodiscard]] double mostKeys() const;
    [[nodiscard]] double xOf(std::int64_t limit) const; ///< pixel
    void paintOver(QCPPainter& painter) const;
    void paintNow(QCPPainter& painter) const;
    void paintPeaks(QCPPainter& painter) const;
    void paintLine(QCPPainter& painter) const;
    void paintBox(QCPPainter& painter, double x) const;

    RuleCurve m_curve;
    std::optional<std::size_t> m_current;
    bool m_isLog = true;
    bool m_isDragging = false;
    QCPAxisRect* m_shares = nullptr;
    QCPAxisRect* m_keys = nullptr;
    QCPGraph* m_shareGraph = nullptr;
    QCPGraph* m_keyGraph = nullptr;
    Painted* m_over = nullptr;
};

} // namespace app::console

#pragma once
#include "app/console/charts/chart_data.h"

#include <QWidget>

namespace app::console {

/// All of a recording as a narrow strip (log scale), with a frame around what a chart shows. The
/// frame is dragged, and resized at its edges. Keys: Left and Right move it by a tenth of its
/// width,
/// + and - make it smaller and larger, Home fits it.
class SpanStrip : public QWidget {
    Q_OBJECT

public:
    explicit SpanStrip(const QString& name, QWidget* parent = nullptr);

    /// Times in seconds; `left`: where the plot begins, as wide as the labels of the chart below.
    void setData(std::vector<ChartSeries> series, const Bins& bins, double first, double last);
    void setLabels(const QString& title, const QString& caption);
    void setFrame(double from, double to); ///< without frameMoved()

    [[nodiscard]] double from() const { return m_from; }

    [[nodiscard]] double to() const { return m_to; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void frameMoved(double from, double to); ///< by the user

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Grip : std::uint8_t { None, Left, Whole, Right };

    [[nodiscard]] QRect plot() const;
    [[nodiscard]] double xOf(double second) const;
    [[nodiscard]] double secondAt(int x) const;
    [[nodiscard]] Grip gripAt(int x) const;
    void move(double from, double to);
    void paintSeries(QPainter& painter, const QRect& place) const;
    void paintTimes(QPainter& painter, const QRect& place) const;

    std::vector<ChartSeries> m_series;
    Bins m_bins;
    double m_first = 0;
    double m_last = 1;
    double m_from = 0;
    double m_to = 1;
    QString m_title;
    QString m_caption;
    Grip m_grip = Grip::None;
    int m_pressedX = 0;
    double m_pressedFrom = 0;
    double m_pressedTo = 0;
};

} // namespace app::console

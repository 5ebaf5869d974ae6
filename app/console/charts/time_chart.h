#pragma once
#include "app/console/charts/chart_data.h"
#include "app/console/charts/hover_label.h"
#include "app/console/charts/plot.h"
#include "app/workbench/figure_table.h"

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace app::console {

class Painted;

/// Counts over time in one or several bands with a common axis: never more than two points for a
/// column of pixels, y from 0, the same scale in all bands but those of a difference or of another
/// unit.
///
/// Wheel zooms at the pointer, Shift+wheel and drag pan, Ctrl+drag selects a range, double click
/// fits. Keys: + and - zoom, Home fits, Left and Right move the line by a bin (with Ctrl by ten,
/// with Shift the range grows), Up and Down choose the band, Return asks for the line's bin, Escape
/// takes range and line away. Times are seconds since 1970, UTC.
class TimeChart : public QCustomPlot {
    Q_OBJECT

public:
    using Range = std::pair<std::int64_t, std::int64_t>; ///< from <= second < to

    explicit TimeChart(const QString& name, QWidget* parent = nullptr);
    ~TimeChart() override;

    /// What may be seen at most. Fits the view to it.
    void setLimits(double first, double last);
    /// Other data of the same limits; the view, the line and the range stay.
    void setData(ChartData data);

    [[nodiscard]] const ChartData& data() const { return m_data; }

    void setView(double from, double to); ///< without viewChanged()
    [[nodiscard]] View view() const;
    void zoom(double factor); ///< about the line, or the middle; 2: see half as much
    void fit();

    void setLogScale(bool isLog);

    [[nodiscard]] bool isLogScale() const { return m_isLog; }

    void setSeriesHidden(const QString& name, bool isHidden);

    void setLine(std::optional<std::int64_t> second);

    /// Where the bin begins that the line is on.
    [[nodiscard]] std::optional<std::int64_t> line() const;

    void setRange(std::optional<Range> range); ///< without rangeChanged()

    [[nodiscard]] std::optional<Range> range() const { return m_range; }

    /// What the label says, at the line or the pointer.
    [[nodiscard]] std::optional<HoverText> hoverText() const;
    /// The values of the bins that are seen, the first `most` of them: the accessible form, and
    /// what Copy copies.
    [[nodiscard]] FigureTable visibleTable(std::size_t most = SIZE_MAX) const;
    /// By the name's end: .png or .pdf. False where it cannot be written.
    bool savePicture(const QString& path);

    [[nodiscard]] QSize minimumSizeHint() const override;

    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

public Q_SLOTS:
    void copy() const; ///< the values that are seen, as TSV with headers

Q_SIGNALS:
    void viewChanged(); ///< by the user
    void rangeChanged(); ///< by the user
    void lineMoved();
    void binAsked(qint64 second); ///< Return
    void menuAsked(const QPoint& globalPosition);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Drawn {
        QCPGraph* graph = nullptr;
        QCPGraph* below = nullptr; ///< of a difference
    };

    struct DrawnBand {
        QCPAxisRect* rect = nullptr;
        std::vector<Drawn> series;
    };

    enum class Drag : std::uint8_t { None, Pan, Select };

    // time_chart.cpp: what is seen.
    void moveView(double from, double to);
    [[nodiscard]] double secondAt(int x) const;
    [[nodiscard]] std::int64_t binAt(double second) const;
    [[nodiscard]] std::optional<std::int64_t> shownSecond() const;
    [[nodiscard]] std::vector<std::int64_t> seenBins() const;

    // time_chart_input.cpp: what the user does with it.
    void moveLine(std::int64_t second);
    void extendRange(std::int64_t step);
    void drag(QMouseEvent* event);
    void hover(const QPoint& at);
    bool pressedForLine(QKeyEvent* event);

    // time_chart_draw.cpp: how it looks.
    void build();
    void restyle();
    void refresh();
    void refreshBand(std::size_t band);
    void refreshTicks(std::size_t band, double top);
    [[nodiscard]] double top(bool isDifference) const; ///< of the bands in the chart's unit
    [[nodiscard]] double greatestOf(const ChartBand& band) const;
    [[nodiscard]] int labelWidth() const;
    [[nodiscard]] double placeOf(double value) const;
    [[nodiscard]] int xOf(double second) const;
    void paintUnder(QCPPainter& painter) const;
    void paintLabels(QCPPainter& painter) const;
    void paintHoverLine(QCPPainter& painter) const;
    [[nodiscard]] bool isHidden(const ChartSeries& series) const;

    ChartData m_data;
    std::vector<DrawnBand> m_bands;
    double m_first = 0;
    double m_last = 1;
    double m_from = 0;
    double m_to = 1;
    bool m_isLog = false;
    int m_lines = 3; ///< of values above 0, in each band
    std::set<QString> m_hidden;
    std::optional<std::int64_t> m_line; ///< a second of its bin, whatever the bins are
    std::optional<std::int64_t> m_pointer; ///< the bin under the pointer
    QPoint m_pointerAt;
    std::size_t m_band = 0; ///< that the label speaks of
    std::optional<Range> m_range;
    std::int64_t m_anchor = 0; ///< where a range began
    Drag m_drag = Drag::None;
    QPoint m_pressedAt;
    double m_pressedFrom = 0;
};

} // namespace app::console

#include "app/console/charts/painted.h"
#include "app/console/charts/ticks.h"
#include "app/console/charts/time_chart.h"
#include "app/console/charts/time_marks.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::console {

namespace {

constexpr int kBetween = 12; ///< pixels between bands
constexpr int kPerLine = 26; ///< pixels between two values
constexpr int kLeastBand = 28;
constexpr int kGoodBand = 52;
constexpr int kBar = 3;

QPen penOf(const ChartSeries& series)
{
    QPen pen(colourOf(series.mark), 1);
    switch (series.dash) {
    case Dash::Solid:
        break;
    case Dash::Long:
        pen.setDashPattern({6, 3});
        break;
    case Dash::Short:
        pen.setDashPattern({3, 2});
        break;
    case Dash::Dotted:
        pen.setDashPattern({1, 2});
        break;
    }
    return pen;
}

void fill(QCPGraph& graph, const std::vector<Corner>& corners, bool isLog)
{
    QVector<QCPGraphData> points;
    points.reserve(static_cast<qsizetype>(corners.size()));
    for (const Corner& corner : corners) {
        points.push_back({corner.second, isLog ? logPlace(corner.value) : corner.value});
    }
    graph.data()->set(points, true);
}

} // namespace

QSize TimeChart::minimumSizeHint() const
{
    int stretches = 0;
    for (const ChartBand& band : m_data.bands) {
        stretches += band.stretch;
    }
    const bool isMany = m_data.bands.size() > engine::kTierCount; // these scroll
    const int band = isMany ? kGoodBand : kLeastBand;
    return {320, std::max(stretches, 1) * (band + kBetween) + timeMarksHeight()};
}

int TimeChart::labelWidth() const
{
    const bool hasNames = std::any_of(m_data.bands.begin(), m_data.bands.end(),
                                      [](const ChartBand& band) { return !band.name.isEmpty(); });
    return hasNames ? kChartNames : 0;
}

double TimeChart::placeOf(double value) const
{
    return m_isLog ? logPlace(value) : value;
}

int TimeChart::xOf(double second) const
{
    const QCPAxisRect& rect = *m_bands.front().rect;
    return rect.left()
        + static_cast<int>(std::lround((second - m_from) / (m_to - m_from) * rect.width()));
}

void TimeChart::build()
{
    clearGraphs();
    plotLayout()->clear();
    plotLayout()->setRowSpacing(0);
    plotLayout()->setAutoMargins(QCP::msNone);
    plotLayout()->setMargins(QMargins(0, 2, 0, timeMarksHeight() - kBetween / 2));
    m_bands.clear();
    const std::vector<ChartBand> empty(1);
    const std::vector<ChartBand>& bands = m_data.bands.empty() ? empty : m_data.bands;
    for (std::size_t i = 0; i < bands.size(); ++i) {
        DrawnBand drawn {new QCPAxisRect(this), {}};
        drawn.rect->setAutoMargins(QCP::msNone);
        drawn.rect->setMargins(
            QMargins(labelWidth() + kChartValues, kBetween / 2, kChartRight, kBetween / 2));
        drawn.rect->setMinimumSize(100, 10);
        const auto row = static_cast<int>(i);
        plotLayout()->addElement(row, 0, drawn.rect);
        plotLayout()->setRowStretchFactor(row, bands[i].stretch);
        QCPAxis* const x = drawn.rect->axis(QCPAxis::atBottom);
        QCPAxis* const y = drawn.rect->axis(QCPAxis::atLeft);
        x->setTicker(QSharedPointer<QCPAxisTickerText>::create());
        y->setTicker(QSharedPointer<QCPAxisTickerText>::create());
        x->setTickLabels(false); // painted: the outer ones stand flush with the plot
        for (const ChartSeries& series : bands[i].series) {
            (void)series;
            Drawn lines {addGraph(x, y), bands[i].isDifference ? addGraph(x, y) : nullptr};
            drawn.series.push_back(lines);
        }
        m_bands.push_back(std::move(drawn));
    }
    restyle();
    updateGeometry();
    refresh();
}

void TimeChart::restyle()
{
    const Theme& t = theme();
    setBackground(t.base);
    for (std::size_t i = 0; i < m_bands.size(); ++i) {
        for (QCPAxis* const axis :
             {m_bands[i].rect->axis(QCPAxis::atBottom), m_bands[i].rect->axis(QCPAxis::atLeft)}) {
            axis->setBasePen(Qt::NoPen);
            axis->setTickPen(Qt::NoPen);
            axis->setSubTickPen(Qt::NoPen);
            axis->setTickLabelFont(fontOf(Type::Axis));
            axis->setTickLabelColor(t.text2);
            axis->setTickLabelPadding(6);
            axis->grid()->setPen(QPen(t.grid, 1));
            axis->grid()->setZeroLinePen(QPen(t.grid, 1));
        }
        for (std::size_t k = 0; k < m_bands[i].series.size(); ++k) {
            const Drawn& drawn = m_bands[i].series[k];
            drawn.graph->setPen(penOf(m_data.bands[i].series[k]));
            drawn.graph->setAdaptiveSampling(false); // done before, by reduced()
            if (drawn.below != nullptr) {
                drawn.below->setPen(QPen(colourOf(Mark::Admitted), 1));
                drawn.below->setBrush(colourOf(Mark::Admitted));
                drawn.graph->setBrush(colourOf(m_data.bands[i].series[k].mark));
                drawn.below->setAdaptiveSampling(false);
            }
        }
    }
}

double TimeChart::greatestOf(const ChartBand& band) const
{
    double most = 0;
    for (const ChartSeries& series : band.series) {
        if (!isHidden(series)) {
            most = std::max(most, greatest(series.samples, m_data.bins, view()));
        }
    }
    return most;
}

double TimeChart::top(bool isDifference) const
{
    double most = 0;
    for (const ChartBand& band : m_data.bands) {
        if (band.isDifference == isDifference && band.unit.isEmpty()) {
            most = std::max(most, greatestOf(band));
        }
    }
    return most;
}

void TimeChart::refresh()
{
    if (m_bands.empty()) {
        return;
    }
    plotLayout()->update(QCPLayoutElement::upPreparation);
    plotLayout()->update(QCPLayoutElement::upMargins);
    plotLayout()->update(QCPLayoutElement::upLayout);
    const double common = top(false);
    const double difference = top(true);
    m_lines = 5;
    for (std::size_t i = 0; i < m_bands.size(); ++i) { // the same in all, so that heights compare
        const bool isDifference = i < m_data.bands.size() && m_data.bands[i].isDifference;
        const int fit = m_bands[i].rect->height() / kPerLine;
        m_lines = isDifference ? m_lines : std::clamp(fit, 1, m_lines);
    }
    for (std::size_t i = 0; i < m_bands.size(); ++i) {
        const ChartBand* const band = i < m_data.bands.size() ? &m_data.bands[i] : nullptr;
        const bool hasOwn = band != nullptr && !band->unit.isEmpty();
        const bool isDifference = band != nullptr && band->isDifference;
        refreshTicks(i, hasOwn ? greatestOf(*band) : isDifference ? difference : common);
        refreshBand(i);
    }
    replot(rpQueuedReplot);
}

void TimeChart::refreshBand(std::size_t index)
{
    if (index >= m_data.bands.size()) {
        return;
    }
    const ChartBand& band = m_data.bands[index];
    for (std::size_t k = 0; k < band.series.size(); ++k) {
        const Drawn& drawn = m_bands[index].series[k];
        const ChartSeries& series = band.series[k];
        drawn.graph->setVisible(!isHidden(series));
        if (isHidden(series)) {
            continue;
        }
        if (drawn.below == nullptr) {
            fill(*drawn.graph, reduced(series.samples, m_data.bins, view()), m_isLog);
        } else {
            const Strokes made = strokes(series.samples, m_data.bins, view());
            fill(*drawn.graph, made.above, m_isLog);
            fill(*drawn.below, made.below, m_isLog);
        }
    }
}

void TimeChart::refreshTicks(std::size_t index, double top)
{
    QCPAxisRect& rect = *m_bands[index].rect;
    const bool isDifference = index < m_data.bands.size() && m_data.bands[index].isDifference;
    std::vector<double> values = m_isLog ? logTicks(top, m_lines) : valueTicks(top, m_lines);
    const double last = values.back();
    if (isDifference) {
        values = {-last, 0, last};
    }
    auto y = QSharedPointer<QCPAxisTickerText>::create();
    for (const double value : values) {
        QString text = countText(static_cast<std::uint64_t>(std::llround(std::abs(value))));
        if (isDifference && value != 0) {
            text.prepend(value < 0 ? QChar(0x2212) : QLatin1Char('+'));
        }
        y->addTick(placeOf(value), text);
    }
    QCPAxis& left = *rect.axis(QCPAxis::atLeft);
    left.setTicker(y);
    // A little room, so that a line at 0 or at the top is seen whole.
    const double room = placeOf(last) * 2 / std::max(rect.height(), 20);
    left.setRange(isDifference ? -placeOf(last) - room : -room, placeOf(last) + room);
    auto x = QSharedPointer<QCPAxisTickerText>::create();
    for (const std::int64_t tick : timeMarks(view())) {
        x->addTick(static_cast<double>(tick), QString());
    }
    rect.axis(QCPAxis::atBottom)->setTicker(x);
    rect.axis(QCPAxis::atBottom)->setRange(m_from, m_to);
}

void TimeChart::paintUnder(QCPPainter& painter) const
{
    if (!m_range || m_bands.empty()) {
        return;
    }
    const int left
        = std::max(xOf(static_cast<double>(m_range->first)), m_bands.front().rect->left());
    const int right
        = std::min(xOf(static_cast<double>(m_range->second)), m_bands.front().rect->right() + 1);
    if (right < left) {
        return;
    }
    for (const DrawnBand& band : m_bands) {
        painter.fillRect(
            QRect(left, band.rect->top(), std::max(right - left, 1), band.rect->height()),
            theme().sel);
    }
}

void TimeChart::paintLabels(QCPPainter& painter) const
{
    const Theme& t = theme();
    painter.save();
    for (std::size_t i = 0; i < m_data.bands.size(); ++i) {
        const ChartBand& band = m_data.bands[i];
        const QRect rect = m_bands[i].rect->rect();
        if (band.tier) {
            painter.fillRect(
                QRect(0, rect.top() - kBetween / 2 + 1, kBar, rect.height() + kBetween - 2),
                hueOf(*band.tier));
        }
        QRect line(12, rect.top() - 4, kChartNames - 12,
                   QFontMetrics(fontOf(Type::Strong)).height());
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(band.name, Qt::ElideRight, line.width()));
        painter.setFont(fontOf(Type::Axis));
        for (const auto& [fact, mark] : band.facts) {
            line = QRect(line.left(), line.bottom() + 2, line.width(),
                         painter.fontMetrics().height());
            if (line.bottom() > rect.bottom() + kBetween / 2) {
                break; // the tool tip of the rules table has it
            }
            painter.setPen(mark ? colourOf(*mark) : t.text2);
            painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, fact);
        }
        painter.setPen(t.text2);
        painter.drawText(rect.adjusted(6, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop, band.caption);
    }
    const QCPAxisRect& last = *m_bands.back().rect;
    paintTimeMarks(painter, view(), last.left(), last.bottom() + 6);
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        const QRect plots = m_bands.front().rect->rect().united(m_bands.back().rect->rect());
        painter.drawRect(plots.adjusted(-3, -3, 3, 3));
    }
    painter.restore();
}

void TimeChart::paintHoverLine(QCPPainter& painter) const
{
    const std::optional<std::int64_t> second = shownSecond();
    if (!second || m_bands.empty()) {
        return;
    }
    const double middle = static_cast<double>(*second) + static_cast<double>(m_data.bins.width) / 2;
    if (middle < m_from || middle > m_to) {
        return;
    }
    const int x = xOf(middle);
    QPen pen(theme().text, 1);
    pen.setDashPattern({1, 3});
    painter.setPen(pen);
    painter.drawLine(QLineF(x, m_bands.front().rect->top(), x, m_bands.back().rect->bottom()));
    const std::optional<HoverText> text = hoverText();
    if (text && (m_pointer || hasFocus())) {
        const QPoint at = m_pointer ? m_pointerAt : QPoint(x, m_bands[m_band].rect->top());
        paintHover(painter, hoverPlace(*text, at, rect()), *text);
    }
}

} // namespace app::console

#include "app/console/charts/time_chart.h"

#include "app/console/charts/painted.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace app::console {

namespace {

constexpr std::int64_t kNs = 1'000'000'000;
constexpr double kLeastSpan = 10; ///< seconds
constexpr double kWheelZoom = 1.25;
constexpr double kKeyZoom = 2;
constexpr int kClick = 4; ///< pixels that a click may tremble
constexpr int kFewBins = 10; ///< of a step with Ctrl

/// Value of the bin that begins there; nothing in a gap.
std::optional<double> valueAt(const ChartSeries& series, const Bins& bins, std::int64_t second)
{
    const auto found = std::lower_bound(
        series.samples.begin(), series.samples.end(), second,
        [](const Sample& sample, std::int64_t at) { return sample.second < at; });
    if (found != series.samples.end() && found->second == second) {
        return found->value;
    }
    if (found == series.samples.begin() || found == series.samples.end()) {
        return std::nullopt;
    }
    const std::int64_t silence = found->second - (found - 1)->second - bins.width;
    return silence < bins.gap ? std::optional<double>(0) : std::nullopt;
}

QString valueText(double value, bool isSigned)
{
    const QString digits = countText(static_cast<std::uint64_t>(std::llround(std::abs(value))));
    return value < 0            ? QChar(0x2212) + digits
        : isSigned && value > 0 ? QLatin1Char('+') + digits
                                : digits;
}

} // namespace

TimeChart::TimeChart(const QString& name, QWidget* parent)
    : QCustomPlot(parent)
{
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setNotAntialiasedElements(QCP::aeAll);
    setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    addLayer(QStringLiteral("hover"));
    layer(QStringLiteral("hover"))->setMode(QCPLayer::lmBuffered);
    // The plot owns its layerables.
    new Painted(this, QStringLiteral("background"), [this](QCPPainter& p) { paintUnder(p); });
    new Painted(this, QStringLiteral("axes"), [this](QCPPainter& p) { paintLabels(p); });
    new Painted(this, QStringLiteral("hover"), [this](QCPPainter& p) { paintHoverLine(p); });
    build();
}

TimeChart::~TimeChart() = default;

void TimeChart::setLimits(double first, double last)
{
    m_first = first;
    m_last = std::max(last, first + kLeastSpan);
    m_line.reset();
    m_range.reset();
    m_pointer.reset();
    setView(m_first, m_last);
}

void TimeChart::setData(ChartData data)
{
    m_data = std::move(data);
    m_band = std::min(m_band, m_data.bands.empty() ? 0 : m_data.bands.size() - 1);
    build();
}

void TimeChart::setView(double from, double to)
{
    const double span = std::clamp(to - from, kLeastSpan, m_last - m_first);
    m_from = std::clamp(from, m_first, m_last - span);
    m_to = m_from + span;
    refresh();
}

View TimeChart::view() const
{
    const int columns = m_bands.empty() ? 1 : std::max(m_bands.front().rect->width(), 1);
    return {m_from, m_to, columns};
}

void TimeChart::moveView(double from, double to)
{
    const double before = m_from;
    const double beforeTo = m_to;
    setView(from, to);
    if (m_from != before || m_to != beforeTo) {
        Q_EMIT viewChanged();
    }
}

void TimeChart::zoom(double factor)
{
    const bool isLineSeen
        = m_line && static_cast<double>(*m_line) >= m_from && static_cast<double>(*m_line) < m_to;
    const double about = isLineSeen ? static_cast<double>(*m_line) : (m_from + m_to) / 2;
    moveView(about - (about - m_from) / factor, about + (m_to - about) / factor);
}

void TimeChart::fit()
{
    moveView(m_first, m_last);
}

void TimeChart::setLogScale(bool isLog)
{
    m_isLog = isLog;
    refresh();
}

void TimeChart::setSeriesHidden(const QString& name, bool isHidden)
{
    if (isHidden) {
        m_hidden.insert(name);
    } else {
        m_hidden.erase(name);
    }
    refresh();
}

bool TimeChart::isHidden(const ChartSeries& series) const
{
    return m_hidden.contains(series.name);
}

void TimeChart::setLine(std::optional<std::int64_t> second)
{
    m_line = second;
    layer(QStringLiteral("hover"))->replot();
    const std::optional<HoverText> text = hoverText();
    setAccessibleDescription(text ? text->plainText() : QString());
    Q_EMIT lineMoved();
}

void TimeChart::setRange(std::optional<Range> range)
{
    m_range = range;
    replot(rpQueuedReplot);
}

double TimeChart::secondAt(int x) const
{
    if (m_bands.empty()) {
        return m_from;
    }
    const QCPAxisRect& rect = *m_bands.front().rect;
    const double part = (x - rect.left()) / static_cast<double>(std::max(rect.width(), 1));
    return m_from + std::clamp(part, 0.0, 1.0) * (m_to - m_from);
}

std::int64_t TimeChart::binAt(double second) const
{
    const auto width = static_cast<double>(m_data.bins.width);
    return static_cast<std::int64_t>(std::floor(second / width)) * m_data.bins.width;
}

std::optional<std::int64_t> TimeChart::line() const
{
    return m_line ? std::optional(binAt(static_cast<double>(*m_line))) : std::nullopt;
}

std::optional<std::int64_t> TimeChart::shownSecond() const
{
    return m_pointer ? m_pointer : line();
}

std::optional<HoverText> TimeChart::hoverText() const
{
    const std::optional<std::int64_t> second = shownSecond();
    if (!second || m_band >= m_data.bands.size()) {
        return std::nullopt;
    }
    const ChartBand& band = m_data.bands[m_band];
    const bool isFine = m_data.bins.width < 60;
    HoverText text {
        momentText(*second * kNs, isFine ? TimeForm::Second : TimeForm::Minute), m_data.unit, {}};
    text.title += band.name.isEmpty() ? QString() : QStringLiteral(", ") + band.name;
    for (const ChartSeries& series : band.series) {
        const std::optional<double> value = valueAt(series, m_data.bins, *second);
        if (!isHidden(series) && value) {
            text.values.push_back({series.name, valueText(*value, band.isDifference), series.mark});
        }
    }
    if (text.values.empty()) {
        return std::nullopt;
    }
    return text;
}

FigureTable TimeChart::visibleTable() const
{
    FigureTable table {"timeline", "Timeline, " + m_data.unit.toStdString(), {}};
    table.columns.push_back({"time", "Time", TextTable::Align::Left});
    std::set<std::int64_t> seconds;
    for (const ChartBand& band : m_data.bands) {
        for (const ChartSeries& series : band.series) {
            const QString name = (band.name + QLatin1Char(' ') + series.name).trimmed();
            table.columns.push_back({name.toStdString(), name.toStdString()});
            for (const Sample& sample : series.samples) {
                if (static_cast<double>(sample.second) >= m_from
                    && static_cast<double>(sample.second) < m_to) {
                    seconds.insert(sample.second);
                }
            }
        }
    }
    for (const std::int64_t second : seconds) {
        std::vector<Cell> cells {Cell::time(second * kNs)};
        for (const ChartBand& band : m_data.bands) {
            for (const ChartSeries& series : band.series) {
                const std::optional<double> value = valueAt(series, m_data.bins, second);
                cells.push_back(!value ? Cell {}
                                    : *value < 0
                                    ? Cell::words("-" + std::to_string(std::llround(-*value)))
                                    : Cell::number(static_cast<std::uint64_t>(*value)));
            }
        }
        table.add(std::move(cells));
    }
    return table;
}

void TimeChart::copy() const
{
    const FigureTable table = visibleTable();
    QStringList lines;
    QStringList cells;
    for (const FigureTable::Column& column : table.columns) {
        cells << QString::fromStdString(column.title);
    }
    lines << cells.join(QLatin1Char('\t'));
    for (const FigureTable::Row& row : table.rows) {
        cells.clear();
        for (const Cell& cell : row.cells) {
            cells << figureText(cell);
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

bool TimeChart::savePicture(const QString& path)
{
    if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
        return savePdf(path);
    }
    return savePng(path, width(), height(), 2.0);
}

void TimeChart::moveLine(std::int64_t second)
{
    const std::int64_t width = m_data.bins.width;
    const std::int64_t first = binAt(m_first);
    const std::int64_t last = binAt(m_last - 1);
    second = std::clamp(second, first, std::max(first, last));
    m_pointer.reset();
    const double span = m_to - m_from;
    if (static_cast<double>(second) < m_from) {
        moveView(static_cast<double>(second), static_cast<double>(second) + span);
    } else if (static_cast<double>(second + width) > m_to) {
        moveView(static_cast<double>(second + width) - span, static_cast<double>(second + width));
    }
    setLine(second);
}

void TimeChart::extendRange(std::int64_t step)
{
    const std::int64_t width = m_data.bins.width;
    if (!m_range) {
        m_anchor = line().value_or(binAt((m_from + m_to) / 2));
        m_line = m_anchor;
    }
    moveLine(line().value_or(m_anchor) + step);
    m_range = Range {std::min(m_anchor, *m_line), std::max(m_anchor, *m_line) + width};
    replot(rpQueuedReplot);
    Q_EMIT rangeChanged();
}

void TimeChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    m_pressedAt = event->pos();
    m_pressedFrom = m_from;
    m_drag = (event->modifiers() & Qt::ControlModifier) != 0 ? Drag::Select : Drag::Pan;
    m_anchor = binAt(secondAt(event->pos().x()));
}

void TimeChart::drag(QMouseEvent* event)
{
    if (m_drag == Drag::Select) {
        const std::int64_t now = binAt(secondAt(event->pos().x()));
        m_range = Range {std::min(m_anchor, now), std::max(m_anchor, now) + m_data.bins.width};
        replot(rpQueuedReplot);
        return;
    }
    const double perPixel = (m_to - m_from) / view().columns;
    const double from = m_pressedFrom - (event->pos().x() - m_pressedAt.x()) * perPixel;
    moveView(from, from + (m_to - m_from));
}

void TimeChart::mouseMoveEvent(QMouseEvent* event)
{
    const bool isDrag = (event->pos() - m_pressedAt).manhattanLength() > kClick;
    if (m_drag != Drag::None && (event->buttons() & Qt::LeftButton) != 0 && isDrag) {
        drag(event);
        return;
    }
    hover(event->pos());
}

void TimeChart::hover(const QPoint& at)
{
    m_pointer.reset();
    for (std::size_t band = 0; band < m_bands.size(); ++band) {
        const QRect rect = m_bands[band].rect->rect();
        if (rect.contains(at)) {
            m_band = band;
            m_pointer = binAt(secondAt(at.x()));
            m_pointerAt = at;
        }
    }
    layer(QStringLiteral("hover"))->replot();
}

void TimeChart::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    const bool isClick = (event->pos() - m_pressedAt).manhattanLength() <= kClick;
    if (drag == Drag::Select && !isClick) {
        Q_EMIT rangeChanged();
    } else if (drag != Drag::None && isClick && event->button() == Qt::LeftButton) {
        setLine(binAt(secondAt(event->pos().x())));
    }
}

void TimeChart::mouseDoubleClickEvent(QMouseEvent*)
{
    fit();
}

void TimeChart::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    const int delta = turned.y() != 0 ? turned.y() : turned.x();
    if (delta == 0) {
        return;
    }
    const double clicks = delta / 120.0;
    if ((event->modifiers() & Qt::ShiftModifier) != 0) {
        const double step = -clicks * (m_to - m_from) / 8;
        moveView(m_from + step, m_to + step);
    } else {
        const double at = secondAt(static_cast<int>(event->position().x()));
        const double factor = std::pow(kWheelZoom, clicks);
        moveView(at - (at - m_from) / factor, at + (m_to - at) / factor);
    }
    event->accept();
}

/// Keys that move or use the line.
bool TimeChart::pressedForLine(QKeyEvent* event)
{
    const bool isFar = (event->modifiers() & Qt::ControlModifier) != 0;
    const std::int64_t step = m_data.bins.width * (isFar ? kFewBins : 1);
    const std::int64_t signedStep = event->key() == Qt::Key_Left ? -step : step;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if ((event->modifiers() & Qt::ShiftModifier) != 0) {
            extendRange(signedStep);
        } else {
            moveLine(m_line ? *line() + signedStep : binAt((m_from + m_to) / 2));
        }
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const std::size_t count = std::max<std::size_t>(m_data.bands.size(), 1);
        m_band = (m_band + (event->key() == Qt::Key_Up ? count - 1 : 1)) % count;
        m_pointer.reset();
        setLine(m_line);
        return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_line) {
            Q_EMIT binAsked(*line());
        }
        return m_line.has_value();
    default:
        return false;
    }
}

void TimeChart::keyPressEvent(QKeyEvent* event)
{
    if (pressedForLine(event)) {
        return;
    }
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(kKeyZoom);
        return;
    case Qt::Key_Minus:
        zoom(1 / kKeyZoom);
        return;
    case Qt::Key_Home:
        fit();
        return;
    case Qt::Key_Escape:
        if (m_range) {
            setRange(std::nullopt);
            Q_EMIT rangeChanged();
            return;
        }
        if (m_line) {
            setLine(std::nullopt);
            return;
        }
        break;
    default:
        break;
    }
    QCustomPlot::keyPressEvent(event);
}

void TimeChart::contextMenuEvent(QContextMenuEvent* event)
{
    Q_EMIT menuAsked(event->globalPos());
}

void TimeChart::leaveEvent(QEvent*)
{
    m_pointer.reset();
    layer(QStringLiteral("hover"))->replot();
}

void TimeChart::focusInEvent(QFocusEvent* event)
{
    QCustomPlot::focusInEvent(event);
    replot(rpQueuedReplot);
}

void TimeChart::focusOutEvent(QFocusEvent* event)
{
    QCustomPlot::focusOutEvent(event);
    replot(rpQueuedReplot);
}

void TimeChart::resizeEvent(QResizeEvent* event)
{
    QCustomPlot::resizeEvent(event);
    refresh();
}

void TimeChart::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        restyle();
        refresh();
    }
}

} // namespace app::console

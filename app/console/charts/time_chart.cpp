#include "app/console/charts/time_chart.h"

#include "app/console/charts/painted.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"

#include <QApplication>
#include <QClipboard>

#include <algorithm>
#include <cmath>

namespace app::console {

namespace {

constexpr double kLeastSpan = 10; ///< seconds

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

/// A difference may be below zero, which counts cannot say.
Cell cellOf(const std::optional<double>& value)
{
    return !value    ? Cell {}
        : *value < 0 ? Cell::words("-" + std::to_string(std::llround(-*value)))
                     : Cell::number(static_cast<std::uint64_t>(*value));
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
    HoverText text {momentText(*second * kNs, isFine ? TimeForm::Second : TimeForm::Minute),
                    band.unit.isEmpty() ? m_data.unit : band.unit,
                    {}};
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

/// The bins that are seen and have a value, in order of time.
std::vector<std::int64_t> TimeChart::seenBins() const
{
    std::vector<std::int64_t> seconds;
    for (const ChartBand& band : m_data.bands) {
        for (const ChartSeries& series : band.series) {
            std::vector<std::int64_t> own;
            for (const Sample& sample : series.samples) {
                if (static_cast<double>(sample.second) >= m_from
                    && static_cast<double>(sample.second) < m_to) {
                    own.push_back(sample.second);
                }
            }
            if (own != seconds) { // most series of a chart have the same bins
                seconds.insert(seconds.end(), own.begin(), own.end());
                std::sort(seconds.begin(), seconds.end());
                seconds.erase(std::unique(seconds.begin(), seconds.end()), seconds.end());
            }
        }
    }
    return seconds;
}

FigureTable TimeChart::visibleTable(std::size_t most) const
{
    FigureTable table {"timeline", "Timeline, " + m_data.unit.toStdString(), {}};
    table.columns.push_back({"time", "Time", TextTable::Align::Left});
    for (const ChartBand& band : m_data.bands) {
        for (const ChartSeries& series : band.series) {
            const QString unit = band.unit.isEmpty() ? QString() : QStringLiteral(", ") + band.unit;
            const std::string name
                = (band.name + QLatin1Char(' ') + series.name + unit).trimmed().toStdString();
            table.columns.push_back({name, name});
        }
    }
    std::vector<std::int64_t> seconds = seenBins();
    table.more = seconds.size() - std::min(most, seconds.size());
    seconds.resize(seconds.size() - table.more);
    for (const std::int64_t second : seconds) {
        std::vector<Cell> cells {Cell::time(second * kNs)};
        for (const ChartBand& band : m_data.bands) {
            for (const ChartSeries& series : band.series) {
                cells.push_back(cellOf(valueAt(series, m_data.bins, second)));
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

#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"
#include "app/console/suggest/curve_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

/// How the curve of a rule's limits looks.
namespace app::console {

namespace {

constexpr double kLeastShare = 0.0001; // 0.01 %: the lowest decade above zero
constexpr double kLabelRoom = 0.08; // of the width, for a limit's name
constexpr int kHandleWidth = 10;
constexpr int kHandleHeight = 18;

using Ticks = QSharedPointer<QCPAxisTickerText>;

void styleGraph(QCPGraph& graph, const QColor& colour, QCPScatterStyle::ScatterShape shape)
{
    graph.setPen(QPen(colour, 1.5));
    graph.setScatterStyle(QCPScatterStyle(shape, colour, colour, 4));
}

void styleAxis(QCPAxis& axis)
{
    const Theme& t = theme();
    axis.setBasePen(QPen(t.border));
    axis.setTickPen(Qt::NoPen);
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLabelColor(t.text2);
    axis.setTickLabelFont(fontOf(Type::Axis));
    axis.grid()->setPen(QPen(t.grid));
    axis.grid()->setZeroLinePen(Qt::NoPen);
    axis.grid()->setSubGridVisible(false);
}

/// The candidates by their numbers, as many as stand beside each other.
Ticks limitTicks(const std::vector<CurvePoint>& points)
{
    Ticks ticks(new QCPAxisTickerText);
    if (points.empty()) {
        return ticks;
    }
    const auto first = static_cast<double>(points.front().limit);
    const double span = std::log(static_cast<double>(points.back().limit) / first);
    double last = -1;
    for (const CurvePoint& point : points) {
        const auto limit = static_cast<double>(point.limit);
        const double at = span <= 0 ? 0 : std::log(limit / first) / span;
        if (last < 0 || at - last > kLabelRoom) {
            ticks->addTick(limit, countText(static_cast<std::uint64_t>(point.limit)));
            last = at;
        }
    }
    return ticks;
}

} // namespace

double CurveChart::shareAt(double share) const
{
    if (!m_isLog) {
        return share;
    }
    // 0 on a line of its own, one decade below the least share that is told apart.
    return share <= 0 ? -1 : std::log10(std::max(share, kLeastShare) / kLeastShare);
}

double CurveChart::keysAt(double keys) const
{
    return m_isLog ? std::log10(1 + keys) : keys;
}

double CurveChart::mostKeys() const
{
    std::uint64_t most = m_curve.keys.value_or(1);
    for (const CurvePoint& point : m_curve.points) {
        most = std::max(most, point.keys);
    }
    return static_cast<double>(std::max<std::uint64_t>(most, 1));
}

void CurveChart::restyle()
{
    setBackground(theme().base);
    QVector<double> limits;
    QVector<double> shares;
    QVector<double> keys;
    for (const CurvePoint& point : m_curve.points) {
        limits << static_cast<double>(point.limit);
        shares << shareAt(m_curve.requests == 0 ? 0
                                                : static_cast<double>(point.requests)
                                  / static_cast<double>(m_curve.requests));
        keys << keysAt(static_cast<double>(point.keys));
    }
    m_shareGraph->setData(limits, shares, true);
    m_keyGraph->setData(limits, keys, true);
    styleGraph(*m_shareGraph, theme().rejected, QCPScatterStyle::ssSquare);
    styleGraph(*m_keyGraph, theme().accent, QCPScatterStyle::ssDisc);
    const double least = limits.isEmpty() ? 1 : limits.front();
    const double most = limits.isEmpty() ? 10 : std::max(limits.back(), least * 1.01);
    const double room = std::pow(most / least, 0.012); // for the marks at both ends
    const Ticks ticks = limitTicks(m_curve.points);
    for (QCPAxisRect* rect : {m_shares, m_keys}) {
        QCPAxis* bottom = rect->axis(QCPAxis::atBottom);
        styleAxis(*bottom);
        styleAxis(*rect->axis(QCPAxis::atLeft));
        bottom->setRange(least / room, most * room);
        bottom->setTicker(ticks);
    }
    scaleLeft();
    replot(QCustomPlot::rpQueuedReplot);
}

/// The axes of shares and of keys.
void CurveChart::scaleLeft()
{
    Ticks shareTicks(new QCPAxisTickerText);
    for (const auto& [share, text] :
         {std::pair(0.0, "0"), {0.001, "0.1 %"}, {0.01, "1 %"}, {0.1, "10 %"}, {1.0, "100 %"}}) {
        if (m_isLog || share == 0 || share >= 0.1) {
            shareTicks->addTick(shareAt(share), QString::fromLatin1(text));
        }
    }
    m_shares->axis(QCPAxis::atLeft)->setTicker(shareTicks);
    m_shares->axis(QCPAxis::atLeft)->setRange(shareAt(0), shareAt(1) * 1.02);
    Ticks keyTicks(new QCPAxisTickerText);
    const double most = mostKeys();
    keyTicks->addTick(keysAt(0), QStringLiteral("0"));
    for (double decade = 1; m_isLog && decade < most / 2; decade *= 10) {
        keyTicks->addTick(keysAt(decade), countText(static_cast<std::uint64_t>(decade)));
    }
    keyTicks->addTick(keysAt(most), countText(static_cast<std::uint64_t>(most)));
    m_keys->axis(QCPAxis::atLeft)->setTicker(keyTicks);
    m_keys->axis(QCPAxis::atLeft)->setRange(0, keysAt(most) * 1.05);
}

void CurveChart::paintBox(QCPPainter& painter, double x) const
{
    const Theme& t = theme();
    const CurvePoint& point = m_curve.points[*m_current];
    const QStringList lines {
        shown(point.value),
        QStringLiteral("%1 rejected, %2")
            .arg(countText(point.requests), shareText(point.requests, m_curve.requests)),
        m_curve.keys
            ? QStringLiteral("%1 of %2 keys").arg(countText(point.keys), countText(*m_curve.keys))
            : QStringLiteral("%1 %2").arg(countText(point.keys), shown(m_curve.countedBy, 40))};
    const QFont small = fontOf(Type::Axis);
    QFont bold = small;
    bold.setBold(true);
    int width = 0;
    for (const QString& line : lines) {
        width = std::max(width, QFontMetrics(bold).horizontalAdvance(line));
    }
    const int height = QFontMetrics(bold).height();
    const QRect bounds = m_shares->rect();
    QRect box(static_cast<int>(x) + 10, bounds.top() + 4, width + 16, 3 * height + 10);
    if (box.right() > bounds.right()) {
        box.moveRight(static_cast<int>(x) - 10);
    }
    painter.setPen(QPen(t.control));
    painter.setBrush(t.base);
    painter.drawRoundedRect(box, 3, 3);
    const std::array<QColor, 3> inks {t.text, t.rejected, t.accent};
    for (int i = 0; i < 3; ++i) {
        painter.setFont(i == 0 ? bold : small);
        painter.setPen(inks.at(static_cast<std::size_t>(i)));
        painter.drawText(
            QPoint(box.left() + 8, box.top() + 5 + i * height + QFontMetrics(small).ascent()),
            lines.at(i));
    }
}

double CurveChart::xOf(std::int64_t limit) const
{
    return m_shares->axis(QCPAxis::atBottom)
        ->coordToPixel(std::max(static_cast<double>(limit), 1.0));
}

void CurveChart::paintOver(QCPPainter& painter) const
{
    if (m_curve.points.empty()) {
        return;
    }
    painter.setFont(fontOf(Type::Axis));
    painter.setPen(theme().text2);
    painter.drawText(
        m_shares->rect().topLeft() + QPoint(4, -6),
        QStringLiteral("requests rejected, share of %1").arg(countText(m_curve.requests)));
    painter.drawText(m_keys->rect().topLeft() + QPoint(4, -6),
                     m_curve.keys ? QStringLiteral("keys hit, of %1").arg(countText(*m_curve.keys))
                                  : QStringLiteral("%1 hit").arg(shown(m_curve.countedBy, 40)));
    paintNow(painter);
    paintPeaks(painter);
    if (m_current) {
        paintLine(painter);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

/// Where the policy stands.
void CurveChart::paintNow(QCPPainter& painter) const
{
    const QRect above = m_shares->rect();
    for (const CurvePoint& point : m_curve.points) {
        if (!point.isNow) {
            continue;
        }
        const auto x = static_cast<int>(xOf(point.limit));
        painter.setPen(QPen(theme().text2, 1, Qt::DashLine));
        painter.drawLine(QLine(x, above.top(), x, m_keys->rect().bottom()));
        const QString text
            = QStringLiteral("now %1").arg(countText(static_cast<std::uint64_t>(point.limit)));
        const int width = QFontMetrics(fontOf(Type::Axis)).horizontalAdvance(text);
        painter.setPen(theme().text2);
        painter.drawText(QPoint(std::max(above.left() + 2, x - width - 4), above.bottom() - 6),
                         text);
    }
}

/// Percentiles of what keys did within the rule's own period, on the axis below.
void CurveChart::paintPeaks(QCPPainter& painter) const
{
    const auto peaks
        = std::find_if(m_curve.peaks.begin(), m_curve.peaks.end(), [&](const KeyPeaks& one) {
              return m_curve.field == "rate" && one.windowNs == m_curve.periodNs;
          });
    if (peaks == m_curve.peaks.end()) {
        return;
    }
    const QRect below = m_keys->rect();
    const QFontMetrics size(fontOf(Type::Axis));
    int free = below.left(); // where the next label may stand
    for (const auto& [name, value] : {std::pair("p50", peaks->keys.p50),
                                      {"p90", peaks->keys.p90},
                                      {"p99", peaks->keys.p99},
                                      {"max", peaks->keys.most}}) {
        const auto x = static_cast<int>(xOf(value));
        if (x < below.left() || x > below.right()) {
            continue;
        }
        painter.setPen(QPen(theme().text, 2));
        painter.drawLine(QLine(x, below.bottom() - 5, x, below.bottom()));
        if (x + 4 < free) {
            continue; // the mark is there, its name would lie upon another's
        }
        const QString label = QString::fromLatin1(name);
        painter.setPen(theme().text);
        painter.drawText(QPoint(x + 4, below.bottom() - 8 + size.ascent() / 3), label);
        free = x + 8 + size.horizontalAdvance(label);
    }
}

/// The line of the chosen candidate, with its handle and what it costs.
void CurveChart::paintLine(QCPPainter& painter) const
{
    const Theme& t = theme();
    const QRect above = m_shares->rect();
    const double x = xOf(m_curve.points[*m_current].limit);
    painter.setPen(QPen(t.accent, 2));
    painter.drawLine(QPointF(x, above.top()), QPointF(x, m_keys->rect().bottom()));
    const QRectF handle(x - kHandleWidth / 2.0, above.bottom() - kHandleHeight / 2.0 + 8,
                        kHandleWidth, kHandleHeight);
    painter.setBrush(t.accent);
    painter.drawRoundedRect(handle, 2, 2);
    painter.setPen(QPen(t.onAccent, 1));
    for (const double groove : {-1.5, 1.5}) {
        painter.drawLine(QPointF(x + groove, handle.top() + 4),
                         QPointF(x + groove, handle.bottom() - 4));
    }
    paintBox(painter, x);
}

} // namespace app::console

#include "app/console/suggest/curve_chart.h"

#include "app/console/charts/painted.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace app::console {

namespace {

constexpr double kLeastShare = 0.0001; // 0.01 %: the lowest decade above zero
constexpr int kHandleWidth = 10;
constexpr int kHandleHeight = 18;
constexpr std::size_t kPage = 5;

void addTick(QCPAxisTickerText& ticker, double place, const QString& text)
{
    ticker.addTick(place, text);
}

} // namespace

CurveChart::CurveChart(QWidget* parent)
    : QCustomPlot(parent)
{
    setAccessibleName(QStringLiteral("What a limit would cost"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(220);
    build();
    restyle();
}

void CurveChart::build()
{
    plotLayout()->clear();
    m_shares = new QCPAxisRect(this);
    m_keys = new QCPAxisRect(this);
    for (QCPAxisRect* rect : {m_shares, m_keys}) {
        rect->setAutoMargins(QCP::msNone);
        rect->setMargins({64, 22, 18, rect == m_keys ? 26 : 6});
        rect->axis(QCPAxis::atBottom)->setScaleType(QCPAxis::stLogarithmic);
        rect->axis(QCPAxis::atTop)->setVisible(false);
        rect->axis(QCPAxis::atRight)->setVisible(false);
        for (QCPAxis* axis : rect->axes()) {
            axis->setLayer(QStringLiteral("axes"));
            axis->grid()->setLayer(QStringLiteral("grid"));
        }
    }
    m_shares->axis(QCPAxis::atBottom)->setTickLabels(false);
    plotLayout()->addElement(0, 0, m_shares);
    plotLayout()->addElement(1, 0, m_keys);
    plotLayout()->setRowStretchFactor(0, 1.4);
    plotLayout()->setRowSpacing(0);
    m_shareGraph = addGraph(m_shares->axis(QCPAxis::atBottom), m_shares->axis(QCPAxis::atLeft));
    m_keyGraph = addGraph(m_keys->axis(QCPAxis::atBottom), m_keys->axis(QCPAxis::atLeft));
    m_over = new Painted(this, QStringLiteral("overlay"),
                         [this](QCPPainter& painter) { paintOver(painter); });
}

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

void CurveChart::setCurve(RuleCurve curve)
{
    m_curve = std::move(curve);
    m_current.reset();
    for (std::size_t i = 0; i < m_curve.points.size(); ++i) {
        if (m_curve.points[i].isNow || !m_current) {
            m_current = m_curve.points[i].isNow ? i : m_current.value_or(0);
        }
    }
    restyle();
}

void CurveChart::clear()
{
    setCurve({});
}

void CurveChart::setLogScale(bool isLog)
{
    m_isLog = isLog;
    restyle();
}

void CurveChart::restyle()
{
    const Theme& t = theme();
    setBackground(t.base);
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
    const auto style
        = [](QCPGraph* graph, const QColor& colour, QCPScatterStyle::ScatterShape shape) {
              graph->setPen(QPen(colour, 1.5));
              graph->setScatterStyle(QCPScatterStyle(shape, colour, colour, 4));
          };
    style(m_shareGraph, t.rejected, QCPScatterStyle::ssSquare);
    style(m_keyGraph, t.accent, QCPScatterStyle::ssDisc);
    for (QCPAxisRect* rect : {m_shares, m_keys}) {
        for (QCPAxis* axis : {rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft)}) {
            axis->setBasePen(QPen(t.border));
            axis->setTickPen(Qt::NoPen);
            axis->setSubTickPen(Qt::NoPen);
            axis->setTickLabelColor(t.text2);
            axis->setTickLabelFont(fontOf(Type::Axis));
            axis->grid()->setPen(QPen(t.grid));
            axis->grid()->setZeroLinePen(Qt::NoPen);
            axis->grid()->setSubGridVisible(false);
        }
        const double least = limits.isEmpty() ? 1 : limits.front();
        const double most = limits.isEmpty() ? 10 : std::max(limits.back(), least * 1.01);
        // Room for the marks at both ends.
        const double room = std::pow(most / least, 0.012);
        rect->axis(QCPAxis::atBottom)->setRange(least / room, most * room);
    }
    QSharedPointer<QCPAxisTickerText> limitTicks(new QCPAxisTickerText);
    const double span = limits.size() < 2 ? 1 : std::log(limits.back() / limits.front());
    double last = -1;
    for (const CurvePoint& point : m_curve.points) {
        const double at
            = span <= 0 ? 0 : std::log(static_cast<double>(point.limit) / limits.front()) / span;
        if (last < 0 || at - last > 0.08) {
            addTick(*limitTicks, static_cast<double>(point.limit),
                    countText(static_cast<std::uint64_t>(point.limit)));
            last = at;
        }
    }
    m_keys->axis(QCPAxis::atBottom)->setTicker(limitTicks);
    m_shares->axis(QCPAxis::atBottom)->setTicker(limitTicks);

    QSharedPointer<QCPAxisTickerText> shareTicks(new QCPAxisTickerText);
    for (const auto& [share, text] :
         {std::pair(0.0, "0"), {0.001, "0.1 %"}, {0.01, "1 %"}, {0.1, "10 %"}, {1.0, "100 %"}}) {
        if (m_isLog || share == 0 || share >= 0.1) {
            addTick(*shareTicks, shareAt(share), QString::fromLatin1(text));
        }
    }
    m_shares->axis(QCPAxis::atLeft)->setTicker(shareTicks);
    m_shares->axis(QCPAxis::atLeft)->setRange(shareAt(0), shareAt(1) * 1.02);

    QSharedPointer<QCPAxisTickerText> keyTicks(new QCPAxisTickerText);
    const auto most = static_cast<double>(std::max<std::uint64_t>(m_curve.keys, 1));
    addTick(*keyTicks, keysAt(0), QStringLiteral("0"));
    for (double keys10 = 1; keys10 < most / 2; keys10 *= 10) {
        if (m_isLog) {
            addTick(*keyTicks, keysAt(keys10), countText(static_cast<std::uint64_t>(keys10)));
        }
    }
    addTick(*keyTicks, keysAt(most), countText(static_cast<std::uint64_t>(most)));
    m_keys->axis(QCPAxis::atLeft)->setTicker(keyTicks);
    m_keys->axis(QCPAxis::atLeft)->setRange(0, keysAt(most) * 1.05);
    replot(QCustomPlot::rpQueuedReplot);
}

void CurveChart::paintBox(QCPPainter& painter, double x) const
{
    const Theme& t = theme();
    const CurvePoint& point = m_curve.points[*m_current];
    const QStringList lines {
        shown(point.value),
        QStringLiteral("%1 rejected, %2")
            .arg(countText(point.requests), shareText(point.requests, m_curve.requests)),
        QStringLiteral("%1 of %2 keys").arg(countText(point.keys), countText(m_curve.keys))};
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

void CurveChart::paintOver(QCPPainter& painter) const
{
    const Theme& t = theme();
    const QRect above = m_shares->rect();
    const QRect below = m_keys->rect();
    painter.setFont(fontOf(Type::Axis));
    painter.setPen(t.text2);
    const int ascent = QFontMetrics(fontOf(Type::Axis)).ascent();
    painter.drawText(
        QPoint(above.left() + 4, above.top() - 6),
        QStringLiteral("requests rejected, share of %1").arg(countText(m_curve.requests)));
    painter.drawText(QPoint(below.left() + 4, below.top() - 6),
                     QStringLiteral("keys hit, of %1").arg(countText(m_curve.keys)));
    const QCPAxis* axis = m_shares->axis(QCPAxis::atBottom);
    for (const CurvePoint& point : m_curve.points) {
        if (point.isNow) {
            const auto x = static_cast<int>(axis->coordToPixel(static_cast<double>(point.limit)));
            painter.setPen(QPen(t.text2, 1, Qt::DashLine));
            painter.drawLine(QLine(x, above.top(), x, below.bottom()));
            const QString text
                = QStringLiteral("now %1").arg(countText(static_cast<std::uint64_t>(point.limit)));
            const int width = QFontMetrics(fontOf(Type::Axis)).horizontalAdvance(text);
            painter.setPen(t.text2);
            painter.drawText(QPoint(std::max(above.left() + 2, x - width - 4), above.bottom() - 6),
                             text);
        }
    }
    // Percentiles of what keys did, on the axis below.
    if (!m_curve.peaks.empty() && m_curve.field == "rate") {
        const NeedShares& need = m_curve.peaks.back().keys;
        int free = below.left(); // where the next label may stand
        for (const auto& [name, value] : {std::pair("p50", need.p50),
                                          {"p90", need.p90},
                                          {"p99", need.p99},
                                          {"max", need.most}}) {
            const auto x = static_cast<int>(axis->coordToPixel(std::max<double>(value, 1)));
            if (x < below.left() || x > below.right()) {
                continue;
            }
            painter.setPen(QPen(t.text, 2));
            painter.drawLine(QLine(x, below.bottom() - 5, x, below.bottom()));
            if (x + 4 < free) {
                continue; // the mark is there, its name would lie upon another's
            }
            const QString label = QString::fromLatin1(name);
            painter.setPen(t.text);
            painter.drawText(QPoint(x + 4, below.bottom() - 8 + ascent / 3), label);
            free = x + 8 + QFontMetrics(fontOf(Type::Axis)).horizontalAdvance(label);
        }
    }
    if (!m_current || m_curve.points.empty()) {
        return;
    }
    const double x = axis->coordToPixel(static_cast<double>(m_curve.points[*m_current].limit));
    painter.setPen(QPen(t.accent, 2));
    painter.drawLine(QPointF(x, above.top()), QPointF(x, below.bottom()));
    const QRectF handle(x - kHandleWidth / 2.0, above.bottom() - kHandleHeight / 2.0 + 8,
                        kHandleWidth, kHandleHeight);
    painter.setBrush(t.accent);
    painter.drawRoundedRect(handle, 2, 2);
    painter.setPen(QPen(t.onAccent, 1));
    painter.drawLine(QPointF(x - 1.5, handle.top() + 4), QPointF(x - 1.5, handle.bottom() - 4));
    painter.drawLine(QPointF(x + 1.5, handle.top() + 4), QPointF(x + 1.5, handle.bottom() - 4));
    paintBox(painter, x);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
}

void CurveChart::setCurrent(std::size_t point)
{
    if (point >= m_curve.points.size()) {
        return;
    }
    m_current = point;
    const CurvePoint& at = m_curve.points[point];
    setAccessibleDescription(QStringLiteral("Candidate %1: %2 rejected, %3 keys")
                                 .arg(shown(at.value), countText(at.requests), countText(at.keys)));
    replot(QCustomPlot::rpQueuedReplot);
}

void CurveChart::choose(std::size_t point)
{
    if (point < m_curve.points.size() && point != m_current) {
        setCurrent(point);
        Q_EMIT chosen(point);
    }
}

/// The candidate that lies nearest to a place of the axis.
void CurveChart::chooseAt(double x)
{
    const QCPAxis* axis = m_shares->axis(QCPAxis::atBottom);
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < m_curve.points.size(); ++i) {
        const double far
            = std::abs(axis->coordToPixel(static_cast<double>(m_curve.points[i].limit)) - x);
        if (far < least) {
            least = far;
            nearest = i;
        }
    }
    choose(nearest);
}

void CurveChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !m_curve.points.empty()) {
        m_isDragging = true;
        chooseAt(event->position().x());
    }
    setFocus();
}

void CurveChart::mouseMoveEvent(QMouseEvent* event)
{
    if (m_isDragging) {
        chooseAt(event->position().x());
    }
}

void CurveChart::mouseReleaseEvent(QMouseEvent*)
{
    m_isDragging = false;
}

void CurveChart::keyPressEvent(QKeyEvent* event)
{
    const std::size_t last = m_curve.points.empty() ? 0 : m_curve.points.size() - 1;
    const std::size_t at = m_current.value_or(0);
    switch (event->key()) {
    case Qt::Key_Left:
        choose(at == 0 ? 0 : at - 1);
        break;
    case Qt::Key_Right:
        choose(std::min(last, at + 1));
        break;
    case Qt::Key_PageUp:
        choose(std::min(last, at + kPage));
        break;
    case Qt::Key_PageDown:
        choose(at < kPage ? 0 : at - kPage);
        break;
    case Qt::Key_Home:
        choose(0);
        break;
    case Qt::Key_End:
        choose(last);
        break;
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

void CurveChart::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_shareGraph != nullptr) {
        restyle();
    }
}

void CurveChart::focusInEvent(QFocusEvent* event)
{
    QCustomPlot::focusInEvent(event);
    replot(QCustomPlot::rpQueuedReplot);
}

void CurveChart::focusOutEvent(QFocusEvent* event)
{
    QCustomPlot::focusOutEvent(event);
    replot(QCustomPlot::rpQueuedReplot);
}

bool CurveChart::savePicture(const QString& path)
{
    return path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive) ? savePdf(path)
                                                                     : savePng(path, 0, 0, 2.0);
}

} // namespace app::console

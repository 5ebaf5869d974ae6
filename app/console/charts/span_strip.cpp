#include "app/console/charts/span_strip.h"

#include "app/console/charts/ticks.h"
#include "app/console/charts/time_marks.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace app::console {

namespace {

constexpr int kStrip = 38; ///< height of the plot
constexpr int kEdge = 5; ///< pixels within which an edge is taken
constexpr double kLeastSpan = 10;

} // namespace

SpanStrip::SpanStrip(const QString& name, QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize SpanStrip::sizeHint() const
{
    return {600, kStrip + 6 + timeMarksHeight()};
}

QSize SpanStrip::minimumSizeHint() const
{
    return {320, sizeHint().height()};
}

void SpanStrip::setData(std::vector<ChartSeries> series, const Bins& bins, double first,
                        double last)
{
    m_series = std::move(series);
    m_bins = bins;
    m_first = first;
    m_last = std::max(last, first + kLeastSpan);
    setFrame(m_first, m_last);
}

void SpanStrip::setLabels(const QString& title, const QString& caption)
{
    m_title = title;
    m_caption = caption;
    setAccessibleDescription(caption);
    update();
}

void SpanStrip::setFrame(double from, double to)
{
    m_from = from;
    m_to = to;
    update();
}

QRect SpanStrip::plot() const
{
    return {kChartNames + kChartValues, 6, width() - kChartNames - kChartValues - kChartRight,
            kStrip};
}

double SpanStrip::xOf(double second) const
{
    const QRect place = plot();
    return place.left() + (second - m_first) / (m_last - m_first) * place.width();
}

double SpanStrip::secondAt(int x) const
{
    const QRect place = plot();
    const double part = (x - place.left()) / static_cast<double>(std::max(place.width(), 1));
    return m_first + std::clamp(part, 0.0, 1.0) * (m_last - m_first);
}

SpanStrip::Grip SpanStrip::gripAt(int x) const
{
    const double left = xOf(m_from);
    const double right = xOf(m_to);
    if (std::abs(x - right) <= kEdge && x >= (left + right) / 2) {
        return Grip::Right;
    }
    if (std::abs(x - left) <= kEdge) {
        return Grip::Left;
    }
    return x > left && x < right ? Grip::Whole : Grip::None;
}

void SpanStrip::move(double from, double to)
{
    const double span = std::clamp(to - from, kLeastSpan, m_last - m_first);
    from = std::clamp(from, m_first, m_last - span);
    setFrame(from, from + span);
    Q_EMIT frameMoved(m_from, m_to);
}

void SpanStrip::paintSeries(QPainter& painter, const QRect& place) const
{
    double most = 1;
    const View view {m_first, m_last, place.width()};
    for (const ChartSeries& series : m_series) {
        most = std::max(most, greatest(series.samples, m_bins, view));
    }
    for (const ChartSeries& series : m_series) {
        painter.setPen(QPen(colourOf(series.mark), 1));
        QPolygonF line;
        for (const Corner& corner : reduced(series.samples, m_bins, view)) {
            if (std::isnan(corner.value)) {
                painter.drawPolyline(line);
                line.clear();
                continue;
            }
            const double height = logPlace(corner.value) / logPlace(most) * (place.height() - 3);
            line << QPointF(xOf(corner.second), place.bottom() - 1 - height);
        }
        painter.drawPolyline(line);
    }
}

void SpanStrip::paintTimes(QPainter& painter, const QRect& place) const
{
    paintTimeMarks(painter, {m_first, m_last, place.width()}, place.left(), place.bottom() + 4);
}

void SpanStrip::paintEvent(QPaintEvent*)
{
    const Theme& t = theme();
    QPainter painter(this);
    const QRect place = plot();
    painter.fillRect(place, t.alt);
    painter.setPen(t.border);
    painter.drawRect(place.adjusted(0, 0, -1, -1));
    painter.save();
    painter.setClipRect(place);
    paintSeries(painter, place);
    painter.restore();
    paintTimes(painter, place);
    painter.setPen(QPen(t.accent, 2));
    const int left = static_cast<int>(xOf(m_from));
    const int right = static_cast<int>(xOf(m_to));
    painter.drawRect(left + 1, place.top() - 2, std::max(right - left - 2, 4), place.height() + 3);
    painter.setPen(t.text);
    QFont font = fontOf(Type::Small);
    font.setBold(true);
    painter.setFont(font);
    const int textWidth = kChartNames + kChartValues - 24;
    QRect line(12, place.top(), textWidth, painter.fontMetrics().height());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, m_title);
    painter.setFont(fontOf(Type::Axis));
    painter.setPen(t.text2);
    line = QRect(12, line.bottom() + 2, textWidth, painter.fontMetrics().height());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_caption, Qt::ElideRight, textWidth));
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void SpanStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    m_grip = gripAt(event->pos().x());
    if (m_grip == Grip::None) { // the frame comes to the pointer
        const double half = (m_to - m_from) / 2;
        const double at = secondAt(event->pos().x());
        move(at - half, at + half);
        m_grip = Grip::Whole;
    }
    m_pressedX = event->pos().x();
    m_pressedFrom = m_from;
    m_pressedTo = m_to;
}

void SpanStrip::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) == 0) {
        const Grip grip = gripAt(event->pos().x());
        setCursor(grip == Grip::Left || grip == Grip::Right ? Qt::SizeHorCursor
                      : grip == Grip::Whole                 ? Qt::OpenHandCursor
                                                            : Qt::ArrowCursor);
        return;
    }
    const double moved = secondAt(event->pos().x()) - secondAt(m_pressedX);
    switch (m_grip) {
    case Grip::Whole:
        move(m_pressedFrom + moved, m_pressedTo + moved);
        break;
    case Grip::Left:
        move(std::min(m_pressedFrom + moved, m_pressedTo - kLeastSpan), m_pressedTo);
        break;
    case Grip::Right:
        move(m_pressedFrom, std::max(m_pressedTo + moved, m_pressedFrom + kLeastSpan));
        break;
    case Grip::None:
        break;
    }
}

void SpanStrip::mouseReleaseEvent(QMouseEvent*)
{
    m_grip = Grip::None;
}

void SpanStrip::mouseDoubleClickEvent(QMouseEvent*)
{
    move(m_first, m_last);
}

void SpanStrip::keyPressEvent(QKeyEvent* event)
{
    const double span = m_to - m_from;
    switch (event->key()) {
    case Qt::Key_Left:
        move(m_from - span / 10, m_to - span / 10);
        break;
    case Qt::Key_Right:
        move(m_from + span / 10, m_to + span / 10);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        move(m_from + span / 4, m_to - span / 4);
        break;
    case Qt::Key_Minus:
        move(m_from - span / 2, m_to + span / 2);
        break;
    case Qt::Key_Home:
        move(m_first, m_last);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void SpanStrip::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void SpanStrip::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace app::console

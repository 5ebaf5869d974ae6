#include "app/console/charts/time_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace app::console {

namespace {

constexpr double kWheelZoom = 1.25;
constexpr double kKeyZoom = 2;
constexpr int kClick = 4; ///< pixels that a click may tremble
constexpr int kFewBins = 10; ///< of a step with Ctrl

} // namespace

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

} // namespace app::console

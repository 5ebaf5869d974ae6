#include "app/console/look/marks.h"

#include "app/console/look/painted_icon.h"
#include "app/console/look/theme.h"

#include <QPainterPath>

#include <algorithm>

namespace app::console {

namespace {

class MarkIcon final : public PaintedIcon {
public:
    explicit MarkIcon(Mark mark)
        : m_mark(mark)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        paintMark(*painter, rect, m_mark,
                  mode == QIcon::Disabled ? theme().disabled : colourOf(m_mark));
    }

    [[nodiscard]] QIconEngine* clone() const override { return new MarkIcon(m_mark); }

private:
    Mark m_mark;
};

void paintCross(QPainter& painter, const QColor& colour, double inset)
{
    painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(inset, inset), QPointF(10 - inset, 10 - inset));
    painter.drawLine(QPointF(10 - inset, inset), QPointF(inset, 10 - inset));
}

void paintError(QPainter& painter, const QColor& colour)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(QRectF(0, 0, 10, 10));
    painter.setPen(QPen(theme().base, 1.4));
    painter.drawLine(QPointF(3.2, 3.2), QPointF(6.8, 6.8));
    painter.drawLine(QPointF(6.8, 3.2), QPointF(3.2, 6.8));
}

void paintAdvice(QPainter& painter, const QColor& colour)
{
    QPainterPath triangle;
    triangle.moveTo(5, 0.8);
    triangle.lineTo(9.6, 9.2);
    triangle.lineTo(0.4, 9.2);
    triangle.closeSubpath();
    painter.setPen(QPen(colour, 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(triangle);
    painter.drawLine(QPointF(5, 3.8), QPointF(5, 6.2));
    painter.drawPoint(QPointF(5, 7.7));
}

void paintShape(QPainter& painter, Mark mark, const QColor& colour)
{
    painter.setBrush(Qt::NoBrush);
    switch (mark) {
    case Mark::Offered:
        painter.setPen(QPen(colour, 1.6));
        painter.drawLine(QPointF(0.5, 5), QPointF(9.5, 5));
        break;
    case Mark::Admitted:
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(QRectF(1.5, 1.5, 7, 7));
        break;
    case Mark::Rejected:
        paintCross(painter, colour, 1.8);
        break;
    case Mark::Shadow:
        painter.setPen(QPen(colour, 1.5));
        painter.drawPolygon(QPolygonF({{5, 0.8}, {9.2, 5}, {5, 9.2}, {0.8, 5}}));
        break;
    case Mark::Delayed:
        painter.setPen(QPen(colour, 1.5));
        painter.drawEllipse(QRectF(1, 1, 8, 8));
        painter.drawPolyline(QPolygonF({{5, 2.6}, {5, 5}, {6.8, 5}}));
        break;
    case Mark::Error:
        paintError(painter, colour);
        break;
    case Mark::Advice:
        paintAdvice(painter, colour);
        break;
    case Mark::Ok:
        painter.setPen(QPen(colour, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF({{1.2, 5.4}, {4, 8.2}, {8.8, 2}}));
        break;
    }
}

} // namespace

QColor colourOf(Mark mark)
{
    const Theme& t = theme();
    switch (mark) {
    case Mark::Offered:
        return t.offered;
    case Mark::Admitted:
        return t.admitted;
    case Mark::Rejected:
        return t.rejected;
    case Mark::Shadow:
        return t.shadow;
    case Mark::Delayed:
        return t.delayed;
    case Mark::Error:
        return t.error;
    case Mark::Advice:
        return t.advice;
    case Mark::Ok:
        return t.ok;
    }
    return t.text;
}

void paintMark(QPainter& painter, const QRectF& place, Mark mark)
{
    paintMark(painter, place, mark, colourOf(mark));
}

void paintMark(QPainter& painter, const QRectF& place, Mark mark, const QColor& colour)
{
    const double side = std::min(place.width(), place.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(place.center().x() - side / 2, place.center().y() - side / 2);
    painter.scale(side / 10, side / 10);
    paintShape(painter, mark, colour);
    painter.restore();
}

QIcon iconOf(Mark mark)
{
    return QIcon(new MarkIcon(mark));
}

} // namespace app::console

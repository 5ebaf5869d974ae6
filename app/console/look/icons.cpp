#include "app/console/look/icons.h"

#include "app/console/look/painted_icon.h"
#include "app/console/look/theme.h"

#include <QPainterPath>

#include <algorithm>

namespace app::console {

namespace {

// Each drawing stands in a square of 20 by 20.

QPainterPath lines(std::initializer_list<std::initializer_list<QPointF>> strokes)
{
    QPainterPath path;
    for (const auto& stroke : strokes) {
        bool isFirst = true;
        for (const QPointF& point : stroke) {
            isFirst ? path.moveTo(point) : path.lineTo(point);
            isFirst = false;
        }
    }
    return path;
}

QPainterPath author()
{
    QPainterPath path;
    path.addRect(3, 3, 4, 14);
    path.addRect(8, 3, 4, 9);
    path.addRect(13, 3, 4, 12);
    return path;
}

QPainterPath replay()
{
    QPainterPath path;
    path.arcMoveTo(QRectF(3.5, 3.5, 13, 13), 150);
    path.arcTo(QRectF(3.5, 3.5, 13, 13), 150, -300);
    path.addPath(
        lines({{{3.2, 3.2}, {4.2, 7.2}, {8.2, 6.4}}, {{8.5, 7}, {12.5, 10}, {8.5, 13}, {8.5, 7}}}));
    return path;
}

QPainterPath explain()
{
    QPainterPath path;
    path.addEllipse(QPointF(8.5, 8.5), 5.5, 5.5);
    path.addPath(
        lines({{{12.6, 12.6}, {17, 17}}, {{8.5, 5.8}, {8.5, 6.4}}, {{8.5, 8}, {8.5, 11.2}}}));
    return path;
}

QPainterPath suggest()
{
    QPainterPath path = lines({{{3.5, 3}, {3.5, 16.5}, {17, 16.5}}, {{13, 4}, {13, 13.5}}});
    path.moveTo(5.5, 4);
    path.cubicTo(6.5, 10, 9, 13, 16.5, 13.8);
    return path;
}

QPainterPath exporting()
{
    return lines({{{9, 4.5}, {3.5, 4.5}, {3.5, 16.5}, {15.5, 16.5}, {15.5, 11}},
                  {{8.5, 11.5}, {17, 3}},
                  {{12, 3}, {17, 3}, {17, 8}}});
}

QPainterPath drawingOf(RailIcon icon)
{
    switch (icon) {
    case RailIcon::Author:
        return author();
    case RailIcon::Replay:
        return replay();
    case RailIcon::Runs:
        return lines({{{3, 16.5}, {17, 16.5}},
                      {{3, 13}, {7, 8.5}, {9.5, 11}, {13, 3.5}, {15, 8}, {17, 6.5}}});
    case RailIcon::Compare:
        return lines(
            {{{4, 6.5}, {16.5, 6.5}, {13.5, 3.5}}, {{16, 13.5}, {3.5, 13.5}, {6.5, 16.5}}});
    case RailIcon::Explain:
        return explain();
    case RailIcon::Suggest:
        return suggest();
    case RailIcon::Export:
        return exporting();
    }
    return {};
}

class LineIcon final : public PaintedIcon {
public:
    explicit LineIcon(RailIcon icon)
        : m_icon(icon)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const Theme& t = theme();
        const QColor colour = mode == QIcon::Disabled ? t.disabled
            : state == QIcon::On                      ? t.accent
                                                      : t.text2;
        const double side = std::min(rect.width(), rect.height());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.center().x() + 0.5 - side / 2, rect.center().y() + 0.5 - side / 2);
        painter->scale(side / 20, side / 20);
        painter->setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPath(drawingOf(m_icon));
        painter->restore();
    }

    [[nodiscard]] QIconEngine* clone() const override { return new LineIcon(m_icon); }

private:
    RailIcon m_icon;
};

} // namespace

QIcon iconOf(RailIcon icon)
{
    return QIcon(new LineIcon(icon));
}

} // namespace app::console

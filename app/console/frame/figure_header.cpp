#include "app/console/frame/figure_header.h"

#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace app::console {

namespace {

constexpr int kPadding = 8;
constexpr int kMark = 7; ///< width of the mark
constexpr int kGap = 4;

void paintSortMark(QPainter& painter, const QPointF& middle, bool isDown)
{
    const double half = kMark / 2.0;
    const double rise = isDown ? -2 : 2;
    QPainterPath path(QPointF(middle.x() - half, middle.y() + rise));
    path.lineTo(middle.x() + half, middle.y() + rise);
    path.lineTo(middle.x(), middle.y() - rise);
    path.closeSubpath();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(path, theme().text2);
    painter.restore();
}

} // namespace

FigureHeader::FigureHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsMovable(true);
    setHighlightSections(false);
    setFont(fontOf(Type::Small));
    setFixedHeight(rowHeight());
}

void FigureHeader::paintSection(QPainter* painter, const QRect& place, int section) const
{
    const Theme& t = theme();
    painter->save();
    painter->fillRect(place, t.alt);
    painter->setPen(t.border);
    painter->drawLine(place.bottomLeft(), place.bottomRight());
    QRect text = place.adjusted(kPadding, 0, -kPadding, 0);
    const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    if (isSorted) {
        text.setRight(text.right() - kMark - kGap);
    }
    const auto align = Qt::Alignment(
        model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    painter->setFont(font());
    painter->setPen(t.text2);
    const QString title = painter->fontMetrics().elidedText(
        model()->headerData(section, Qt::Horizontal).toString(), Qt::ElideRight, text.width());
    painter->drawText(text, static_cast<int>(align | Qt::AlignVCenter), title);
    if (isSorted) {
        const bool isRight = (align & Qt::AlignRight) != 0;
        const int end = isRight ? text.right()
                                : text.left() + painter->fontMetrics().horizontalAdvance(title);
        paintSortMark(*painter, QPointF(end + kGap + kMark / 2.0, place.center().y()),
                      sortIndicatorOrder() == Qt::DescendingOrder);
    }
    painter->restore();
}

} // namespace app::console

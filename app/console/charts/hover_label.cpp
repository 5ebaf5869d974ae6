#include "app/console/charts/hover_label.h"

#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kPadding = 10;
constexpr int kOff = 12;
constexpr int kGap = 16;
constexpr int kMark = 15; ///< a mark and what separates it from its text

QFont small(bool isBold)
{
    QFont font = fontOf(Type::Small);
    font.setBold(isBold);
    return font;
}

int lineHeight()
{
    return QFontMetrics(small(true)).height() + 3;
}

QString textOf(const HoverValue& value)
{
    return value.name + QLatin1Char(' ') + value.value;
}

int columnWidth(const HoverText& text)
{
    const QFontMetrics metrics(small(false));
    int width = 0;
    for (const HoverValue& value : text.values) {
        width = std::max(width, metrics.horizontalAdvance(textOf(value)) + kMark);
    }
    return width;
}

} // namespace

QString HoverText::plainText() const
{
    QStringList parts;
    for (const HoverValue& value : values) {
        parts << textOf(value);
    }
    return QStringLiteral("%1, %2: %3").arg(title, unit, parts.join(QStringLiteral(", ")));
}

QSize hoverSize(const HoverText& text)
{
    const int lines = 1 + (static_cast<int>(text.values.size()) + 1) / 2;
    const int columns = text.values.size() > 1 ? 2 : 1;
    const int title = QFontMetrics(small(true)).horizontalAdvance(text.title) + kGap
        + QFontMetrics(small(false)).horizontalAdvance(text.unit);
    const int width = std::max(title, columns * columnWidth(text) + (columns - 1) * kGap);
    return {width + 2 * kPadding, lines * lineHeight() + kPadding + 4};
}

QRect hoverPlace(const HoverText& text, const QPoint& at, const QRect& bounds)
{
    QRect place(at + QPoint(kOff, kOff), hoverSize(text));
    if (place.right() > bounds.right()) {
        place.moveRight(at.x() - kOff);
    }
    place.moveLeft(std::max(place.left(), bounds.left()));
    place.moveBottom(std::min(place.bottom(), bounds.bottom()));
    place.moveTop(std::max(place.top(), bounds.top()));
    return place;
}

void paintHover(QPainter& painter, const QRect& place, const HoverText& text)
{
    const Theme& t = theme();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.control, 1));
    painter.setBrush(t.base);
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    QRect line(place.left() + kPadding, place.top() + kPadding / 2 + 1,
               place.width() - 2 * kPadding, lineHeight());
    painter.setPen(t.text);
    painter.setFont(small(true));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, text.title);
    painter.setPen(t.text2);
    painter.setFont(small(false));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, text.unit);
    painter.setPen(t.text);
    const int column = (line.width() + kGap) / 2;
    for (std::size_t i = 0; i < text.values.size(); ++i) {
        const bool isLeft = i % 2 == 0;
        line.translate(0, isLeft ? line.height() : 0);
        const int left = line.left() + (isLeft ? 0 : column);
        paintMark(painter, QRectF(left, line.center().y() - 4, 10, 10), text.values[i].mark);
        painter.drawText(QRect(left + kMark, line.top(), place.right() - left, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, textOf(text.values[i]));
    }
    painter.restore();
}

} // namespace app::console

#include "app/console/look/fonts.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetrics>

#include <algorithm>

namespace app::console {

QFont fontOf(Type type)
{
    QFont font = QApplication::font();
    const double size = font.pointSizeF() > 0 ? font.pointSizeF() : 10.0;
    switch (type) {
    case Type::Figure:
        font.setPointSizeF(size + 5);
        font.setBold(true);
        break;
    case Type::Title:
        font.setPointSizeF(size + 1.5);
        font.setBold(true);
        break;
    case Type::Body:
        break;
    case Type::Strong:
        font.setBold(true);
        break;
    case Type::Small:
        font.setPointSizeF(size - 0.75);
        break;
    case Type::Axis:
        font.setPointSizeF(size - 1.5);
        break;
    case Type::Mono:
        font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        font.setPointSizeF(size - 0.75);
        break;
    }
    return font;
}

int rowHeight()
{
    return std::max(24, QFontMetrics(QApplication::font()).height() + 6);
}

} // namespace app::console

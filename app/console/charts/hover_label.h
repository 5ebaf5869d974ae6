#pragma once
#include "app/console/look/marks.h"

#include <QRect>
#include <QString>

#include <vector>

class QPainter;

/// What stands beside the pointer: time and place bold, the unit at the right, values with their
/// marks in two columns. Painted text, never markup.
namespace app::console {

struct HoverValue {
    QString name;
    QString value;
    Mark mark = Mark::Offered;
};

struct HoverText {
    QString title; ///< "14:04:35, tenant"
    QString unit; ///< "per second"
    std::vector<HoverValue> values;

    /// "14:04:35, tenant, per second: requests 308, rejected 200", for who hears it.
    [[nodiscard]] QString plainText() const;
};

QSize hoverSize(const HoverText& text);

/// Beside `at`, 12 px off, on the side where there is room within `bounds`.
QRect hoverPlace(const HoverText& text, const QPoint& at, const QRect& bounds);

void paintHover(QPainter& painter, const QRect& place, const HoverText& text);

} // namespace app::console

#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>

class QPainter;

/// Marks say what colours say, for those who see none: each outcome has a shape of its own.
namespace app::console {

enum class Mark {
    Offered, ///< dash
    Admitted, ///< filled disc
    Rejected, ///< cross
    Shadow, ///< hollow diamond: would be rejected by shadow rules
    Delayed, ///< ring with a clock hand
    Error, ///< disc with a cross
    Advice, ///< triangle with a bar
    Ok ///< tick
};

/// The colour of the theme that goes with a mark.
QColor colourOf(Mark mark);

/// Paints the mark into a square in the middle of `place`, in its own colour or another.
void paintMark(QPainter& painter, const QRectF& place, Mark mark);
void paintMark(QPainter& painter, const QRectF& place, Mark mark, const QColor& colour);

/// The mark as an icon of the theme in force, for labels and tables.
QIcon iconOf(Mark mark);

} // namespace app::console

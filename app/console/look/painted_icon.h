#pragma once

#include <QIconEngine>
#include <QPainter>
#include <QPixmap>

namespace app::console {

/// An icon that is painted anew at every size and in the theme in force, so that it follows both.
class PaintedIcon : public QIconEngine {
public:
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }
};

} // namespace app::console

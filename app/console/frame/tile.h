#pragma once

#include "app/console/look/marks.h"

#include <QWidget>

#include <optional>

namespace app::console {

/// Mark and name; a figure; one line of what it means. A click, or Return, asks for it.
class Tile : public QWidget {
    Q_OBJECT

public:
    Tile(const QString& name, std::optional<Mark> mark, QWidget* parent = nullptr);

    /// `coloured`: the figure in the mark's colour.
    void setFigure(const QString& figure, const QString& meaning, bool coloured = false);
    [[nodiscard]] QString plainText() const; ///< "Rejected: 58,273, 8.95 % of requests"
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void asked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_name;
    std::optional<Mark> m_mark;
    QString m_figure;
    QString m_meaning;
    bool m_isColoured = false;
};

} // namespace app::console

#pragma once

#include "app/console/look/marks.h"

#include <QWidget>

namespace app::console {

/// A mark and a line of plain text in its colour: "1 error: fix line 46 to replay".
class MarkLabel : public QWidget {
    Q_OBJECT

public:
    explicit MarkLabel(QWidget* parent = nullptr);

    void setText(const QString& text, Mark mark);

    [[nodiscard]] QString text() const { return m_text; }

    [[nodiscard]] QSize sizeHint() const override;

    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    Mark m_mark = Mark::Ok;
};

} // namespace app::console

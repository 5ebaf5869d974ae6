#include "app/console/frame/mark_label.h"

#include <QPainter>

namespace app::console {

namespace {

constexpr int kSide = 11;
constexpr int kGap = 6;

} // namespace

MarkLabel::MarkLabel(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void MarkLabel::setText(const QString& text, Mark mark)
{
    m_text = text;
    m_mark = mark;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize MarkLabel::sizeHint() const
{
    return m_text.isEmpty() ? QSize(0, 0)
                            : QSize(kSide + kGap + fontMetrics().horizontalAdvance(m_text) + 4,
                                    fontMetrics().height() + 4);
}

void MarkLabel::paintEvent(QPaintEvent*)
{
    if (m_text.isEmpty()) {
        return;
    }
    QPainter painter(this);
    paintMark(painter, QRectF(0, (height() - kSide) / 2.0, kSide, kSide), m_mark);
    painter.setPen(colourOf(m_mark));
    painter.drawText(rect().adjusted(kSide + kGap, 0, 0, 0), Qt::AlignVCenter, m_text);
}

} // namespace app::console

#include "app/console/frame/tile.h"

#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace app::console {

namespace {

constexpr int kPadding = 12;
constexpr int kLow = 60; // below this height the meaning gives way

} // namespace

Tile::Tile(const QString& name, std::optional<Mark> mark, QWidget* parent)
    : QWidget(parent)
    , m_name(name)
    , m_mark(mark)
{
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFigure({}, {});
}

void Tile::setFigure(const QString& figure, const QString& meaning, bool coloured)
{
    m_figure = figure;
    m_meaning = meaning;
    m_isColoured = coloured;
    setAccessibleName(plainText());
    setToolTip(plainTip(plainText()));
    update();
}

QString Tile::plainText() const
{
    QString text = m_name + QStringLiteral(": ") + m_figure;
    return m_meaning.isEmpty() ? text : text + QStringLiteral(", ") + m_meaning;
}

QSize Tile::sizeHint() const
{
    const int lines = QFontMetrics(fontOf(Type::Small)).height() * 2
        + QFontMetrics(fontOf(Type::Figure)).height();
    return {160, std::max(72, lines + 14)};
}

QSize Tile::minimumSizeHint() const
{
    return {QFontMetrics(fontOf(Type::Figure)).horizontalAdvance(m_figure) + 2 * kPadding,
            sizeHint().height()};
}

void Tile::paintEvent(QPaintEvent*)
{
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? QPen(t.accent, 2) : QPen(t.border, 1));
    painter.setBrush(t.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);

    const QFont small = fontOf(Type::Small);
    const QFontMetrics smallSize(small);
    const QFont large = fontOf(Type::Figure);
    int x = kPadding;
    const int top = 8;
    if (m_mark) {
        paintMark(painter, QRectF(x, top + (smallSize.height() - 10) / 2.0, 10, 10), *m_mark);
        x += 16;
    }
    painter.setFont(small);
    painter.setPen(t.text2);
    painter.drawText(QPoint(x, top + smallSize.ascent()), m_name);

    const int figureTop = top + smallSize.height();
    const int figureHeight = QFontMetrics(large).height();
    painter.setFont(large);
    painter.setPen(m_isColoured && m_mark ? colourOf(*m_mark) : t.text);
    painter.drawText(QRect(kPadding, figureTop, width() - 2 * kPadding, figureHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, m_figure);

    if (height() >= kLow) {
        painter.setFont(small);
        painter.setPen(t.text2);
        const QString meaning
            = smallSize.elidedText(m_meaning, Qt::ElideRight, width() - 2 * kPadding);
        painter.drawText(QPoint(kPadding, figureTop + figureHeight + smallSize.ascent()), meaning);
    }
}

void Tile::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) {
        Q_EMIT asked();
    }
}

void Tile::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter
        || event->key() == Qt::Key_Space) {
        Q_EMIT asked();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace app::console

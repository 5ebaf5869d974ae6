#include "app/console/author/lab_figures.h"

#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QPainter>

#include <algorithm>

namespace app::console {

LabFigures::LabFigures(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LabFigures::set(std::vector<Figure> figures)
{
    m_figures = std::move(figures);
    setAccessibleName(plainText());
    update();
}

QString LabFigures::plainText() const
{
    QStringList parts;
    for (const Figure& figure : m_figures) {
        parts << figure.name + QLatin1Char(' ') + figure.value;
    }
    return parts.join(QStringLiteral(", "));
}

QSize LabFigures::sizeHint() const
{
    return {400,
            QFontMetrics(fontOf(Type::Small)).height() + QFontMetrics(fontOf(Type::Strong)).height()
                + 10};
}

QSize LabFigures::minimumSizeHint() const
{
    return {200, sizeHint().height()};
}

/// Where columns begin, and the last one ends: as wide as their texts, and what is left in equal
/// parts.
std::vector<int> LabFigures::edgesOf() const
{
    const QFontMetrics small(fontOf(Type::Small));
    const QFontMetrics strong(fontOf(Type::Strong));
    std::vector<int> widths;
    int sum = 0;
    for (const Figure& figure : m_figures) {
        const int name = small.horizontalAdvance(figure.name) + (figure.mark ? 16 : 0);
        widths.push_back(std::max(name, strong.horizontalAdvance(figure.value)) + 20);
        sum += widths.back();
    }
    std::vector<int> edges {0};
    const int count = std::max(1, static_cast<int>(widths.size()));
    for (const int natural : widths) {
        edges.push_back(edges.back()
                        + (sum > width() ? natural * width() / std::max(1, sum)
                                         : natural + (width() - sum) / count));
    }
    return edges;
}

void LabFigures::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& t = theme();
    const QFont small = fontOf(Type::Small);
    const QFont strong = fontOf(Type::Strong);
    const QFontMetrics smallSize(small);
    const std::vector<int> edges = edgesOf();
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        const Figure& figure = m_figures[i];
        const int left = edges[i];
        const int right = edges[i + 1];
        painter.setPen(t.border);
        painter.drawLine(left, 4, left, height() - 4);
        int x = left + 10;
        const int line = smallSize.height();
        if (figure.mark) {
            paintMark(painter, QRectF(x, 4, 10, line), *figure.mark);
            x += 16;
        }
        painter.setFont(small);
        painter.setPen(t.text2);
        painter.drawText(QRect(x, 4, right - x - 4, line), Qt::AlignLeft | Qt::AlignVCenter,
                         smallSize.elidedText(figure.name, Qt::ElideRight, right - x - 4));
        painter.setFont(strong);
        painter.setPen(t.text);
        painter.drawText(
            QRect(left + 10, 4 + line, right - left - 12, height() - line - 6),
            Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(strong).elidedText(figure.value, Qt::ElideRight, right - left - 12));
    }
}

} // namespace app::console

#include "app/console/charts/legend.h"

#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPainter>

namespace app::console {

namespace {

constexpr int kMark = 10;
constexpr int kLine = 22;
constexpr int kGap = 5;
constexpr int kRing = 3; ///< room for the focus ring

} // namespace

LegendEntry::LegendEntry(const QString& name, Mark mark, Dash dash, bool isLine, QWidget* parent)
    : QAbstractButton(parent)
    , m_mark(mark)
    , m_dash(dash)
    , m_isLine(isLine)
{
    setText(name);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(QStringLiteral("Show %1").arg(name));
    setCursor(Qt::PointingHandCursor);
}

QSize LegendEntry::sizeHint() const
{
    const QFontMetrics metrics(fontOf(Type::Small));
    return {(m_isLine ? kLine : kMark) + kGap + metrics.horizontalAdvance(text()) + 2 * kRing,
            metrics.height() + 2 * kRing};
}

void LegendEntry::paintEvent(QPaintEvent*)
{
    const Theme& t = theme();
    QPainter painter(this);
    const int mark = m_isLine ? kLine : kMark;
    if (m_isLine) {
        QPen pen(colourOf(m_mark), m_dash == Dash::Solid ? 2 : 1.5);
        if (m_dash != Dash::Solid) {
            pen.setDashPattern({4, 2});
        }
        painter.setPen(pen);
        painter.drawLine(kRing, height() / 2, kRing + kLine, height() / 2);
    } else {
        paintMark(painter, QRectF(kRing, (height() - kMark) / 2.0, kMark, kMark), m_mark);
    }
    QFont font = fontOf(Type::Small);
    font.setStrikeOut(!isChecked());
    painter.setFont(font);
    painter.setPen(t.text2);
    painter.drawText(rect().adjusted(kRing + mark + kGap, 0, 0, 0),
                     Qt::AlignLeft | Qt::AlignVCenter, text());
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

Legend::Legend(bool isLines, QWidget* parent)
    : QWidget(parent)
    , m_isLines(isLines)
    , m_layout(new QHBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 8, 0);
    m_layout->setSpacing(10);
}

void Legend::setEntries(const std::vector<Entry>& entries)
{
    while (QLayoutItem* const item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Entry& entry : entries) {
        auto* const button = new LegendEntry(entry.name, entry.mark, entry.dash, m_isLines, this);
        connect(button, &QAbstractButton::toggled, this,
                [this, name = entry.name](bool isOn) { Q_EMIT hiddenChanged(name, !isOn); });
        m_layout->addWidget(button);
    }
}

} // namespace app::console

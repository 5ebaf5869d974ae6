#include "app/console/frame/button.h"

#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QAction>
#include <QPainter>
#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kGap = 8;

QString rankName(Rank rank)
{
    return rank == Rank::Primary ? QStringLiteral("primary")
        : rank == Rank::Flat     ? QStringLiteral("flat")
                                 : QStringLiteral("outlined");
}

} // namespace

ActionButton::ActionButton(QAction* action, Rank rank, QWidget* parent)
    : QPushButton(parent)
    , m_action(action)
    , m_rank(rank)
{
    setProperty("rank", rankName(rank));
    connect(this, &QPushButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, this, &ActionButton::follow);
    follow();
}

void ActionButton::setLabel(const QString& label)
{
    m_label = label;
    follow();
}

void ActionButton::hideKeys()
{
    m_hidesKeys = true;
    follow();
}

QString ActionButton::label() const
{
    QString text = m_label.isEmpty() ? m_action->text() : m_label;
    return text.remove(QLatin1Char('&'));
}

QString ActionButton::keys() const
{
    const bool isWide = !m_hidesKeys && window()->width() >= 1280;
    return isWide ? m_action->shortcut().toString(QKeySequence::NativeText) : QString();
}

void ActionButton::follow()
{
    setText({});
    setEnabled(m_action->isEnabled());
    setCheckable(m_action->isCheckable());
    setChecked(m_action->isChecked());
    const QString allKeys = m_action->shortcut().toString(QKeySequence::NativeText);
    QString tip = m_action->toolTip();
    setToolTip(allKeys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, allKeys));
    setAccessibleName(label());
    updateGeometry();
    update();
}

QSize ActionButton::sizeHint() const
{
    QFont face = font();
    face.setBold(m_rank == Rank::Primary);
    int width = QFontMetrics(face).horizontalAdvance(label()) + 26;
    const QString key = keys();
    if (!key.isEmpty()) {
        width += kGap + QFontMetrics(fontOf(Type::Small)).horizontalAdvance(key);
    }
    const int least = property("small").toBool() ? 24 : 28;
    return {width, std::max(least, QFontMetrics(face).height() + 6)};
}

void ActionButton::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    painter.drawControl(QStyle::CE_PushButtonBevel, option);
    const Theme& t = theme();
    const bool isPrimary = m_rank == Rank::Primary && isEnabled();
    QFont face = font();
    face.setBold(m_rank == Rank::Primary);
    painter.setFont(face);
    painter.setPen(!isEnabled() ? t.disabled : isPrimary ? t.onAccent : t.text);
    const QString text = label();
    const QString key = keys();
    const int textWidth = QFontMetrics(face).horizontalAdvance(text);
    const int keyWidth
        = key.isEmpty() ? 0 : kGap + QFontMetrics(fontOf(Type::Small)).horizontalAdvance(key);
    const int left = (width() - textWidth - keyWidth) / 2;
    painter.drawText(QRect(left, 0, textWidth + 1, height()), Qt::AlignVCenter, text);
    if (!key.isEmpty()) {
        QFont small = fontOf(Type::Small);
        small.setBold(false); // said aloud: else the button's own weight would hold
        painter.setFont(small);
        painter.setPen(!isEnabled() ? t.disabled : isPrimary ? t.onAccent : t.text2);
        painter.drawText(QRect(left + textWidth + kGap, 0, keyWidth, height()), Qt::AlignVCenter,
                         key);
    }
}

QPushButton* plainButton(const QString& text, Rank rank, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setProperty("rank", rankName(rank));
    button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    return button;
}

} // namespace app::console

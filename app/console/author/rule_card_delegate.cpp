#include "app/console/author/rule_card_delegate.h"

#include "app/console/author/policy_model.h"
#include "app/console/look/fonts.h"
#include "app/console/look/marks.h"
#include "app/console/look/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kGap = 8; ///< below each card
constexpr int kBar = 3;
constexpr int kPadding = 12;
constexpr int kMarkSize = 12;

/// Paints the lines of one card from top to bottom.
class CardPainter {
public:
    CardPainter(QPainter& painter, QRect place, const RuleCard& card)
        : m_painter(painter)
        , m_card(card)
        , m_place(place)
        , m_ink(card.mode == engine::Mode::Off ? theme().disabled : theme().text)
        , m_ink2(card.mode == engine::Mode::Off ? theme().disabled : theme().text2)
    {
    }

    void paintEdge(bool isSelected, bool hasFocus, bool isHovered)
    {
        const Theme& t = theme();
        m_painter.setBrush(t.base);
        m_painter.setPen(isHovered && !isSelected ? t.control : t.border);
        if (isSelected) {
            m_painter.setPen(QPen(t.accent, 2));
        }
        const double inset = isSelected ? 1 : 0.5;
        m_painter.drawRoundedRect(QRectF(m_place).adjusted(inset, inset, -inset, -inset), 4, 4);
        if (hasFocus) {
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(QPen(t.accent, 2));
            m_painter.drawRoundedRect(QRectF(m_place).adjusted(-2, -2, 2, 2), 6, 6);
        }
        paintBar();
    }

    void paintLines(bool isDense)
    {
        const int top = m_place.top() + (isDense ? 4 : 5);
        const int height = (m_place.height() - (isDense ? 8 : 10)) / (isDense ? 3 : 4);
        QRect line(m_place.left() + kPadding, top, m_place.width() - 2 * kPadding, height);
        paintName(line);
        line.translate(0, height);
        const QFont small = fontOf(Type::Small);
        const QString overrides = m_card.overrides.isEmpty()
            ? QString()
            : QStringLiteral("+%1 override%2")
                  .arg(m_card.overrides.size())
                  .arg(m_card.overrides.size() == 1 ? QString() : QStringLiteral("s"));
        if (isDense) {
            const QString both = m_card.matches + QStringLiteral(", ") + m_card.key;
            paintText(line, both, small, m_ink2, Qt::ElideMiddle);
        } else {
            paintText(line, m_card.matches, small, m_ink2, Qt::ElideMiddle);
            line.translate(0, height);
            QRect left = line;
            left.setRight(line.right() - paintRight(line, overrides, small, m_ink2));
            paintText(left, m_card.key, small, m_ink2, Qt::ElideRight);
        }
        line.translate(0, height);
        paintLimit(line);
    }

private:
    void paintBar()
    {
        const Theme& t = theme();
        const QRect bar(m_place.left() + 5, m_place.top() + 8, kBar, m_place.height() - 16);
        if (m_card.mode == engine::Mode::Enforce) {
            m_painter.fillRect(bar, t.control);
        } else if (m_card.mode == engine::Mode::Shadow) {
            for (int y = bar.top(); y < bar.bottom(); y += 7) {
                m_painter.fillRect(QRect(bar.left(), y, kBar, std::min(4, bar.bottom() - y)),
                                   t.shadow);
            }
        }
    }

    void paintText(const QRect& line, const QString& text, const QFont& font, const QColor& ink,
                   Qt::TextElideMode elide)
    {
        m_painter.setFont(font);
        m_painter.setPen(ink);
        m_painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                           QFontMetrics(font).elidedText(text, elide, line.width()));
    }

    /// Right-aligned; the room that it took.
    int paintRight(const QRect& line, const QString& text, const QFont& font, const QColor& ink)
    {
        if (text.isEmpty()) {
            return 0;
        }
        m_painter.setFont(font);
        m_painter.setPen(ink);
        m_painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, text);
        return QFontMetrics(font).horizontalAdvance(text) + 6;
    }

    int paintCount(const QRect& line, Mark mark, qsizetype count)
    {
        if (count == 0) {
            return 0;
        }
        const int text
            = paintRight(line, QString::number(count), fontOf(Type::Small), colourOf(mark));
        const QRect place(line.right() - text - kMarkSize + 2, line.top(), kMarkSize,
                          line.height());
        paintMark(m_painter, place, mark);
        return text + kMarkSize + 6;
    }

    void paintName(QRect line)
    {
        line.setRight(line.right() - paintCount(line, Mark::Advice, m_card.advice.size()));
        line.setRight(line.right() - paintCount(line, Mark::Error, m_card.errors.size()));
        paintText(line, m_card.name, fontOf(Type::Strong), m_ink, Qt::ElideRight);
    }

    void paintLimit(QRect line)
    {
        if (m_card.mode != engine::Mode::Enforce) {
            line.setRight(line.right() - paintChip(line));
        }
        paintText(line, m_card.limit, fontOf(Type::Body), m_card.isBroken ? theme().error : m_ink,
                  Qt::ElideRight);
    }

    int paintChip(const QRect& line)
    {
        const bool isShadow = m_card.mode == engine::Mode::Shadow;
        const QFont font = fontOf(Type::Axis);
        const QString text = modeName(m_card.mode);
        const int width = QFontMetrics(font).horizontalAdvance(text) + 14;
        const int height = std::min(line.height(), QFontMetrics(font).height() + 2);
        const QRect chip(line.right() - width + 5, line.center().y() - height / 2, width, height);
        QPen edge(isShadow ? theme().shadow : theme().control, 1);
        edge.setStyle(isShadow ? Qt::DashLine : Qt::SolidLine);
        m_painter.setPen(edge);
        m_painter.setBrush(isShadow ? theme().shadowGround : theme().base);
        m_painter.drawRoundedRect(QRectF(chip).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        m_painter.setFont(font);
        m_painter.setPen(isShadow ? theme().shadow : theme().text2);
        m_painter.drawText(chip, Qt::AlignCenter, text);
        return width + 2;
    }

    QPainter& m_painter;
    const RuleCard& m_card;
    QRect m_place;
    QColor m_ink;
    QColor m_ink2;
};

} // namespace

RuleCardDelegate::RuleCardDelegate(QObject* parent)
    : QStyledItemDelegate(parent)
{
}

void RuleCardDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const
{
    const auto* model = qobject_cast<const LaneModel*>(index.model());
    if (model == nullptr) {
        return;
    }
    const RuleCard& card = model->at(index.row());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool isEnabled = (option.state & QStyle::State_Enabled) != 0;
    if (!isEnabled || (!m_dragged.empty() && card.id == m_dragged)) {
        painter->setOpacity(0.5);
    }
    CardPainter cardPainter(*painter, option.rect.adjusted(2, 2, -2, 2 - kGap), card);
    const bool isSelected = (option.state & QStyle::State_Selected) != 0;
    cardPainter.paintEdge(isSelected, (option.state & QStyle::State_HasFocus) != 0 && isSelected,
                          (option.state & QStyle::State_MouseOver) != 0);
    cardPainter.paintLines(m_isDense);
    painter->restore();
}

QSize RuleCardDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    const int line = QFontMetrics(fontOf(Type::Body)).height();
    const int lines = m_isDense ? 3 : 4;
    const int card = std::max(m_isDense ? 64 : 80, lines * line + 10);
    return {option.rect.width(), card + kGap};
}

} // namespace app::console

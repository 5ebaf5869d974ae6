#pragma once

#include "app/console/author/rule_cards.h"

#include <QStyledItemDelegate>

namespace app::console {

/// Paints a rule as a card: name and problems, what it matches, its key, its limit and mode.
class RuleCardDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit RuleCardDelegate(QObject* parent = nullptr);

    /// Three lines in place of four, where there is little height.
    void setDense(bool isDense) { m_isDense = isDense; }

    /// The card that is dragged, dimmed until it is dropped; "" for none.
    void setDragged(const std::string& rule) { m_dragged = rule; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    bool m_isDense = false;
    std::string m_dragged;
};

} // namespace app::console

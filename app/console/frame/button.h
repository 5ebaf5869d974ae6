#pragma once

#include <QPushButton>

class QAction;

namespace app::console {

/// Primary: filled, one a page. Outlined: all others. Flat: in rows.
enum class Rank { Primary, Outlined, Flat };

/// A button that triggers an action of the table and shares its enabled state. The action's keys
/// stand inside it in the second rank's colour, where the window is at least 1,280 px wide; tool
/// tip and menu have them always.
class ActionButton : public QPushButton {
    Q_OBJECT

public:
    explicit ActionButton(QAction* action, Rank rank = Rank::Outlined, QWidget* parent = nullptr);
    /// Another text than the action's: "Write 960/min".
    void setLabel(const QString& label);
    /// The keys stand in tool tip and menu only: where there is no room for them.
    void hideKeys();

    [[nodiscard]] QSize sizeHint() const override;

    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();
    [[nodiscard]] QString label() const;
    [[nodiscard]] QString keys() const;

    QAction* m_action;
    Rank m_rank;
    QString m_label;
    bool m_hidesKeys = false;
};

/// A button without an action of its own (within a form or a banner).
QPushButton* plainButton(const QString& text, Rank rank = Rank::Outlined,
                         QWidget* parent = nullptr);

} // namespace app::console

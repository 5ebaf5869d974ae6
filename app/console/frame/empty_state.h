#pragma once

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace app::console {

/// What stands in a panel where there is nothing yet: one sentence that says what to do, and the
/// buttons that do it. Plain text.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(const QString& text, QWidget* parent = nullptr);

    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    void add(QWidget* button);

private:
    QLabel* m_text;
    QBoxLayout* m_buttons;
};

} // namespace app::console

#pragma once

#include <QFrame>

class QLabel;

namespace app::console {

/// What a rule amounts to: a sentence and a second line, on a ground of their own.
class SentenceBox : public QFrame {
    Q_OBJECT

public:
    explicit SentenceBox(QWidget* parent = nullptr);

    void say(const QString& sentence, const QString& more);
    [[nodiscard]] QString plainText() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_sentence;
    QLabel* m_more;
};

} // namespace app::console

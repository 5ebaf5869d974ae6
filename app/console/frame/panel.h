#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace app::console {

/// The only box that there is: a head with title, caption and tools, and a body below it. Never put
/// one into another.
///
/// Where there is no room it can be folded to its head (32 px), which opens it again by a click.
class Panel : public QFrame {
    Q_OBJECT

public:
    explicit Panel(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Small text beside the title. May come from a file or a log: it is shown as plain text.
    void setCaption(const QString& caption);
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString caption() const;
    /// Puts a widget at the right of the head, behind those that are there.
    void addTool(QWidget* tool);
    /// Puts a widget in place of the title (a row of tabs, a choice).
    void addHeadWidget(QWidget* widget);
    /// The body. Its margins are the panel's affair: `padded` for forms, none for tables.
    void setBody(QWidget* body, bool padded = false);

    [[nodiscard]] QWidget* body() const { return m_body; }

    void setFolded(bool isFolded);

    [[nodiscard]] bool isFolded() const { return m_isFolded; }

    /// The thin bar under the head while something is worked out.
    void setLoading(bool isLoading);

Q_SIGNALS:
    void foldedChanged(bool isFolded);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    QWidget* m_head;
    QHBoxLayout* m_headLayout;
    QVBoxLayout* m_layout;
    QLabel* m_title;
    QLabel* m_caption;
    QWidget* m_body = nullptr;
    int m_tools = 0;
    bool m_isFolded = false;
    bool m_isLoading = false;
    int m_timer = 0;
    int m_step = 0;
};

/// A label whose text comes from anywhere: plain, never taken for markup.
QLabel* plainLabel(const QString& text, QWidget* parent = nullptr);
/// A plain label in small type and the second rank's colour.
QLabel* captionLabel(const QString& text, QWidget* parent = nullptr);

} // namespace app::console

#pragma once

#include <QPlainTextEdit>

#include <string_view>

class QSyntaxHighlighter;

namespace app::console {

/// A text to read and copy from, in a fixed font. At most 10,000 lines are shown; the
/// caption of who shows it says so.
class TextView : public QPlainTextEdit {
    Q_OBJECT

public:
    static constexpr int kMostLines = 10'000;

    /// What the text is, and so how it is coloured.
    enum class Colours { Yaml, Difference };

    TextView(const QString& name, Colours colours, QWidget* parent = nullptr);

    /// Our own text, or one whose bytes are shown as they are but for what cannot be seen.
    void setBytes(std::string_view bytes);

    [[nodiscard]] int linesLeftOut() const { return m_leftOut; }

protected:
    void changeEvent(QEvent* event) override;

private:
    QSyntaxHighlighter* m_highlighter = nullptr;
    int m_leftOut = 0;
};

} // namespace app::console

#pragma once

#include "engine/diagnostic.h"

#include <QPlainTextEdit>

#include <vector>

class QCompleter;
class QStringListModel;

namespace app::console {

class Document;
class YamlHighlighter;

/// Lines of the text, from 1; 0: none.
struct LineRange {
    int first = 0;
    int last = 0;
};

/// The policy's text: line numbers, colours, problems underlined, the selected rule's lines on a
/// ground of their own, completion of fields, values and names.
class PolicyEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit PolicyEditor(Document& document, QWidget* parent = nullptr);

    /// Underlines and marks in the gutter, of a text that is this one.
    void setProblems(const std::vector<engine::Diagnostic>& problems);
    /// The ground of the selected rule, and the value that a field of the form has the focus on
    /// (bytes of the text; empty: none).
    void setRuleLines(LineRange lines);
    void setMarkedValue(std::size_t begin, std::size_t end);
    void goTo(int line, int column);
    void complete();
    /// Puts a `#` before the selected lines, or takes it away where all have one.
    void commentLines();
    /// Selects the next place of `text` behind the cursor; false: there is none.
    bool find(const QString& text, bool backward = false);

    [[nodiscard]] int gutterWidth() const;
    void paintGutter(QPaintEvent* event);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    /// What a file of a policy cannot have comes in as line ends, or not at all.
    void insertFromMimeData(const QMimeData* source) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void mark();
    void markNow();
    void applyFont();
    void insertCompletion(const QString& word);
    [[nodiscard]] QString wordBefore() const;

    Document& m_document;
    QWidget* m_gutter;
    YamlHighlighter* m_highlighter;
    QCompleter* m_completer;
    QStringListModel* m_words;
    std::vector<engine::Diagnostic> m_problems;
    LineRange m_rule;
    bool m_isToMark = false;
    std::size_t m_valueBegin = 0;
    std::size_t m_valueEnd = 0;
};

} // namespace app::console

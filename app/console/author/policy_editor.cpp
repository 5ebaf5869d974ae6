#include "app/console/author/policy_editor.h"

#include "app/console/author/completions.h"
#include "app/console/frame/values.h"
#include "app/console/frame/yaml_highlighter.h"
#include "app/console/look/fonts.h"
#include "app/console/look/marks.h"
#include "app/console/look/theme.h"
#include "app/console/session/document.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>

#include <algorithm>
#include <span>

namespace app::console {

namespace {

class Gutter final : public QWidget {
public:
    explicit Gutter(PolicyEditor* editor)
        : QWidget(editor)
        , m_editor(editor)
    {
    }

protected:
    void paintEvent(QPaintEvent* event) override { m_editor->paintGutter(event); }

private:
    PolicyEditor* m_editor;
};

bool isWordCharacter(QChar c)
{
    return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('-')
        || c == QLatin1Char('.');
}

constexpr int kMarkSide = 10;
constexpr int kMostMarks = 1000; ///< of a kind: each is laid out anew at every change

} // namespace

PolicyEditor::PolicyEditor(Document& document, QWidget* parent)
    : QPlainTextEdit(parent)
    , m_document(document)
    , m_gutter(new Gutter(this))
    , m_completer(new QCompleter(this))
    , m_words(new QStringListModel(this))
{
    setDocument(&document.text());
    m_highlighter = new YamlHighlighter(&document.text());
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setUndoRedoEnabled(true);
    applyFont();
    m_completer->setWidget(this);
    m_completer->setModel(m_words);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &PolicyEditor::insertCompletion);
    connect(this, &QPlainTextEdit::blockCountChanged, this,
            [this] { setViewportMargins(gutterWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        dy != 0 ? m_gutter->scroll(0, dy)
                : m_gutter->update(0, rect.y(), m_gutter->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, m_gutter, [this] { m_gutter->update(); });
    setViewportMargins(gutterWidth(), 0, 0, 0);
}

void PolicyEditor::applyFont()
{
    setFont(fontOf(Type::Mono));
    document()->setDefaultFont(fontOf(Type::Mono));
    setTabStopDistance(2 * QFontMetricsF(font()).horizontalAdvance(QLatin1Char(' ')));
}

int PolicyEditor::gutterWidth() const
{
    const int digits = static_cast<int>(QString::number(std::max(1, blockCount())).size());
    return std::max(44, QFontMetrics(font()).horizontalAdvance(QLatin1Char('9')) * digits + 30);
}

void PolicyEditor::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void PolicyEditor::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_highlighter != nullptr) {
        m_highlighter->rehighlight();
        mark();
    }
}

void PolicyEditor::paintGutter(QPaintEvent* event)
{
    const Theme& t = theme();
    QPainter painter(m_gutter);
    painter.fillRect(event->rect(), t.base);
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (block.isValid() && top <= event->rect().bottom()) {
        const double height = blockBoundingRect(block).height();
        const int line = block.blockNumber() + 1;
        const QRectF place(0, top, m_gutter->width(), height);
        if (line >= m_rule.first && line <= m_rule.last) {
            painter.fillRect(place, t.line);
            painter.fillRect(QRectF(0, top, 3, height), t.accent);
        }
        painter.setPen(line == textCursor().blockNumber() + 1 ? t.text : t.yamlComment);
        painter.drawText(place.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(line));
        const auto problem
            = std::find_if(m_problems.begin(), m_problems.end(),
                           [&](const engine::Diagnostic& one) { return one.place.line == line; });
        if (problem != m_problems.end()) {
            paintMark(painter, QRectF(4, top + (height - kMarkSide) / 2, kMarkSide, kMarkSide),
                      problem->severity == engine::Severity::Error ? Mark::Error : Mark::Advice);
        }
        top += height;
        block = block.next();
    }
}

void PolicyEditor::setProblems(const std::vector<engine::Diagnostic>& problems)
{
    m_problems = problems;
    mark();
}

void PolicyEditor::setRuleLines(LineRange lines)
{
    m_rule = lines;
    mark();
}

void PolicyEditor::setMarkedValue(std::size_t begin, std::size_t end)
{
    m_valueBegin = begin;
    m_valueEnd = end;
    mark();
}

/// Soon, not now: while a document is cleared it tells of changes, and cursors that are given up
/// during that leave it with some that are gone.
void PolicyEditor::mark()
{
    if (!m_isToMark) {
        m_isToMark = true;
        QMetaObject::invokeMethod(this, &PolicyEditor::markNow, Qt::QueuedConnection);
    }
}

void PolicyEditor::markNow()
{
    m_isToMark = false;
    const Theme& t = theme();
    QList<QTextEdit::ExtraSelection> marks;
    const int last = std::min({m_rule.last, blockCount(), m_rule.first + kMostMarks - 1});
    for (int line = m_rule.first; line > 0 && line <= last; ++line) {
        QTextEdit::ExtraSelection ground;
        ground.cursor = QTextCursor(document()->findBlockByNumber(line - 1));
        ground.format.setBackground(t.line);
        ground.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << ground;
    }
    if (m_valueEnd > m_valueBegin) {
        const QString text = wholeText(*document());
        QTextEdit::ExtraSelection value;
        value.cursor = QTextCursor(document());
        value.cursor.setPosition(positionOf(text, m_valueBegin));
        value.cursor.setPosition(positionOf(text, m_valueEnd), QTextCursor::KeepAnchor);
        value.format.setBackground(t.sel);
        value.format.setProperty(QTextFormat::OutlinePen, QPen(t.accent, 1));
        marks << value;
    }
    const std::size_t most = std::min<std::size_t>(m_problems.size(), kMostMarks); // errors first
    for (const engine::Diagnostic& problem : std::span(m_problems).first(most)) {
        const QTextBlock block
            = document()->findBlockByNumber(static_cast<int>(problem.place.line) - 1);
        if (!block.isValid() || problem.place.line < 1) {
            continue;
        }
        const QString line = block.text();
        // Columns count bytes.
        const auto column
            = static_cast<std::size_t>(std::max<std::int64_t>(problem.place.column, 1));
        const int from = positionOf(line, column - 1);
        int to = from;
        while (to < line.size() && isWordCharacter(line.at(to))) {
            ++to;
        }
        to = to == from ? static_cast<int>(line.size()) : to;
        QTextEdit::ExtraSelection wave;
        wave.cursor = QTextCursor(block);
        wave.cursor.setPosition(block.position() + from);
        wave.cursor.setPosition(block.position() + to, QTextCursor::KeepAnchor);
        const bool isError = problem.severity == engine::Severity::Error;
        wave.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wave.format.setUnderlineColor(isError ? t.error : t.advice);
        wave.format.setToolTip(sentence(problem).toHtmlEscaped());
        marks << wave;
    }
    setExtraSelections(marks);
    m_gutter->update();
}

void PolicyEditor::goTo(int line, int column)
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) {
        return;
    }
    QTextCursor cursor(block);
    const auto bytes = static_cast<std::size_t>(std::max(column, 1) - 1);
    cursor.setPosition(block.position() + positionOf(block.text(), bytes));
    setTextCursor(cursor);
    centerCursor();
}

bool PolicyEditor::find(const QString& text, bool backward)
{
    if (text.isEmpty()) {
        return false;
    }
    const QTextDocument::FindFlags flags
        = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (QPlainTextEdit::find(text, flags)) {
        return true;
    }
    const QTextCursor before = textCursor();
    moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
    if (QPlainTextEdit::find(text, flags)) {
        return true;
    }
    setTextCursor(before);
    return false;
}

QString PolicyEditor::wordBefore() const
{
    const QTextCursor cursor = textCursor();
    const QString line = cursor.block().text().left(cursor.positionInBlock());
    qsizetype begin = line.size();
    while (begin > 0 && isWordCharacter(line.at(begin - 1))) {
        --begin;
    }
    return line.mid(begin);
}

void PolicyEditor::complete()
{
    const QTextCursor cursor = textCursor();
    const QString line = cursor.block().text().left(cursor.positionInBlock());
    m_words->setStringList(completionsFor(line, m_document.lastGood()));
    m_completer->setCompletionPrefix(wordBefore());
    if (m_completer->completionCount() == 0) {
        m_completer->popup()->hide();
        return;
    }
    m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0));
    QRect place = cursorRect();
    place.translate(gutterWidth(), 0);
    place.setWidth(m_completer->popup()->sizeHintForColumn(0)
                   + m_completer->popup()->verticalScrollBar()->sizeHint().width() + 16);
    m_completer->complete(place);
}

void PolicyEditor::insertCompletion(const QString& word)
{
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor,
                        static_cast<int>(wordBefore().size()));
    cursor.insertText(word);
    setTextCursor(cursor);
}

void PolicyEditor::commentLines()
{
    QTextCursor cursor = textCursor();
    const QTextBlock first = document()->findBlock(cursor.selectionStart());
    const QTextBlock last = document()->findBlock(cursor.selectionEnd());
    std::vector<QTextBlock> blocks;
    for (QTextBlock block = first; block.isValid(); block = block.next()) {
        if (!block.text().trimmed().isEmpty()) {
            blocks.push_back(block);
        }
        if (block == last) {
            break;
        }
    }
    const bool areComments = std::all_of(blocks.begin(), blocks.end(), [](const QTextBlock& block) {
        return block.text().trimmed().startsWith(QLatin1Char('#'));
    });
    cursor.beginEditBlock();
    for (const QTextBlock& block : blocks) {
        QTextCursor line(block);
        if (!areComments) {
            line.insertText(QStringLiteral("# "));
            continue;
        }
        const auto at = static_cast<int>(block.text().indexOf(QLatin1Char('#')));
        line.setPosition(block.position() + at);
        const int length = block.text().mid(at, 2) == QLatin1String("# ") ? 2 : 1;
        line.setPosition(block.position() + at + length, QTextCursor::KeepAnchor);
        line.removeSelectedText();
    }
    cursor.endEditBlock();
}

void PolicyEditor::insertFromMimeData(const QMimeData* source)
{
    QMimeData plain;
    plain.setText(plainLines(source->text()));
    QPlainTextEdit::insertFromMimeData(&plain);
}

void PolicyEditor::keyPressEvent(QKeyEvent* event)
{
    if (m_completer->popup()->isVisible()) {
        switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Tab:
        case Qt::Key_Escape:
        case Qt::Key_Backtab:
            event->ignore();
            return; // the list's
        default:
            break;
        }
    }
    if (event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier) {
        insertPlainText(QStringLiteral("  "));
        return;
    }
    if ((event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab)
        && (event->modifiers() & Qt::ControlModifier) != 0) {
        focusNextPrevChild((event->modifiers() & Qt::ShiftModifier) == 0);
        return;
    }
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const auto others = event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
    if (isReturn && others == Qt::NoModifier) { // with Shift Qt would put in U+2028
        const QString line = textCursor().block().text();
        qsizetype blanks = 0;
        while (blanks < line.size() && line.at(blanks) == QLatin1Char(' ')) {
            ++blanks;
        }
        blanks = std::min<qsizetype>(blanks, textCursor().positionInBlock());
        insertPlainText(QLatin1Char('\n') + QString(blanks, QLatin1Char(' ')));
        ensureCursorVisible();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
    if (m_completer->popup()->isVisible()) {
        complete();
    }
}

} // namespace app::console

#include "app/console/frame/yaml_highlighter.h"

#include "app/console/look/theme.h"

#include <QRegularExpression>

namespace app::console {

namespace {

bool endsWord(QChar c)
{
    return c.isSpace() || c == QLatin1Char(',') || c == QLatin1Char(']') || c == QLatin1Char('}');
}

/// Where the text in quotes that begins at `at` ends, behind its quote or at the end of the line.
qsizetype endOfQuoted(const QString& text, qsizetype at)
{
    const QChar quote = text.at(at);
    for (qsizetype i = at + 1; i < text.size(); ++i) {
        if (quote == QLatin1Char('"') && text.at(i) == QLatin1Char('\\')) {
            ++i;
        } else if (text.at(i) == quote) {
            return i + 1;
        }
    }
    return text.size();
}

bool isComment(const QString& text, qsizetype at)
{
    return text.at(at) == QLatin1Char('#') && (at == 0 || text.at(at - 1).isSpace());
}

bool isKeyEnd(const QString& text, qsizetype colon)
{
    return text.at(colon) == QLatin1Char(':')
        && (colon + 1 == text.size() || text.at(colon + 1).isSpace());
}

} // namespace

YamlHighlighter::YamlHighlighter(QTextDocument* document)
    : QSyntaxHighlighter(document)
{
}

void YamlHighlighter::highlightBlock(const QString& text)
{
    static const QRegularExpression kNumber(
        QStringLiteral("^-?[0-9][0-9_.]*(x|(/[0-9]*)?[a-z]*)$"));
    const Theme& t = theme();
    qsizetype i = 0;
    while (i < text.size()) {
        const QChar c = text.at(i);
        if (isComment(text, i)) {
            QTextCharFormat comment;
            comment.setForeground(t.yamlComment);
            comment.setFontItalic(true);
            setFormat(static_cast<int>(i), static_cast<int>(text.size() - i), comment);
            return;
        }
        const bool isQuote = c == QLatin1Char('"') || c == QLatin1Char('\'');
        qsizetype end = i + 1;
        if (isQuote) {
            end = endOfQuoted(text, i);
        } else if (c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('-')) {
            while (end < text.size() && !endsWord(text.at(end)) && !isKeyEnd(text, end)) {
                ++end;
            }
        }
        const bool isKey = end < text.size() && isKeyEnd(text, end);
        if (isKey) {
            setFormat(static_cast<int>(i), static_cast<int>(end - i), t.yamlKey);
        } else if (isQuote) {
            setFormat(static_cast<int>(i), static_cast<int>(end - i), t.yamlString);
        } else if (kNumber.match(text.mid(i, end - i)).hasMatch()) {
            setFormat(static_cast<int>(i), static_cast<int>(end - i), t.yamlNumber);
        }
        i = end;
    }
}

} // namespace app::console

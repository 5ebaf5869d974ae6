#include "app/console/session/policy_text.h"

#include "app/console/frame/values.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace app::console {

namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

engine::Failure notText(std::string why)
{
    return engine::fail("console.not-text",
                        "this file has " + std::move(why)
                            + ", which could not be saved again as it is",
                        "edit it elsewhere, or change values with `weir set`");
}

std::string utf8(QStringView text)
{
    const QByteArray bytes = text.toUtf8();
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

} // namespace

engine::Result<PolicyText> policyTextOf(std::string_view bytes)
{
    PolicyText made;
    made.form.hasMark = bytes.starts_with(kMark);
    if (made.form.hasMark) {
        bytes.remove_prefix(kMark.size());
    }
    const QString text = words(bytes);
    if (utf8(text) != bytes) {
        return notText("bytes that are not UTF-8");
    }
    const bool hasCrlf = text.contains(QLatin1String("\r\n"));
    QString plain = text;
    plain.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    if (hasCrlf && plain.count(QLatin1Char('\n')) != text.count(QLatin1String("\r\n"))) {
        return notText("line ends of both kinds");
    }
    made.form.isCrlf = hasCrlf;
    for (const QChar c : plain) {
        const ushort code = c.unicode();
        const bool isLost = code == 0 || code == '\r' || code == 0x2028 || code == 0x2029
            || code == 0xFDD0 || code == 0xFDD1;
        if (isLost) {
            return notText(QStringLiteral("the character U+%1")
                               .arg(uint {code}, 4, 16, QLatin1Char('0'))
                               .toUpper()
                               .toStdString());
        }
    }
    made.text = plain;
    return made;
}

QString plainLines(QString text)
{
    text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    for (const char16_t end : {u'\r', u'\u2028', u'\u2029'}) {
        text.replace(QChar(end), QLatin1Char('\n'));
    }
    for (const char16_t lost : {u'\0', u'\uFDD0', u'\uFDD1'}) {
        text.remove(QChar(lost));
    }
    return text;
}

std::string bytesOf(const QString& text, const FileForm& form)
{
    QString whole = text;
    if (form.isCrlf) {
        whole.replace(QLatin1Char('\n'), QLatin1String("\r\n"));
    }
    return (form.hasMark ? std::string(kMark) : std::string()) + utf8(whole);
}

QString wholeText(const QTextDocument& document)
{
    QString text;
    text.reserve(document.characterCount());
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block != document.begin()) {
            text += QLatin1Char('\n');
        }
        text += block.text();
    }
    return text;
}

int positionOf(const QString& text, std::size_t byte)
{
    std::size_t bytes = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (bytes >= byte) {
            return static_cast<int>(i);
        }
        const QChar c = text.at(i);
        if (c.isHighSurrogate() && i + 1 < text.size()) {
            bytes += 4;
            ++i;
        } else {
            bytes += c.unicode() < 0x80 ? 1U : c.unicode() < 0x800 ? 2U : 3U;
        }
    }
    return static_cast<int>(text.size());
}

std::size_t byteOf(const QString& text, int position)
{
    return static_cast<std::size_t>(
        QStringView(text).left(std::min<qsizetype>(position, text.size())).toUtf8().size());
}

void applyEdits(QTextDocument& document, const policies::Edits& edits)
{
    QTextCursor cursor(&document);
    cursor.beginEditBlock();
    QString text = wholeText(document);
    for (const policies::Edit& edit : edits) {
        const int begin = positionOf(text, edit.begin);
        const int end = positionOf(text, edit.begin + edit.before.size());
        const QString after = words(edit.after);
        cursor.setPosition(begin);
        cursor.setPosition(end, QTextCursor::KeepAnchor);
        cursor.insertText(after);
        text.replace(begin, end - begin, after);
    }
    cursor.endEditBlock();
}

} // namespace app::console

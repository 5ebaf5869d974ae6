#pragma once

#include "engine/result.h"
#include "policies/edit.h"

#include <QString>

#include <memory>
#include <string>
#include <string_view>

class QTextDocument;

namespace app::console {

/// What of a policy's file a QTextDocument cannot hold: how lines end, and a mark at the begin.
///
/// Example: "\xEF\xBB\xBFweir: 1\r\n" is the text "weir: 1\n" with a mark and CRLF; bytesOf() gives
/// the same bytes again.
struct FileForm {
    bool hasMark = false; ///< a byte order mark
    bool isCrlf = false; ///< lines end in CR LF, all of them
};

struct PolicyText {
    QString text; ///< lines end in \n
    FileForm form;
};

/// The text of a file's bytes. What could not be given back byte for byte is refused.
/// Errors: console.not-text (no UTF-8, or a character that a text on screen cannot keep: line ends
/// of both kinds, U+2028, NUL).
engine::Result<PolicyText> policyTextOf(std::string_view bytes);
/// A text from elsewhere with \n for every kind of line end (CR, U+2028, U+2029), and without the
/// characters that policyTextOf() refuses.
QString plainLines(QString text);
/// The bytes of a text as it was read.
std::string bytesOf(const QString& text, const FileForm& form);

/// All of a document, each character as it is (toPlainText() turns no-break blanks into others).
QString wholeText(const QTextDocument& document);

/// Makes the edits in the document as one step of undo. Bytes count in the text with LF.
void applyEdits(QTextDocument& document, const policies::Edits& edits);

/// Where byte `at` of the UTF-8 text stands in the document, and back.
int positionOf(const QString& text, std::size_t byte);
std::size_t byteOf(const QString& text, int position);

} // namespace app::console

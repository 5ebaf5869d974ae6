#pragma once

#include "app/console/author/value_edits.h"

#include <QStringList>

#include <vector>

/// The edits of what a rule may say beside its numbers.
namespace app::console {

using GetChoice = int (*)(const FieldSource&);
using GetFlag = bool (*)(const FieldSource&);
using GetText = std::string (*)(const policies::Rule&);
using WriteText = std::string (*)(std::string_view text);

/// One of a few: what it is called, and how it is written; the first, written as "", is what holds
/// anyway.
ValueEdit* makeChoiceEdit(const QString& label, const QStringList& choices,
                          std::vector<std::string> values, GetChoice get);
ValueEdit* makeFlagEdit(const QString& text, std::string value, GetFlag get); ///< or not written
ValueEdit* makeCostEdit(); ///< a number, or an attribute's value per so many
ValueEdit* makeStatusEdit();
/// One line of text, and how it is written if it is not empty.
ValueEdit* makeLineEdit(const QString& label, const QString& example, GetText get, WriteText write);
ValueEdit* makeNoteEdit();

} // namespace app::console

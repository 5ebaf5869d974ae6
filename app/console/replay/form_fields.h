#pragma once

#include "app/workbench/given_options.h"

#include <QStringList>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QWidget;

/// The fields of a form of options. Each is called, as an object, as its option on the command
/// line.
namespace app::console {

/// How the rows of such a form lie.
void arrange(QFormLayout& layout);

/// Gives a field the name that is told to who reads the screen aloud, its option and its tip.
void nameField(QWidget& field, const char* label, const char* option, const char* tip);

/// A line, where an empty one leaves the option out; `placeholder` says what holds then.
QLineEdit* addLine(QFormLayout& layout, const char* label, const char* option,
                   const char* placeholder, const char* tip);

/// A list, whose first entry stands for what holds without the option; in no row yet.
QComboBox* choiceOf(const char* label, const char* option, const QStringList& choices,
                    const char* tip);
/// The same in a row.
QComboBox* addChoice(QFormLayout& layout, const char* label, const char* option,
                     const QStringList& choices, const char* tip);
/// The same, where something else may be written too.
QComboBox* addWritable(QFormLayout& layout, const char* label, const char* option,
                       const QStringList& choices, const char* tip);

/// What a list says; "" for its first entry.
QString chosenText(const QComboBox& box);
/// What the first entry of a list says; what was written stays.
void setUsual(QComboBox& box, const QString& text);
/// The entries behind the first one; what was chosen or written stays.
void setOthers(QComboBox& box, const QStringList& others);

/// Adds the option, unless the text is empty.
void addText(GivenOptions& given, const char* option, const QString& text);

} // namespace app::console

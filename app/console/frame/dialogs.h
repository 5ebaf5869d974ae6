#pragma once

#include <QString>
#include <QStringList>

class QWidget;

/// The few questions that the program asks in a dialog of its own.
namespace app::console {

/// What the user says to "Save changes?".
enum class SaveAnswer { Save, Discard, Cancel };

SaveAnswer askWhetherToSave(QWidget* parent, const QString& question);
QString askForSavePath(QWidget* parent, const QString& title, const QString& proposal,
                       const QString& filter);
QStringList askForPaths(QWidget* parent, const QString& title, const QString& filter, bool many);

/// The widget that stands for `pane` (its focus proxy), else the first within it that takes the
/// focus; the pane itself where none does.
QWidget* firstFocusable(QWidget* pane);

} // namespace app::console

#pragma once

class QWidget;

namespace app::console {

/// What the pages are for, in the order of work.
void showHelp(QWidget* parent);
/// All actions with their keys, from the table.
void showKeys(QWidget* parent);
void showAbout(QWidget* parent);

} // namespace app::console

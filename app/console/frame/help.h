#pragma once

#include "app/workbench/figure_table.h"

#include <string>

class QString;
class QWidget;

namespace app::console {

/// What the pages are for, in the order of work.
void showHelp(QWidget* parent);
/// All actions with their keys, from the table.
void showKeys(QWidget* parent);
void showAbout(QWidget* parent);

/// What a kind of advice means, why it matters and what to do. An unknown code shows nothing.
void showAdvice(QWidget* parent, const std::string& code);
/// What differs between two texts: in words, and line by line (a unified difference).
void showDifferences(QWidget* parent, const QString& title, FigureTable inWords,
                     const std::string& lines);

} // namespace app::console

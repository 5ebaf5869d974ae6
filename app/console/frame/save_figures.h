#pragma once
#include "app/workbench/figure_table.h"
#include "engine/result.h"

#include <QString>

#include <vector>

namespace app::console {

/// Names and ends of the forms in which tables are saved, for a dialog.
QString figureFilters();

/// Is it the name of a picture of a chart (.png, .pdf)? Letters may be capitals.
bool isPicture(const QString& path);

/// What became of a picture, to be said. Errors: file.write.
engine::Status pictureSaved(bool isSaved, const QString& path);

/// Writes tables by the end of the name: .json, .md, else CSV. Any thread.
/// Errors: those of writeFile().
engine::Status saveFigures(const QString& path, const std::vector<FigureTable>& tables);

} // namespace app::console

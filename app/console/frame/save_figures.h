#pragma once
#include "app/workbench/figure_table.h"
#include "engine/result.h"

#include <QString>

#include <vector>

namespace app::console {

/// Names and ends of the forms in which tables are saved, for a dialog.
QString figureFilters();

/// Writes tables by the end of the name: .json, .md, else CSV. Any thread.
/// Errors: those of writeFile().
engine::Status saveFigures(const QString& path, const std::vector<FigureTable>& tables);

} // namespace app::console

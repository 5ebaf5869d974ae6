#include "app/console/frame/save_figures.h"

#include "app/workbench/figure_json.h"
#include "app/workbench/files.h"

#include <QFile>

namespace app::console {

QString figureFilters()
{
    return QStringLiteral("CSV (*.csv);;JSON (*.json);;Markdown (*.md)");
}

engine::Status saveFigures(const QString& path, const std::vector<FigureTable>& tables)
{
    std::string bytes;
    if (path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)) {
        bytes = jsonTables(tables);
    } else if (path.endsWith(QStringLiteral(".md"), Qt::CaseInsensitive)) {
        for (const FigureTable& table : tables) {
            bytes += (bytes.empty() ? "" : "\n") + markdownTable(table);
        }
    } else {
        bytes = csvTables(tables);
    }
    return writeFile(QFile::encodeName(path).toStdString(), bytes);
}

} // namespace app::console

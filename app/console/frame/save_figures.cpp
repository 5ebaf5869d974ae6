#include "app/console/frame/save_figures.h"

#include "app/workbench/figure_json.h"
#include "app/workbench/files.h"

#include <QFile>

namespace app::console {

QString figureFilters()
{
    return QStringLiteral("CSV (*.csv);;JSON (*.json);;Markdown (*.md)");
}

bool isPicture(const QString& path)
{
    return path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)
        || path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive);
}

engine::Status pictureSaved(bool isSaved, const QString& path)
{
    if (isSaved) {
        return engine::Done {};
    }
    return engine::fail("file.write", "the picture could not be written to " + path.toStdString(),
                        "choose another place");
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

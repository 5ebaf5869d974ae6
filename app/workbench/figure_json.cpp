#include "app/workbench/figure_json.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/json.h"

namespace app {
namespace {

void writeCell(Json& json, const std::string& id, const Cell& cell)
{
    switch (cell.kind) {
    case Cell::Kind::Empty:
    case Cell::Kind::Share:
        break;
    case Cell::Kind::Words:
    case Cell::Kind::Value:
        json.field(id, cell.text);
        break;
    case Cell::Kind::Count:
        json.field(id, cell.count);
        break;
    case Cell::Kind::Duration:
        json.field(id, cell.ns);
        break;
    case Cell::Kind::Time:
        json.field(id, rfc3339(cell.ns));
        break;
    }
}

} // namespace

std::string jsonTables(const std::vector<FigureTable>& tables)
{
    Json json;
    json.beginObject();
    for (const FigureTable& table : tables) {
        json.beginList(table.id);
        for (const FigureTable::Row& row : table.rows) {
            json.beginObject();
            for (std::size_t i = 0; i < row.cells.size() && i < table.columns.size(); ++i) {
                if (!table.columns[i].id.empty()) {
                    writeCell(json, table.columns[i].id, row.cells[i]);
                }
            }
            json.end();
        }
        json.end();
    }
    json.end();
    return json.take();
}

} // namespace app

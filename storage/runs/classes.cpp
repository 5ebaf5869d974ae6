#include "storage/runs/classes.h"

namespace storage::runs {

std::string classColumn(Steps& steps)
{
    const engine::Result<std::int64_t> columns = steps.database().number(
        "SELECT count(*) FROM pragma_table_info('rules') WHERE name = 'class'");
    if (!columns) {
        steps.take(engine::fail(columns.error()));
    }
    return columns && *columns > 0 ? "class" : "NULL";
}

} // namespace storage::runs

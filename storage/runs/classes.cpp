#include "storage/runs/classes.h"

#include "storage/runs/schema.h"

namespace storage::runs {

std::string classColumn(Steps& steps)
{
    return has(steps, kClassVersion) ? "class" : "NULL";
}

} // namespace storage::runs

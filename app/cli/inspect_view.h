#pragma once
#include "app/cli/context.h"
#include "app/workbench/inspect.h"

namespace app::cli {

/// Writes what logs are, to be read: format, span, order, first requests, fields, what they allow,
/// peaks, bad lines, and two commands to go on with.
void writeInspection(Context& context, const Inspection& inspection);

/// The same as one JSON document; its fields are in app/README.md.
void writeInspectionJson(Context& context, const Inspection& inspection);

} // namespace app::cli

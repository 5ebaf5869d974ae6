#pragma once
#include "app/cli/context.h"
#include "app/workbench/client_answer.h"
#include "app/workbench/explain.h"

namespace app::cli {

/// What `weir explain RUN` prints: the request, the rules that judged it with each state before and
/// after and what filled it, those that did not judge it, with the reason, and what the client is
/// told.
void writeExplanation(Context& context, const Explanation& explanation, engine::HeaderStyle style);
/// The same as one JSON document; fields are documented in app/README.md.
void writeExplanationJson(Context& context, const Explanation& explanation,
                          engine::HeaderStyle style);

} // namespace app::cli

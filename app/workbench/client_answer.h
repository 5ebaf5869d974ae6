#pragma once
#include "app/workbench/explain.h"
#include "app/workbench/given_options.h"
#include "app/workbench/json.h"
#include "engine/answer.h"

#include <string>
#include <string_view>
#include <vector>

/// What the client of a request is told (engine/answer.h), as every face shows it.
namespace app {

/// The option `headers`: 10 (default), 07, github, draft03, kong, none. Errors: cli.usage.
engine::Result<engine::HeaderStyle> headerStyleOf(const GivenOptions& given);

/// "seconds since the epoch" and the like: what a reset is in this form; "" where there is none.
std::string_view resetWords(engine::HeaderStyle style);

/// What the client of the request that is explained is told, and what of that cannot be said.
struct ClientAnswer {
    engine::Answer answer;
    std::vector<engine::Diagnostic> unsayable; ///< of the rules that judged it
};

ClientAnswer clientAnswer(const Explanation& explanation, engine::HeaderStyle style);

/// The head and the body as they are sent, a blank line between them; "" where nothing is told.
/// Printable ASCII and line ends.
std::string answerText(const engine::Answer& answer);

/// The part of an explanation in words that says so. Escaped, ready to be shown.
std::string answerPart(const engine::Answer& answer, engine::HeaderStyle style, bool colour);

/// The fields `headers` (an object) and `body` (an object, of what is admitted null), into an open
/// object. Texts pass escaped() as all of Json's do.
void writeAnswer(Json& json, const engine::Answer& answer);

} // namespace app

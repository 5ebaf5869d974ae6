#pragma once
#include "engine/result.h"

#include <string>
#include <string_view>
#include <vector>

/// Log formats as they stand in the configuration of a server.
namespace storage::logs {

/// A directive as its words, quotes and backslashes undone. "log_format main '$a' '$b';" is
/// {log_format, main, $a, $b}.
using Directive = std::vector<std::string>;

/// nginx: words end at blanks, directives at `;`, `{`, `}`; `#` begins a comment.
std::vector<Directive> nginxDirectives(std::string_view text);

/// Apache: a directive is a line, a backslash at its end goes on with the next.
std::vector<Directive> apacheDirectives(std::string_view lines);

/// A format and the name that it has in a configuration; empty: none.
struct NamedText {
    std::string name;
    std::string text;
};

/// The one that `used` names, else the only one. Errors: log.format (several, or none).
engine::Result<NamedText> chooseFormat(const std::vector<NamedText>& formats,
                                       const std::vector<std::string>& used);

} // namespace storage::logs

#pragma once
#include "engine/plan.h"
#include "engine/result.h"

#include <string>
#include <string_view>

namespace app {

/// Reads a match of the command line (--where): entries joined by `and`, all
/// of which must hold.
///
///   path=/search/** and status>=500 and not client_ip=192.0.2.0/24
///   method=[GET, HEAD] and user_agent="kube-probe/*" and api_key=absent
///
/// An entry is `[not] ATTRIBUTE=VALUE`, `ATTRIBUTE>=N` or `ATTRIBUTE<N`. VALUE means what it means
/// in a policy: patterns, blocks of addresses, `400..499`, `absent`, lists in brackets (any of
/// them). Double quotes hold blanks, with \" and \\; `"absent"` is text. An attribute may come
/// several times. A text that starts with `{` is a `match` in the policy's own form:
/// `{ path: "/search/**", status: ">=500" }`.
///
/// `option` names the option in messages; the place is the column in it.
/// Errors, all mistakes of usage: match.syntax, and those of the policy language for the value, as
/// match.NAME for its policy.NAME.
engine::Result<engine::Match> parseMatch(std::string_view text, const std::string& option);

/// In double quotes, as --where, --fail-if and YAML read it: `say "\"` gives `"say \"\\\""`.
/// Control characters stay as they are.
std::string doubleQuoted(std::string_view text);

} // namespace app

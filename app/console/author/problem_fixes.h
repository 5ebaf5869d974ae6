#pragma once

#include "engine/diagnostic.h"
#include "policies/edit.h"

#include <optional>
#include <string_view>

namespace app::console {

/// The edit that a problem's help proposes: where it says "did you mean `burst`?" of a word that
/// stands at the problem's place, that word. Nothing: it proposes none that can be made safely.
///
/// Example: "      brust: 3" with a problem about `brust` at its column gives "      burst: 3".
std::optional<policies::Edits> fixOf(std::string_view text, const engine::Diagnostic& problem);

} // namespace app::console

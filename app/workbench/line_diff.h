#pragma once
#include <string>
#include <string_view>

namespace app {

/// The lines that differ between two texts, in the unified form with three lines around them:
///
///   --- limits.yaml
///   +++ limits.yaml
///   @@ -8,3 +8,3 @@
///          key: [api_key]
///   -      rate: 10/min
///   +      rate: 20/min
///
/// Lines are shown as they are but for what cannot be seen (visible() of text.h). Empty if the
/// texts are the same. More than 2,000 lines that differ are shown as one change of all lines.
std::string lineDiff(std::string_view name, std::string_view before, std::string_view after);

} // namespace app

#pragma once

#include "app/console/author/value_edits.h"

/// The edits of what adaptive limits, load shedders and tightened rules have.
namespace app::console {

using BoundField = policies::Given<std::int64_t> policies::Rule::*;
using UsualBound = std::int64_t engine::Limit::*;

/// So many requests; where none is given, what the limit has.
ValueEdit* makeBoundEdit(const QString& label, BoundField field, UsualBound usual);
ValueEdit* makeStrategyEdit(); ///< those of the rule's algorithm
ValueEdit* makeClassesEdit(); ///< the list as a policy has it, in one line
ValueEdit* makeTightenEdit(); ///< likewise

} // namespace app::console

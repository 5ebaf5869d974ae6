#pragma once
#include "storage/runs/steps.h"

#include <string>

namespace storage::runs {

/// A migration: the class of a load_shedder that a row of `rules` is about; NULL: none, or the rest.
inline constexpr const char* kRuleClasses = "ALTER TABLE rules ADD COLUMN class TEXT";

/// What to select for the class: "class", or "NULL" of an older store, which reading never changes.
std::string classColumn(Steps& steps);

} // namespace storage::runs

#pragma once
#include "storage/runs/steps.h"

#include <cstdint>
#include <string>

namespace storage::runs {

/// A migration: the class of a load_shedder that a row of `rules` is about; NULL: none, or the
/// rest. And what a request of a run took, as measured.
inline constexpr const char* kRuleClasses = "ALTER TABLE rules ADD COLUMN class TEXT;"
                                            "ALTER TABLE runs ADD COLUMN request_ns INTEGER";

/// What to select for the class: "class", or "NULL" of an older store, which reading never changes.
std::string classColumn(Steps& steps);

/// The version that brought both.
inline constexpr std::int64_t kClassVersion = 3;

} // namespace storage::runs

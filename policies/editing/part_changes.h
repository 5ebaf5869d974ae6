#pragma once
#include "engine/result.h"
#include "policies/edit.h"
#include "policies/editing/draft.h"

#include <optional>
#include <string_view>

/// The operations of edit.h on whole parts, on a draft: what they do and their errors stand there.
namespace policies::editing {

/// Is there a tier of that name? Errors: edit.value.
engine::Status checkTier(std::string_view name);

engine::Status rename(Draft& draft, const Part& part, std::string_view newName);
engine::Status addTier(Draft& draft, const Part& tier); ///< an empty one
engine::Status add(Draft& draft, const Part& owner, std::string_view value,
                   std::optional<std::size_t> position);
engine::Status duplicate(Draft& draft, const Part& part, std::string_view newName);
engine::Status move(Draft& draft, const Part& part, std::optional<engine::Tier> tier,
                    std::optional<std::size_t> position);

} // namespace policies::editing

#pragma once
#include <set>
#include <string>
#include <string_view>

namespace policies::language {

/// The names that plans mostly have: "free", "pro", "enterprise".
std::set<std::string> usualPlans();

/// The first word of `name` that is one of `plans`, in lower case; "" if none is. "Free-plan" is
/// "free", "freeze" none.
std::string planIn(std::string_view name, const std::set<std::string>& plans);

/// The letters that begin at `at`, in lower case.
std::string wordAt(std::string_view name, std::size_t at);

} // namespace policies::language

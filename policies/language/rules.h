#pragma once
#include "policies/language/report.h"
#include "policies/yaml/node.h"

#include <optional>

namespace policies::language {

/// Reads one rule of a tier, checked by itself. Nothing where it is no map.
std::optional<Rule> readRule(Report& report, const yaml::Item& item, engine::Tier tier);

/// Reads one entry of `exempt`. Nothing where it is no map.
std::optional<Exempt> readExempt(Report& report, const yaml::Item& item);

} // namespace policies::language

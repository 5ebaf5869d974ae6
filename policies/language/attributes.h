#pragma once
#include "policies/language/report.h"
#include "policies/yaml/node.h"

#include <vector>

namespace policies::language {

/// Reads `attributes:`, in order, with the rules between them (small print C22 to C24).
std::vector<Attribute> readAttributes(Report& report, const yaml::Item& item);

} // namespace policies::language

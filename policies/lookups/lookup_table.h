#pragma once
#include "engine/plan.h"
#include "policies/lookups/csv.h"

#include <memory>
#include <string>
#include <vector>

namespace policies::lookups {

/// The rows of one lookup: keys of the column `from`, values of the column `attribute`.
///
/// Keys are normalised as the attribute `from` is; the first row of a key wins; a row whose key or
/// value is empty says nothing. Errors, into `diagnostics`: policy.lookup-column (no such column, a
/// row with too few or too many fields).
std::shared_ptr<const engine::LookupTable>
lookupTable(const Table& table, const std::string& file, const std::string& from,
            const std::string& attribute, std::vector<engine::Diagnostic>& diagnostics);

} // namespace policies::lookups

#pragma once
#include "storage/logs/record.h"
#include "storage/logs/row_pattern.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Formats whose lines are cut by a RowPattern: nginx, Apache and their kin.
namespace storage::logs {

/// How the lines of a format may look.
struct RowShapes {
    /// Best first; the first that fits a line exactly reads it, else the first of all does, as far
    /// as it fits. Fields go by name: those of the first, then what only the others have.
    std::vector<RowPattern> patterns;
    bool othersMayMiss = false; ///< the others are for lines that miss what the first must have
    /// Asked of a line that fits: has it what others that look alike have not?
    bool (*isTypical)(std::span<const std::string_view> values) = nullptr;
    /// Fields that a row of another protocol has, too, but that say nothing there: `-`, and 0 for
    /// the status. None: every row is of HTTP.
    std::vector<std::string> nilInOthers;
};

/// The rules that all of these share: nginx's names of fields.
RecordRules rowRules();

MadeFormat makeRowFormat(std::string name, const RecordRules& rules, RowShapes shapes,
                         const FormatOptions& options);

} // namespace storage::logs

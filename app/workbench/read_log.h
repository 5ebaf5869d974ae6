#pragma once
#include "app/workbench/log_choice.h"
#include "storage/log_reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// What is known of a LOG when it was read: it outlives its reader.
struct ReadLog {
    std::string path;
    bool isRegular = false; ///< may be read again by its path
    std::string format; ///< its name
    bool isTold = false; ///< by LogChoice::format, not found
    storage::Detection detection; ///< with a format given: lines 0
    storage::LogReport report;
    std::string fingerprint; ///< of the stored bytes that were read
    std::uint64_t bytes = 0; ///< stored bytes that were read
    bool isPartial = false; ///< its end was damaged
    std::vector<engine::Diagnostic> warnings;
};

/// What a reader of a choice has come to.
ReadLog readLogOf(const storage::LogReader& reader, const LogChoice& choice);

/// The sums of several; examples and times are those of all. `filled` has `fieldCount` figures,
/// zeros where nothing was read.
storage::LogReport totalOf(const std::vector<ReadLog>& logs, std::size_t fieldCount);

} // namespace app

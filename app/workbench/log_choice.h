#pragma once
#include "app/workbench/progress.h"
#include "storage/log_format.h"
#include "storage/log_reader.h"
#include "storage/sequencer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// Which log, and how it is read.
struct LogChoice {
    std::string path; ///< "-" is standard input
    std::string format; ///< name or format text; empty: detect
    std::vector<storage::FieldMapping> mappings;
    std::shared_ptr<const storage::Zone> zone; ///< of stamps that name none; nothing: UTC
    std::vector<engine::Network> trustedProxies; ///< see storage::LogOptions
    std::int64_t clockNs = 0; ///< see storage::LogOptions
    storage::SourceLimits limits;
    std::optional<std::int64_t> reorderNs; ///< nothing: auto
    storage::Spread spread = storage::Spread::Even;
    engine::Place formatPlace {}; ///< of `format` in a description
    std::string description {}; ///< the file that names it (`x.logs.yaml`); empty: none does
    std::uint64_t storedBytes = 0; ///< only the first so many, of a log that grew since; 0: all
};

/// The log of a choice, opened. `file` is its index. Errors: those of LogReader.
engine::Result<std::unique_ptr<storage::LogReader>>
openLog(const LogChoice& log, const StopFlag* stop, std::size_t blockBytes = std::size_t {1} << 20,
        std::uint32_t file = 0);

} // namespace app

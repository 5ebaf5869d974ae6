#pragma once
#include "storage/log_format.h"
#include "storage/logs/line_parser.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Formats whose rows mean what lines with `#` above them say.
namespace storage::logs {

/// The text behind `mark` in header lines (LineScratch::header), blanks around it dropped; no
/// data() if none of them has it.
std::string_view headerText(std::string_view header, std::string_view mark);

/// The words of a text, blanks and tabs between them.
std::vector<std::string> wordsOf(std::string_view text);

/// What one format does with its headers.
struct HeadedRules {
    std::string_view name;
    std::span<const std::string_view> marks; ///< of the header lines that matter
    std::span<const std::string_view> otherMarks; ///< of those that do not
    /// A parser for the rows below `header`: refusedRows(), if they are not requests.
    std::shared_ptr<const LineParser> (*rows)(std::string_view header, const FormatOptions& options,
                                              const std::vector<std::string>& wanted);
    /// The attributes of the rows below `header`.
    std::vector<std::string> (*fields)(std::string_view header, const FormatOptions& options);
    std::string_view fieldsMark; ///< the line that names the columns
    bool needsHeader = true; ///< rows without any header are of no known columns
    std::span<const std::string_view> remarks;
};

/// A format that follows `rules` (of static storage).
std::shared_ptr<const LogFormat> makeHeadedFormat(const HeadedRules& rules,
                                                  const FormatOptions& options);

} // namespace storage::logs

#pragma once
#include "storage/log_format.h"
#include "storage/logs/unwrap.h"

#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// The header lines that hold for what is behind them (LogFormat::headerMarks, hasHeaderLine).
class HeaderLines {
public:
    HeaderLines() = default;
    /// At the begin of a log that starts with `head` and has these wrappers.
    HeaderLines(const LogFormat& format, WrapperRules wrappers, std::string_view head);

    /// Keeps the last line of each mark in these whole lines.
    void note(std::string_view lines);
    /// For LineScratch::header.
    [[nodiscard]] std::string text() const;

    /// The log's first line, if that is a header.
    [[nodiscard]] const std::string& firstLine() const { return m_lines.back(); }

private:
    void noteMark(std::size_t mark, std::string_view lines);

    WrapperRules m_wrappers;
    std::vector<std::string> m_marks;
    std::vector<std::string> m_lines = {{}}; ///< of each mark, then the first line
};

} // namespace storage::logs

#pragma once
#include "storage/logs/partials.h"
#include "storage/logs/unwrap.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// A line of a log's head that is not blank.
struct HeadLine {
    std::string_view text;
    InnerLines inner; ///< if it is wrapped
};

/// The begin of `head` that has its first kDetectionLines lines which can be read: not blank, and
/// not longer than kLongestLine.
std::string_view firstLines(std::string_view head);

/// The first lines of a log, also without the wrappers that some may have: partial lines are
/// joined, and stand for one.
class HeadLines {
public:
    /// The firstLines() of `head`. `notAfterNs`: see OuterLine.
    HeadLines(std::string_view head, std::int64_t notAfterNs);
    HeadLines(const HeadLines&) = delete;
    HeadLines& operator=(const HeadLines&) = delete;

    [[nodiscard]] const std::vector<HeadLine>& lines() const { return m_lines; }

    /// Nothing but blank lines: there is nothing to be of a format.
    [[nodiscard]] bool areBlank() const { return m_texts.empty() && !m_hasLongLine; }

    [[nodiscard]] std::int64_t notAfterNs() const { return m_notAfterNs; }

    /// A Docker log of which a line ends with a newline: those that do not are partial.
    [[nodiscard]] bool hasLineEnds() const { return m_hasLineEnds; }

private:
    void settleLineEnds();

    std::string m_bytes; ///< with padding
    Arena m_arena;
    LineScratch m_scratch;
    bool m_hasLineEnds = true;
    bool m_hasLongLine = false;
    std::int64_t m_notAfterNs = -1;
    std::vector<std::string_view> m_texts;
    std::vector<HeadLine> m_lines;
};

} // namespace storage::logs

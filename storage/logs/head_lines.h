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

/// The first lines of a log, also without the wrappers that some may have: partial lines are
/// joined, and stand for one.
class HeadLines {
public:
    /// Up to kDetectionLines lines of `head`. `notAfterNs`: see OuterLine.
    HeadLines(std::string_view head, std::int64_t notAfterNs);
    HeadLines(const HeadLines&) = delete;
    HeadLines& operator=(const HeadLines&) = delete;

    [[nodiscard]] const std::vector<HeadLine>& lines() const { return m_lines; }

    [[nodiscard]] std::int64_t notAfterNs() const { return m_notAfterNs; }

    /// A Docker log of which a line ends with a newline: those that do not are partial.
    [[nodiscard]] bool hasLineEnds() const { return m_hasLineEnds; }

private:
    void settleLineEnds();

    std::string m_bytes; ///< with padding
    Arena m_arena;
    LineScratch m_scratch;
    bool m_hasLineEnds = true;
    std::int64_t m_notAfterNs = -1;
    std::vector<std::string_view> m_texts;
    std::vector<HeadLine> m_lines;
};

} // namespace storage::logs

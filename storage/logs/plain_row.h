#pragma once
#include "storage/logs/line_parser.h"
#include "storage/logs/record_layout.h"
#include "storage/logs/row_pattern.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace storage::logs {

/// The quick way of reading a line of a RowPattern, for the shape that most lines of most logs
/// have: plain (LineMarks::isPlain), a client that is one plain word, a status that was sent, a
/// stamp like Apache's, a short duration. What it reads is what RecordParser makes of the line the
/// long way, and whatever is not of the shape is left to that. Immutable; any thread.
class PlainRow {
public:
    /// What RowParser knows of its fields.
    struct Rules {
        std::size_t last = 0; ///< the last field that is needed
        bool mustFit = false; ///< a line that is not exactly of the pattern may be of another
        std::optional<std::size_t> user; ///< see RowParser::settleUser
        bool mayBeOther = false; ///< a line with a status may be of another protocol
    };

    /// Nothing: lines of the format have no such shape. `pattern` must outlive it.
    static std::optional<PlainRow> make(const RowPattern& pattern, const RecordLayout& layout,
                                        const Rules& rules);

    struct Values {
        std::string_view client;
        std::string_view status;
        bool isExact = false;
    };

    /// Reads a line (LineParser::parsePlain) into the values of its fields, the time of `request`,
    /// and `found`. False: it has to be read the long way. `cuts` has room for all fields.
    bool read(std::string_view line, const LineMarks& marks, StampCache& stamps,
              RowPattern::Values cuts, engine::Request& request, Values& found) const
    {
        return m_pattern->cutPlain(line, marks, m_last, cuts, found.isExact)
            && (found.isExact || !m_mustFit) && readClient(cuts, found) && readStatus(cuts, found)
            && hasPlainUser(cuts) && readTimes(cuts, stamps, request);
    }

private:
    PlainRow(const RowPattern& pattern, const RecordLayout& layout, const Rules& rules);

    static constexpr std::size_t kNone = RowPattern::kMaxFields; ///< the format has none

    bool readClient(RowPattern::Values cuts, Values& found) const
    {
        if (m_client == kNone) {
            return true;
        }
        found.client = cuts[m_client];
        return found.client.size() > 1 && isPlainToken(found.client); // one byte may mean none
    }

    bool readStatus(RowPattern::Values cuts, Values& found) const
    {
        if (m_status == kNone) {
            return true;
        }
        found.status = cuts[m_status];
        return isSentStatus(found.status);
    }

    [[nodiscard]] bool hasPlainUser(RowPattern::Values cuts) const
    {
        if (m_user == kNone) {
            return true;
        }
        const std::string_view user = cuts[m_user];
        return user == "-" || (isPlainToken(user) && user.front() != '[');
    }

    bool readTimes(RowPattern::Values cuts, StampCache& stamps, engine::Request& request) const
    {
        const std::string_view text = cuts[m_stamp];
        Stamp stamp {stamps.textNs, static_cast<std::int32_t>(kSecondNs), false};
        if (text.size() != kClfSize
            || (!isLastClfTime(text, stamps) && !readClfTime(text, stamps, stamp))) {
            return false;
        }
        std::int64_t durationNs = engine::kUnknownDuration;
        if (m_duration != kNone && !m_decimals.read(cuts[m_duration], durationNs)) {
            return false;
        }
        request.stampNs = stamp.ns;
        request.resolutionNs = stamp.resolutionNs;
        request.durationNs = durationNs;
        request.timeNs = m_duration == kNone || m_isStart ? stamp.ns : stamp.ns - durationNs;
        return true;
    }

    const RowPattern* m_pattern;
    ShortDecimals m_decimals;
    std::size_t m_last;
    std::size_t m_client;
    std::size_t m_status;
    std::size_t m_user;
    std::size_t m_stamp;
    std::size_t m_duration;
    bool m_isStart;
    bool m_mustFit;
};

} // namespace storage::logs

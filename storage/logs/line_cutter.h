#pragma once
#include "engine/result.h"
#include "storage/log_source.h"
#include "storage/logs/block_bytes.h"
#include "storage/logs/partials.h"

#include <cstdint>
#include <string>

namespace storage::logs {

/// Cuts a source into runs of whole lines, with what was read ahead for detection first.
class LineCutter {
public:
    /// Reads ahead until there are `lines` lines that can be read, or a few MiB of them, and drops
    /// a byte order mark. Blank lines in front, zeros before a line and what makes a line too long
    /// are passed by in constant memory, however much there is of them.
    engine::Status start(LogSource& source, std::size_t lines);

    /// What start() read ahead, up to its last whole line (all of it at the end of the source),
    /// without the blank lines in front.
    [[nodiscard]] std::string_view head() const;

    /// How many blank lines stand in front of head().
    [[nodiscard]] std::uint64_t blankLinesBefore() const { return m_blankBefore; }

    struct Cut {
        bool any = false; ///< false: the end
        bool endsCut = false; ///< the last line has no newline
        bool tooLong = false; ///< `into` has the first bytes of a line that was skipped
    };

    /// The next lines, about `blockBytes` of them, or one line that is too long. They end where
    /// no partial line is pending (see PartialState), unless nothing or a line that is too long
    /// follows.
    engine::Result<Cut> next(LogSource& source, std::size_t blockBytes, PartialTracker& partials,
                             ByteBuffer& into);

private:
    class Ahead;
    engine::Result<std::size_t> read(LogSource& source, char* into, std::size_t room);
    engine::Status skipLine(LogSource& source);

    ByteBuffer m_ahead; ///< read, not handed out yet, from m_used on
    std::size_t m_used = 0;
    std::uint64_t m_blankBefore = 0; ///< lines in front of m_ahead
    std::uint64_t m_blankLeft = 0; ///< of them, not handed out yet
    ByteBuffer m_carry; ///< begin of a line whose end is in the next block
    bool m_ended = false;
};

} // namespace storage::logs

#include "storage/logs/line_cutter.h"

#include "storage/log_report.h"
#include "storage/logs/text.h"

#include <algorithm>

namespace storage::logs {
namespace {

constexpr std::size_t kAhead = std::size_t {4} << 20; ///< bytes of lines that can be read
constexpr std::size_t kMostAhead = 2 * kAhead; ///< with those that cannot
constexpr std::size_t kMostLinesAhead = 100'000;
constexpr std::size_t kStep = std::size_t {64} << 10;
constexpr std::size_t kShownBytes = LineReject::kMostBytes + 1; ///< with the zero that may stay

/// Of zeros at the begin of a long line one stays, so that the line is there.
void dropZeros(ByteBuffer& bytes)
{
    const std::string_view line(bytes.data(), bytes.size());
    if (bytes.size() > kLongestLine && line.front() == '\0') {
        const std::string_view kept = line.substr(line.size() - withoutZeros(line).size() - 1);
        std::memmove(bytes.data(), kept.data(), kept.size());
        bytes.setSize(kept.size());
    }
}

const char* lastNewline(const char* from, std::size_t size)
{
    return static_cast<const char*>(::memrchr(from, '\n', size));
}

} // namespace

/// Lines that are read ahead, without the bytes that no reading of them needs: of zeros before a
/// line one stays, of a line that is too long what tells that it is.
class LineCutter::Ahead {
public:
    explicit Ahead(ByteBuffer& bytes)
        : m_bytes(bytes)
    {
    }

    [[nodiscard]] bool isEnough(std::size_t lines) const
    {
        return m_readable >= lines || m_readableBytes >= kAhead || m_lines >= kMostLinesAhead
            || m_bytes.size() >= kMostAhead;
    }

    [[nodiscard]] std::uint64_t blankBefore() const { return m_blankBefore; }

    /// The last `count` bytes are new.
    void note(std::size_t count)
    {
        const std::size_t end = m_bytes.size();
        std::size_t from = end - count;
        m_end = from;
        while (from < end) {
            const char* const at = m_bytes.data() + from;
            const auto* const newline = static_cast<const char*>(std::memchr(at, '\n', end - from));
            const std::size_t size
                = newline == nullptr ? end - from : static_cast<std::size_t>(newline - at);
            keep({at, size});
            if (newline != nullptr) {
                endLine();
            }
            from += size + (newline == nullptr ? 0 : 1);
        }
        m_bytes.setSize(m_end);
    }

private:
    /// A further piece of the line at hand.
    void keep(std::string_view piece)
    {
        constexpr std::size_t kMostOfLine = kLongestLine + kPadding;
        const std::string_view before = line();
        if (!before.empty() && withoutZeros(before).empty()) {
            piece = withoutZeros(piece);
        } else if (before.empty()) {
            const std::size_t zeros = piece.size() - withoutZeros(piece).size();
            piece.remove_prefix(zeros > 0 ? zeros - 1 : 0);
        }
        piece = piece.substr(0, kMostOfLine - std::min(before.size(), kMostOfLine));
        std::memmove(m_bytes.data() + m_end, piece.data(), piece.size());
        m_end += piece.size();
    }

    void endLine()
    {
        const bool isLong = isTooLong(line());
        const bool isBlank = !isLong && isBlankText(lineText(line()));
        if (isBlank && m_lineBegin == 0) {
            ++m_blankBefore;
            m_end = 0;
            return;
        }
        ++m_lines;
        m_readable += isLong || isBlank ? 0U : 1U;
        m_readableBytes += isLong || isBlank ? 0U : line().size();
        m_bytes.data()[m_end++] = '\n';
        m_lineBegin = m_end;
    }

    [[nodiscard]] std::string_view line() const
    {
        return {m_bytes.data() + m_lineBegin, m_end - m_lineBegin};
    }

    ByteBuffer& m_bytes;
    std::size_t m_lineBegin = 0; ///< of the line at hand
    std::size_t m_end = 0; ///< of what is kept
    std::uint64_t m_blankBefore = 0;
    std::size_t m_lines = 0;
    std::size_t m_readable = 0;
    std::size_t m_readableBytes = 0;
};

engine::Status LineCutter::start(LogSource& source, std::size_t lines)
{
    m_ahead.setSize(0);
    m_carry.setSize(0);
    m_used = 0;
    m_ended = false;
    Ahead ahead(m_ahead);
    while (!m_ended && !ahead.isEnough(lines)) {
        const std::size_t size = m_ahead.size();
        m_ahead.reserve(std::max(size + kStep, size * 2));
        auto got = source.read(m_ahead.data() + size, kStep);
        if (!got) {
            return engine::fail(got.error());
        }
        m_ahead.setSize(size + *got);
        ahead.note(*got);
        m_ended = *got == 0;
    }
    m_blankBefore = ahead.blankBefore();
    m_blankLeft = m_blankBefore;
    if (std::string_view(m_ahead.data(), m_ahead.size()).starts_with(kByteOrderMark)) {
        m_used = kByteOrderMark.size();
    }
    return engine::Done {};
}

std::string_view LineCutter::head() const
{
    const std::string_view all(m_ahead.data() + m_used, m_ahead.size() - m_used);
    return m_ended ? all : all.substr(0, all.rfind('\n') + 1);
}

engine::Result<std::size_t> LineCutter::read(LogSource& source, char* into, std::size_t room)
{
    if (m_blankLeft > 0) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(room, m_blankLeft));
        std::memset(into, '\n', count);
        m_blankLeft -= count;
        return count;
    }
    if (m_used < m_ahead.size()) {
        const std::size_t count = std::min(room, m_ahead.size() - m_used);
        std::memcpy(into, m_ahead.data() + m_used, count);
        m_used += count;
        if (m_used == m_ahead.size()) {
            m_ahead = {};
            m_used = 0;
        }
        return count;
    }
    if (m_ended) {
        return std::size_t {0};
    }
    auto got = source.read(into, room);
    m_ended = got && *got == 0;
    return got;
}

engine::Result<LineCutter::Cut> LineCutter::next(LogSource& source, std::size_t blockBytes,
                                                 PartialTracker& partials, ByteBuffer& into)
{
    into.assign(m_carry.data(), m_carry.size());
    m_carry.setSize(0);
    bool ended = false;
    for (;;) {
        // Half as much again at the least, so that small blocks do not look at a long line often.
        const std::size_t goal
            = std::max(into.size(), std::size_t {1}) + std::max(blockBytes, into.size() / 2);
        into.reserve(goal);
        while (into.size() < goal && !ended) {
            auto got = read(source, into.data() + into.size(), goal - into.size());
            if (!got) {
                return engine::fail(got.error());
            }
            into.setSize(into.size() + *got);
            ended = *got == 0;
        }
        const char* const newline
            = into.size() == 0 ? nullptr : lastNewline(into.data(), into.size());
        const std::size_t whole
            = newline == nullptr ? 0 : static_cast<std::size_t>(newline + 1 - into.data());
        if (whole > 0) {
            std::size_t taken = partials.take({into.data(), whole});
            if (taken == 0 && ended) {
                return Cut {true, into.size() > whole, false};
            }
            if (taken == 0 && into.size() - whole > kLongestLine) {
                partials.takeAll({into.data(), whole});
                taken = whole;
            }
            if (taken > 0) {
                m_carry.assign(into.data() + taken, into.size() - taken);
                into.setSize(taken);
                return Cut {true, false, false};
            }
        } else if (dropZeros(into); into.size() > kLongestLine) {
            into.setSize(kShownBytes);
            if (auto done = skipLine(source); !done) {
                return engine::fail(done.error());
            }
            return Cut {true, false, true};
        }
        if (ended) { // a line without its end, or nothing
            return Cut {into.size() > 0, true, false};
        }
    }
}

engine::Status LineCutter::skipLine(LogSource& source)
{
    ByteBuffer chunk;
    chunk.reserve(kStep);
    for (;;) {
        auto got = read(source, chunk.data(), kStep);
        if (!got) {
            return engine::fail(got.error());
        }
        if (*got == 0) {
            return engine::Done {};
        }
        const auto* newline = static_cast<const char*>(std::memchr(chunk.data(), '\n', *got));
        if (newline != nullptr) {
            const auto used = static_cast<std::size_t>(newline + 1 - chunk.data());
            m_carry.assign(newline + 1, *got - used);
            return engine::Done {};
        }
    }
}

} // namespace storage::logs

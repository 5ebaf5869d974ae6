#pragma once
#include "storage/logs/unwrap.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// Lines that a container runtime wrote in pieces.
namespace storage::logs {

/// What holds between two lines of a log about the partial lines above, by stream.
///
/// A joined line has at most kLongestLine bytes, wrappers included; a partial waits for its end
/// over at most kPatience bytes of other lines, and not beyond a line that is too long. So a run of
/// lines that ends where nothing is pending is never much longer than a few MiB.
class PartialState {
public:
    enum class Step : std::uint8_t {
        Whole, ///< a line of its own
        Begins, ///< the first piece
        GoesOn, ///< a further piece that is not the last
        Ends, ///< the last piece: the line is complete
        TooLong, ///< this piece makes it too long; the pieces before and behind are lost with it
        Lost ///< a piece behind one that was too long or waited too long
    };

    static constexpr std::size_t kPatience = std::size_t {1} << 20;

    /// A line of `size` bytes that begins at `at` (bytes since anywhere).
    Step step(const Wrapped& wrapped, std::size_t size, std::size_t at);
    /// Streams whose partial has waited too long for a line at `at`: they are given up.
    std::array<bool, kStreams> giveUp(std::size_t at);
    /// All that is pending is given up: a line that is too long, or the end of the log.
    std::array<bool, kStreams> giveUpAll();

    [[nodiscard]] bool isPending() const;
    /// A piece of any kind means something here.
    [[nodiscard]] bool isIdle() const;

private:
    struct Stream {
        bool isPending = false;
        bool isLost = false;
        std::size_t begin = 0;
        std::size_t size = 0;
    };

    std::array<Stream, kStreams> m_streams;
};

/// A piece of a partial line.
struct LinePiece {
    std::uint64_t number = 0; ///< of the line
    std::string_view line; ///< as it stands in the log
};

/// Puts the pieces of partial lines together.
class PartialJoiner {
public:
    explicit PartialJoiner(const PartialState& state)
        : m_state(state)
    {
    }

    using Step = PartialState::Step;

    /// The next line; `at` as in PartialState. For Ends, the text of `wrapped` is that of all
    /// pieces, in the arena.
    Step add(const LinePiece& piece, std::size_t at, Arena& arena, Wrapped& wrapped);

    /// For Ends and TooLong the pieces before; for a stream that was given up all of them.
    [[nodiscard]] const std::vector<LinePiece>& pieces(std::size_t stream) const
    {
        return m_pending[stream].pieces;
    }

    /// Of a stream that was given up: what there is of the line, with the last piece's time.
    [[nodiscard]] Wrapped incomplete(std::size_t stream, Arena& arena) const;

    std::array<bool, kStreams> giveUp(std::size_t at) { return m_state.giveUp(at); }

    std::array<bool, kStreams> giveUpAll() { return m_state.giveUpAll(); }

private:
    struct Pending {
        std::vector<LinePiece> pieces;
        std::vector<std::string_view> texts;
        Wrapped last;
    };

    PartialState m_state;
    std::array<Pending, kStreams> m_pending;
};

/// Where a run of lines may end: behind a line at which no partial is pending.
class PartialTracker {
public:
    /// Of a log with these wrappers.
    void restart(WrapperRules rules);

    /// How many bytes of these whole lines, which come next in the log, may be handed out now; 0:
    /// more lines are needed. The state is then the one behind them.
    std::size_t take(std::string_view lines);
    /// All of them are handed out, since nothing or a line that is too long follows.
    void takeAll(std::string_view lines);

    /// Behind what was taken.
    [[nodiscard]] const PartialState& state() const { return m_state; }

private:
    std::size_t walk(std::string_view lines, PartialState& state, PartialState& atEnd);

    WrapperRules m_rules;
    PartialState m_state;
    Arena m_arena;
    LineScratch m_scratch;
};

} // namespace storage::logs

#pragma once
#include "storage/logs/line_parser.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Lines inside of lines: what a container runtime, syslog, the journal or kubectl put around the
/// line of a server.
namespace storage::logs {

enum class WrapperKind : std::uint8_t {
    None,
    DockerJson, ///< {"log":"...\n","stream":"stdout","time":"..."}
    Cri, ///< TIME stdout|stderr F|P text
    Journal, ///< {"MESSAGE":"...","__REALTIME_TIMESTAMP":"..."}
    Event, ///< {"message":"...","@timestamp":"..."} of log shippers, {"textPayload":...}
    Syslog,
    Stamp, ///< TIME text (docker logs -t)
    Prefix ///< "nginx_1  | text", "[pod/web-1/nginx] text"
};

inline constexpr std::size_t kWrapperKinds = 8;

/// "Docker's json-file", for a sentence.
std::string_view nameOf(WrapperKind kind);

/// The streams of a container, whose partial lines are joined apart.
inline constexpr std::size_t kStreams = 2;

/// A line without its outermost wrapper. Views point into the line or the arena, and have
/// kPadding readable bytes behind them.
struct Wrapped {
    WrapperKind kind = WrapperKind::None;
    std::string_view text;
    std::string_view other; ///< what the text may be instead (SyslogHead::other); or empty
    std::string_view time; ///< as written; empty: none
    bool isSure = true; ///< else a server may write such a line itself
    std::size_t stream = 0; ///< below kStreams
    bool isPartial = false; ///< goes on in the next line of this stream

    /// Of a container runtime, which writes long lines in pieces.
    [[nodiscard]] bool isPiece() const
    {
        return kind == WrapperKind::DockerJson || kind == WrapperKind::Cri;
    }
};

/// How a log wraps its lines, as told from its head.
struct WrapperRules {
    bool isWrapped = false; ///< lines are unwrapped before they are read, else only if that fails
    bool hasLineEnds = true; ///< a {"log": ...} without a newline at its end is partial
};

/// Takes the outermost wrapper off. `scratch` is for wrappers alone (not the one of a LineParser),
/// and has the arena.
bool unwrap(std::string_view line, WrapperRules rules, LineScratch& scratch, Wrapped& wrapped);

/// What a wrapped line may be to its reader, the innermost first, with the time that the innermost
/// wrapper gave.
struct InnerLines {
    static constexpr std::size_t kMost = 6;
    std::array<std::string_view, kMost> lines;
    std::size_t count = 0;
    std::string_view time;
    WrapperKind kind = WrapperKind::None; ///< of the outermost wrapper
    bool isSure = false; ///< one of the wrappers was
};

/// Takes off the wrappers that are left in `outermost`, at most four.
InnerLines innerLines(const Wrapped& outermost, LineScratch& scratch);

/// A copy of what a line is without its wrappers, if the log has any.
std::string innermostText(std::string_view line, WrapperRules rules);

/// Whether a line is a partial one or ends one, so far as that can be told at a glance: it is
/// surely none of a partial's pieces when this says false.
bool mayBePartial(std::string_view line);

} // namespace storage::logs

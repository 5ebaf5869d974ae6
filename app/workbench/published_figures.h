#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Figures that articles on rate limiting print, each worked out by the engine's own algorithms: as
/// data and in one place, for `weir lab` and for the tests. Pure; any thread.
namespace app {

/// One figure of several that belong together.
///
/// Example: {"500 at 0 s, then 500 at 2 s + i * 50 ms / 499", "500, 205", "500, 205", true}.
struct FigureCheck {
    std::string what;
    std::string expected; ///< as published; a range where what is published is one draw of many
    std::string seen;
    bool holds = false;
};

struct ReproducedFigure {
    std::vector<FigureCheck> checks;
    std::vector<std::string> notes; ///< what is published and cannot be seen here, and the like
};

struct PublishedFigure {
    std::string_view number; ///< "ii"
    std::string_view name; ///< "second-burst"
    std::string_view title;
    ReproducedFigure (*reproduce)(); ///< nullptr: this version cannot
    std::string_view missing; ///< why it cannot
};

/// In the order of their numbers.
std::span<const PublishedFigure> publishedFigures();
/// By number or name; nullptr: there is none.
const PublishedFigure* publishedFigure(std::string_view numberOrName);

inline constexpr std::string_view kCounterAgainstLog = "counter-against-log";

/// The list of figures, one a line, and the experiment.
std::string labHelp();

// The figures, one file for each kind.
ReproducedFigure figureOfFixedWindow(); ///< (i)
ReproducedFigure figureOfSecondBurst(); ///< (ii)
ReproducedFigure figureOfGcra(); ///< (iii)
ReproducedFigure figureOfGreedyClient(); ///< (iv)
ReproducedFigure figureOfCounter(); ///< (v)
ReproducedFigure figureOfNodes(); ///< (vi)
ReproducedFigure figureOfMemory(); ///< (vii)

/// A check of two texts that are to be the same.
FigureCheck sameText(std::string what, std::string expected, std::string seen);

/// The arrivals of (v), in microseconds since the begin of a window: 239 within 120 s.
std::span<const std::int32_t> publishedTraceUs();

} // namespace app

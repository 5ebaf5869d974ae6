#pragma once
#include <cstdint>
#include <span>
#include <vector>

/// From counts over time to what a line of so many pixels can show. Pure functions, any thread.
namespace app::console {

/// What one bin holds: the requests of the second, minute or hour that begins here.
struct Sample {
    std::int64_t second = 0;
    double value = 0;
};

/// A corner of a line. A value that is no number lifts the pen.
struct Corner {
    double second = 0;
    double value = 0;
};

/// What is seen of a series, and on how many pixels.
struct View {
    double from = 0; ///< second at the left edge
    double to = 1; ///< at the right edge
    int columns = 1; ///< of pixels between them
};

/// How the samples of a series stand to each other.
struct Bins {
    std::int64_t width = 1; ///< seconds
    /// So many seconds without a sample are a gap in the recording, and in the line; fewer were
    /// seconds without requests: zero.
    std::int64_t gap = INT64_MAX;
};

/// The line through the samples (in order of time): at most two corners for each column of pixels.
/// Where a bin is wider than a pixel it is a step; where several fall into a column they are one
/// stroke from the least to the greatest, and strokes are joined by the ends that lie nearer.
///
/// Example: samples 1, 9, 4 of three seconds within one column give (x, 1), (x, 9).
std::vector<Corner> reduced(std::span<const Sample> samples, const Bins& bins, const View& view);

/// Strokes from zero for each column: what lies above it and what lies below, for a difference that
/// is drawn in two colours. At most two corners a column each, pens lifted between them.
struct Strokes {
    std::vector<Corner> above;
    std::vector<Corner> below;
};

Strokes strokes(std::span<const Sample> samples, const Bins& bins, const View& view);

/// The greatest value that is seen, 0 without any.
double greatest(std::span<const Sample> samples, const Bins& bins, const View& view);

/// How long a silence of a recording must be to be a gap: a quarter of an hour, and twenty times
/// what lies between two requests on average. 86,400 requests of a day: 900 s.
std::int64_t gapOf(std::uint64_t requests, std::int64_t seconds);

} // namespace app::console

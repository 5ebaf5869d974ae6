#pragma once
#include "engine/tally.h"
#include "storage/run_reader.h"
#include "storage/runs/columns.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace storage::runs {

inline constexpr std::array<TimelineLevel, 3> kTimelineLevels {
    TimelineLevel::Second, TimelineLevel::Minute, TimelineLevel::Hour};

/// Up to kTimelinePoints points of one level, in order.
inline constexpr std::size_t kTimelinePoints = 4'096;

std::string encodeTimeline(const std::vector<engine::SecondTally>& points, Compressor& compressor);
/// Appends the points to `points`.
bool decodeTimeline(std::string_view bytes, Decompressor& decompressor,
                    std::vector<engine::SecondTally>& points);

/// Sums seconds into minutes and hours as they come, and gives blocks away when they are full.
class TimelineBuilder {
public:
    using Full
        = std::function<void(TimelineLevel level, const std::vector<engine::SecondTally>& points)>;

    /// Seconds in ascending order; a second may come in parts.
    void add(const engine::SecondTally& second, const Full& full);
    /// Gives away what is left. A later add() begins new blocks.
    void flush(const Full& full);
    void clear();

private:
    std::array<std::vector<engine::SecondTally>, kTimelineLevels.size()> m_levels; ///< points
};

} // namespace storage::runs

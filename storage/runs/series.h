#pragma once
#include "engine/series.h"
#include "storage/runs/columns.h"
#include "storage/runs/steps.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Series of seconds in columns; the formats are described in storage/README.md.
namespace storage::runs {

/// Of one row.
inline constexpr std::size_t kSeriesPoints = 4'096;

/// Appends the points of one row to `points`: engine::AttemptSecond, or engine::LimitSecond without
/// its rule. False: damaged; none at all or more than kSeriesPoints, or not in order.
template <class Point>
bool decodeSeries(std::string_view bytes, Decompressor& decompressor, std::vector<Point>& points);

/// Collects the series of one run into blocks, which wait until they are written.
class SeriesBuilder {
public:
    /// Seconds in ascending order, of the attempts and of each rule.
    void add(const engine::AttemptSecond& second);
    void add(const engine::LimitSecond& second);
    /// Makes blocks of what is left. A later add() begins new ones.
    void flush();

    /// Writes the blocks that wait; they wait until forgetBlocks().
    void insertBlocks(Steps& steps, std::int64_t run) const;
    void forgetBlocks();
    void clear(); ///< seconds and blocks

private:
    struct Block {
        std::optional<std::uint32_t> rule; ///< nothing: attempts
        std::int64_t first = 0;
        std::int64_t last = 0;
        std::size_t points = 0;
        std::string columns;
    };

    template <class Point>
    void close(std::optional<std::uint32_t> rule, std::vector<Point>& points);
    template <class Point>
    void add(std::optional<std::uint32_t> rule, std::vector<Point>& points, const Point& second);

    std::vector<engine::AttemptSecond> m_attempts;
    std::vector<std::vector<engine::LimitSecond>> m_limits; ///< by rule
    std::vector<Block> m_blocks;
    Compressor m_compressor;
};

} // namespace storage::runs

#pragma once
#include "app/console/charts/reduction.h"

#include <vector>

class QPainter;

/// The times below a plot, and the widths that plots with a common axis share.
namespace app::console {

inline constexpr int kChartNames = 150; ///< width of the names of bands
inline constexpr int kChartValues = 54; ///< width of the labels of values
inline constexpr int kChartRight = 14;

/// Ticks at whole steps of the clock in the zone that is chosen, about 110 px apart.
std::vector<std::int64_t> timeMarks(const View& view);

/// Height of the labels.
int timeMarksHeight();

/// Labels centred below their ticks, the last one flush with the plot's end; those that would touch
/// are left out. `left`: of the plot.
void paintTimeMarks(QPainter& painter, const View& view, int left, int top);

} // namespace app::console

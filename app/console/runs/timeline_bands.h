#pragma once
#include "app/console/charts/chart_data.h"
#include "app/console/runs/run_data.h"

namespace app::console {

/// A run's timeline as bands of a chart: one for each tier, or one for each rule. The facts beside
/// a band are of the whole run.
ChartData tierBands(const storage::RunDetail& run, const RunPoints& points);
ChartData ruleBands(const storage::RunDetail& run, const RunPoints& points);

/// Attempts of clients that come again, and what each rule that learns had as its limit.
std::vector<ChartBand> conditionBands(const storage::RunDetail& run, const RunPoints& points);

/// All requests and all rejections, for the strip.
std::vector<ChartSeries> wholeSeries(const RunPoints& points);

/// Bins of the level, with what is a gap in this run's recording.
Bins binsOf(const storage::RunDetail& run, storage::TimelineLevel level);

QString unitOf(storage::TimelineLevel level); ///< "per minute"

} // namespace app::console

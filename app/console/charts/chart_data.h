#pragma once
#include "app/console/charts/reduction.h"
#include "app/console/look/marks.h"
#include "engine/plan.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

/// What a chart over time shows, as plain values. Texts are ours or already shown().
namespace app::console {

/// Long: 6-3, short: 3-2, dotted: 1-2.
enum class Dash { Solid, Long, Short, Dotted };

struct ChartSeries {
    QString name; ///< "rejected"
    Mark mark = Mark::Offered; ///< says the colour
    Dash dash = Dash::Solid;
    std::vector<Sample> samples {}; ///< in order of time
};

/// One of several plots with a common axis of time.
struct ChartBand {
    QString name {}; ///< at the left, bold; empty: none
    std::vector<std::pair<QString, std::optional<Mark>>> facts {}; ///< below it, in a mark's colour
    std::optional<engine::Tier> tier {}; ///< a bar in its hue
    QString caption {}; ///< within the plot, top left
    bool isDifference
        = false; ///< one series, as strokes up and down from zero, on a scale of its own
    QString unit {}; ///< another one than the chart's, on a scale of its own
    int stretch = 1; ///< how high beside the others
    std::vector<ChartSeries> series {};
};

struct ChartData {
    std::vector<ChartBand> bands;
    Bins bins;
    QString unit; ///< "per second"
};

} // namespace app::console

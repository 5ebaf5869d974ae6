#pragma once

#include "app/console/author/lab_figures.h"
#include "app/workbench/busiest_key.h"
#include "app/workbench/lab.h"

#include <vector>

namespace app::console {

/// What a pattern came to, for the row of figures: of the usual conditions the first and the worst
/// span, of others the attempts and the most that all servers admitted.
std::vector<LabFigures::Figure> figuresOf(const LabResult& result, const LabConditions& conditions);

/// What the second half of a pattern came to: "205 of the second 500 admitted"; of clients that
/// come again, what they gave up. Empty where there is neither.
QString noteOf(LabPattern pattern, const LabTraffic& traffic, const LabResult& result,
               const LabConditions& conditions);

/// "k_2d2e0d, the busiest of 75 keys; 1,368 requests".
QString captionOf(const BusiestKey& busiest);

} // namespace app::console

#pragma once

#include "app/workbench/figure_table.h"
#include "app/workbench/rule_curve.h"

#include <QString>

namespace app::console {

// What a curve says, as tables and sentences.

FigureTable candidatesTable(const RuleCurve& curve);
FigureTable peaksTable(const RuleCurve& curve);

/// "At 960 per minute, 1,399 of 263,905 requests (0.53 %) of 2 keys would be rejected."
QString pointSentence(const RuleCurve& curve, const CurvePoint& point);
/// How it is now, what the rule was judged by, and what stop and protect say.
QString restOfSentence(const RuleCurve& curve, const CurvePoint& point);

} // namespace app::console

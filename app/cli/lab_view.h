#pragma once
#include "app/cli/context.h"
#include "app/workbench/counter_against_log.h"
#include "app/workbench/published_figures.h"

#include <utility>
#include <vector>

namespace app::cli {

/// A figure with what was seen; nothing where this version cannot reproduce it.
using LabFigure = std::pair<const PublishedFigure*, std::optional<ReproducedFigure>>;

/// How many checks do not hold.
std::size_t differing(const std::vector<LabFigure>& figures);

/// Expected beside seen, to stdout.
void writeFigures(Context& context, const std::vector<LabFigure>& figures);
void writeFiguresJson(Context& context, const std::vector<LabFigure>& figures);

/// What was seen beside what Cloudflare published.
void writeExperiment(Context& context, const CounterExperiment& experiment,
                     const CounterOutcome& outcome);
void writeExperimentJson(Context& context, const CounterExperiment& experiment,
                         const CounterOutcome& outcome);

} // namespace app::cli

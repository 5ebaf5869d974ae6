#pragma once
#include "app/console/charts/chart_data.h"
#include "app/console/session/session.h"
#include "app/workbench/compare_detail.h"
#include "app/workbench/figure_table.h"
#include "app/workbench/secrets.h"

#include <memory>
#include <string>
#include <vector>

/// What the page of a comparison reads, in jobs with a store of their own.
namespace app::console {

/// A comparison and what its page says beside: who the sides are, rejected requests over time.
struct ComparedRuns {
    CompareBase base;
    storage::RunId candidate = 0;
    CompareDetail detail;
    SecretAttributes secrets; ///< of both sides: how values are shown
    std::vector<std::string> attributes; ///< that it can be split by
    FigureTable policy; ///< what the candidate's policy changes; without columns against production
    FigureTable conditions; ///< what came of them on both sides; without rows: nothing
    std::vector<Sample> baseRejected; ///< per minute
    std::vector<Sample> candidateRejected;
    std::int64_t first = 0; ///< seconds of the recording: first <= s < last
    std::int64_t last = 0;
    std::uint64_t requests = 0;
    std::int64_t milliseconds = 0; ///< that it took
    std::vector<std::string> baseAsIf; ///< conditions that are not the usual ones; raw bytes
    std::vector<std::string> candidateAsIf;
};

/// Errors: those of compareStored() and of the store.
engine::Result<std::shared_ptr<const ComparedRuns>> readComparison(const std::string& store,
                                                                   CompareBase base,
                                                                   storage::RunId candidate,
                                                                   const StopFlag& stop);

/// The values of one attribute with their changes: the recording is read again. Errors: those of
/// compareStored(), recording.*.
engine::Result<FigureTable> readByAttribute(const std::string& store, CompareBase base,
                                            storage::RunId candidate, const std::string& attribute,
                                            const StopFlag& stop);

/// Attributes that a comparison can be split by: those that say what a request is, not who sent it
/// (plan, method, status), and what the policy makes of them.
std::vector<std::string> attributesOf(const storage::RunDetail& run);

/// Rejected on both sides and the difference, as bands of a chart.
ChartData rejectedBands(const ComparedRuns& compared, const QString& base,
                        const QString& candidate);

/// "Recorded" or "12: pro 1200, search 6".
QString sideName(const CompareBase& side, const Session& session);

/// Runs that may be compared with it: complete, of the same recording.
std::vector<CompareBase> basesFor(const storage::RunSummary& candidate, const Session& session);

} // namespace app::console

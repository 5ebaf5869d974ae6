#pragma once
#include "app/workbench/figure_table.h"
#include "app/workbench/key_names.h"
#include "engine/plan.h"
#include "storage/run_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What came of a run's servers, outages and clients, of limits that are learned, and what the
/// states of its rules took; as tables. A table without rows has nothing to tell.
namespace app {

/// Requests by server, and how far the clock of each is ahead.
FigureTable serversTable(const storage::RunDetail& run, const KeyNames& names);

/// The most that one key was admitted by all servers together, rule by rule, beside its limit.
/// `plan`: the run's, for its limits; nullptr where it is not known.
FigureTable admittedTable(const storage::RunDetail& run, const engine::Plan* plan,
                          const KeyNames& names);

/// What each rule let in or turned away while the store was away.
FigureTable outagesTable(const storage::RunDetail& run);

/// First attempts, retries and how they ended, by behaviour and for all.
FigureTable clientsTable(const storage::RunDetail& run);
/// Peaks, and how late those were that got through.
FigureTable attemptsTable(const storage::RunDetail& run);
/// Clients that never got through again; `attribute` names them.
FigureTable lockoutsTable(const storage::RunDetail& run, std::size_t top, const KeyNames& names);

/// What a rule that learns went by, second by second.
struct LearnedLimits {
    const storage::RuleTotals* rule = nullptr; ///< of the run
    bool isLimit = true; ///< else how many classes a load_shedder shed, in thousandths
    std::vector<engine::LimitSecond> seconds; ///< at least one

    [[nodiscard]] std::int64_t lowest() const;
    [[nodiscard]] std::int64_t highest() const;
    [[nodiscard]] std::int64_t last() const;
};

/// Of all rules that do. Borrows the run. Errors: the store's.
engine::Result<std::vector<LearnedLimits>> learnedLimits(const storage::RunReader& reader,
                                                         const storage::RunDetail& run);

/// Of each rule that learns: the lowest, highest and last limit. Errors: the store's.
engine::Result<FigureTable> limitsTable(const storage::RunReader& reader,
                                        const storage::RunDetail& run);

/// Bytes of state, by rule and for each key, as measured at the end of the run.
FigureTable statesTable(const storage::RunDetail& run);

/// All of them but statesTable(), that have rows.
engine::Result<std::vector<FigureTable>> conditionTables(const storage::RunReader& reader,
                                                         const storage::RunDetail& run,
                                                         std::size_t top, const KeyNames& names);

/// A limit in one of its periods: N or the slots, the most that one state can admit then (of a
/// bucket N and what it holds from rest), and how long that is: 0 for slots. All 0 where the limit
/// is learned. Example: token_bucket 60/min, burst 60: {60, 120, 60 s} but for the last moment.
struct LimitInWindow {
    std::int64_t limit = 0;
    std::int64_t most = 0;
    std::int64_t periodNs = 0;
};

LimitInWindow limitInWindow(const engine::Limit& limit);

/// The attribute whose values are the servers of a run, or "".
std::string serverAttribute(const storage::RunDetail& run);
/// The attribute by whose values a run's clients were told apart.
std::string clientAttribute(const storage::RunDetail& run);

/// Does the limit of its rules go up and down?
bool learns(engine::Algorithm algorithm);
/// The same of a rule of a run.
bool learns(const storage::RuleTotals& rule);

/// Is it what a load_shedder did to one of its classes, or to requests that are in none?
bool isOfClass(const storage::RuleTotals& rule);

/// "10", "1.3": part / whole with one decimal where it is not whole, rounded half up; "<0.1"
/// where that would be nothing; "-" of nothing.
std::string timesText(std::int64_t part, std::int64_t whole);

} // namespace app

#pragma once
#include "app/workbench/chart.h"
#include "app/workbench/figure_table.h"
#include "app/workbench/key_names.h"
#include "app/workbench/period_view.h"
#include "storage/run_reader.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

/// Counts of a run's requests by one attribute (--by).
using Attribute = std::pair<std::string, ByValue>;

/// The attribute that says who sent a request, as the run was read; "who" where that is not known.
std::string whoOf(const storage::RunDetail& run);

/// A reading option of the run, or "".
std::string readingOf(const storage::RunDetail& run, std::string_view option);

/// The rows of --by, most requests first.
std::vector<ByValue::const_iterator> byRequests(const ByValue& counts);

// What a run amounts to, as tables. `top`: rows of the tables of keys. Errors: the store's.

FigureTable totalsTable(const storage::RunTotals& totals);
FigureTable tiersTable(const storage::RunDetail& run);
/// Keys and skips are known for the whole run only.
FigureTable rulesTable(const storage::RunDetail& run, bool isNarrowed);
FigureTable delaysTable(const storage::RunDetail& run);
engine::Result<FigureTable> whosTable(const storage::RunReader& reader,
                                      const storage::RunDetail& run, std::size_t top,
                                      const KeyNames& names);
/// The keys that were denied most, over all rules.
engine::Result<FigureTable> keysTable(const storage::RunReader& reader,
                                      const storage::RunDetail& run, std::size_t top,
                                      const KeyNames& names);
FigureTable attributeTable(const Attribute& attribute, std::size_t top, const KeyNames& names);
/// Of a period: who was rejected, and which keys of the rules that did it.
std::vector<FigureTable> narrowedTables(const PeriodView& view, std::size_t top,
                                        const KeyNames& names);

/// Columns of equal width over the seconds first <= s < end of a run.
struct TimelineSpan {
    std::int64_t firstSecond = 0;
    std::int64_t endSecond = 1;
    std::int64_t widthSeconds = 1;
    storage::TimelineLevel level = storage::TimelineLevel::Second;

    [[nodiscard]] std::size_t columns() const
    {
        return static_cast<std::size_t>((endSecond - firstSecond + widthSeconds - 1)
                                        / widthSeconds);
    }
};

/// What a run's requests came to in each column; SecondTally::second is where it begins, `rules`
/// stay empty. A point of a coarse level that begins before the first second goes to the first
/// column, so that nothing is lost; columns are exact where they are made of whole points.
engine::Result<std::vector<engine::SecondTally>>
timelineColumns(const storage::RunReader& reader, storage::RunId run, const TimelineSpan& span);

} // namespace app

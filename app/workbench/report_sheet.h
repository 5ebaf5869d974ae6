#pragma once
#include "app/workbench/chart.h"
#include "app/workbench/figure_table.h"
#include "app/workbench/key_names.h"
#include "storage/run_records.h"

#include <string>
#include <utility>
#include <vector>

namespace app {

/// A run or a comparison as values: all that a page, a pull request or a spreadsheet shows of it.
///
/// Every figure is made once, in a table or a chart, and written in as many forms as there are.
/// Texts marked raw came from a log, a policy or a command line: the forms escape them.
struct ReportSheet {
    std::string subject; ///< raw: "run 3 (public-api)"
    std::string against {}; ///< raw: the base of a comparison
    std::vector<std::pair<std::string, Cell>> facts {}; ///< policy, log, times
    std::string verdict {}; ///< one sentence, ours: "38 of 240 requests are newly rejected (15.8%)"
    std::string gate {}; ///< raw: the gate's line, if there is one
    bool gateFails = false;
    std::vector<TimelineChart> timelines {};
    std::vector<BarChart> bars {};
    std::vector<FigureTable> tables {}; ///< totals first
    std::vector<FigureTable> csvTables {};
    std::vector<storage::Note> notes {};
    std::vector<storage::BadLines> badLines {};
    std::vector<std::string> limits {}; ///< what else the figures do not say, a sentence each
    std::string sampled {}; ///< "1/10" where the log is a sample
    KeyNames names {}; ///< under which the values of the tables are shown, and lines of the log
};

/// For a pull request or a job's summary on GitHub.
std::string markdownReport(const ReportSheet& sheet);

/// RFC 4180, see csvTables().
std::string csvReport(const ReportSheet& sheet);

/// One page for itself: no script, nothing that is loaded, charts as SVG; light and dark, and
/// readable on paper. Well-formed as XML, too.
std::string htmlReport(const ReportSheet& sheet);

/// "1 line, bad-time, first line 102: {...}"; of the line its begin, if it may be shown. Raw bytes.
std::string badLinesText(const storage::BadLines& bad, const KeyNames& names);

} // namespace app

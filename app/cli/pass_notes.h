#pragma once
#include "app/cli/context.h"
#include "app/workbench/replay.h"
#include "app/workbench/report_sheet.h"
#include "app/workbench/secrets.h"

#include <string>
#include <vector>

namespace app::cli {

/// What a reader must know of figures of which no run is kept: how the logs were read, what was
/// left out, what could not be read.
struct PassNotes {
    std::vector<storage::Note> notes;
    std::vector<storage::BadLines> badLines;
    SecretAttributes secrets; ///< how values are shown
    std::string sampled; ///< "1/10", or ""
};

/// The requests that the figures are of.
struct PassFigures {
    std::uint64_t requests = 0;
    std::uint64_t withWho = 0; ///< of them
    std::uint64_t recordedRejected = 0; ///< of them, by production
};

PassNotes passNotesOf(const Pass& pass, const ReplayRequest& request,
                      const std::vector<const engine::Plan*>& plans, const PassFigures& figures);

/// On stderr, where nothing but figures may stand in the results.
void sayNotes(Messages& messages, const PassNotes& notes);
/// The same of a report: also what else its figures do not say.
void sayNotes(Messages& messages, const ReportSheet& sheet);

} // namespace app::cli

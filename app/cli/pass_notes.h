#pragma once
#include "app/cli/context.h"
#include "app/workbench/replay.h"
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

/// `recordedRejected`: requests that production had rejected and that are among the figures.
PassNotes passNotesOf(const Pass& pass, const ReplayRequest& request,
                      const std::vector<const engine::Plan*>& plans,
                      std::uint64_t recordedRejected);

/// On stderr, where nothing but figures may stand in the results.
void sayNotes(Messages& messages, const PassNotes& notes);

} // namespace app::cli

#pragma once
#include "app/workbench/log_choice.h"
#include "engine/diagnostic.h"

#include <string>
#include <vector>

namespace app {

/// What was said of the LOGs of one pass.
struct LogArguments {
    /// Files, pipes, "-" (standard input), folders (their files), and log descriptions
    /// (`NAME.logs.yaml`: their groups).
    std::vector<std::string> paths;
    /// --files-from: files that name more of them, one in a line or each ended by a NUL; "-" is
    /// standard input. Names are relative to the folder of the process.
    std::vector<std::string> lists;
    LogChoice defaults; ///< how they are read, where no group of a description says otherwise
    const StopFlag* stop = nullptr; ///< ends the wait for a list on standard input: file.stopped
};

/// The LOGs one by one, in the order given; those of a folder or a glob by name. A file that comes
/// again (also under another name) is read once.
struct LogList {
    std::vector<LogChoice> logs; ///< empty if there are errors
    std::vector<std::string> notes; ///< sentences: what a folder gave, what was left out, clocks
    std::vector<engine::Diagnostic> errors; ///< of descriptions all there are, else the first
};

/// Finds the files; none of them is opened.
///
/// Errors: log.empty-folder, log.open (a folder that cannot be read), log.no-files (a list that
/// names none), cli.usage (standard input twice), file.* (a list or description that cannot be
/// read), logs.* (policies/log_description.h; logs.no-match: a name or glob without a file;
/// logs.two-groups: a file in two groups), log.format, log.map, log.zone and attribute.network with
/// the place in the description.
LogList expandLogs(const LogArguments& arguments);

} // namespace app

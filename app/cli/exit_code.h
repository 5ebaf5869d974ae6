#pragma once
#include "engine/diagnostic.h"

namespace app::cli {

/// What the process says when it ends. Stable: scripts depend on it.
enum class ExitCode : int {
    Done = 0,
    GateSaysNo = 1, ///< --fail-if, or check or test with failures
    Usage = 2, ///< the command line, or an output file that cannot be written
    PolicyInvalid = 3, ///< a policy has errors (check says so with 1)
    LogUnreadable = 4, ///< a log cannot be read
    StoreUnusable = 5, ///< the store of runs cannot be used
    Interrupted = 130, ///< by a signal; what was done until then is kept
};

/// What the failure of a use case stands for, by the area of its code.
ExitCode exitCodeOf(const engine::Diagnostic& diagnostic);

} // namespace app::cli

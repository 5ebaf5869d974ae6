#pragma once
#include "engine/diagnostic.h"

namespace app {

/// Lets the process open as many files as the system grants it: LOGs that lie side by side are
/// open at once, each with up to four files (the log, and what waits for its order).
void raiseOpenFiles();

/// What to say of a failure: the failure itself, or log.too-many-open where it came because no more
/// files can be opened. Ask before anything is closed.
///
/// Example: of 500 hosts and a limit of 256 files (ulimit -n) the 250th cannot be opened.
engine::Diagnostic orTooManyOpen(engine::Diagnostic failure);

} // namespace app

#pragma once
#include <atomic>

namespace app::cli {

/// Makes the process fit to work: stdin, stdout and stderr are open (what was closed reads as
/// empty and refuses writes), SIGPIPE and SIGXFSZ become errors of the call that met them, and
/// SIGINT, SIGTERM and SIGHUP set the flag below. A second such signal ends the process at once,
/// with 130. A SIGHUP that was ignored (nohup) stays ignored. Large tables get large pages. Call
/// once, before any thread.
void prepareProcess();

/// Set by the first signal. A verb that runs for long polls it and ends in good order.
std::atomic<bool>& interrupted();

} // namespace app::cli

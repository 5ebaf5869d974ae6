#pragma once

namespace app::cli {

/// Runs the command line and returns the exit status (see exit_code.h). Reads argv as the shell
/// gave it; results go to stdout, all else to stderr.
int run(int argc, char** argv);

} // namespace app::cli

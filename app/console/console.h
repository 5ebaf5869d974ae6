#pragma once

namespace app::console {

/// Runs the program until its window is closed. Returns the exit code: 0, or 2 for options that
/// there are not.
int run(int& argc, char** argv);

} // namespace app::console

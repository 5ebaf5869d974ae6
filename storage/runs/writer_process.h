#pragma once
#include <string>
#include <string_view>

/// Tells a process that still writes from one that is gone.
namespace storage::runs {

/// This process, unlike any before or after it: "PID START BOOT", the start in clock ticks since
/// the boot, the boot as the system names it. A number that was given again has another start.
std::string ownProcess();

/// Is the process of such a text alive? A text that is no such thing names nobody.
bool isAlive(std::string_view process);

} // namespace storage::runs

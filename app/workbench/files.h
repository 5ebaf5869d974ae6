#pragma once
#include "engine/result.h"

#include <cstddef>
#include <string>
#include <string_view>

/// Small files, read whole and written whole. (Logs are storage's.)
namespace app {

/// All bytes of `path`; "-" is stdin. Errors: file.missing, file.folder, file.read (with the
/// system's reason), file.too-large (more than `maxBytes`). Pipes are fine.
engine::Result<std::string> readFile(const std::string& path, std::size_t maxBytes);

/// Puts `bytes` in the place of `path` in one step: a reader sees the old file or the new one.
/// Keeps the mode of an old file, and a symbolic link (its target is replaced). A pipe or device is
/// written to. Errors: file.write.
engine::Status writeFile(const std::string& path, std::string_view bytes);

/// As writeFile, but only if there is nothing under that name. Errors: file.exists, file.write.
engine::Status createFile(const std::string& path, std::string_view bytes);

/// Do both names lead to one existing file?
bool isSameFile(const std::string& a, const std::string& b);

} // namespace app

#pragma once
#include "app/workbench/progress.h"
#include "engine/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

/// Small files, read whole and written whole. (Logs are storage's.)
namespace app {

/// All bytes of `path`; "-" is stdin. A pipe by name is waited for: two seconds until somebody
/// opens it for writing, then until all is written, be it nothing.
/// Errors: file.missing, file.folder, file.read (with the system's reason), file.too-large (more
/// than `maxBytes`), file.stopped (*stop became true while a pipe had nothing to say),
/// file.no-writer (nobody opened it in that time).
engine::Result<std::string> readFile(const std::string& path, std::size_t maxBytes,
                                     const StopFlag* stop = nullptr);

/// Puts `bytes` in the place of `path` in one step: a reader sees the old file or the new one.
/// Keeps the mode of an old file, its owner and group where the system lets us, and a symbolic link
/// (its target is replaced). What may not be written is refused, even to root where nobody may. Of
/// a file with several names (hard links) only this one gets the new bytes: a copy that was made by
/// linking stays what it was. A pipe or device is written to.
/// Errors: file.write, file.gone (a pipe that nobody reads any more).
engine::Status writeFile(const std::string& path, std::string_view bytes);

/// A file that is written bit by bit and takes its name in one step, when commit() is called: until
/// then a reader sees the old file, and without commit() it stays. A pipe or device is written to
/// as it is, and is never removed. One thread.
class ReplacingFile {
public:
    /// Keeps mode, owner and link as writeFile does. Errors: file.write.
    static engine::Result<std::unique_ptr<ReplacingFile>> open(const std::string& path);
    ~ReplacingFile(); ///< without commit(): removes what was written
    ReplacingFile(const ReplacingFile&) = delete;
    ReplacingFile& operator=(const ReplacingFile&) = delete;

    /// Errors: file.write, file.gone.
    engine::Status write(std::string_view bytes);
    engine::Status commit();

private:
    ReplacingFile() = default;

    std::string m_path;
    std::string m_target;
    std::string m_temporary; ///< empty: the target itself is written to
    int m_descriptor = -1;
};

/// As writeFile, but only if there is nothing under that name. Errors: file.exists, file.write.
engine::Status createFile(const std::string& path, std::string_view bytes);
/// Would createFile() find a file there? Errors: file.exists.
engine::Status checkAbsent(const std::string& path);

/// Do both names lead to one existing file?
bool isSameFile(const std::string& a, const std::string& b);

} // namespace app

#pragma once
#include "engine/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace storage::logs {

/// A temporary file without a name: gone when it is closed, also after a crash.
class ScratchFile {
public:
    /// In `folder`; empty: $TMPDIR, else /tmp. Errors: sort.disk.
    static engine::Result<ScratchFile> make(const std::string& folder);
    ScratchFile(ScratchFile&& other) noexcept;
    ScratchFile& operator=(ScratchFile&& other) noexcept;
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile();

    /// Errors: sort.disk (a full disk, a failing one).
    [[nodiscard]] engine::Status writeAt(std::uint64_t offset, const void* bytes,
                                         std::size_t size) const;
    [[nodiscard]] engine::Status readAt(std::uint64_t offset, void* bytes, std::size_t size) const;

private:
    ScratchFile(std::string folder, int descriptor);
    [[nodiscard]] engine::Failure failure(const char* what, int error) const;

    std::string m_folder;
    int m_descriptor = -1;
};

} // namespace storage::logs

#include "storage/logs/scratch_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace storage::logs {
namespace {

std::string folderOr(const std::string& folder)
{
    if (!folder.empty()) {
        return folder;
    }
    const char* given = std::getenv("TMPDIR");
    return given != nullptr && *given != '\0' ? given : "/tmp";
}

engine::Failure diskFailure(const std::string& folder, const char* what, int error)
{
    return engine::fail("sort.disk",
                        fmt::format("the temporary file in {} cannot be {}: {}", folder, what,
                                    std::strerror(error)),
                        "set TMPDIR to a folder with more room");
}

} // namespace

ScratchFile::ScratchFile(std::string folder, int descriptor)
    : m_folder(std::move(folder))
    , m_descriptor(descriptor)
{
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : m_folder(std::move(other.m_folder))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept
{
    std::swap(m_folder, other.m_folder);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

ScratchFile::~ScratchFile()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

engine::Result<ScratchFile> ScratchFile::make(const std::string& wanted)
{
    const std::string folder = folderOr(wanted);
    int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
        std::string name = folder + "/weir-XXXXXX";
        descriptor = ::mkostemp(name.data(), O_CLOEXEC);
        if (descriptor >= 0) {
            ::unlink(name.c_str());
        }
    }
    if (descriptor < 0) {
        return diskFailure(folder, "made", errno);
    }
    return ScratchFile(folder, descriptor);
}

engine::Failure ScratchFile::failure(const char* what, int error) const
{
    return diskFailure(m_folder, what, error);
}

engine::Status ScratchFile::writeAt(std::uint64_t offset, const void* bytes, std::size_t size) const
{
    const auto* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t done = ::pwrite(m_descriptor, from, size, static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return failure("written", done < 0 ? errno : ENOSPC);
        }
        from += done;
        size -= static_cast<std::size_t>(done);
        offset += static_cast<std::uint64_t>(done);
    }
    return engine::Done {};
}

engine::Status ScratchFile::readAt(std::uint64_t offset, void* bytes, std::size_t size) const
{
    auto* into = static_cast<char*>(bytes);
    while (size > 0) {
        const ssize_t done = ::pread(m_descriptor, into, size, static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return failure("read", done < 0 ? errno : EIO);
        }
        into += done;
        size -= static_cast<std::size_t>(done);
        offset += static_cast<std::uint64_t>(done);
    }
    return engine::Done {};
}

} // namespace storage::logs

#include "app/workbench/files.h"

#include "storage/pipes.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace app {
namespace {

constexpr mode_t kNewFileMode = 0666; // the umask takes from it
constexpr mode_t kAnyMayWrite = 0222;

class Descriptor {
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }

    ~Descriptor()
    {
        if (m_number > 2) {
            ::close(m_number);
        }
    }

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

engine::Failure failed(const char* code, std::string_view what, const std::string& path, int error)
{
    if (error == EPIPE) {
        return engine::fail("file.gone", fmt::format("nobody reads `{}` any more", path));
    }
    return engine::fail(code,
                        fmt::format("`{}` cannot be {}: {}", path, what, std::strerror(error)),
                        error == ENOSPC || error == EDQUOT || error == EFBIG
                            ? "make room on the disk"
                            : "see to it that the path and its permissions are right");
}

engine::Failure existsAlready(const std::string& path)
{
    return engine::fail("file.exists", fmt::format("there is a file `{}` already", path),
                        "name another one, or remove it first");
}

bool writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
}

/// Waits until a read would not block; true when *stop became true before that.
bool isStopped(int descriptor, const StopFlag* stop)
{
    constexpr int kLookMs = 100;
    if (stop == nullptr) {
        return false;
    }
    pollfd polled {descriptor, POLLIN, 0};
    while (!stop->load(std::memory_order_relaxed)) {
        if (::poll(&polled, 1, kLookMs) > 0) {
            return false;
        }
    }
    return true;
}

engine::Failure stopped(const std::string& path)
{
    return engine::fail("file.stopped", fmt::format("stopped while `{}` was read", path));
}

/// The first byte, where one had to be read to find out, goes into `bytes`.
engine::Status awaitWriter(int pipe, const std::string& path, const StopFlag* stop,
                           std::string& bytes)
{
    const storage::PipeWriter writer = storage::awaitWriter(pipe, stop);
    switch (writer.found) {
    case storage::PipeWriter::Found::Stopped:
        return stopped(path);
    case storage::PipeWriter::Found::Nobody:
        return engine::fail("file.no-writer",
                            fmt::format("`{}` is a pipe that nobody opened for writing within {} s",
                                        path, storage::kWriterSeconds),
                            "start the writer first, or name a file");
    case storage::PipeWriter::Found::Came:
        break;
    }
    bytes.append(writer.first ? 1 : 0, writer.first.value_or('\0'));
    return engine::Done {};
}

/// Makes a file that was opened without waiting for a writer one that waits for what is written.
/// What was read of a pipe until then goes into `bytes`.
engine::Status beginReading(int descriptor, const std::string& path, const StopFlag* stop,
                            std::string& bytes)
{
    struct stat status { };

    const bool isKnown = ::fstat(descriptor, &status) == 0;
    if (isKnown && S_ISDIR(status.st_mode)) {
        return engine::fail("file.folder", fmt::format("`{}` is a folder", path),
                            "name a file in it");
    }
    if (path == "-") {
        return engine::Done {};
    }
    if (isKnown && S_ISFIFO(status.st_mode)) {
        return awaitWriter(descriptor, path, stop, bytes);
    }
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return engine::Done {};
}

/// What a chain of symbolic links ends in, whether it exists or not.
std::string resolved(const std::string& path)
{
    std::error_code error;
    std::filesystem::path at = path;
    for (int links = 0; links < 40 && std::filesystem::is_symlink(at, error); ++links) {
        const std::filesystem::path target = std::filesystem::read_symlink(at, error);
        at = target.is_absolute() ? target : at.parent_path() / target;
    }
    return at.string();
}

/// Where the system lets us: others' files may be written without being given away.
void keepOwner(int descriptor, const struct stat& old)
{
    const bool isGroupKept = ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
    const bool isOwnerKept = ::fchown(descriptor, old.st_uid, static_cast<gid_t>(-1)) == 0;
    static_cast<void>(isGroupKept && isOwnerKept);
}

mode_t umaskNow()
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mask;
}

} // namespace

engine::Result<std::string> readFile(const std::string& path, std::size_t maxBytes,
                                     const StopFlag* stop)
{
    // A pipe that nobody writes to would be waited for, maybe for ever.
    constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    const Descriptor file(path == "-" ? 0 : ::open(path.c_str(), kFlags));
    if (file.number() < 0) {
        if (errno == ENOENT) {
            return engine::fail("file.missing", fmt::format("there is no file `{}`", path),
                                "see to it that the path is right");
        }
        return failed("file.read", "read", path, errno);
    }
    std::string bytes;
    if (engine::Status begun = beginReading(file.number(), path, stop, bytes); !begun) {
        return engine::fail(begun.error());
    }
    std::string block(64 * 1024, '\0');
    for (;;) {
        if (isStopped(file.number(), stop)) {
            return stopped(path);
        }
        const ssize_t count = ::read(file.number(), block.data(), block.size());
        if (count == 0) {
            return bytes;
        }
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return failed("file.read", "read", path, errno);
        }
        bytes.append(block, 0, static_cast<std::size_t>(count));
        if (bytes.size() > maxBytes) {
            return engine::fail("file.too-large",
                                fmt::format("`{}` has more than {} bytes", path, maxBytes),
                                "is it the right file?");
        }
    }
}

engine::Result<std::unique_ptr<ReplacingFile>> ReplacingFile::open(const std::string& path)
{
    std::unique_ptr<ReplacingFile> file(new ReplacingFile);
    file->m_path = path;

    struct stat status { };

    const bool isThere = ::stat(path.c_str(), &status) == 0;
    if (isThere && S_ISDIR(status.st_mode)) {
        return failed("file.write", "written", path, EISDIR);
    }
    if (isThere && !S_ISREG(status.st_mode)) {
        // By the name as it was given: /dev/fd/1 leads to a pipe that has no name of its own.
        file->m_descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        return file->m_descriptor < 0 ? engine::Result<std::unique_ptr<ReplacingFile>>(
                   failed("file.write", "written", path, errno))
                                      : std::move(file);
    }
    const bool isReadOnly = isThere && (status.st_mode & kAnyMayWrite) == 0;
    if (isThere && (isReadOnly || ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)) {
        return failed("file.write", "written", path, isReadOnly ? EACCES : errno);
    }
    file->m_target = resolved(path);
    file->m_temporary = file->m_target + ".XXXXXX";
    file->m_descriptor = ::mkostemp(file->m_temporary.data(), O_CLOEXEC);
    if (file->m_descriptor < 0) {
        file->m_temporary.clear();
        return failed("file.write", "written", path, errno);
    }
    if (isThere) {
        keepOwner(file->m_descriptor, status); // first: it may take bits from the mode
    }
    const mode_t mode = isThere ? status.st_mode & 07777 : kNewFileMode & ~umaskNow();
    if (::fchmod(file->m_descriptor, mode) != 0) {
        return failed("file.write", "written", path, errno);
    }
    return file;
}

ReplacingFile::~ReplacingFile()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
    if (!m_temporary.empty()) {
        ::unlink(m_temporary.c_str());
    }
}

engine::Status ReplacingFile::write(std::string_view bytes)
{
    return writeAll(m_descriptor, bytes) ? engine::Status(engine::Done {})
                                         : failed("file.write", "written", m_path, errno);
}

engine::Status ReplacingFile::commit()
{
    const bool isWritten = m_temporary.empty()
        || (::fsync(m_descriptor) == 0 && ::rename(m_temporary.c_str(), m_target.c_str()) == 0);
    if (!isWritten) {
        return failed("file.write", "written", m_path, errno);
    }
    m_temporary.clear();
    const int descriptor = m_descriptor;
    m_descriptor = -1;
    return ::close(descriptor) == 0 ? engine::Status(engine::Done {})
                                    : failed("file.write", "written", m_path, errno);
}

engine::Status writeFile(const std::string& path, std::string_view bytes)
{
    const engine::Result<std::unique_ptr<ReplacingFile>> file = ReplacingFile::open(path);
    if (!file) {
        return engine::fail(file.error());
    }
    if (engine::Status written = (*file)->write(bytes); !written) {
        return written;
    }
    return (*file)->commit();
}

engine::Status checkAbsent(const std::string& path)
{
    struct stat found { };

    if (::lstat(path.c_str(), &found) == 0) {
        return existsAlready(path);
    }
    return engine::Done {};
}

engine::Status createFile(const std::string& path, std::string_view bytes)
{
    const Descriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode));
    if (file.number() < 0) {
        if (errno == EEXIST) {
            return existsAlready(path);
        }
        return failed("file.write", "written", path, errno);
    }
    if (!writeAll(file.number(), bytes)) {
        const int error = errno;
        ::unlink(path.c_str());
        return failed("file.write", "written", path, error);
    }
    return engine::Done {};
}

bool isSameFile(const std::string& a, const std::string& b)
{
    struct stat one { };

    struct stat other { };

    return ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0
        && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

} // namespace app

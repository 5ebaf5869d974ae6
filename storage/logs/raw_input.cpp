#include "storage/logs/raw_input.h"

#include "storage/pipes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace storage::logs {
namespace {

engine::Failure openFailure(const std::string& path, int error)
{
    if (error == ENOENT || error == ENOTDIR) {
        return engine::fail("log.missing", fmt::format("there is no file {}", path),
                            "give the path of a log, or - for standard input");
    }
    if (error == EACCES || error == EPERM) {
        return engine::fail("log.permission", fmt::format("{} may not be read", path),
                            "ask for read permission, or pipe the log in with -");
    }
    if (error == ENXIO || error == ENODEV) {
        return engine::fail("log.device",
                            fmt::format("{} is a device or a socket, not a log", path),
                            "give a file, a pipe, or -");
    }
    return engine::fail("log.open",
                        fmt::format("{} cannot be opened: {}", path, std::strerror(error)));
}

} // namespace

RawInput::RawInput(RawInput&& other) noexcept
{
    *this = std::move(other);
}

RawInput& RawInput::operator=(RawInput&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_owned, other.m_owned);
    m_regular = other.m_regular;
    m_hasEnd = other.m_hasEnd;
    m_shrunk = other.m_shrunk;
    m_offset = other.m_offset;
    m_total = other.m_total;
    m_fileBytes = other.m_fileBytes;
    m_stop = other.m_stop;
    m_stopped = other.m_stopped;
    m_first = other.m_first;
    m_hasFirst = other.m_hasFirst;
    return *this;
}

RawInput::~RawInput()
{
    if (m_owned && m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

engine::Result<RawInput> RawInput::open(const std::string& path, RawOptions options)
{
    RawInput input;
    input.m_path = path;
    input.m_stop = options.stop;
    const bool isStandardInput = path == "-";
    if (isStandardInput) {
        input.m_descriptor = STDIN_FILENO;
    } else {
        input.m_descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (input.m_descriptor < 0) {
            return openFailure(path, errno);
        }
        input.m_owned = true;
    }

    struct stat status { };

    if (::fstat(input.m_descriptor, &status) != 0) {
        return openFailure(isStandardInput ? "standard input" : path, errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return engine::fail("log.folder", fmt::format("{} is a folder, not a log", path),
                            "give the files in it");
    }
    if (S_ISREG(status.st_mode)) {
        input.m_regular = !isStandardInput;
        input.m_fileBytes = input.m_regular ? static_cast<std::uint64_t>(status.st_size) : 0;
        input.m_total
            = input.m_regular && options.storedBytes > 0 ? options.storedBytes : input.m_fileBytes;
        input.m_hasEnd = true;
        if (isStandardInput) { // what is behind the place where it stands
            const off_t at = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
            input.m_total = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - at, 0));
        }
    } else if (S_ISFIFO(status.st_mode)) {
        if (!isStandardInput) {
            if (auto done = input.awaitWriter(); !done) {
                return engine::fail(done.error());
            }
        }
    } else if (!isStandardInput) {
        return openFailure(path, ENXIO);
    }
    return input;
}

engine::Status RawInput::awaitWriter()
{
    const PipeWriter writer = storage::awaitWriter(m_descriptor, m_stop);
    if (writer.found == PipeWriter::Found::Nobody) {
        return engine::fail("log.no-writer",
                            fmt::format("{} is a pipe that nobody opened for writing within {} s",
                                        m_path, kWriterSeconds),
                            "start the writer first");
    }
    m_hasFirst = writer.first.has_value();
    m_first = writer.first.value_or('\0');
    return engine::Done {}; // stopped: the first read() says so
}

bool RawInput::awaitStop()
{
    constexpr int kPatienceMs = 100;
    pollfd waiting {m_descriptor, POLLIN, 0};
    for (int ready = 0; ready == 0;) {
        m_stopped = m_stopped || m_stop->load(std::memory_order_relaxed);
        if (m_stopped) {
            return true;
        }
        ready = ::poll(&waiting, 1, kPatienceMs);
        if (ready < 0 && errno == EINTR) { // a signal may be what sets the flag
            ready = 0;
        }
    }
    return false;
}

engine::Result<std::size_t> RawInput::read(void* into, std::size_t room)
{
    if (m_hasFirst && room > 0) {
        m_hasFirst = false;
        *static_cast<char*>(into) = m_first;
        m_offset = 1;
        return std::size_t {1};
    }
    if (m_hasEnd) {
        room = static_cast<std::size_t>(std::min<std::uint64_t>(room, m_total - m_offset));
    }
    while (room > 0) {
        if (!m_regular && m_stop != nullptr && awaitStop()) {
            break;
        }
        const ssize_t got = m_regular
            ? ::pread(m_descriptor, into, room, static_cast<off_t>(m_offset))
            : ::read(m_descriptor, into, room);
        if (got > 0) {
            m_offset += static_cast<std::uint64_t>(got);
            return static_cast<std::size_t>(got);
        }
        if (got == 0) {
            m_shrunk = m_hasEnd;
            break;
        }
        if (errno != EINTR) {
            return engine::fail("log.read",
                                fmt::format("{} cannot be read: {}", m_path, std::strerror(errno)));
        }
    }
    return std::size_t {0};
}

} // namespace storage::logs

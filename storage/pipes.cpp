#include "storage/pipes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace storage {
namespace {

constexpr long kPipeFilesystem = 0x50495045; ///< pipefs, of pipes without a name
constexpr int kLookMs = 100;

/// A shell makes one for <(...). Who wrote to it may have gone before it is opened by its path.
bool hasNoName(int descriptor)
{
    struct statfs system { };

    return ::fstatfs(descriptor, &system) == 0 && system.f_type == kPipeFilesystem;
}

PipeWriter look(int descriptor, const std::atomic<bool>* stop)
{
    using Found = PipeWriter::Found;
    pollfd polled {descriptor, POLLIN, 0};
    for (int waitedMs = 0; waitedMs < kWriterSeconds * 1000; waitedMs += kLookMs) {
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
            return {Found::Stopped};
        }
        // Bytes; or somebody came and closed the pipe, maybe without any: then it is empty.
        if (::poll(&polled, 1, kLookMs) > 0) {
            return {Found::Came};
        }
        char first = 0;
        const ssize_t got = ::read(descriptor, &first, 1);
        if (got != 0) { // without a byte: somebody has it open who has said nothing yet
            return {Found::Came, got == 1 ? std::optional(first) : std::nullopt};
        }
    }
    return {Found::Nobody};
}

} // namespace

PipeWriter awaitWriter(int descriptor, const std::atomic<bool>* stop)
{
    const PipeWriter writer = hasNoName(descriptor) ? PipeWriter {} : look(descriptor, stop);
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return writer;
}

} // namespace storage

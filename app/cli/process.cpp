#include "app/cli/process.h"

#include "app/cli/exit_code.h"
#include "app/workbench/open_files.h"
#include "engine/large_memory.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace app::cli {
namespace {

std::atomic<bool> s_interrupted {false};
static_assert(std::atomic<bool>::is_always_lock_free, "the handler may touch it");

extern "C" void onSignal(int)
{
    if (s_interrupted.exchange(true)) {
        ::_exit(static_cast<int>(ExitCode::Interrupted));
    }
}

void keepOpen(int descriptor)
{
    if (::fcntl(descriptor, F_GETFD) == -1) {
        // The lowest free number is this one: a file opened later must not become stdout.
        [[maybe_unused]] const int opened = ::open("/dev/null", O_RDONLY);
    }
}

/// Where the system has no large pages to give, ordinary ones do.
void wantLargePages(void* begin, std::size_t bytes)
{
    ::madvise(begin, bytes, MADV_HUGEPAGE);
}

} // namespace

void prepareProcess()
{
    engine::setLargeMemoryHint(wantLargePages);
    raiseOpenFiles();
    for (const int descriptor : {0, 1, 2}) {
        keepOpen(descriptor);
    }

    struct sigaction action { };

    action.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &action, nullptr);
    ::sigaction(SIGXFSZ, &action, nullptr);
    action.sa_handler = onSignal;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before { };

        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) {
            ::sigaction(signal, &action, nullptr);
        }
    }
}

std::atomic<bool>& interrupted()
{
    return s_interrupted;
}

} // namespace app::cli

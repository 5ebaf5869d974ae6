#include "app/workbench/open_files.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace app {

void raiseOpenFiles()
{
    rlimit limit {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit); // where it is refused, the old limit holds
    }
}

engine::Diagnostic orTooManyOpen(engine::Diagnostic failure)
{
    const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::close(descriptor);
        return failure;
    }
    if (errno != EMFILE && errno != ENFILE) {
        return failure;
    }
    rlimit limit {};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    failure.code = "log.too-many-open";
    failure.message = fmt::format(
        "more logs lie side by side in time than can be open at once (at most {} files): {}",
        limit.rlim_cur, failure.message);
    failure.help = "raise the limit (ulimit -n), or join some of them before: weir convert A B -o "
                   "part.jsonl";
    return failure;
}

} // namespace app

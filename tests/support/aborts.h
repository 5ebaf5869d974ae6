#pragma once
#include <csignal>
#include <cstdlib>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tests::support {

/// Whether `work`, done in a child, ends its process: what a bug found at a door does.
inline bool aborts(const std::function<void()>& work)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none {};
        ::setrlimit(RLIMIT_CORE, &none);
        std::signal(SIGABRT, SIG_DFL); // the test's own would print a report
        work();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

} // namespace tests::support

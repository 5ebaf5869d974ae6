#include "storage/runs/writer_process.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace storage::runs {
namespace {

std::string contentOf(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string bootId()
{
    std::string id = contentOf("/proc/sys/kernel/random/boot_id");
    while (!id.empty() && id.back() == '\n') {
        id.pop_back();
    }
    return id;
}

/// Field 22 of /proc/PID/stat. The second field may hold blanks and parentheses, so counting
/// begins behind the last parenthesis. Empty for a process that is not there or a zombie.
std::string startOf(long pid)
{
    const std::string stat = contentOf("/proc/" + std::to_string(pid) + "/stat");
    std::size_t at = stat.rfind(')');
    if (at == std::string::npos || stat.compare(at, 4, ") Z ") == 0) {
        return {};
    }
    for (int field = 2; field < 22; ++field) {
        at = stat.find(' ', at + 1);
        if (at == std::string::npos) {
            return {};
        }
    }
    return stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

std::string processText(long pid)
{
    return std::to_string(pid) + " " + startOf(pid) + " " + bootId();
}

} // namespace

std::string ownProcess()
{
    return processText(getpid());
}

bool isAlive(std::string_view process)
{
    long pid = 0;
    const auto [end, error] = std::from_chars(process.data(), process.data() + process.size(), pid);
    return error == std::errc() && pid > 0 && !startOf(pid).empty() && processText(pid) == process;
}

} // namespace storage::runs

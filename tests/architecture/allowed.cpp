#include "tests/architecture/allowed.h"

#include <algorithm>
#include <array>
#include <set>

namespace tests::architecture {

const std::map<std::string, Names> kMayUse {
    {"engine", {}},
    {"policies", {"engine"}},
    {"storage", {"engine"}},
    {"app", {"engine", "policies", "storage"}},
};

const std::vector<Library>& libraries()
{
    static const std::vector<Library> kLibraries {
        // Before Qt, whose pattern its header fits as well.
        {"QCustomPlot",
         std::regex("qcustomplot\\.h"),
         std::regex("QCustomPlotQt6::.*"),
         {"app/console", "tests"}},
        {"Qt",
         std::regex("Q[A-Z].*|Qt[A-Z].*|qt.*|q[a-z]+\\.h"),
         std::regex("Qt6::.*"),
         {"app/console", "tests"}},
        {"yaml-cpp", std::regex("yaml-cpp/.*"), std::regex("yaml-cpp.*"), {"policies"}},
        {"SQLite", std::regex("sqlite3.*"), std::regex("PkgConfig::sqlite"), {"storage"}},
        {"ISA-L", std::regex("isa-l.*|igzip.*"), std::regex("PkgConfig::isal"), {"storage"}},
        {"zstd", std::regex("zstd.*"), std::regex("PkgConfig::zstd"), {"storage"}},
        {"simdjson", std::regex("simdjson.*"), std::regex("PkgConfig::simdjson"), {"storage"}},
        {"xxHash", std::regex("xxh.*"), std::regex("PkgConfig::xxhash"), {"storage"}},
        {"CLI11", std::regex("CLI/.*"), std::regex("CLI11::.*"), {"app/cli"}},
        {"fmt",
         std::regex("fmt/.*"),
         std::regex("fmt::.*"),
         {"policies", "storage", "app", "tests"}},
    };
    return kLibraries;
}

namespace {

const std::set<std::string> kStandardHeaders {"algorithm",
                                              "any",
                                              "array",
                                              "atomic",
                                              "barrier",
                                              "bit",
                                              "bitset",
                                              "cassert",
                                              "cctype",
                                              "cerrno",
                                              "cfenv",
                                              "cfloat",
                                              "charconv",
                                              "chrono",
                                              "cinttypes",
                                              "climits",
                                              "clocale",
                                              "cmath",
                                              "compare",
                                              "complex",
                                              "concepts",
                                              "condition_variable",
                                              "coroutine",
                                              "csetjmp",
                                              "csignal",
                                              "cstdarg",
                                              "cstddef",
                                              "cstdint",
                                              "cstdio",
                                              "cstdlib",
                                              "cstring",
                                              "ctime",
                                              "cuchar",
                                              "cwchar",
                                              "cwctype",
                                              "deque",
                                              "exception",
                                              "execution",
                                              "filesystem",
                                              "format",
                                              "forward_list",
                                              "fstream",
                                              "functional",
                                              "future",
                                              "initializer_list",
                                              "iomanip",
                                              "ios",
                                              "iosfwd",
                                              "iostream",
                                              "istream",
                                              "iterator",
                                              "latch",
                                              "limits",
                                              "list",
                                              "locale",
                                              "map",
                                              "memory",
                                              "memory_resource",
                                              "mutex",
                                              "new",
                                              "numbers",
                                              "numeric",
                                              "optional",
                                              "ostream",
                                              "queue",
                                              "random",
                                              "ranges",
                                              "ratio",
                                              "regex",
                                              "scoped_allocator",
                                              "semaphore",
                                              "set",
                                              "shared_mutex",
                                              "source_location",
                                              "span",
                                              "sstream",
                                              "stack",
                                              "stdexcept",
                                              "stop_token",
                                              "streambuf",
                                              "string",
                                              "string_view",
                                              "strstream",
                                              "syncstream",
                                              "system_error",
                                              "thread",
                                              "tuple",
                                              "type_traits",
                                              "typeindex",
                                              "typeinfo",
                                              "unordered_map",
                                              "unordered_set",
                                              "utility",
                                              "valarray",
                                              "variant",
                                              "vector",
                                              "version"};

// The operating system and the processor, as far as somebody needs them.
const std::set<std::string> kSystemHeaders {
    "dirent.h",   "errno.h",       "fcntl.h",    "glob.h",      "poll.h",     "pthread.h",
    "sched.h",    "signal.h",      "sys/file.h", "sys/ioctl.h", "sys/mman.h", "sys/resource.h",
    "sys/stat.h", "sys/statvfs.h", "sys/time.h", "sys/types.h", "sys/uio.h",  "sys/vfs.h",
    "sys/wait.h", "termios.h",     "time.h",     "unistd.h",    "spawn.h"};
const std::set<std::string> kProcessorHeaders {"emmintrin.h", "immintrin.h", "nmmintrin.h",
                                               "smmintrin.h", "tmmintrin.h", "x86intrin.h"};

// Time is data in engine, and nothing in it reads or writes. (Locks are fine: its parts may be
// called by many threads. It starts none and never sleeps; checkCode sees to that.)
const std::set<std::string> kNotInEngine {
    "chrono",  "ctime",  "filesystem", "fstream", "future", "iomanip", "iostream",
    "istream", "locale", "ostream",    "random",  "regex",  "sstream", "syncstream"};

const std::regex kNetwork(
    "sys/socket\\.h|sys/un\\.h|netdb\\.h|netinet/.*|arpa/.*|net/.*|ifaddrs\\.h|curl/.*|QtNetwork.*|"
    "Q(Tcp|Udp|Ssl|Local|Abstract)(Socket|Server)|QNetwork.*|QHost.*|boost/asio.*");

// The room of app/console that a file lies in; "" for those that lie directly in it, which know
// all.
std::string consoleRoomOf(const std::string& path)
{
    const std::string inside = path.substr(std::string("app/console/").size());
    const std::size_t slash = inside.find('/');
    return slash == std::string::npos ? std::string() : inside.substr(0, slash);
}

// Rooms of the console stand upon each other, and pages beside each other.
std::optional<std::string> brokenInConsole(const std::string& from, const std::string& to)
{
    static const std::map<std::string, int> kFloors {{"look", 0},   {"frame", 1},  {"session", 2},
                                                     {"charts", 2}, {"window", 4}, {"", 5}};
    constexpr int kPages = 3;
    const std::string user = consoleRoomOf(from);
    const std::string used = consoleRoomOf(to);
    const auto floorOf = [](const std::string& room) {
        const auto found = kFloors.find(room);
        return found == kFloors.end() ? kPages : found->second;
    };
    const bool isStart = user == "author" && used == "start"; // what is seen while nothing is open
    if (user == used || isStart || floorOf(used) < floorOf(user)) {
        return std::nullopt;
    }
    return "app/console/" + user + " may not use app/console/" + used;
}

// Which room of app may not use which.
std::optional<std::string> brokenInApp(const std::string& from, const std::string& to)
{
    if (from.starts_with("app/console/") && to.starts_with("app/console/")) {
        return brokenInConsole(from, to);
    }
    static const std::array<std::pair<std::string, std::string>, 4> kApart {
        {{"app/workbench", "app/cli"},
         {"app/workbench", "app/console"},
         {"app/cli", "app/console"},
         {"app/console", "app/cli"}}};
    for (const auto& [user, used] : kApart) {
        if (isIn(from, user) && isIn(to, used)) {
            return user + " may not use " + used;
        }
    }
    return std::nullopt;
}

} // namespace

std::string topOf(const std::string& path)
{
    return path.substr(0, path.find('/'));
}

bool isIn(const std::string& path, const std::string& folder)
{
    return path == folder || path.starts_with(folder + "/");
}

bool contains(const Names& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool isNetworkHeader(const std::string& header)
{
    return std::regex_match(header, kNetwork);
}

bool isProduct(const std::string& path)
{
    return kMayUse.contains(topOf(path));
}

bool mayEnter(const std::string& path, const Library& library)
{
    for (const std::string& folder : library.folders) {
        if (isIn(path, folder) || isIn(path, "tests/" + topOf(folder))) {
            return true;
        }
    }
    return false;
}

std::optional<std::string> brokenDirection(const std::string& from, const std::string& to)
{
    const std::string user = topOf(from);
    const std::string used = topOf(to);
    if (!kMayUse.contains(user)) {
        return std::nullopt;
    }
    if (user == used) {
        return brokenInApp(from, to);
    }
    if (!contains(kMayUse.at(user), used)) {
        return user + " may not use " + used;
    }
    return std::nullopt;
}

std::optional<std::string> brokenBySystemHeader(const std::string& path, const std::string& header)
{
    const std::string top = topOf(path);
    for (const Library& library : libraries()) {
        if (std::regex_match(header, library.headers)) {
            if (mayEnter(path, library)) {
                return std::nullopt;
            }
            return library.name + " may not enter " + top;
        }
    }
    if (kStandardHeaders.contains(header)) {
        if (top == "engine" && kNotInEngine.contains(header)) {
            return "engine may not use <" + header + ">";
        }
        return std::nullopt;
    }
    if (kProcessorHeaders.contains(header)
        || (kSystemHeaders.contains(header) && top != "engine")) {
        return std::nullopt;
    }
    return "nobody agreed to <" + header + ">";
}

} // namespace tests::architecture

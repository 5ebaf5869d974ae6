// Times `weir replay` over one log beside other programs that read the same log, turn by turn, and
// prints JSON: medians of the rounds, and ratios to the peers. bench_replay.sh calls it.
//
// usage: bench_replay WEIR POLICY LOG LOG_FORMAT STORE ROUNDS
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

namespace {

struct Cost {
    double wallSeconds = 0;
    double cpuSeconds = 0;
    long peakKiB = 0;
};

double seconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Runs a command with its output thrown away; ends this program if it fails.
Cost run(const std::vector<std::string>& command)
{
    std::vector<char*> words;
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    int status = 0;
    rusage usage {};
    const int failed = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
    if (failed != 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)
        || WEXITSTATUS(status) != 0) {
        std::fprintf(stderr, "bench_replay: %s failed\n", command[0].c_str());
        std::exit(1);
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    posix_spawn_file_actions_destroy(&actions);
    return {wall.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss};
}

// A program with the rounds that were measured.
struct Runner {
    std::string name;
    std::vector<std::string> command;
    std::vector<Cost> costs;

    double median(const std::function<double(const Cost&)>& figure) const
    {
        std::vector<double> values;
        for (const Cost& cost : costs) {
            values.push_back(figure(cost));
        }
        std::nth_element(values.begin(),
                         values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                         values.end());
        return values[values.size() / 2];
    }

    double wall() const
    {
        return median([](const Cost& cost) { return cost.wallSeconds; });
    }

    double cpu() const
    {
        return median([](const Cost& cost) { return cost.cpuSeconds; });
    }
};

std::uint64_t linesOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<char> block(1 << 20);
    std::uint64_t lines = 0;
    while (file.read(block.data(), static_cast<std::streamsize>(block.size()))
           || file.gcount() > 0) {
        lines += static_cast<std::uint64_t>(
            std::count(block.begin(), block.begin() + file.gcount(), '\n'));
    }
    return lines;
}

void removeStore(const std::string& store)
{
    for (const char* suffix : {"", "-wal", "-shm"}) {
        std::filesystem::remove(store + suffix);
    }
}

void print(const Runner& weir, const std::vector<Runner>& peers, std::uint64_t lines,
           std::uintmax_t bytes)
{
    const auto count = static_cast<double>(lines);
    const double peak
        = weir.median([](const Cost& cost) { return static_cast<double>(cost.peakKiB); });
    std::printf("{\"bench\": \"replay\", \"lines\": %llu, \"bytes\": %llu, \"rounds\": %zu, "
                "\"seconds\": %.3f, "
                "\"lines_per_second\": %.0f, \"bytes_per_second\": %.0f, \"cpu_ns_per_line\": "
                "%.1f, \"peak_kib\": %.0f",
                static_cast<unsigned long long>(lines), static_cast<unsigned long long>(bytes),
                weir.costs.size(), weir.wall(), count / weir.wall(),
                static_cast<double>(bytes) / weir.wall(), weir.cpu() * 1e9 / count, peak);
    for (const Runner& peer : peers) {
        std::printf(", \"%s\": {\"seconds\": %.3f, \"cpu_ns_per_line\": %.1f, \"wall_ratio\": "
                    "%.2f, \"cpu_ratio\": %.2f}",
                    peer.name.c_str(), peer.wall(), peer.cpu() * 1e9 / count,
                    weir.wall() / peer.wall(), weir.cpu() / peer.cpu());
    }
    std::puts("}");
}

} // namespace

int main(int argc, char** argv)
{
    const int rounds = argc == 7 ? std::atoi(argv[6]) : 0;
    if (rounds < 1) {
        std::fputs("usage: bench_replay WEIR POLICY LOG LOG_FORMAT STORE ROUNDS\n", stderr);
        return 2;
    }
    const std::string log = argv[3];
    const std::string store = argv[5];
    Runner weir {"weir",
                 {argv[1], "replay", argv[2], log, "--log-format", argv[4], "--db", store,
                  "--quiet", "--no-progress"},
                 {}};
    // The place for further programs that read the same log.
    std::vector<Runner> peers {{"wc", {"wc", "-l", log}, {}}};

    for (int round = 0; round <= rounds; ++round) {
        const bool isWarmUp = round == 0;
        removeStore(store);
        const Cost cost = run(weir.command);
        for (Runner& peer : peers) {
            const Cost peerCost = run(peer.command);
            if (!isWarmUp) {
                peer.costs.push_back(peerCost);
            }
        }
        if (!isWarmUp) {
            weir.costs.push_back(cost);
        }
    }
    print(weir, peers, linesOf(log), std::filesystem::file_size(log));
    return 0;
}

// Times programs that do the same or comparable work, turn by turn, and prints one JSON object:
// medians of the rounds, and ratios of each to the first. bench.sh calls it.
//
// usage: bench_replay ROW ROUNDS LINES [--fresh FILE]... (--run NAME WORD... ;)...
//
//   --fresh FILE   removed, with what SQLite puts beside it, before each run
//   --run NAME     a command, up to a word `;`. Its output is thrown away. A word `<FILE` makes
//   FILE
//                  its standard input. A name `NAME/N` has N lines of its own.
//
// Example: bench_replay combined 5 1000000 --run weir weir replay p.yaml a.log ; --run wc wc -l
// a.log ;
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
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
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    for (const std::string& word : command) {
        if (word.starts_with('<')) {
            posix_spawn_file_actions_addopen(&actions, 0, word.c_str() + 1, O_RDONLY, 0);
        } else {
            words.push_back(const_cast<char*>(word.c_str()));
        }
    }
    words.push_back(nullptr);
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
    double lines = 0;
    std::vector<std::string> command {};
    std::vector<Cost> costs {};

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

void removeStore(const std::string& store)
{
    for (const char* suffix : {"", "-wal", "-shm"}) {
        std::filesystem::remove(store + suffix);
    }
}

void print(const std::string& row, int rounds, const std::vector<Runner>& runners)
{
    std::printf("{\"row\": \"%s\", \"rounds\": %d", row.c_str(), rounds);
    const Runner& first = runners.front();
    for (const Runner& runner : runners) {
        const double peak
            = runner.median([](const Cost& cost) { return static_cast<double>(cost.peakKiB); });
        std::printf(", \"%s\": {\"lines\": %.0f, \"seconds\": %.3f, \"lines_per_second\": %.0f, "
                    "\"cpu_ns_per_line\": %.1f, \"peak_kib\": %.0f",
                    runner.name.c_str(), runner.lines, runner.wall(), runner.lines / runner.wall(),
                    runner.cpu() * 1e9 / runner.lines, peak);
        if (&runner != &first) { // what the first takes, in units of this one
            std::printf(", \"wall_ratio\": %.3f, \"cpu_ratio\": %.3f", first.wall() / runner.wall(),
                        first.cpu() / runner.cpu());
        }
        std::printf("}");
    }
    std::puts("}");
}

int usage()
{
    std::fputs("usage: bench_replay ROW ROUNDS LINES [--fresh FILE]... (--run NAME WORD... ;)...\n",
               stderr);
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    const int rounds = words.size() > 3 ? std::atoi(words[1].c_str()) : 0;
    const double lines = words.size() > 3 ? std::atof(words[2].c_str()) : 0;
    if (rounds < 1 || lines < 1) {
        return usage();
    }
    std::vector<std::string> fresh;
    std::vector<Runner> runners;
    for (std::size_t i = 3; i < words.size(); ++i) {
        if (words[i] == "--fresh" && i + 1 < words.size()) {
            fresh.push_back(words[++i]);
        } else if (words[i] == "--run" && i + 1 < words.size()) {
            const std::string& name = words[++i];
            const std::size_t slash = name.find('/');
            Runner& runner = runners.emplace_back(
                Runner {name.substr(0, slash),
                        slash == name.npos ? lines : std::atof(name.c_str() + slash + 1)});
            while (++i < words.size() && words[i] != ";") {
                runner.command.push_back(words[i]);
            }
        } else {
            return usage();
        }
    }
    if (runners.empty()) {
        return usage();
    }
    for (int round = 0; round <= rounds; ++round) {
        for (Runner& runner : runners) {
            std::for_each(fresh.begin(), fresh.end(), removeStore);
            const Cost cost = run(runner.command);
            if (round > 0) { // the first is a warm-up
                runner.costs.push_back(cost);
            }
        }
    }
    print(words[0], rounds, runners);
    return 0;
}

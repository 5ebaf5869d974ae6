#include "storage/log_reader.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

// Reads a log on one thread and prints what a line cost, as JSON:
//     bench_log_reader LOG [FORMAT] [FIELD...]
// Without fields: client_ip, method, path, status, the fields of a usual policy.
namespace {

double cpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fputs("usage: bench_log_reader LOG [FORMAT] [FIELD...]\n", stderr);
        return 2;
    }
    storage::LogOptions options;
    options.format = argc > 2 ? argv[2] : "";
    std::vector<std::string> fields(argv + std::min(argc, 3), argv + argc);
    if (fields.empty()) {
        fields = {"client_ip", "method", "path", "status"};
    }
    auto reader = storage::LogReader::open(argv[1], options);
    if (!reader) {
        std::fprintf(stderr, "%s\n", reader.error().message.c_str());
        return 4;
    }
    (*reader)->selectFields(fields);
    const auto begin = std::chrono::steady_clock::now();
    const double cpuBegin = cpuSeconds();
    double parsing = 0;
    storage::LogBlock block;
    for (;;) {
        const auto more = (*reader)->readBlock(block);
        if (!more || !*more) {
            break;
        }
        const double parseBegin = cpuSeconds();
        (*reader)->parse(block);
        parsing += cpuSeconds() - parseBegin;
        (*reader)->note(block);
    }
    const double wall
        = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double cpu = cpuSeconds() - cpuBegin;
    const auto& report = (*reader)->report();
    const auto lines = static_cast<double>(report.lines);
    std::printf(
        "{\"format\": \"%s\", \"lines\": %llu, \"requests\": %llu, \"bytes\": %llu, \"seconds\": "
        "%.3f, "
        "\"lines_per_second\": %.0f, \"cpu_ns_per_line\": %.1f, \"parse_cpu_ns_per_line\": %.1f}\n",
        (*reader)->format().name().c_str(), static_cast<unsigned long long>(report.lines),
        static_cast<unsigned long long>(report.requests),
        static_cast<unsigned long long>((*reader)->source().bytesRead()), wall, lines / wall,
        cpu * 1e9 / lines, parsing * 1e9 / lines);
    return 0;
}

#include "app/workbench/figures_text.h"
#include "app/workbench/published_figures.h"
#include "engine/algorithms.h"

#include <fmt/format.h>

/// Figure (vii): 500 requests of each of 10,000 users.
namespace app {
namespace {

namespace log = engine::sliding_window_log;

constexpr std::uint64_t kUsers = 10'000;
constexpr std::uint64_t kRequests = 500;
constexpr std::uint64_t kMiB = 1 << 20;

struct LogBytes {
    std::uint64_t entries = 0;
    std::uint64_t entryBytes = 0; ///< of entries that hold something
    std::uint64_t allBytes = 0; ///< with idle entries and what leads to them
};

/// Fills one log a user and adds up what it holds.
LogBytes fillLogs()
{
    engine::Limit limit;
    limit.algorithm = engine::Algorithm::SlidingWindowLog;
    limit.rate = {static_cast<std::int64_t>(kRequests), 3600'000'000'000};
    LogBytes bytes;
    for (std::uint64_t user = 0; user < kUsers; ++user) {
        log::State state;
        for (std::int64_t i = 0; i < limit.rate.count; ++i) {
            log::advance(limit, state, i);
            log::count(limit, state, 1, i);
        }
        const log::Ring& ring = *state.ring;
        bytes.entries += ring.size;
        bytes.entryBytes += ring.size * sizeof(log::Entry);
        bytes.allBytes += sizeof(state) + sizeof(ring) + ring.capacity * sizeof(log::Entry);
        log::release(state);
    }
    return bytes;
}

FigureCheck ofSize(std::uint64_t size, const char* published)
{
    return sameText(fmt::format("5,000,000 entries of {} bytes", size), published,
                    fmt::format("{} MB", kUsers * kRequests * size / 1'000'000));
}

std::string bytesEach(std::uint64_t size)
{
    return fmt::format("{} B a user, {} B", grouped(size), grouped(size * kUsers));
}

} // namespace

ReproducedFigure figureOfMemory()
{
    const LogBytes bytes = fillLogs();
    ReproducedFigure figure;
    figure.checks = {
        sameText("500 requests of 10,000 users: entries", "5,000,000", grouped(bytes.entries)),
        ofSize(4, "20 MB"),
        ofSize(8, "40 MB"),
        ofSize(16, "80 MB"),
        ofSize(24, "120 MB"),
        sameText("of 8 bytes, in MiB", "38.1 MiB",
                 fmt::format("{}.{} MiB", kUsers * kRequests * 8 * 10 / kMiB / 10,
                             kUsers * kRequests * 8 * 10 / kMiB % 10)),
        sameText("of 24 bytes, for a user", "12 kB", fmt::format("{} kB", kRequests * 24 / 1000)),
        sameText("our sliding_window_log: entries of 16 bytes", "80,000,000 B",
                 fmt::format("{} B", grouped(bytes.entryBytes))),
        sameText("with idle entries and what leads to them", "8,040 B a user, 80,400,000 B",
                 bytesEach(bytes.allBytes / kUsers)),
        sameText("our sliding_window_counter", "24 B a user, 240,000 B",
                 bytesEach(sizeof(engine::sliding_window_counter::State))),
        sameText("our fixed_window", "24 B a user, 240,000 B",
                 bytesEach(sizeof(engine::fixed_window::State))),
        sameText("our token_bucket, gcra and leaky_bucket", "24 B a user, 240,000 B",
                 bytesEach(sizeof(engine::meter::State))),
    };
    figure.notes = {
        "ours: without the key's name and its place in a table, which every algorithm needs",
        "published for Redis 7.0.15, measured there: a ZSET 63.6 kB a user, 127 B an entry, 636 "
        "MB; "
        "a hash of two counters 117 B a user, 1.17 MB",
    };
    return figure;
}

} // namespace app

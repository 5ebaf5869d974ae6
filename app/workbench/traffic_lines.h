#pragma once
#include "app/workbench/progress.h"
#include "app/workbench/traffic.h"
#include "engine/result.h"
#include "storage/neutral.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace app {

/// Made requests as lines of the neutral log format, by the writer that `convert` uses. Addresses
/// and names are made from the number of the key: 198.18.0.0/15 and 2001:db8::/32, which belong to
/// nobody, `key-000042`, `tenant-3`. One thread.
///
/// Example: `{"time_ns": 1767225600000000000, "duration_ns": 61000000, "client_ip": "198.18.0.1",
/// "method": "GET", "path": "/items/7", "status": 200, "api_key": "key-000000", "tenant":
/// "tenant-1", "file": 0, "line": 1, "logged_ns": 1767225600000000000}`
class TrafficLines {
public:
    TrafficLines();

    void append(const TrafficRequest& request, std::string& out);

private:
    storage::NeutralWriter m_writer;
    std::uint64_t m_line = 0;
    std::array<std::string, 6> m_texts; ///< kept, so that a line allocates nothing
};

struct TrafficJob {
    TrafficStream* stream = nullptr;
    std::optional<std::uint64_t> count; ///< at most so many
    const StopFlag* stop = nullptr;
    Progress* progress = nullptr;
    /// Takes whole lines, in order. A failure ends the job.
    std::function<engine::Status(std::string_view lines)> write;
};

struct TrafficOutcome {
    std::uint64_t written = 0;
    bool interrupted = false;
};

/// Writes what the stream gives, in blocks of some 64 kB. Errors: what `write` says.
engine::Result<TrafficOutcome> writeTraffic(const TrafficJob& job);

} // namespace app

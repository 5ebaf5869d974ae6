#pragma once
#include "app/cli/messages.h"

#include <cstdint>
#include <functional>
#include <string>

namespace app::cli {

/// The progress of reading a log, as one line that rewrites itself:
/// `replay  45.2%  113.0 MB of 250.0 MB  1,204,000 lines/s  0 min 2 s left`.
///
/// update() may be called for every block: the clock is read on each 8th call only, and the line is
/// drawn ten times a second at most. Draws nothing where Messages does not want it. One thread.
class Progress {
public:
    using Clock = std::function<std::int64_t()>; ///< nanoseconds that never go back

    /// `totalBytes` 0: not known (a pipe); then there is neither share nor time left.
    Progress(Messages& messages, std::string what, std::uint64_t totalBytes, Clock clock = {});
    ~Progress(); ///< takes the line away
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(std::uint64_t bytes, std::uint64_t lines);
    void done();

private:
    [[nodiscard]] std::string line(std::uint64_t bytes, std::uint64_t lines,
                                   std::int64_t elapsedNs) const;

    Messages& m_messages;
    std::string m_what;
    std::uint64_t m_totalBytes;
    Clock m_clock;
    std::int64_t m_startNs = 0;
    std::int64_t m_lastDrawnNs = 0;
    std::uint32_t m_calls = 0;
};

} // namespace app::cli

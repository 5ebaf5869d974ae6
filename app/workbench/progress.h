#pragma once
#include <atomic>
#include <cstdint>

namespace app {

/// How far a pass over a log has come.
struct ProgressState {
    std::uint64_t bytesRead = 0;
    std::uint64_t bytesTotal = 0; ///< 0: not known (a stream)
    std::uint64_t lines = 0;
    bool secondPass = false; ///< the log was not in order and is read again
};

/// Told now and then from whichever thread runs the serial stage, never from two at once.
class Progress {
public:
    Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    virtual ~Progress() = default;
    virtual void update(const ProgressState& state) = 0;
};

/// Set from anywhere (a signal handler, another thread) to end a pass after the batch at hand.
using StopFlag = std::atomic<bool>;

} // namespace app

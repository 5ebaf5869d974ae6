// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/demo/traffic.h"

#include <map>

namespace app::demo {

/// The limit that production had: for each address 5 requests a second, burst 20, nodelay, counted
/// as nginx does, in thousandths of a request and whole milliseconds.
class OldLimit {
public:
    /// Calls in order of time.
    bool admits(const std::string& address, std::int64_t timeMs);

private:
    struct State {
        std::int64_t lastMs = 0;
        std::int64_t excess = 0;
    };

    std::map<std::string, State> m_states;
};

/// What nginx writes for the call when it is over, by log_format.txt.
std::string lineOf(const Call& call, const std::string& requestId);

} // namespace app::demo

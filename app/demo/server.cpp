// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/server.h"

#include "app/demo/vocabulary.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace app::demo {

bool OldLimit::admits(const std::string& address, std::int64_t timeMs)
{
    constexpr std::int64_t kRate = 5000;
    constexpr std::int64_t kBurst = 20'000;
    const auto [found, isNew] = m_states.try_emplace(address, State {timeMs, 0});
    if (isNew) {
        return true;
    }
    State& state = found->second;
    const std::int64_t excess
        = std::max<std::int64_t>(state.excess - kRate * (timeMs - state.lastMs) / 1000 + 1000, 0);
    if (excess > kBurst) {
        return false;
    }
    state = {timeMs, excess};
    return true;
}

std::string lineOf(const Call& call, const std::string& requestId)
{
    const std::int64_t endMs = call.startMs + call.durationMs;
    // The day is 17 March 2026 and what ends after its midnight ends on the 18th.
    const std::int64_t second = (endMs - kMidnightMs) / 1000;
    std::array<char, 96> stamp {};
    std::snprintf(stamp.data(), stamp.size(), "%02d/Mar/2026:%02d:%02d:%02d +0000",
                  static_cast<int>(17 + second / 86'400), static_cast<int>(second / 3600 % 24),
                  static_cast<int>(second / 60 % 60), static_cast<int>(second % 60));
    std::array<char, 96> times {};
    std::snprintf(times.data(), times.size(), "%lld.%03lld %lld.%03lld",
                  static_cast<long long>(endMs / 1000), static_cast<long long>(endMs % 1000),
                  static_cast<long long>(call.durationMs / 1000),
                  static_cast<long long>(call.durationMs % 1000));
    return call.address + " - " + call.user + " [" + stamp.data() + "] \"" + call.request + "\" "
        + std::to_string(call.status) + " " + std::to_string(call.bytes) + " \"" + call.referer
        + "\" \"" + call.agent + "\" \"" + call.key + "\" " + call.host + " " + requestId + " "
        + times.data();
}

} // namespace app::demo

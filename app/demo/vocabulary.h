// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace app::demo {

inline constexpr std::int64_t kDayMs = 86'400'000;
inline constexpr std::int64_t kHourMs = 3'600'000;
inline constexpr std::int64_t kMinuteMs = 60'000;

// 2026-03-17T00:00:00Z
inline constexpr std::int64_t kMidnightMs = 1'773'705'600'000;

constexpr std::int64_t at(std::int64_t hour, std::int64_t minute, std::int64_t second = 0)
{
    return kMidnightMs + hour * kHourMs + minute * kMinuteMs + second * 1000;
}

inline const std::vector<std::string> kOwners {"aurora", "bluejay", "cinder",  "dogwood",
                                               "elm",    "fjord",   "granite", "heron",
                                               "ibex",   "jasper",  "kestrel", "larch"};
inline const std::vector<std::string> kRepos {"api",   "web",     "infra",  "docs", "mobile",
                                              "tools", "billing", "search", "auth", "data"};
inline const std::vector<std::string> kWords {
    "invoice",   "overdue",       "berlin",    "laptop",   "refund",     "annual+plan",
    "caf%C3%A9", "status%3Aopen", "q1+report", "shipping", "label%3Abug"};

inline std::string number(std::int64_t value)
{
    return std::to_string(value);
}

/// The parts joined. They are made from left to right, which the operands of + need not be.
std::string inOrder(std::initializer_list<std::string> parts);

/// "00ff" for (255, 4).
std::string hex(std::uint64_t value, int digits);

} // namespace app::demo

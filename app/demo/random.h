// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace app::demo {

/// xorshift64* behind splitmix64: the same numbers on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed);
    std::uint64_t next();
    std::int64_t below(std::int64_t bound);
    std::int64_t between(std::int64_t low, std::int64_t high); ///< both included

    bool oneIn(std::int64_t n) { return below(n) == 0; }

private:
    std::uint64_t m_state;
};

} // namespace app::demo

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/random.h"

#include "app/demo/vocabulary.h"

namespace app::demo {

Random::Random(std::uint64_t seed)
    : m_state(seed + 0x9e3779b97f4a7c15)
{
    m_state = (m_state ^ (m_state >> 30)) * 0xbf58476d1ce4e5b9;
    m_state = (m_state ^ (m_state >> 27)) * 0x94d049bb133111eb;
    m_state ^= m_state >> 31;
}

std::uint64_t Random::next()
{
    m_state ^= m_state >> 12;
    m_state ^= m_state << 25;
    m_state ^= m_state >> 27;
    return m_state * 0x2545f4914f6cdd1d;
}

std::int64_t Random::below(std::int64_t bound)
{
    return static_cast<std::int64_t>((next() >> 16) % static_cast<std::uint64_t>(bound));
}

std::int64_t Random::between(std::int64_t low, std::int64_t high)
{
    return low + below(high - low + 1);
}

std::string inOrder(std::initializer_list<std::string> parts)
{
    std::string text;
    for (const std::string& part : parts) {
        text += part;
    }
    return text;
}

std::string hex(std::uint64_t value, int digits)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (int i = digits - 1; i >= 0; --i) {
        text += kDigits[(value >> (4 * i)) & 15];
    }
    return text;
}

} // namespace app::demo

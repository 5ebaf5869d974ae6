#include "app/workbench/enough_search.h"

#include <algorithm>

namespace app {
namespace {

/// Plans in one pass, for each field. More of them cost memory by key.
constexpr std::int64_t kTrials = 4;

} // namespace

EnoughSearch::EnoughSearch(const LimitField& field, std::optional<std::int64_t> guess)
    : m_field(&field)
    , m_low(field.current())
{
    if (!guess) {
        ask();
        return;
    }
    if (*guess - 1 > m_low) {
        m_wanted.push_back(*guess - 1);
    }
    m_wanted.push_back(*guess);
}

void EnoughSearch::take(const std::vector<bool>& enough)
{
    // The least that is enough bounds the rest; below it, the largest that is not.
    for (std::size_t i = 0; i < m_wanted.size(); ++i) {
        if (enough[i]) {
            m_high = m_wanted[i];
            break;
        }
        m_low = m_wanted[i];
    }
    ask();
}

void EnoughSearch::ask()
{
    m_wanted.clear();
    if (m_high) {
        const std::int64_t room = *m_high - m_low;
        const std::int64_t parts = std::min(kTrials + 1, room);
        for (std::int64_t part = 1; part < parts; ++part) {
            m_wanted.push_back(m_low + room / parts * part);
        }
        return;
    }
    std::int64_t number = m_low;
    for (std::int64_t trial = 0; trial < kTrials; ++trial) {
        const std::int64_t next = m_field->above(number);
        if (next == number) {
            return; // the greatest that can be counted
        }
        m_wanted.push_back(number = next);
    }
}

} // namespace app

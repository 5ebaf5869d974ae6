#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

namespace storage::logs {

/// The least of the values in a queue, from below: what has left the queue may count for a while.
///
/// Counts in groups, of which only those are kept that later ones are not below of.
/// Example: after push(5), push(3), push(4) it is 3, and 3 or 4 when the first two have left.
class QueueLeast {
public:
    static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

    void push(std::int64_t value)
    {
        m_open = std::min(m_open, value);
        // A queue of any length has no more than so many groups: the last one takes the rest.
        if (++m_pushed % kGroup == 0 && m_closed.size() < kMostGroups) {
            close();
        }
    }

    void pop()
    {
        if (++m_popped == m_pushed) {
            m_closed.clear();
            m_open = kNone;
        } else if (!m_closed.empty() && m_closed.front().end <= m_popped) {
            m_closed.pop_front();
        }
    }

    /// kNone for an empty queue.
    [[nodiscard]] std::int64_t least() const
    {
        return m_closed.empty() ? m_open : std::min(m_open, m_closed.front().least);
    }

private:
    struct Group {
        std::int64_t least = 0;
        std::uint64_t end = 0; ///< how many had been pushed then
    };

    void close()
    {
        while (!m_closed.empty() && m_closed.back().least >= m_open) {
            m_closed.pop_back();
        }
        m_closed.push_back({m_open, m_pushed});
        m_open = kNone;
    }

    static constexpr std::uint64_t kGroup = 16;
    static constexpr std::size_t kMostGroups = 4096;
    std::deque<Group> m_closed; ///< least ones ascending
    std::int64_t m_open = kNone; ///< of those after the last group
    std::uint64_t m_pushed = 0;
    std::uint64_t m_popped = 0;
};

} // namespace storage::logs

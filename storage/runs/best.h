#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace storage::runs {

/// Keeps the `limit` best of any number of rows in memory for twice as many.
template <class Row, class Better> class Best {
public:
    Best(std::size_t limit, Better better)
        : m_limit(limit)
        , m_better(better)
    {
    }

    void add(const Row& row)
    {
        if (m_limit == 0) {
            return;
        }
        m_rows.push_back(row);
        if (m_rows.size() >= 2 * m_limit) {
            prune();
        }
    }

    /// In no order. Empties this.
    std::vector<Row> take()
    {
        prune();
        return std::exchange(m_rows, {});
    }

private:
    void prune()
    {
        if (m_rows.size() > m_limit) {
            std::nth_element(m_rows.begin(), m_rows.begin() + static_cast<std::ptrdiff_t>(m_limit),
                             m_rows.end(), m_better);
            m_rows.resize(m_limit);
        }
    }

    std::size_t m_limit;
    Better m_better;
    std::vector<Row> m_rows;
};

} // namespace storage::runs

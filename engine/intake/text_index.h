#pragma once
#include "engine/attributes/text_hash.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace engine::intake {

/// The distinct texts of one batch, numbered from 0 in order of first appearance. Borrows them.
class TextIndex {
public:
    void clear()
    {
        m_texts.clear();
        m_hashes.clear();
        m_table.assign(kFirstSize, 0);
    }

    std::uint32_t add(std::uint64_t hash, std::string_view text)
    {
        std::size_t i = hash & (m_table.size() - 1);
        for (; m_table[i] != 0; i = (i + 1) & (m_table.size() - 1)) {
            const std::uint32_t known = m_table[i] - 1;
            if (m_hashes[known] == hash && attributes::sameText(m_texts[known], text)) {
                return known;
            }
        }
        m_texts.push_back(text);
        m_hashes.push_back(hash);
        const auto made = static_cast<std::uint32_t>(m_texts.size());
        m_table[i] = made;
        if (2 * m_texts.size() > m_table.size()) {
            grow();
        }
        return made - 1;
    }

    [[nodiscard]] std::size_t size() const { return m_texts.size(); }

    [[nodiscard]] std::uint64_t hash(std::size_t i) const { return m_hashes[i]; }

private:
    void grow()
    {
        m_table.assign(4 * m_table.size(), 0);
        for (std::size_t known = 0; known < m_hashes.size(); ++known) {
            std::size_t i = m_hashes[known] & (m_table.size() - 1);
            while (m_table[i] != 0) {
                i = (i + 1) & (m_table.size() - 1);
            }
            m_table[i] = static_cast<std::uint32_t>(known + 1);
        }
    }

    static constexpr std::size_t kFirstSize = 256;
    std::vector<std::string_view> m_texts;
    std::vector<std::uint64_t> m_hashes;
    std::vector<std::uint32_t> m_table {std::vector<std::uint32_t>(kFirstSize)}; ///< number + 1
};

} // namespace engine::intake

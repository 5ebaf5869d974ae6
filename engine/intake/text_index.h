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
        m_table.assign(kFirstSize, {});
    }

    std::uint32_t add(std::uint64_t hash, std::string_view text)
    {
        const std::size_t mask = m_table.size() - 1;
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        std::size_t i = hash & mask;
        for (; m_table[i].number != 0; i = (i + 1) & mask) {
            const std::uint32_t known = m_table[i].number - 1;
            if (m_table[i].tag == tag && attributes::sameText(m_texts[known], text)) {
                return known;
            }
        }
        m_texts.push_back(text);
        m_hashes.push_back(hash);
        const auto made = static_cast<std::uint32_t>(m_texts.size());
        m_table[i] = {tag, made};
        if (2 * m_texts.size() > m_table.size()) {
            grow();
        }
        return made - 1;
    }

    [[nodiscard]] std::size_t size() const { return m_texts.size(); }

private:
    struct Place {
        std::uint32_t tag = 0; ///< half of the hash
        std::uint32_t number = 0; ///< + 1; 0: empty
    };

    void grow()
    {
        m_table.assign(4 * m_table.size(), {});
        const std::size_t mask = m_table.size() - 1;
        for (std::size_t known = 0; known < m_hashes.size(); ++known) {
            std::size_t i = m_hashes[known] & mask;
            while (m_table[i].number != 0) {
                i = (i + 1) & mask;
            }
            m_table[i] = {static_cast<std::uint32_t>(m_hashes[known] >> 32),
                          static_cast<std::uint32_t>(known + 1)};
        }
    }

    static constexpr std::size_t kFirstSize = 256;
    std::vector<std::string_view> m_texts;
    std::vector<std::uint64_t> m_hashes;
    std::vector<Place> m_table {std::vector<Place>(kFirstSize)};
};

} // namespace engine::intake

#pragma once
#include "engine/attributes/text_hash.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

namespace engine::intake {

/// The distinct texts of one batch, numbered from 0 in order of first appearance. Borrows them.
class TextIndex {
public:
    /// With room for about so many texts; for more it grows.
    void clear(std::size_t expected = 0)
    {
        m_texts.clear();
        m_table.assign(std::bit_ceil(std::max(kFirstSize, 2 * expected + expected / 8)), {});
    }

    std::uint32_t add(std::uint64_t hash, std::string_view text)
    {
        const std::size_t mask = m_table.size() - 1;
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        Place* const table = m_table.data();
        std::size_t i = hash & mask;
        for (; table[i].number != 0; i = (i + 1) & mask) {
            if (table[i].tag == tag
                && attributes::sameText(m_texts[table[i].number - 1].text, text)) {
                return table[i].number - 1;
            }
        }
        m_texts.push_back({text, hash});
        const auto made = static_cast<std::uint32_t>(m_texts.size());
        table[i] = {tag, made};
        if (2 * m_texts.size() > m_table.size()) {
            grow();
        }
        return made - 1;
    }

    /// Is it the text that has this number?
    [[nodiscard]] bool isText(std::uint32_t number, std::string_view text) const
    {
        return attributes::sameText(m_texts[number].text, text);
    }

    [[nodiscard]] std::size_t size() const { return m_texts.size(); }

private:
    struct Known {
        std::string_view text;
        std::uint64_t hash = 0;
    };

    struct Place {
        std::uint32_t tag = 0; ///< half of the hash
        std::uint32_t number = 0; ///< + 1; 0: empty
    };

    void grow()
    {
        m_table.assign(2 * m_table.size(), {});
        const std::size_t mask = m_table.size() - 1;
        std::uint32_t number = 0;
        for (const Known& known : m_texts) {
            std::size_t i = known.hash & mask;
            while (m_table[i].number != 0) {
                i = (i + 1) & mask;
            }
            m_table[i] = {static_cast<std::uint32_t>(known.hash >> 32), ++number};
        }
    }

    static constexpr std::size_t kFirstSize = 256;
    std::vector<Known> m_texts;
    std::vector<Place> m_table {std::vector<Place>(kFirstSize)};
};

} // namespace engine::intake

#include "engine/intake/prepared.h"

#include "engine/attributes/text_hash.h"

#include <algorithm>
#include <bit>

namespace engine::intake {

std::uint64_t hashWords(const std::uint64_t* words, std::size_t count)
{
    std::uint64_t state = count;
    for (std::size_t i = 0; i < count; ++i) {
        state = attributes::detail::fold(words[i] ^ attributes::detail::kOdd1,
                                         state ^ attributes::detail::kOdd2);
    }
    return state;
}

void WordRows::reset(std::size_t wordCount, std::size_t requests)
{
    m_wordCount = wordCount;
    m_size = 0;
    m_last = 0;
    m_words.clear();
    m_table.assign(std::bit_ceil(2 * requests + 2), 0);
}

std::uint32_t WordRows::add(const std::uint64_t* words)
{
    if (m_size > 0 && std::equal(words, words + m_wordCount, row(m_last))) {
        return m_last;
    }
    const std::size_t mask = m_table.size() - 1;
    std::size_t i = hashWords(words, m_wordCount) & mask;
    while (m_table[i] != 0) {
        if (std::equal(words, words + m_wordCount, row(m_table[i] - 1))) {
            m_last = m_table[i] - 1;
            return m_last;
        }
        i = (i + 1) & mask;
    }
    m_words.insert(m_words.end(), words, words + m_wordCount);
    m_last = static_cast<std::uint32_t>(m_size++);
    m_table[i] = m_last + 1;
    return m_last;
}

} // namespace engine::intake

namespace engine {

void Intake::DeletePrepared::operator()(Prepared* prepared) const
{
    delete prepared;
}

} // namespace engine

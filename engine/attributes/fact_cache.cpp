#include "engine/attributes/fact_cache.h"

#include "engine/attributes/text_hash.h"

#include <algorithm>
#include <bit>

namespace engine::attributes {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

std::uint32_t tagOf(std::uint64_t hash)
{
    return static_cast<std::uint32_t>(hash >> 32);
}

} // namespace

FactCache::FactCache(std::size_t maxBytes, std::size_t words)
    : m_words(words)
    , m_slots(std::bit_floor(std::max<std::size_t>(maxBytes / 128, 16)))
{
    const std::size_t tableBytes = m_slots.size() * sizeof(Slot);
    m_capacity = maxBytes > tableBytes ? (maxBytes - tableBytes) / kWordBytes : 0;
    m_store = std::make_unique_for_overwrite<std::uint64_t[]>(m_capacity);
}

const std::uint64_t* FactCache::find(std::uint64_t hash, std::string_view text) const
{
    const std::uint32_t tag = tagOf(hash);
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t i = hash & mask; m_slots[i].at != 0; i = (i + 1) & mask) {
        if (m_slots[i].tag != tag) {
            continue;
        }
        const std::uint64_t* const record = m_store.get() + m_slots[i].at - 1;
        const char* const held = reinterpret_cast<const char*>(record + 1 + m_words);
        if (record[0] == text.size() && sameBytes(held, text.data(), text.size())) {
            return record + 1;
        }
    }
    return nullptr;
}

std::uint64_t* FactCache::add(std::uint64_t hash, std::string_view text)
{
    const std::size_t words = 1 + m_words + (text.size() + kWordBytes - 1) / kWordBytes;
    if (words > m_capacity / 16) {
        return nullptr;
    }
    if (m_used + words > m_capacity || m_entries >= m_slots.size() / 4 * 3) {
        std::fill(m_slots.begin(), m_slots.end(), Slot {});
        m_used = 0;
        m_entries = 0;
    }
    std::uint64_t* const record = m_store.get() + m_used;
    record[0] = text.size();
    std::memcpy(record + 1 + m_words, text.data(), text.size());
    const std::size_t mask = m_slots.size() - 1;
    std::size_t i = hash & mask;
    while (m_slots[i].at != 0) {
        i = (i + 1) & mask;
    }
    m_slots[i] = {tagOf(hash), static_cast<std::uint32_t>(m_used + 1)};
    m_used += words;
    ++m_entries;
    return record + 1;
}

std::size_t FactCache::memory() const
{
    return m_capacity * kWordBytes + m_slots.size() * sizeof(Slot);
}

} // namespace engine::attributes

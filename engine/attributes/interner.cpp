#include "engine/attributes/interner.h"

#include "engine/arrival.h"
#include "engine/attributes/text_hash.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace engine::attributes {
namespace {

constexpr unsigned kFirstSlotBits = 4;
constexpr std::uint32_t kHeaderUnits = 2;
constexpr std::size_t kTogether = 32; ///< keys that internAll() looks up side by side

std::uint32_t tagOf(std::uint64_t hash)
{
    return static_cast<std::uint32_t>(hash >> 32);
}

std::size_t limitOf(std::size_t slots)
{
    return slots / 5 * 4;
}

const char* textOf(const std::uint32_t* record)
{
    return reinterpret_cast<const char*>(record + kHeaderUnits);
}

} // namespace

Interner::Interner()
    : m_shift(32 - kFirstSlotBits)
    , m_limit(limitOf(std::size_t {1} << kFirstSlotBits))
    , m_slots(std::size_t {1} << kFirstSlotBits)
{
}

bool Interner::holds(std::uint32_t at, std::string_view key) const
{
    const std::uint32_t* const held = record(at);
    return held[1] == key.size() && sameBytes(textOf(held), key.data(), key.size());
}

std::size_t Interner::locate(std::uint32_t tag, std::string_view key) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t i = slotOf(tag);
    while (m_slots[i].at != 0 && (m_slots[i].tag != tag || !holds(m_slots[i].at, key))) {
        i = (i + 1) & mask;
    }
    return i;
}

std::uint32_t Interner::intern(std::uint64_t hash, std::string_view key)
{
    const std::uint32_t tag = tagOf(hash);
    std::size_t i = locate(tag, key);
    if (m_slots[i].at != 0) {
        return *record(m_slots[i].at);
    }
    if (m_size == m_limit) {
        grow();
        i = locate(tag, key);
    }
    m_slots[i] = {tag, store(key)};
    return static_cast<std::uint32_t>(m_size++);
}

std::uint32_t Interner::likelyRecord(std::uint32_t tag) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t i = slotOf(tag);
    while (m_slots[i].at != 0 && m_slots[i].tag != tag) {
        i = (i + 1) & mask;
    }
    return m_slots[i].at;
}

void Interner::internAll(std::span<const HashedKey> keys, std::span<std::uint32_t> ids)
{
    // Three short loops over some keys: a processor runs ahead within each of them.
    std::array<std::uint32_t, kTogether> records {};
    for (std::size_t from = 0; from < keys.size(); from += kTogether) {
        const std::size_t count = std::min(kTogether, keys.size() - from);
        for (std::size_t i = 0; i < count; ++i) {
            __builtin_prefetch(m_slots.data() + slotOf(tagOf(keys[from + i].hash)));
        }
        for (std::size_t i = 0; i < count; ++i) {
            records[i] = likelyRecord(tagOf(keys[from + i].hash));
            if (records[i] != 0) {
                __builtin_prefetch(record(records[i]));
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            const auto& [hash, key] = keys[from + i];
            // Records stay where they are, whatever is added meanwhile.
            const bool isKnown = records[i] != 0 && holds(records[i], key);
            ids[from + i] = isKnown ? *record(records[i]) : intern(hash, key);
        }
    }
}

std::uint32_t Interner::find(std::uint64_t hash, std::string_view key) const
{
    const Slot& slot = m_slots[locate(tagOf(hash), key)];
    return slot.at == 0 ? kNoId : *record(slot.at);
}

std::string_view Interner::text(std::uint32_t id) const
{
    const std::uint32_t page = id >> kPageBits;
    const std::uint32_t* const held = record(m_positions[page][id & ((1U << kPageBits) - 1)]);
    return {textOf(held), held[1]};
}

std::uint32_t Interner::store(std::string_view key)
{
    const std::size_t units = kHeaderUnits + (key.size() + 3) / 4;
    const std::size_t pages = std::size_t {1} << kPageBits;
    if (m_chunks.empty() || m_used + units > kChunkUnits) {
        const bool first = m_chunks.empty();
        if (m_chunks.size() == std::size_t {1} << (32 - kChunkBits) || key.size() >= kNoId
            || m_size >= kNoId - 1) {
            std::abort(); // more keys than ids, see the class
        }
        // A text longer than a chunk has one of its own; nothing else is put into it.
        const std::size_t room = units + 1 > kChunkUnits ? units + 1 : kChunkUnits;
        m_chunks.push_back(
            reinterpret_cast<std::uint32_t*>(m_blocks.take(room * sizeof(std::uint32_t))));
        m_used = first ? 1 : 0;
    }
    if (m_size % pages == 0) {
        m_positions.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(pages));
    }
    const auto at = static_cast<std::uint32_t>((m_chunks.size() - 1) << kChunkBits | m_used);
    std::uint32_t* const to = m_chunks.back() + m_used;
    to[0] = static_cast<std::uint32_t>(m_size);
    to[1] = static_cast<std::uint32_t>(key.size());
    std::memcpy(to + kHeaderUnits, key.data(), key.size());
    m_positions.back()[m_size % pages] = at;
    m_used += static_cast<std::uint32_t>(units);
    return at;
}

void Interner::grow()
{
    const LargeArray<Slot> old = std::exchange(m_slots, LargeArray<Slot>(m_slots.size() * 2));
    --m_shift;
    m_limit = limitOf(m_slots.size());
    const std::size_t mask = m_slots.size() - 1;
    for (const Slot& slot : old) {
        if (slot.at == 0) {
            continue;
        }
        std::size_t i = slotOf(slot.tag);
        while (m_slots[i].at != 0) {
            i = (i + 1) & mask;
        }
        m_slots[i] = slot;
    }
}

std::size_t Interner::memory() const
{
    return m_slots.size() * sizeof(Slot) + m_blocks.bytes()
        + m_positions.size() * (sizeof(std::uint32_t) << kPageBits);
}

} // namespace engine::attributes

#pragma once
#include "engine/large_memory.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace engine::attributes {

/// Numbers texts from 0 on, in order of first appearance, and gives a text back for its number.
///
/// intern("a"), intern("b"), intern("a") give 0, 1, 0; text(1) is "b".
///
/// A flat table of (half of the hash, where the text is) with linear probing; equal halves are told
/// apart by the bytes. The texts stand once, in chunks that never move, each behind its id and
/// length. 22 to 34 bytes a key beside its text, table included. At most 2^32 - 2 keys and 16 GiB
/// of text: beyond it the process ends. One thread; text() stays valid as long as the interner
/// lives.
class Interner {
public:
    Interner();

    /// `hash` is hashText(key), or any other function of it: the same for the same key.
    std::uint32_t intern(std::uint64_t hash, std::string_view key);

    struct HashedKey {
        std::uint64_t hash = 0;
        std::string_view key;
    };

    /// The same as intern() for one key after the other: ids[i] is that of keys[i]. Waits for
    /// memory overlap, so that keys of a large table cost a third. The spans are equally long.
    void internAll(std::span<const HashedKey> keys, std::span<std::uint32_t> ids);
    /// The id of a key that was interned before, else kNoId.
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, std::string_view key) const;
    [[nodiscard]] std::string_view text(std::uint32_t id) const;

    [[nodiscard]] std::size_t size() const { return m_size; }

    /// Bytes held, texts included.
    [[nodiscard]] std::size_t memory() const;

private:
    struct Slot {
        std::uint32_t tag;
        std::uint32_t at; ///< position of the record, in units of 4 bytes; 0: empty
    };

    static constexpr unsigned kChunkBits = 14; ///< 2^14 units of 4 bytes
    static constexpr std::uint32_t kChunkUnits = 1U << kChunkBits;
    static constexpr unsigned kPageBits = 12;

    [[nodiscard]] std::size_t slotOf(std::uint32_t tag) const { return tag >> m_shift; }

    [[nodiscard]] const std::uint32_t* record(std::uint32_t at) const
    {
        return m_chunks[at >> kChunkBits] + (at & (kChunkUnits - 1));
    }

    /// Where the key's text is, if the table has it and no other text has its tag; else whatever.
    [[nodiscard]] std::uint32_t likelyRecord(std::uint32_t tag) const;
    [[nodiscard]] bool holds(std::uint32_t at, std::string_view key) const;
    /// The slot that holds the key, or the empty one where it belongs.
    [[nodiscard]] std::size_t locate(std::uint32_t tag, std::string_view key) const;
    std::uint32_t store(std::string_view key);
    void grow();

    unsigned m_shift;
    std::size_t m_limit;
    std::size_t m_size = 0;
    LargeArray<Slot> m_slots;
    std::vector<std::uint32_t*> m_chunks;
    LargeBlocks m_blocks; ///< that chunks are cut from
    std::uint32_t m_used = 1; ///< units of the last chunk; unit 0 stays free, as 0 is "empty"
    std::vector<std::unique_ptr<std::uint32_t[]>> m_positions; ///< by id, in pages
};

} // namespace engine::attributes

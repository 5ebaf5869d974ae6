#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace engine::attributes {

/// What was found out about a text, by the text: a fixed number of 64-bit words for each.
///
/// Bounded: when its memory is used up it forgets everything and starts again. Compares the bytes,
/// so two texts with one hash stay two. Each thread has its own. A result is valid until the next
/// add().
class FactCache {
public:
    FactCache(std::size_t maxBytes, std::size_t words);

    [[nodiscard]] const std::uint64_t* find(std::uint64_t hash, std::string_view text) const;
    /// Room for the words of a text that find() does not know; nullptr if it is too long to keep.
    std::uint64_t* add(std::uint64_t hash, std::string_view text);

    [[nodiscard]] std::size_t memory() const;

private:
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t at = 0; ///< word of the record, + 1; 0: empty
    };

    std::size_t m_words;
    std::size_t m_capacity; ///< in words
    std::size_t m_used = 0;
    std::size_t m_entries = 0;
    std::vector<Slot> m_slots;
    std::unique_ptr<std::uint64_t[]> m_store; ///< records: text size, facts, text
};

} // namespace engine::attributes

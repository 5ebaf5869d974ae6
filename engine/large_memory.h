#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

/// Memory of tables that grow to many megabytes and are asked at random places.
///
/// Each look there costs a walk through the page tables, several times the cost of the look itself,
/// unless the pages are large. Pieces of 2 MiB or more start at a multiple of 2 MiB, so that a
/// system can give them large pages; whoever knows how to ask for that says so once.
namespace engine {

inline constexpr std::size_t kLargePage = std::size_t {2} << 20;

/// Is told of each new piece of at least kLargePage bytes, before it is used; may be called on any
/// thread. nullptr: nobody.
using LargeMemoryHint = void (*)(void* begin, std::size_t bytes);
void setLargeMemoryHint(LargeMemoryHint hint);

/// Gives a piece back.
struct FreeLargeMemory {
    bool isLarge = false;
    void operator()(std::byte* piece) const;
};

using LargeMemory = std::unique_ptr<std::byte, FreeLargeMemory>;

/// Not cleared. Aligned for every type.
LargeMemory takeLargeMemory(std::size_t bytes);

/// Pieces of one size that live as long as this does, cut from blocks that double up to kLargePage.
class LargeBlocks {
public:
    /// Zeros.
    std::byte* take(std::size_t bytes)
    {
        if (m_left < bytes) {
            const std::size_t room = std::max(m_next, bytes);
            m_next = std::min(2 * m_next, kLargePage);
            m_blocks.push_back(takeLargeMemory(room));
            std::memset(m_blocks.back().get(), 0, room);
            m_at = m_blocks.back().get();
            m_left = room;
            m_bytes += room;
        }
        std::byte* const piece = m_at;
        m_at += bytes;
        m_left -= bytes;
        return piece;
    }

    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

private:
    static constexpr std::size_t kFirst = std::size_t {16} << 10;
    std::vector<LargeMemory> m_blocks;
    std::byte* m_at = nullptr;
    std::size_t m_left = 0;
    std::size_t m_next = kFirst;
    std::size_t m_bytes = 0;
};

/// A fixed number of zeros.
template <class Item> class LargeArray {
    static_assert(std::is_trivially_copyable_v<Item> && std::is_trivially_destructible_v<Item>);

public:
    LargeArray() = default;

    explicit LargeArray(std::size_t size)
        : m_memory(takeLargeMemory(size * sizeof(Item)))
        , m_size(size)
    {
        std::memset(m_memory.get(), 0, size * sizeof(Item));
    }

    [[nodiscard]] std::size_t size() const { return m_size; }

    [[nodiscard]] Item* data() { return reinterpret_cast<Item*>(m_memory.get()); }

    [[nodiscard]] const Item* data() const { return reinterpret_cast<const Item*>(m_memory.get()); }

    Item& operator[](std::size_t i) { return data()[i]; }

    const Item& operator[](std::size_t i) const { return data()[i]; }

    [[nodiscard]] const Item* begin() const { return data(); }

    [[nodiscard]] const Item* end() const { return data() + m_size; }

private:
    LargeMemory m_memory;
    std::size_t m_size = 0;
};

} // namespace engine

#pragma once
#include "engine/large_memory.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

/// Rows of cells by key, all of one width, in large memory. Made when a key near by is first met,
/// all zeros, which must be what a new cell is; they never move.
///
/// Example: of width 4, with cells of 8 bytes, at(5) is where four of them lie in a row, in one
/// cache line.
template <class Cell> class LargeRows {
public:
    explicit LargeRows(std::size_t width = 0)
        : m_width(width)
    {
    }

    /// By one cell, before the first at().
    void widen() { ++m_width; }

    [[nodiscard]] std::size_t width() const { return m_width; }

    Cell* at(std::uint32_t key)
    {
        const std::size_t chunk = key >> kBits;
        if (chunk >= m_chunks.size() || m_chunks[chunk] == nullptr) [[unlikely]] {
            makeChunk(chunk);
        }
        return m_chunks[chunk] + (key & (kSize - 1)) * m_width;
    }

    /// nullptr where no key near by was met.
    [[nodiscard]] const Cell* find(std::uint32_t key) const
    {
        const std::size_t chunk = key >> kBits;
        return chunk < m_chunks.size() && m_chunks[chunk] != nullptr
            ? m_chunks[chunk] + (key & (kSize - 1)) * m_width
            : nullptr;
    }

    /// All cells of one column that there are.
    template <class Visit> void forEach(std::size_t column, Visit visit)
    {
        for (Cell* const chunk : m_chunks) {
            for (std::size_t i = 0; chunk != nullptr && i < kSize; ++i) {
                visit(chunk[i * m_width + column]);
            }
        }
    }

private:
    [[gnu::noinline]] void makeChunk(std::size_t chunk) // rare: keep it out of loops
    {
        if (chunk >= m_chunks.size()) {
            m_chunks.resize(chunk + 1);
        }
        m_chunks[chunk] = reinterpret_cast<Cell*>(m_memory.take(kSize * m_width * sizeof(Cell)));
    }

    static constexpr std::size_t kBits = 8;
    static constexpr std::size_t kSize = std::size_t {1} << kBits;
    std::size_t m_width;
    std::vector<Cell*> m_chunks;
    LargeBlocks m_memory;
};

} // namespace engine

#pragma once
#include "engine/algorithms.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace engine {

/// The state of one key in one rule; zero is a key that was never seen.
union KeyState {
    KeyState()
        : words {}
    {
    }

    std::array<std::int64_t, 3> words; ///< all of it, for zeroing
    fixed_window::State window;
    sliding_window_counter::State counter;
    sliding_window_log::State log;
    meter::State meter;
    concurrency::State slots;
};

struct KeyCell {
    KeyState state;
    std::uint64_t judged = 0;
};

static_assert(sizeof(KeyCell) == 32, "two keys to a cache line");

/// Cells by key id, in chunks that are made when a key of theirs is first met, so that a rule that
/// meets few of many keys stays small and no cell ever moves.
template <class Cell> class KeyTable {
public:
    Cell& at(std::uint32_t key)
    {
        const std::size_t chunk = key >> kBits;
        if (chunk >= m_chunks.size()) {
            m_chunks.resize(chunk + 1);
        }
        if (!m_chunks[chunk]) {
            m_chunks[chunk] = std::make_unique<Cell[]>(kSize); // zeroed
        }
        return m_chunks[chunk][key & (kSize - 1)];
    }

    /// nullptr where no key of the chunk was met.
    [[nodiscard]] const Cell* find(std::uint32_t key) const
    {
        const std::size_t chunk = key >> kBits;
        return chunk < m_chunks.size() && m_chunks[chunk] ? &m_chunks[chunk][key & (kSize - 1)]
                                                          : nullptr;
    }

    template <class Visit> void forEach(Visit visit)
    {
        for (auto& chunk : m_chunks) {
            for (std::size_t i = 0; chunk && i < kSize; ++i) {
                visit(chunk[i]);
            }
        }
    }

private:
    static constexpr std::size_t kBits = 10;
    static constexpr std::size_t kSize = std::size_t {1} << kBits;
    std::vector<std::unique_ptr<Cell[]>> m_chunks;
};

} // namespace engine

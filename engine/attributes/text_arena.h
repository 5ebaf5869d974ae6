#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

namespace engine::attributes {

/// Memory for texts that live until the next clear(). They never move; clear() keeps the memory.
class TextArena {
public:
    /// Room for `size` bytes; what of it is used says keep(), which is at most that. The next
    /// reserve() may reuse the rest.
    char* reserve(std::size_t size)
    {
        while (m_chunk < m_chunks.size() && m_chunks[m_chunk].size - m_used < size) {
            ++m_chunk;
            m_used = 0;
        }
        if (m_chunk == m_chunks.size()) {
            const std::size_t room = std::max(size, kChunkBytes);
            m_chunks.push_back({std::make_unique_for_overwrite<char[]>(room), room});
            m_used = 0;
        }
        return m_chunks[m_chunk].bytes.get() + m_used;
    }

    void keep(std::size_t size)
    {
        if (size > m_chunks[m_chunk].size - m_used) {
            std::abort(); // somebody wrote behind a chunk
        }
        m_used += size;
    }

    void clear()
    {
        m_chunk = 0;
        m_used = 0;
    }

private:
    static constexpr std::size_t kChunkBytes = std::size_t {1} << 16;

    struct Chunk {
        std::unique_ptr<char[]> bytes;
        std::size_t size = 0;
    };

    std::vector<Chunk> m_chunks;
    std::size_t m_chunk = 0;
    std::size_t m_used = 0;
};

} // namespace engine::attributes

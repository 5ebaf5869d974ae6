#pragma once
#include "engine/limiter/rule_state.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace engine::sweep {

/// The state of a key for a group of plans that have counted the same requests of it.
struct Version {
    std::uint64_t plans = 0; ///< a bit each
    KeyCell cell;
};

/// One key of one rule, in one cache line: its versions, which together have every plan once.
/// Mostly there is one.
struct alignas(64) Key {
    Version first;
    std::vector<Version> more;

    template <class Visit> void forEach(const Visit& visit)
    {
        visit(first);
        for (Version& version : more) {
            visit(version);
        }
    }
};

/// Keys by number, in chunks; none ever moves.
class KeyChunks {
public:
    Key& at(std::uint32_t key)
    {
        const std::size_t chunk = key / kSize;
        if (chunk >= m_chunks.size()) {
            m_chunks.resize(chunk + 1);
        }
        if (m_chunks[chunk] == nullptr) [[unlikely]] {
            m_chunks[chunk] = std::make_unique<std::array<Key, kSize>>();
        }
        return (*m_chunks[chunk])[key % kSize];
    }

    template <class Visit> void forEach(const Visit& visit)
    {
        for (const auto& chunk : m_chunks) {
            if (chunk != nullptr) {
                for (Key& key : *chunk) {
                    visit(key);
                }
            }
        }
    }

private:
    static constexpr std::uint32_t kSize = 256;
    std::vector<std::unique_ptr<std::array<Key, kSize>>> m_chunks;
};

} // namespace engine::sweep

#pragma once
#include "engine/algorithms.h"
#include "engine/large_rows.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
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
    adaptive_concurrency::State adaptive;
    load_shedder::State shedder;
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

private:
    static constexpr std::size_t kBits = 10;
    static constexpr std::size_t kSize = std::size_t {1} << kBits;
    std::vector<std::unique_ptr<Cell[]>> m_chunks;
};

/// The states of up to kMost rules that have one key tuple, side by side by key: a request that
/// meets all of them finds their states in one place.
///
/// Example: three rules by client_ip, key 5: 96 bytes in a row, one KeyCell for each rule.
class CellGroup : public LargeRows<KeyCell> {
public:
    static constexpr std::size_t kMost = 4; ///< two cache lines

    /// Before the first at().
    std::size_t addRule()
    {
        widen();
        return width() - 1;
    }

    [[nodiscard]] std::size_t rules() const { return width(); }
};

/// One rule's place in a group.
class CellLane {
public:
    explicit CellLane(CellGroup& group)
        : m_group(&group)
        , m_rule(group.addRule())
    {
    }

    CellLane(CellLane&& other) noexcept
        : m_group(std::exchange(other.m_group, nullptr))
        , m_rule(other.m_rule)
    {
    }

    CellLane(const CellLane&) = delete;
    CellLane& operator=(const CellLane&) = delete;
    CellLane& operator=(CellLane&&) = delete;
    ~CellLane() = default;

    KeyCell& at(std::uint32_t key) { return m_group->at(key)[m_rule]; }

    [[nodiscard]] const KeyCell* find(std::uint32_t key) const
    {
        const KeyCell* const cells = m_group->find(key);
        return cells == nullptr ? nullptr : cells + m_rule;
    }

    template <class Visit> void forEach(Visit visit)
    {
        if (m_group != nullptr) {
            m_group->forEach(m_rule, visit);
        }
    }

    [[nodiscard]] CellGroup* group() const { return m_group; }

    [[nodiscard]] std::size_t lane() const { return m_rule; }

private:
    CellGroup* m_group;
    std::size_t m_rule;
};

} // namespace engine

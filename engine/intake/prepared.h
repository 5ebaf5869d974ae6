#pragma once
#include "engine/intake.h"
#include "engine/intake/workspace.h"

#include <cstdint>
#include <vector>

namespace engine::intake {

/// The distinct rows of words of one batch, numbered in order of first appearance.
class WordRows {
public:
    void reset(std::size_t wordCount, std::size_t requests);
    std::uint32_t add(const std::uint64_t* words);

    [[nodiscard]] std::size_t size() const { return m_size; }

    [[nodiscard]] const std::uint64_t* row(std::size_t i) const
    {
        return m_words.data() + i * m_wordCount;
    }

private:
    std::size_t m_wordCount = 0;
    std::size_t m_size = 0;
    std::uint32_t m_last = 0;
    std::vector<std::uint64_t> m_words;
    std::vector<std::uint32_t> m_table; ///< row + 1; 0: empty
};

std::uint64_t hashWords(const std::uint64_t* words, std::size_t count);

} // namespace engine::intake

namespace engine {

/// One batch on its way from prepare() to intern(). keys holds batch size * tuples, tuple by tuple;
/// groups and costs likewise.
class Intake::Prepared {
public:
    const RequestBatch* batch = nullptr;
    intake::WordRows rows;
    std::vector<std::uint32_t> rowOf; ///< by request
    std::vector<intake::Key> keys;
    std::vector<intake::Key> groups;
    std::vector<std::int64_t> costs; ///< 0: no usable value
    std::vector<std::uint64_t> present; ///< by slot: requests that have a value
    attributes::TextArena arena;
};

} // namespace engine

#pragma once
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace engine::needs {

/// Lanes 0, 1, 2 ... of which the lowest free one is taken. 64 lanes without memory of their own;
/// beyond that a tree of words, in which a bit says that the word below it is full.
///
/// Example: take() 0, take() 1, giveBack(0), take() 0.
class Lanes {
public:
    std::uint32_t take()
    {
        if (m_more == nullptr) [[likely]] {
            const int lane = std::countr_one(m_first);
            if (lane < kWord) {
                m_first |= std::uint64_t {1} << lane;
                return static_cast<std::uint32_t>(lane);
            }
            m_more = std::make_unique<Tree>(1, std::vector<std::uint64_t> {m_first});
        }
        return takeOfTree();
    }

    void giveBack(std::uint32_t lane)
    {
        if (m_more == nullptr) [[likely]] {
            m_first &= ~(std::uint64_t {1} << lane);
            return;
        }
        for (std::vector<std::uint64_t>& level : *m_more) {
            std::uint64_t& word = level[lane / kWord];
            word &= ~(std::uint64_t {1} << lane % kWord);
            lane /= kWord;
        }
    }

private:
    static constexpr int kWord = 64;
    using Tree = std::vector<std::vector<std::uint64_t>>; ///< level 0: the lanes; above: full words

    std::uint32_t takeOfTree()
    {
        Tree& tree = *m_more;
        if (tree.back().front() == ~std::uint64_t {0}) {
            tree.push_back({1}); // what there was is full, and the first of more
        }
        std::size_t at = 0;
        for (std::size_t level = tree.size(); level-- > 0;) {
            if (at == tree[level].size()) {
                tree[level].push_back(0);
            }
            at = at * kWord + static_cast<std::size_t>(std::countr_one(tree[level][at]));
        }
        const auto lane = static_cast<std::uint32_t>(at);
        for (std::vector<std::uint64_t>& level : tree) {
            std::uint64_t& word = level[at / kWord];
            word |= std::uint64_t {1} << at % kWord;
            if (word != ~std::uint64_t {0}) {
                break;
            }
            at /= kWord;
        }
        return lane;
    }

    std::uint64_t m_first = 0; ///< while there is no tree
    std::unique_ptr<Tree> m_more;
};

} // namespace engine::needs

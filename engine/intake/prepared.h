#pragma once
#include "engine/intake.h"
#include "engine/intake/families.h"
#include "engine/intake/text_index.h"
#include "engine/intake/workspace.h"

#include <cstdint>
#include <vector>

namespace engine::intake {

/// The distinct rows of words of one batch, numbered in order of first appearance.
class WordRows {
public:
    void reset(std::size_t wordCount);
    std::uint32_t add(const std::uint64_t* words);

    [[nodiscard]] std::size_t size() const { return m_size; }

    [[nodiscard]] const std::uint64_t* row(std::size_t i) const
    {
        return m_words.data() + i * m_wordCount;
    }

private:
    void grow();

    static constexpr std::size_t kFirstSize = 64;
    std::size_t m_wordCount = 0;
    std::size_t m_size = 0;
    std::uint32_t m_last = 0;
    std::vector<std::uint64_t> m_words;
    std::vector<std::uint32_t> m_table; ///< row + 1; 0: empty
};

std::uint64_t hashWords(const std::uint64_t* words, std::size_t count);

/// Keys of one tuple or grouping: request i has keys[which[i]].
struct KeyColumn {
    const std::uint32_t* which = nullptr;
    std::vector<Key> keys;
};

/// Costs likewise. 0: no usable value.
struct CostColumn {
    const std::uint32_t* which = nullptr;
    std::vector<std::int64_t> values;
};

} // namespace engine::intake

namespace engine {

/// One batch on its way from prepare() to intern(): for each family of attributes which of its
/// distinct texts a request has, and what follows from each of them.
class Intake::Prepared {
public:
    /// What intern() reads.
    const RequestBatch* batch = nullptr;
    intake::WordRows rows;
    std::vector<std::uint32_t> rowOf; ///< by request
    std::vector<intake::KeyColumn> tuples;
    std::vector<intake::KeyColumn> groupings;
    std::vector<intake::CostColumn> costs;
    std::vector<std::uint64_t> present; ///< by field: requests that have a value

    void fill(const intake::Schema& schema, const intake::Families& families,
              const RequestBatch& from, intake::Workspace& workspace);

private:
    struct FamilyColumn {
        std::vector<std::uint32_t> which; ///< by request; 0: the text is missing
        std::vector<std::uint32_t> classOf; ///< by distinct text: row of `classes`
        intake::WordRows classes; ///< the family's own words
        std::size_t expected = 0; ///< distinct texts of the batch before
    };

    void fillFamily(std::size_t index);
    void beginFamily(std::size_t index);
    void fillByRequest(std::size_t index);
    void fillByPresence(std::size_t index);
    void fillByText(std::size_t index);
    void evaluateDistinct(std::size_t index, std::uint64_t hash, const Request& request,
                          const std::string_view* fields);
    void fillAcross(std::size_t tuple);
    void combine();
    void assemble(std::size_t request);

    const intake::Schema* m_schema = nullptr;
    const intake::Families* m_families = nullptr;
    intake::Workspace* m_workspace = nullptr;
    std::vector<FamilyColumn> m_columns;
    std::vector<std::vector<intake::Key>> m_shared; ///< by slot of tuples across families
    std::vector<std::vector<std::uint32_t>> m_across; ///< which, by tuple across families
    std::vector<std::string_view> m_nothing; ///< the fields of a request without any
    intake::TextIndex m_index;
    std::vector<std::uint32_t> m_without; ///< numbers of texts without a value in normal form
    std::vector<std::uint64_t> m_words;
    std::vector<std::uint32_t> m_rowOfClasses;
    attributes::TextArena m_arena;
};

} // namespace engine

#include "engine/intake/prepared.h"

#include <algorithm>
#include <cstring>

namespace engine::intake {
namespace {

constexpr std::uint32_t kNoRow = 0xFFFFFFFF;
constexpr std::size_t kMostCombinations = std::size_t {1} << 15;

/// std::equal(), without the call that costs more than a row of one or two words.
bool sameWords(const std::uint64_t* a, const std::uint64_t* b, std::size_t count)
{
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < count; ++i) {
        difference |= a[i] ^ b[i];
    }
    return difference == 0;
}

/// A field's text of the first request; nullptr without one.
const std::string_view* firstText(const RequestBatch& batch, std::size_t field)
{
    return batch.requests.empty() ? nullptr : batch.valuesOf(0) + field;
}

} // namespace

std::uint64_t hashWords(const std::uint64_t* words, std::size_t count)
{
    std::uint64_t state = count;
    for (std::size_t i = 0; i < count; ++i) {
        state = attributes::detail::fold(words[i] ^ attributes::detail::kOdd1,
                                         state ^ attributes::detail::kOdd2);
    }
    return state;
}

void WordRows::reset(std::size_t wordCount)
{
    m_wordCount = wordCount;
    m_size = 0;
    m_last = 0;
    m_words.clear();
    m_table.assign(kFirstSize, 0);
}

std::uint32_t WordRows::add(const std::uint64_t* words)
{
    if (m_size > 0 && sameWords(words, row(m_last), m_wordCount)) {
        return m_last;
    }
    const std::size_t mask = m_table.size() - 1;
    std::size_t i = hashWords(words, m_wordCount) & mask;
    while (m_table[i] != 0) {
        if (sameWords(words, row(m_table[i] - 1), m_wordCount)) {
            m_last = m_table[i] - 1;
            return m_last;
        }
        i = (i + 1) & mask;
    }
    m_words.insert(m_words.end(), words, words + m_wordCount);
    m_last = static_cast<std::uint32_t>(m_size++);
    m_table[i] = m_last + 1;
    if (2 * m_size > m_table.size()) {
        grow();
    }
    return m_last;
}

void WordRows::grow()
{
    m_table.assign(4 * m_table.size(), 0);
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t known = 0; known < m_size; ++known) {
        std::size_t i = hashWords(row(known), m_wordCount) & mask;
        while (m_table[i] != 0) {
            i = (i + 1) & mask;
        }
        m_table[i] = static_cast<std::uint32_t>(known + 1);
    }
}

} // namespace engine::intake

namespace engine {

using intake::Family;
using intake::Key;

void Intake::DeletePrepared::operator()(Prepared* prepared) const
{
    delete prepared;
}

void Intake::Prepared::fill(const intake::Schema& schema, const intake::Families& families,
                            const RequestBatch& from, intake::Workspace& workspace)
{
    m_schema = &schema;
    m_families = &families;
    m_workspace = &workspace;
    batch = &from;
    m_arena.clear();
    m_columns.resize(families.all.size());
    m_shared.resize(families.shared.size());
    m_across.resize(families.across.size());
    m_nothing.resize(schema.fields.size());
    tuples.resize(families.across.size());
    groupings.resize(schema.groupings.size());
    costs.resize(schema.costs.size());
    present.assign(schema.fields.size(), 0);
    for (std::size_t family = 0; family < families.all.size(); ++family) {
        fillFamily(family);
    }
    for (std::size_t tuple = 0; tuple < families.across.size(); ++tuple) {
        if (!families.across[tuple].empty()) {
            fillAcross(tuple);
        }
    }
    combine();
}

/// Empties the columns of a family and gives them what follows from a missing text.
void Intake::Prepared::beginFamily(std::size_t index)
{
    const Family& family = m_families->all[index];
    FamilyColumn& column = m_columns[index];
    column.which.resize(batch->requests.size());
    column.expected = column.classOf.size();
    column.classOf.clear();
    column.classes.reset(family.wordCount);
    for (const std::size_t tuple : family.tuples) {
        tuples[tuple].which = column.which.data();
        tuples[tuple].keys.clear();
    }
    for (const Family::Following& following : family.followers) {
        tuples[following.tuple].which = column.which.data();
        tuples[following.tuple].keys.clear();
    }
    for (const std::size_t shared : family.shared) {
        m_shared[shared].clear();
    }
    for (const std::size_t grouping : family.groupings) {
        groupings[grouping].which = column.which.data();
        groupings[grouping].keys.clear();
    }
    for (const std::size_t cost : family.costs) {
        costs[cost].which = column.which.data();
        costs[cost].values.clear();
    }
    evaluateDistinct(index, 0, {}, m_nothing.data());
}

/// Numbers the distinct texts of a family's field, and evaluates each of them.
void Intake::Prepared::fillFamily(std::size_t index)
{
    beginFamily(index);
    switch (m_families->all[index].kind) {
    case Family::Kind::Request:
        fillByRequest(index);
        break;
    case Family::Kind::Idle:
    case Family::Kind::Presence:
        fillByPresence(index);
        break;
    case Family::Kind::Text:
        fillByText(index);
        break;
    }
}

void Intake::Prepared::fillByRequest(std::size_t index)
{
    const Family& family = m_families->all[index];
    FamilyColumn& column = m_columns[index];
    for (std::size_t i = 0; i < column.which.size(); ++i) {
        column.which[i] = static_cast<std::uint32_t>(i + 1);
        evaluateDistinct(index, 0, batch->requests[i], batch->valuesOf(i));
        if (family.field != kNoId) {
            const std::uint32_t root = family.slots.front();
            present[family.field] += m_workspace->value(root).data() != nullptr ? 1U : 0U;
        }
    }
}

void Intake::Prepared::fillByPresence(std::size_t index)
{
    const Family& family = m_families->all[index];
    FamilyColumn& column = m_columns[index];
    const std::string_view* text = intake::firstText(*batch, family.field);
    std::uint64_t there = 0;
    std::size_t firstThere = column.which.size();
    for (std::size_t i = 0; i < column.which.size(); ++i, text += batch->fieldCount) {
        const std::uint32_t isThere = text->empty() ? 0 : 1;
        firstThere = there == 0 && isThere != 0 ? i : firstThere;
        column.which[i] = isThere;
        there += isThere;
    }
    if (there > 0) {
        evaluateDistinct(index, 0, batch->requests[firstThere], batch->valuesOf(firstThere));
    }
    present[family.field] = there;
}

void Intake::Prepared::fillByText(std::size_t index)
{
    const Family& family = m_families->all[index];
    FamilyColumn& column = m_columns[index];
    const std::uint32_t root = family.slots.front();
    const std::string_view* text = intake::firstText(*batch, family.field);
    m_index.clear(column.expected);
    m_without.clear();
    std::uint64_t there = 0;
    std::uint32_t last = 0; // number of the text before it; 0: none
    for (std::size_t i = 0; i < column.which.size(); ++i, text += batch->fieldCount) {
        if (text->empty()) {
            column.which[i] = 0;
            continue;
        }
        ++there;
        if (last == 0 || !m_index.isText(last - 1, *text)) { // a status mostly repeats the last one
            const std::uint64_t hash = attributes::hashText(*text);
            last = m_index.add(hash, *text) + 1;
            if (last == column.classOf.size()) {
                evaluateDistinct(index, hash, batch->requests[i], batch->valuesOf(i));
                if (m_workspace->value(root).data() == nullptr) {
                    m_without.push_back(last);
                }
            }
        }
        column.which[i] = last;
    }
    if (!m_without.empty()) {
        std::vector<bool> isWithout(column.classOf.size() + 1);
        for (const std::uint32_t number : m_without) {
            isWithout[number] = true;
        }
        there -= static_cast<std::uint64_t>(
            std::count_if(column.which.begin(), column.which.end(),
                          [&isWithout](std::uint32_t number) { return isWithout[number]; }));
    }
    present[family.field] = there;
}

/// What follows from one text (or request) of a family, appended to its columns.
void Intake::Prepared::evaluateDistinct(std::size_t index, std::uint64_t hash,
                                        const Request& request, const std::string_view* fields)
{
    const Family& family = m_families->all[index];
    FamilyColumn& column = m_columns[index];
    m_workspace->evaluate(family.slots, hash, request, fields, m_arena);
    for (const Family::Following& following : family.followers) {
        m_workspace->noteNetwork(following.slot);
    }
    const std::uint64_t* const words = m_workspace->words().data();
    m_words.resize(std::max(m_words.size(), family.wordCount));
    std::uint64_t* to = m_words.data();
    for (const Family::Span& span : family.spans) {
        to = std::copy_n(words + span.first, span.count, to);
    }
    std::copy(words + m_schema->presenceWord, words + m_schema->wordCount, to);
    column.classOf.push_back(column.classes.add(m_words.data()));
    for (const std::size_t tuple : family.tuples) {
        const auto& slots = m_families->slotsOf(*m_schema, tuple);
        tuples[tuple].keys.push_back(m_workspace->key(slots, m_arena));
    }
    for (const std::size_t shared : family.shared) {
        const std::string_view text = m_workspace->value(m_families->shared[shared].slot);
        m_shared[shared].push_back({0, text.data(), static_cast<std::uint32_t>(text.size())});
    }
    for (const std::size_t grouping : family.groupings) {
        groupings[grouping].keys.push_back(m_workspace->pathGroup(grouping));
    }
    for (const std::size_t cost : family.costs) {
        costs[cost].values.push_back(m_workspace->cost(m_schema->costs[cost], request));
    }
}

/// The keys of a tuple whose attributes come from several fields: each combination of their texts
/// once. Its first key is a missing one.
void Intake::Prepared::fillAcross(std::size_t tuple)
{
    const std::vector<std::size_t>& parts = m_families->across[tuple];
    std::vector<std::uint32_t>& which = m_across[tuple];
    intake::KeyColumn& column = tuples[tuple];
    which.assign(batch->requests.size(), 0);
    column.which = which.data();
    column.keys.assign(1, {});
    m_index.clear();
    const std::size_t size = parts.size() * sizeof(std::uint32_t);
    for (std::size_t i = 0; i < which.size(); ++i) {
        char* const numbers = m_arena.reserve(size);
        bool isWhole = true;
        std::size_t bytes = 0;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            const std::uint32_t number = m_columns[m_families->shared[parts[part]].family].which[i];
            const Key& key = m_shared[parts[part]][number];
            isWhole = isWhole && key.data != nullptr;
            bytes += sizeof key.size + key.size;
            std::memcpy(numbers + part * sizeof number, &number, sizeof number);
        }
        if (!isWhole) {
            continue;
        }
        const std::string_view combination(numbers, size);
        which[i] = m_index.add(attributes::hashText(combination), combination) + 1;
        if (which[i] < column.keys.size()) {
            continue;
        }
        m_arena.keep(size);
        char* const out = m_arena.reserve(bytes);
        char* at = out;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            std::uint32_t number = 0;
            std::memcpy(&number, combination.data() + part * sizeof number, sizeof number);
            const Key& key = m_shared[parts[part]][number];
            std::memcpy(at, &key.size, sizeof key.size);
            std::memcpy(at + sizeof key.size, key.data, key.size);
            at += sizeof key.size + key.size;
        }
        m_arena.keep(bytes);
        column.keys.push_back(
            {attributes::hashText({out, bytes}), out, static_cast<std::uint32_t>(bytes)});
    }
}

/// The words of a request as a whole.
void Intake::Prepared::assemble(std::size_t request)
{
    m_words.assign(m_schema->wordCount, 0);
    for (std::size_t index = 0; index < m_columns.size(); ++index) {
        const Family& family = m_families->all[index];
        const FamilyColumn& column = m_columns[index];
        const std::uint64_t* from = column.classes.row(column.classOf[column.which[request]]);
        for (const Family::Span& span : family.spans) {
            std::copy_n(from, span.count, m_words.data() + span.first);
            from += span.count;
        }
        for (std::size_t word = m_schema->presenceWord; word < m_schema->wordCount; ++word) {
            m_words[word] |= *from++;
        }
    }
}

/// Which words each request has. Few classes combine to few rows: these are looked up by class.
void Intake::Prepared::combine()
{
    const std::size_t count = batch->requests.size();
    rows.reset(m_schema->wordCount);
    rowOf.assign(count, 0);
    std::size_t combinations = 1;
    for (const FamilyColumn& column : m_columns) {
        combinations
            = std::min(combinations * column.classes.size(), intake::kMostCombinations + 1);
    }
    if (combinations > intake::kMostCombinations) {
        for (std::size_t i = 0; i < count; ++i) {
            assemble(i);
            rowOf[i] = rows.add(m_words.data());
        }
        return;
    }
    for (const FamilyColumn& column : m_columns) {
        if (const auto classes = static_cast<std::uint32_t>(column.classes.size()); classes > 1) {
            for (std::size_t i = 0; i < count; ++i) {
                rowOf[i] = rowOf[i] * classes + column.classOf[column.which[i]];
            }
        }
    }
    m_rowOfClasses.assign(combinations, intake::kNoRow);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t& row = m_rowOfClasses[rowOf[i]];
        if (row == intake::kNoRow) {
            assemble(i);
            row = rows.add(m_words.data());
        }
        rowOf[i] = row;
    }
}

} // namespace engine

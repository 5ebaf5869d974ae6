#include "storage/runs/blocks.h"

#include <algorithm>

// Arrival -> n. Which numbers the block has, as runs of neighbours; the rows say which of them are
// theirs; and, where it is cheap enough, the order in which the others came.
namespace storage::runs {
namespace {

constexpr std::uint64_t kWordBits = 64;
/// Beyond this many bits (8 MB) a bitmap is no longer the cheap way to sort.
constexpr std::uint64_t kLargestBitmap = std::uint64_t {1} << 26;

constexpr std::size_t kSample = 8'192;

/// A varint of zstd's worst case: what a column of `count` small numbers may take when read.
std::size_t largestColumn(std::size_t count)
{
    return count * 20 + 20;
}

/// Numbers in ascending order as run lengths and gaps: 5 6 7 9 is [5] 3 1 1.
std::string runsOf(const std::vector<std::uint64_t>& sorted)
{
    std::string runs;
    for (std::size_t i = 0; i < sorted.size();) {
        std::size_t end = i + 1;
        while (end < sorted.size() && sorted[end] == sorted[end - 1] + 1) {
            ++end;
        }
        appendVarint(runs, end - i);
        if (end < sorted.size()) {
            appendVarint(runs, sorted[end] - sorted[end - 1] - 1);
        }
        i = end;
    }
    return runs;
}

} // namespace

/// Ascending in m_sorted. A bitmap beats a sort by ten times where numbers lie close.
void NumberColumn::sortAll(const std::vector<std::uint64_t>& numbers)
{
    m_sorted.clear();
    m_sorted.reserve(numbers.size());
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    const std::uint64_t range = *high - *low;
    if (range >= kLargestBitmap) {
        m_sorted = numbers;
        std::sort(m_sorted.begin(), m_sorted.end());
        return;
    }
    m_words.assign(static_cast<std::size_t>(range / kWordBits + 1), 0);
    for (const std::uint64_t n : numbers) {
        m_words[(n - *low) / kWordBits] |= std::uint64_t {1} << ((n - *low) % kWordBits);
    }
    for (std::size_t word = 0; word < m_words.size(); ++word) {
        for (std::uint64_t bits = m_words[word]; bits != 0; bits &= bits - 1) {
            m_sorted.push_back(*low + word * kWordBits
                               + static_cast<std::uint64_t>(std::countr_zero(bits)));
        }
    }
}

/// Takes the numbers of rows out of m_sorted.
void NumberColumn::removeRows(const std::vector<RejectionRow>& rows)
{
    m_values.clear();
    for (const RejectionRow& row : rows) {
        m_values.push_back(row.n);
    }
    std::sort(m_values.begin(), m_values.end());
    std::size_t next = 0;
    std::erase_if(m_sorted, [&](std::uint64_t n) {
        const bool isOfRow = next < m_values.size() && m_values[next] == n;
        next += isOfRow ? 1U : 0U;
        return isOfRow;
    });
}

/// Where the i-th of m_others stands in m_sorted: mostly close to i, so the search widens from
/// there.
std::int64_t NumberColumn::placeOf(std::size_t i) const
{
    const std::uint64_t wanted = m_others[i];
    std::size_t low = i;
    std::size_t high = i;
    for (std::size_t step = 1; m_sorted[low] > wanted; step *= 2) {
        low = low > step ? low - step : 0;
    }
    for (std::size_t step = 1; m_sorted[high] < wanted; step *= 2) {
        high = std::min(high + step, m_sorted.size() - 1);
    }
    const auto begin = m_sorted.begin();
    return std::lower_bound(begin + static_cast<std::ptrdiff_t>(low),
                            begin + static_cast<std::ptrdiff_t>(high), wanted)
        - begin;
}

/// Out of order so often that the order column would break any budget: told by a sample.
bool NumberColumn::isTooMixed() const
{
    const std::size_t sample = std::min(m_others.size(), kSample);
    std::size_t moved = 0;
    for (std::size_t i = 0; i < sample; ++i) {
        moved += m_others[i] == m_sorted[i] ? 0U : 1U;
    }
    return moved > sample / 4;
}

NumberColumn::Encoded NumberColumn::encode(const std::vector<std::uint64_t>& numbers,
                                           const std::vector<RejectionRow>& rows,
                                           std::size_t budget, Compressor& compressor)
{
    m_hasRow.assign(numbers.size(), 0);
    for (const RejectionRow& row : rows) {
        m_hasRow[row.position] = 1;
    }
    m_others.clear();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (m_hasRow[i] == 0) {
            m_others.push_back(numbers[i]);
        }
    }
    Encoded encoded;
    if (m_others.empty()) {
        return encoded;
    }
    sortAll(numbers);
    appendVarint(encoded.bytes, m_sorted.front());
    compressor.append(encoded.bytes, runsOf(m_sorted));
    removeRows(rows);
    if (encoded.bytes.size() > budget) {
        return {NumberDetail::Rows, {}};
    }
    if (m_others == m_sorted) {
        appendVarint(encoded.bytes, 0); // no order column: they came in order
        return encoded;
    }
    if (isTooMixed()) {
        encoded.detail = NumberDetail::Ordered;
        return encoded;
    }
    std::string order;
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        appendVarint(order, zigzag(placeOf(i) - static_cast<std::int64_t>(i)));
    }
    const std::size_t withoutOrder = encoded.bytes.size();
    compressor.append(encoded.bytes, order);
    if (encoded.bytes.size() > budget) {
        encoded.detail = NumberDetail::Ordered;
        encoded.bytes.resize(withoutOrder);
    }
    return encoded;
}

bool NumberColumn::decode(NumberDetail detail, std::string_view bytes, std::uint32_t requests,
                          const std::vector<RejectionRow>& rows, Decompressor& decompressor,
                          std::vector<std::uint64_t>& numbers)
{
    numbers.assign(requests, 0);
    m_hasRow.assign(requests, 0);
    for (const RejectionRow& row : rows) {
        numbers[row.position] = row.n;
        m_hasRow[row.position] = 1;
    }
    const std::size_t others = requests - rows.size();
    if (others == 0 || detail == NumberDetail::Rows) {
        return bytes.empty();
    }
    ByteReader in(bytes);
    std::uint64_t next = in.varint();
    ByteReader runs(decompressor.read(in, largestColumn(requests)));
    m_sorted.clear();
    while (m_sorted.size() < requests && runs.isSound()) {
        const std::uint64_t length = runs.varint();
        if (length == 0 || length > requests - m_sorted.size()) {
            return false;
        }
        for (std::uint64_t i = 0; i < length; ++i) {
            m_sorted.push_back(next++);
        }
        if (m_sorted.size() < requests) {
            next += runs.varint();
        }
    }
    removeRows(rows);
    if (!runs.isSound() || m_sorted.size() != others) {
        return false;
    }
    m_values.assign(others, 0);
    if (detail == NumberDetail::Exact) {
        const std::string_view order = decompressor.read(in, largestColumn(others));
        ByteReader steps(order);
        for (std::size_t i = 0; i < (order.empty() ? 0 : others); ++i) {
            m_values[i] = static_cast<std::uint64_t>(unzigzag(steps.varint()));
        }
        if (!steps.isSound() || !in.isAtEnd()) {
            return false;
        }
    }
    std::size_t other = 0;
    for (std::size_t i = 0; i < requests; ++i) {
        if (m_hasRow[i] == 0) {
            const std::uint64_t place = other + m_values[other];
            if (place >= others) {
                return false;
            }
            numbers[i] = m_sorted[place];
            ++other;
        }
    }
    return in.isSound();
}

} // namespace storage::runs

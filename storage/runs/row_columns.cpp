#include "storage/runs/blocks.h"

#include <array>
#include <numeric>

// The rows of a block as columns. A who that comes again in the block mostly meets the same rule
// with the same key on the same path: those columns then hold 0, and its ordinal the distance.
namespace storage::runs {
namespace {

/// What the last row of a who in this block said.
struct Seen {
    std::uint64_t who = 0; ///< id + 1; 0 is an empty slot
    std::uint64_t ordinal = 0;
    std::uint32_t rule = engine::kNoId;
    std::uint32_t key = engine::kNoId;
    std::uint32_t pathGroup = engine::kNoId;
};

class SeenTable {
public:
    explicit SeenTable(std::size_t rows)
        : m_slots(std::bit_ceil(rows * 2 + 2))
    {
    }

    /// The slot of a who; `who` in it is 0 when it was not seen before.
    Seen& at(std::uint32_t who)
    {
        const std::uint64_t wanted = std::uint64_t {who} + 1;
        std::size_t slot
            = static_cast<std::size_t>((wanted * 0x9E3779B97F4A7C15U) >> 32) & (m_slots.size() - 1);
        while (m_slots[slot].who != 0 && m_slots[slot].who != wanted) {
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        return m_slots[slot];
    }

    static void note(Seen& seen, const RejectionRow& row)
    {
        seen = {std::uint64_t {row.who} + 1, row.ordinal, row.rule, row.key, row.pathGroup};
    }

private:
    std::vector<Seen> m_slots;
};

constexpr std::uint64_t kSameAsBefore = 0;

/// 0: as before; 1: no id; else id + 2.
constexpr std::uint64_t idOrSame(std::uint32_t id, bool isSame)
{
    return isSame ? kSameAsBefore : id == engine::kNoId ? 1 : std::uint64_t {id} + 2;
}

constexpr std::uint32_t idFrom(std::uint64_t stored, std::uint32_t before)
{
    return stored == kSameAsBefore ? before
        : stored == 1              ? engine::kNoId
                                   : static_cast<std::uint32_t>(stored - 2);
}

enum Column : std::size_t { kKey, kWho, kPathGroup, kTime, kNumber, kOrdinal, kColumns };

using Columns = std::array<std::vector<std::uint64_t>, kColumns>;

std::uint64_t wrap(std::int64_t value)
{
    return static_cast<std::uint64_t>(value);
}

/// The largest unit that all distances between the times are multiples of: 1,000,000 for a log
/// with milliseconds.
std::uint64_t unitOf(const std::vector<RejectionRow>& rows)
{
    std::uint64_t unit = 0;
    for (const RejectionRow& row : rows) {
        unit = std::gcd(unit, wrap(row.timeNs) - wrap(rows.front().timeNs));
        if (unit == 1) {
            break;
        }
    }
    return unit == 0 ? 1 : unit;
}

} // namespace

std::string encodeRows(const std::vector<RejectionRow>& rows, bool withKeys, Compressor& compressor)
{
    std::string out;
    if (rows.empty()) {
        return out;
    }
    const RejectionRow& first = rows.front();
    const RejectionRow& last = rows.back();
    const std::uint64_t unit = unitOf(rows);
    const std::uint64_t span = last.position - first.position;
    const std::uint64_t pace
        = span == 0 ? 0 : (wrap(last.timeNs) - wrap(first.timeNs)) / unit / span;
    appendVarint(out, unit);
    appendVarint(out, pace);
    appendVarint(out, zigzag(first.timeNs));
    appendVarint(out, first.n);

    Columns columns;
    SeenTable table(rows.size());
    const RejectionRow* before = &first;
    for (const RejectionRow& row : rows) {
        Seen& seen = table.at(row.who);
        const bool isKnown = seen.who != 0;
        columns[kKey].push_back(
            idOrSame(row.key, isKnown && seen.rule == row.rule && seen.key == row.key));
        columns[kWho].push_back(row.who == engine::kNoId ? 0 : std::uint64_t {row.who} + 1);
        columns[kPathGroup].push_back(
            idOrSame(row.pathGroup, isKnown && seen.pathGroup == row.pathGroup));
        const std::uint64_t steps = row.position - before->position;
        const std::uint64_t elapsed = (wrap(row.timeNs) - wrap(before->timeNs)) / unit;
        columns[kTime].push_back(zigzag(static_cast<std::int64_t>(elapsed - steps * pace)));
        columns[kNumber].push_back(zigzag(static_cast<std::int64_t>(row.n - before->n - steps)));
        columns[kOrdinal].push_back(isKnown ? row.ordinal - seen.ordinal : row.ordinal);
        SeenTable::note(seen, row);
        before = &row;
    }
    for (std::size_t column = withKeys ? kKey : kWho; column < kColumns; ++column) {
        compressor.appendNumbers(out, columns[column]);
    }
    return out;
}

bool decodeRows(std::string_view bytes, bool withKeys, Decompressor& decompressor,
                std::vector<RejectionRow>& rows)
{
    if (rows.empty()) {
        return bytes.empty();
    }
    ByteReader in(bytes);
    const std::uint64_t unit = in.varint();
    const std::uint64_t pace = in.varint();
    std::uint64_t time = wrap(unzigzag(in.varint()));
    std::uint64_t number = in.varint();
    Columns columns;
    for (std::size_t column = withKeys ? kKey : kWho; column < kColumns; ++column) {
        decompressor.readNumbers(in, rows.size(), columns[column]);
    }
    if (!in.isSound() || !in.isAtEnd()) {
        return false;
    }
    SeenTable table(rows.size());
    std::uint32_t position = rows.front().position;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RejectionRow& row = rows[i];
        row.who = static_cast<std::uint32_t>(columns[kWho][i] - 1);
        Seen& seen = table.at(row.who);
        row.key = withKeys ? idFrom(columns[kKey][i], seen.key) : engine::kNoId;
        row.pathGroup = idFrom(columns[kPathGroup][i], seen.pathGroup);
        const std::uint64_t steps = row.position - position;
        time += unit * (wrap(unzigzag(columns[kTime][i])) + steps * pace);
        number += steps + wrap(unzigzag(columns[kNumber][i]));
        row.timeNs = static_cast<std::int64_t>(time);
        row.n = number;
        row.ordinal = columns[kOrdinal][i] + (seen.who != 0 ? seen.ordinal : 0);
        SeenTable::note(seen, row);
        position = row.position;
    }
    return true;
}

} // namespace storage::runs

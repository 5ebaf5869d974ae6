#include "engine/attributes/text_hash.h"
#include "engine/intake/parts.h"

#include <algorithm>

namespace engine {

using attributes::Interner;
using intake::Key;

namespace {

constexpr std::uint32_t kUnset = kNoId - 1; ///< an id not asked for yet; ids never get so far
constexpr std::size_t kMostPathGroups = 65536;
constexpr std::string_view kOtherPaths = "(other paths)";

/// The texts of path groups, by first appearance. Patterns are few and always have their own;
/// what a scan of random paths adds is bounded.
std::uint32_t internGroup(Interner& groups, const Key& key)
{
    if (key.isPattern || groups.size() < kMostPathGroups) {
        return groups.intern(key.hash, key.text());
    }
    const std::uint32_t known = groups.find(key.hash, key.text());
    return known != kNoId ? known : groups.intern(attributes::hashText(kOtherPaths), kOtherPaths);
}

} // namespace

/// What follows from each combination of words in the batch, and which tuples it needs.
void Intake::Parts::findRows(const Prepared& prepared)
{
    rows.clear();
    for (std::size_t i = 0; i < prepared.rows.size(); ++i) {
        rows.push_back(profiles.rowOf(prepared.rows.row(i)));
    }
    needed.assign(tupleCount() * rows.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const intake::Profiles::Row& row = profiles.row(rows[i]);
        for (std::size_t tuple = 0; !row.leftOut && tuple < tupleCount(); ++tuple) {
            needed[tuple * rows.size() + i] = tuple == whoTuple || row.tuples[tuple] ? 1 : 0;
        }
    }
}

/// Gives an id to each distinct key of the batch that some request needs, in order of that.
void Intake::Parts::internTuple(const Prepared& prepared, std::size_t tuple)
{
    Interner& interner = keys[tuple];
    std::vector<std::uint32_t>& known = ids[tuple];
    if (tupleSlots(tuple).empty()) {
        return;
    }
    const intake::KeyColumn& column = prepared.tuples[tuple];
    const std::uint8_t* const neededBy = needed.data() + tuple * rows.size();
    known.assign(column.keys.size(), kUnset);
    asked.clear();
    askedAt.clear();
    std::size_t left = column.keys.size();
    for (std::size_t i = 0; i < prepared.rowOf.size() && left > 0; ++i) {
        const std::uint32_t at = column.which[i];
        if (known[at] != kUnset || neededBy[prepared.rowOf[i]] == 0) {
            continue;
        }
        const Key& key = column.keys[at];
        known[at] = kNoId;
        if (key.data != nullptr) {
            asked.push_back({key.hash, key.text()});
            askedAt.push_back(at);
        }
        --left;
    }
    answers.resize(asked.size());
    interner.internAll(asked, answers);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        known[askedAt[i]] = answers[i];
    }
}

void Intake::Parts::internGroups(const Prepared& prepared, std::size_t grouping)
{
    const intake::KeyColumn& column = prepared.groupings[grouping];
    std::vector<std::uint32_t>& known = ids[tupleCount() + grouping];
    known.assign(column.keys.size(), kUnset);
    std::size_t left = column.keys.size();
    for (std::size_t i = 0; i < prepared.rowOf.size() && left > 0; ++i) {
        const std::size_t at = column.which[i];
        if (known[at] == kUnset && !profiles.row(rows[prepared.rowOf[i]]).leftOut) {
            known[at] = internGroup(groups[grouping], column.keys[at]);
            --left;
        }
    }
}

/// After all ids are known: the tables of emit(), so that a request costs no search for them.
void Intake::Parts::findIdColumns(const Prepared& prepared)
{
    idColumns.clear();
    for (std::size_t tuple = 0; tuple < tupleCount(); ++tuple) {
        const bool isOneBucket = tupleSlots(tuple).empty();
        idColumns.push_back({isOneBucket ? nullptr : prepared.tuples[tuple].which,
                             ids[tuple].data(), needed.data() + tuple * rows.size()});
    }
    for (std::size_t grouping = 0; grouping < groups.size(); ++grouping) {
        idColumns.push_back(
            {prepared.groupings[grouping].which, ids[tupleCount() + grouping].data(), nullptr});
    }
}

void Intake::Parts::emit(const Prepared& prepared, std::size_t request, const Take& take)
{
    ++requests;
    const std::uint32_t rowHere = prepared.rowOf[request];
    const intake::Profiles::Row& row = profiles.row(rows[rowHere]);
    if (row.leftOut) {
        ++(row.dropped ? dropped : leftOut);
        return;
    }
    const Request& from = prepared.batch->requests[request];
    Arrival& to = record();
    to.timeNs = from.timeNs;
    to.durationNs = from.durationNs;
    to.n = requests;
    to.line = from.line;
    to.file = from.file;
    to.flags = row.flags;
    std::uint32_t* const out = to.ids();
    const std::size_t tuples = tupleCount();
    const auto idIn = [&](std::size_t tuple) {
        const IdColumn& column = idColumns[tuple];
        if (column.which == nullptr) {
            return 0U;
        }
        return column.needed[rowHere] != 0 ? column.ids[column.which[request]] : kNoId;
    };
    for (std::size_t tuple = 0; tuple < layout.tupleCount; ++tuple) {
        out[layout.tupleAt(tuple)] = idIn(tuple);
    }
    out[ArrivalLayout::kWho]
        = whoTuple < layout.tupleCount ? out[layout.tupleAt(whoTuple)] : idIn(whoTuple);
    for (std::size_t plan = 0; plan < plans.size(); ++plan) {
        const std::size_t grouping = schema.plans[plan].grouping;
        out[layout.profileAt(plan)] = row.profiles[plan];
        const IdColumn& column = idColumns[tuples + grouping];
        out[layout.pathGroupAt(plan)] = column.ids[column.which[request]];
    }
    if (layout.costCount > 0) {
        emitCosts(prepared, request, row);
    }
    take(to, from);
}

void Intake::Parts::emitCosts(const Prepared& prepared, std::size_t request,
                              const intake::Profiles::Row& row)
{
    auto* const out = reinterpret_cast<std::int64_t*>(reinterpret_cast<std::byte*>(arrival.data())
                                                      + layout.costsOffset());
    for (std::size_t cost = 0; cost < layout.costCount; ++cost) {
        const intake::CostColumn& column = prepared.costs[cost];
        const std::int64_t value = column.values[column.which[request]];
        out[cost] = std::max<std::int64_t>(1, value);
        if (value != 0) {
            continue;
        }
        for (std::size_t plan = 0; plan < plans.size(); ++plan) {
            std::vector<std::uint64_t>& counts = costMissing[plan];
            const std::size_t at = row.profiles[plan] * layout.costCount + cost;
            counts.resize(std::max(counts.size(), at + 1));
            ++counts[at];
        }
    }
}

void Intake::Parts::intern(const Prepared& prepared, const Take& take)
{
    profiles.forgetIfLarge();
    findRows(prepared);
    for (std::size_t field = 0; field < filled.size(); ++field) {
        filled[field] += prepared.present[field];
    }
    ids.resize(tupleCount() + groups.size());
    for (std::size_t tuple = 0; tuple < tupleCount(); ++tuple) {
        internTuple(prepared, tuple);
    }
    for (std::size_t grouping = 0; grouping < groups.size(); ++grouping) {
        internGroups(prepared, grouping);
    }
    findIdColumns(prepared);
    for (std::size_t i = 0; i < prepared.batch->requests.size(); ++i) {
        emit(prepared, i, take);
    }
}

} // namespace engine

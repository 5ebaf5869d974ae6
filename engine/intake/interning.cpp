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

/// Likewise of a tuple whose keys follow from `who`, which has its ids: looks at the text of each
/// who once.
void Intake::Parts::internFollowing(const Prepared& prepared,
                                    const intake::Family::Following& following)
{
    const intake::KeyColumn& column = prepared.tuples[whoTuple];
    const std::uint8_t* const neededBy = needed.data() + following.tuple * rows.size();
    std::vector<std::uint32_t>& known = ids[following.tuple];
    std::vector<std::uint32_t>& ofWho = networkIds[following.tuple];
    ofWho.resize(keys[whoTuple].size(), kUnset);
    known.assign(column.keys.size(), kUnset);
    std::size_t left = column.keys.size();
    for (std::size_t i = 0; i < prepared.rowOf.size() && left > 0; ++i) {
        const std::uint32_t at = column.which[i];
        if (known[at] != kUnset || neededBy[prepared.rowOf[i]] == 0) {
            continue;
        }
        --left;
        const std::uint32_t who = ids[whoTuple][at];
        if (who == kNoId) {
            known[at] = kNoId;
            continue;
        }
        if (ofWho[who] == kUnset) {
            networks.clear();
            const std::string_view network
                = intake::networkOf(schema.slots[following.slot], column.keys[at].text(), networks);
            ofWho[who] = network.data() == nullptr
                ? kNoId
                : keys[following.tuple].intern(attributes::hashText(network), network);
        }
        known[at] = ofWho[who];
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

/// After all ids are known: the tables of emitIds(), so that a request costs no search for them.
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

/// Which requests go on.
void Intake::Parts::choose(const Prepared& prepared)
{
    const std::size_t count = prepared.rowOf.size();
    taken.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        const intake::Profiles::Row& row = profiles.row(rows[prepared.rowOf[i]]);
        if (row.leftOut) {
            ++(row.dropped ? dropped : leftOut);
        } else {
            taken.push_back(i);
        }
    }
    const std::size_t words = taken.size() * stride / sizeof(std::uint64_t);
    if (words > arrivals.capacity()) {
        arrivals = {}; // nothing to keep, and blocks are of a size: no doubling
        arrivals.reserve(words + words / 8);
    }
    arrivals.resize(words);
}

void Intake::Parts::emitHeads(const Prepared& prepared)
{
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const Request& from = prepared.batch->requests[taken[i]];
        Arrival& to = arrival(i);
        to.timeNs = from.timeNs;
        to.arrivedNs = from.timeNs;
        to.durationNs = from.durationNs;
        to.n = requests + taken[i] + 1;
        to.line = from.line;
        to.file = from.file;
        to.flags = profiles.row(rows[prepared.rowOf[taken[i]]]).flags;
    }
    requests += prepared.rowOf.size();
}

/// Writes one id of every arrival.
void Intake::Parts::emitIds(const Prepared& prepared, const IdColumn& column, std::size_t at)
{
    for (std::size_t i = 0; i < taken.size(); ++i) {
        std::uint32_t id = 0;
        if (column.which != nullptr) {
            const bool isNeeded
                = column.needed == nullptr || column.needed[prepared.rowOf[taken[i]]] != 0;
            id = isNeeded ? column.ids[column.which[taken[i]]] : kNoId;
        }
        arrival(i).ids()[at] = id;
    }
}

void Intake::Parts::emitProfiles(const Prepared& prepared, std::size_t plan)
{
    profileOf.clear();
    for (const std::uint32_t row : rows) {
        const intake::Profiles::Row& met = profiles.row(row);
        profileOf.push_back(met.leftOut ? kNoId : met.profiles[plan]);
    }
    const std::size_t at = layout.profileAt(plan);
    for (std::size_t i = 0; i < taken.size(); ++i) {
        arrival(i).ids()[at] = profileOf[prepared.rowOf[taken[i]]];
    }
}

void Intake::Parts::emitCosts(const Prepared& prepared, std::size_t cost)
{
    const intake::CostColumn& column = prepared.costs[cost];
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const std::int64_t value = column.values[column.which[taken[i]]];
        auto* const out = reinterpret_cast<std::int64_t*>(reinterpret_cast<std::byte*>(&arrival(i))
                                                          + layout.costsOffset());
        out[cost] = std::max<std::int64_t>(1, value);
        if (value == 0) {
            countMissing(prepared, cost, taken[i]);
        }
    }
}

void Intake::Parts::countMissing(const Prepared& prepared, std::size_t cost, std::uint32_t request)
{
    const intake::Profiles::Row& row = profiles.row(rows[prepared.rowOf[request]]);
    for (std::size_t plan = 0; plan < plans.size(); ++plan) {
        std::vector<std::uint64_t>& counts = costMissing[plan];
        const std::size_t at = row.profiles[plan] * layout.costCount + cost;
        counts.resize(std::max(counts.size(), at + 1));
        ++counts[at];
    }
}

Intake::Interned Intake::Parts::intern(const Prepared& prepared)
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
    for (const intake::Family& family : families->all) {
        for (const intake::Family::Following& following : family.followers) {
            internFollowing(prepared, following);
        }
    }
    for (std::size_t grouping = 0; grouping < groups.size(); ++grouping) {
        internGroups(prepared, grouping);
    }
    findIdColumns(prepared);
    choose(prepared);
    emitHeads(prepared);
    emitIds(prepared, idColumns[whoTuple], ArrivalLayout::kWho);
    for (std::size_t plan = 0; plan < plans.size(); ++plan) {
        emitProfiles(prepared, plan);
        emitIds(prepared, idColumns[tupleCount() + schema.plans[plan].grouping],
                layout.pathGroupAt(plan));
    }
    for (std::size_t tuple = 0; tuple < layout.tupleCount; ++tuple) {
        emitIds(prepared, idColumns[tuple], layout.tupleAt(tuple));
    }
    for (std::size_t cost = 0; cost < layout.costCount; ++cost) {
        emitCosts(prepared, cost);
    }
    return {reinterpret_cast<std::byte*>(arrivals.data()), stride, taken};
}

} // namespace engine

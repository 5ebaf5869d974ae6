#include "engine/intake.h"

#include "engine/attributes/interner.h"
#include "engine/attributes/text_hash.h"
#include "engine/intake/prepared.h"
#include "engine/intake/profiles.h"
#include "engine/intake/schema.h"
#include "engine/intake/workspace.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>

namespace engine {

using attributes::Interner;
using intake::Key;

namespace {

constexpr std::uint32_t kUnset = kNoId - 1; ///< an id not asked for yet; ids never get so far
constexpr std::size_t kMostPathGroups = 65536;
constexpr std::string_view kOtherPaths = "(other paths)";

/// The parts of a serialised tuple.
std::vector<std::string_view> partsOf(std::string_view bytes)
{
    std::vector<std::string_view> parts;
    while (!bytes.empty()) {
        std::uint32_t size = 0;
        std::memcpy(&size, bytes.data(), sizeof size);
        parts.push_back(bytes.substr(sizeof size, size));
        bytes.remove_prefix(sizeof size + size);
    }
    return parts;
}

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

class Intake::Parts {
public:
    Parts(std::vector<const Plan*> givenPlans, const IntakeOptions& options)
        : plans(std::move(givenPlans))
        , whoNames(options.who)
        , schema(intake::makeSchema(plans, options))
        , pool(schema)
        , profiles(schema, plans)
        , keys(schema.tuples.size() + 1)
        , groups(schema.groupings.size())
        , filled(schema.fields.size())
        , costMissing(plans.size())
    {
        layout.planCount = plans.size();
        layout.tupleCount = schema.tuples.size();
        layout.costCount = schema.costs.size();
        arrival.resize((layout.size() + 7) / 8);
        for (std::size_t tuple = 0; tuple < schema.tuples.size(); ++tuple) {
            if (schema.tuples[tuple].empty()) {
                keys[tuple].intern(0, ""); // one bucket for all
            }
        }
        selectWho(0);
    }

    void selectWho(std::size_t candidate)
    {
        chosenWho = candidate;
        whoSlots = {schema.who[candidate]};
        const auto shared = std::find(schema.tuples.begin(), schema.tuples.end(), whoSlots);
        whoTuple = static_cast<std::size_t>(shared - schema.tuples.begin());
        const bool isExtra = whoTuple == schema.tuples.size();
        families.emplace(schema, isExtra ? whoSlots : std::vector<std::uint32_t> {});
    }

    /// Tuples that are prepared and interned: those of the layout, and `who` where it is none of
    /// them.
    [[nodiscard]] std::size_t tupleCount() const
    {
        return std::max(schema.tuples.size(), whoTuple + 1);
    }

    [[nodiscard]] const std::vector<std::uint32_t>& tupleSlots(std::size_t tuple) const
    {
        return tuple < schema.tuples.size() ? schema.tuples[tuple] : whoSlots;
    }

    /// Where the ids of a tuple or grouping are found for a request of the batch at hand.
    struct IdColumn {
        const std::uint32_t* which = nullptr; ///< by request; nullptr: one bucket for all
        const std::uint32_t* ids = nullptr; ///< by distinct key
        const std::uint8_t* needed = nullptr; ///< by row of the batch; of tuples only
    };

    void findRows(const Prepared& prepared);
    void findIdColumns(const Prepared& prepared);
    void internTuple(const Prepared& prepared, std::size_t tuple);
    void internGroups(const Prepared& prepared, std::size_t grouping);
    void emit(const Prepared& prepared, std::size_t request, const Take& take);
    void emitCosts(const Prepared& prepared, std::size_t request, const intake::Profiles::Row& row);

    Arrival& record() { return *reinterpret_cast<Arrival*>(arrival.data()); }

    std::vector<const Plan*> plans;
    std::vector<std::string> whoNames;
    intake::Schema schema;
    ArrivalLayout layout;
    std::optional<intake::Families> families;
    mutable intake::WorkspacePool pool;
    intake::Profiles profiles;
    std::deque<Interner> keys; ///< by tuple; the last one for a `who` that no tuple is
    std::deque<Interner> groups; ///< by grouping
    std::size_t chosenWho = 0;
    std::vector<std::uint32_t> whoSlots;
    std::size_t whoTuple = 0;
    std::uint64_t requests = 0;
    std::uint64_t leftOut = 0;
    std::uint64_t dropped = 0;
    std::vector<std::uint64_t> filled;
    std::vector<std::vector<std::uint64_t>> costMissing; ///< by plan: profile * costs + cost

    // Scratch of intern().
    std::vector<std::uint32_t> rows; ///< by row of the batch: row of the profiles
    std::vector<std::uint8_t> needed; ///< by tuple, then row of the batch
    std::vector<std::vector<std::uint32_t>> ids; ///< by tuple, then grouping: of each distinct key
    std::vector<IdColumn> idColumns; ///< by tuple, then grouping
    std::vector<Interner::HashedKey> asked; ///< keys of a tuple that need an id
    std::vector<std::uint32_t> askedAt; ///< which distinct key of the batch each of them is
    std::vector<std::uint32_t> answers;
    std::vector<std::uint64_t> arrival;
};

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

Result<std::unique_ptr<Intake>> Intake::make(std::vector<const Plan*> plans, IntakeOptions options)
{
    const auto isEmpty = [](const std::string& name) { return name.empty(); };
    if (options.who.empty() || std::any_of(options.who.begin(), options.who.end(), isEmpty)) {
        return fail("intake.who", "no attribute says who sent a request",
                    "name one, such as `client_ip`");
    }
    if (std::any_of(options.facets.begin(), options.facets.end(), isEmpty)) {
        return fail("intake.facet", "an attribute to divide by has an empty name",
                    "name one, such as `method` or a derived attribute of the policy");
    }
    return std::unique_ptr<Intake>(new Intake(std::make_unique<Parts>(std::move(plans), options)));
}

Intake::Intake(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

Intake::~Intake() = default;

const std::vector<std::string>& Intake::fields() const
{
    return m_parts->schema.fields;
}

const ArrivalLayout& Intake::layout() const
{
    return m_parts->layout;
}

const std::vector<const Plan*>& Intake::plans() const
{
    return m_parts->plans;
}

void Intake::chooseWho(const RequestBatch& first)
{
    const std::size_t candidates = m_parts->schema.who.size();
    std::vector<std::size_t> counts(candidates);
    std::unique_ptr<intake::Workspace> workspace = m_parts->pool.take();
    attributes::TextArena arena;
    for (std::size_t i = 0; i < first.requests.size(); ++i) {
        arena.clear();
        workspace->evaluate(first.requests[i], first.valuesOf(i), arena);
        for (std::size_t c = 0; c < candidates; ++c) {
            counts[c] += workspace->value(m_parts->schema.who[c]).data() == nullptr ? 0U : 1U;
        }
    }
    m_parts->pool.giveBack(std::move(workspace));
    std::size_t chosen = 0;
    while (chosen + 1 < candidates
           && (counts[chosen] == 0 || 2 * counts[chosen] < first.requests.size())) {
        ++chosen;
    }
    m_parts->selectWho(chosen);
}

const std::string& Intake::who() const
{
    return m_parts->whoNames[m_parts->chosenWho];
}

Intake::PreparedPtr Intake::makePrepared() const
{
    return PreparedPtr(new Prepared);
}

void Intake::prepare(const RequestBatch& batch, Prepared& prepared) const
{
    const Parts& parts = *m_parts;
    std::unique_ptr<intake::Workspace> workspace = parts.pool.take();
    prepared.fill(parts.schema, *parts.families, batch, *workspace);
    parts.pool.giveBack(std::move(workspace));
}

void Intake::intern(const Prepared& prepared, const Take& take)
{
    Parts& parts = *m_parts;
    parts.profiles.forgetIfLarge();
    parts.findRows(prepared);
    for (std::size_t field = 0; field < parts.filled.size(); ++field) {
        parts.filled[field] += prepared.present[field];
    }
    parts.ids.resize(parts.tupleCount() + parts.groups.size());
    for (std::size_t tuple = 0; tuple < parts.tupleCount(); ++tuple) {
        parts.internTuple(prepared, tuple);
    }
    for (std::size_t grouping = 0; grouping < parts.groups.size(); ++grouping) {
        parts.internGroups(prepared, grouping);
    }
    parts.findIdColumns(prepared);
    for (std::size_t i = 0; i < prepared.batch->requests.size(); ++i) {
        parts.emit(prepared, i, take);
    }
}

std::uint64_t Intake::requests() const
{
    return m_parts->requests;
}

std::uint64_t Intake::dropped() const
{
    return m_parts->dropped;
}

std::uint64_t Intake::leftOut() const
{
    return m_parts->leftOut;
}

std::uint64_t Intake::costMissing(std::size_t plan, std::size_t rule) const
{
    const std::size_t cost = costOf(plan, rule);
    if (cost == kFixedCost) {
        return 0;
    }
    const auto tier = static_cast<std::size_t>(plans()[plan]->rules[rule].tier);
    const std::vector<std::uint64_t>& counts = m_parts->costMissing[plan];
    std::uint64_t sum = 0;
    for (std::size_t at = cost; at < counts.size(); at += layout().costCount) {
        const auto id = static_cast<std::uint32_t>(at / layout().costCount);
        const std::vector<std::uint32_t>& rules = profile(plan, id).rules[tier];
        if (std::find(rules.begin(), rules.end(), rule) != rules.end()) {
            sum += counts[at];
        }
    }
    return sum;
}

std::uint64_t Intake::filled(std::size_t field) const
{
    return m_parts->filled[field];
}

const Profile& Intake::profile(std::size_t plan, std::uint32_t id) const
{
    return m_parts->profiles.profile(plan, id);
}

std::size_t Intake::profileCount(std::size_t plan) const
{
    return m_parts->profiles.count(plan);
}

std::size_t Intake::tupleOf(std::size_t plan, std::size_t rule) const
{
    return m_parts->schema.plans[plan].rules[rule].tuple;
}

std::size_t Intake::costOf(std::size_t plan, std::size_t rule) const
{
    return m_parts->schema.plans[plan].rules[rule].cost;
}

std::size_t Intake::facetTuple(std::size_t plan, std::size_t facet) const
{
    return m_parts->schema.plans[plan].facets[facet];
}

std::size_t Intake::keyCount(std::size_t tuple) const
{
    return m_parts->keys[tuple].size();
}

std::vector<std::string_view> Intake::keyText(std::size_t tuple, std::uint32_t id) const
{
    const std::string_view bytes = m_parts->keys[tuple].text(id);
    if (m_parts->schema.tuples[tuple].size() == 1) {
        return {bytes};
    }
    return partsOf(bytes);
}

std::string_view Intake::whoText(std::uint32_t id) const
{
    return id == kNoId ? std::string_view("") : m_parts->keys[m_parts->whoTuple].text(id);
}

std::size_t Intake::whoCount() const
{
    return m_parts->keys[m_parts->whoTuple].size();
}

std::string_view Intake::pathGroupText(std::size_t plan, std::uint32_t id) const
{
    return m_parts->groups[m_parts->schema.plans[plan].grouping].text(id);
}

std::size_t Intake::pathGroupCount(std::size_t plan) const
{
    return m_parts->groups[m_parts->schema.plans[plan].grouping].size();
}

} // namespace engine

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

namespace engine {

using attributes::Interner;
using intake::Key;

namespace {

constexpr std::size_t kBlock = 512; ///< requests that are interned together, tuple by tuple
constexpr std::size_t kSlotAhead = 16;
constexpr std::size_t kTextAhead = 8;
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

    void fill(const RequestBatch& batch, std::size_t request, intake::Workspace& workspace,
              Prepared& prepared) const;
    void findRows(const Prepared& prepared);
    void internTuple(const Prepared& prepared, std::size_t tuple, std::size_t begin,
                     std::size_t end);
    void internGroups(const Prepared& prepared, std::size_t grouping, std::size_t begin,
                      std::size_t end);
    void emit(const Prepared& prepared, std::size_t request, std::size_t inBlock, const Take& take);
    void emitCosts(const Prepared& prepared, std::size_t request, const intake::Profiles::Row& row);

    Arrival& record() { return *reinterpret_cast<Arrival*>(arrival.data()); }

    std::vector<const Plan*> plans;
    std::vector<std::string> whoNames;
    intake::Schema schema;
    ArrivalLayout layout;
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
    std::vector<std::uint32_t> rowsHere; ///< by request of the block
    std::vector<std::uint32_t> ids; ///< by tuple, then grouping: kBlock each
    std::vector<std::uint64_t> arrival;
};

void Intake::Parts::fill(const RequestBatch& batch, std::size_t request,
                         intake::Workspace& workspace, Prepared& prepared) const
{
    const std::size_t count = batch.requests.size();
    workspace.evaluate(batch.requests[request], batch.valuesOf(request), prepared.arena);
    prepared.rowOf[request] = prepared.rows.add(workspace.words().data());
    for (std::size_t tuple = 0; tuple < tupleCount(); ++tuple) {
        if (!tupleSlots(tuple).empty()) {
            prepared.keys[tuple * count + request]
                = workspace.key(tupleSlots(tuple), prepared.arena);
        }
    }
    for (std::size_t grouping = 0; grouping < schema.groupings.size(); ++grouping) {
        prepared.groups[grouping * count + request] = workspace.pathGroup(grouping);
    }
    for (std::size_t cost = 0; cost < schema.costs.size(); ++cost) {
        prepared.costs[cost * count + request]
            = workspace.cost(schema.costs[cost], batch.requests[request]);
    }
}

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

void Intake::Parts::internTuple(const Prepared& prepared, std::size_t tuple, std::size_t begin,
                                std::size_t end)
{
    Interner& interner = keys[tuple];
    std::uint32_t* const out = ids.data() + tuple * kBlock;
    if (tupleSlots(tuple).empty()) {
        std::fill_n(out, end - begin, 0U);
        return;
    }
    const Key* const all = prepared.keys.data() + tuple * prepared.batch->requests.size();
    const std::uint8_t* const neededBy = needed.data() + tuple * rows.size();
    for (std::size_t i = begin; i < end; ++i) {
        if (i + kSlotAhead < end) {
            interner.expectSlot(all[i + kSlotAhead].hash);
        }
        if (i + kTextAhead < end) {
            interner.expectText(all[i + kTextAhead].hash);
        }
        out[i - begin] = neededBy[prepared.rowOf[i]] != 0 && all[i].data != nullptr
            ? interner.intern(all[i].hash, all[i].text())
            : kNoId;
    }
}

void Intake::Parts::internGroups(const Prepared& prepared, std::size_t grouping, std::size_t begin,
                                 std::size_t end)
{
    const Key* const all = prepared.groups.data() + grouping * prepared.batch->requests.size();
    std::uint32_t* const out = ids.data() + (tupleCount() + grouping) * kBlock;
    for (std::size_t i = begin; i < end; ++i) {
        const bool leftOutHere = profiles.row(rowsHere[i - begin]).leftOut;
        out[i - begin] = leftOutHere ? kNoId : internGroup(groups[grouping], all[i]);
    }
}

void Intake::Parts::emit(const Prepared& prepared, std::size_t request, std::size_t inBlock,
                         const Take& take)
{
    ++requests;
    const intake::Profiles::Row& row = profiles.row(rowsHere[inBlock]);
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
    out[ArrivalLayout::kWho] = ids[whoTuple * kBlock + inBlock];
    for (std::size_t plan = 0; plan < plans.size(); ++plan) {
        out[layout.profileAt(plan)] = row.profiles[plan];
        out[layout.pathGroupAt(plan)]
            = ids[(tupleCount() + schema.plans[plan].grouping) * kBlock + inBlock];
    }
    for (std::size_t tuple = 0; tuple < layout.tupleCount; ++tuple) {
        out[layout.tupleAt(tuple)] = ids[tuple * kBlock + inBlock];
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
        const std::int64_t value = prepared.costs[cost * prepared.batch->requests.size() + request];
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
    const std::size_t count = batch.requests.size();
    prepared.batch = &batch;
    prepared.arena.clear();
    prepared.rows.reset(parts.schema.wordCount, count);
    prepared.rowOf.resize(count);
    prepared.keys.resize(count * parts.tupleCount());
    prepared.groups.resize(count * parts.schema.groupings.size());
    prepared.costs.resize(count * parts.schema.costs.size());
    std::unique_ptr<intake::Workspace> workspace = parts.pool.take();
    workspace->takePresent(prepared.present); // what the borrower before had counted
    for (std::size_t i = 0; i < count; ++i) {
        parts.fill(batch, i, *workspace, prepared);
    }
    workspace->takePresent(prepared.present);
    parts.pool.giveBack(std::move(workspace));
}

void Intake::intern(const Prepared& prepared, const Take& take)
{
    Parts& parts = *m_parts;
    const std::size_t count = prepared.batch->requests.size();
    parts.profiles.forgetIfLarge();
    parts.findRows(prepared);
    for (std::size_t field = 0; field < parts.filled.size(); ++field) {
        parts.filled[field] += prepared.present[parts.schema.fieldSlots[field]];
    }
    parts.rowsHere.resize(kBlock);
    parts.ids.resize((parts.tupleCount() + parts.groups.size()) * kBlock);
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t end = std::min(count, begin + kBlock);
        for (std::size_t i = begin; i < end; ++i) {
            parts.rowsHere[i - begin] = parts.rows[prepared.rowOf[i]];
        }
        for (std::size_t tuple = 0; tuple < parts.tupleCount(); ++tuple) {
            parts.internTuple(prepared, tuple, begin, end);
        }
        for (std::size_t grouping = 0; grouping < parts.groups.size(); ++grouping) {
            parts.internGroups(prepared, grouping, begin, end);
        }
        for (std::size_t i = begin; i < end; ++i) {
            parts.emit(prepared, i, i - begin, take);
        }
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

#include "engine/intake.h"

#include "engine/intake/parts.h"

#include <algorithm>
#include <cstring>

namespace engine {
namespace {

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

} // namespace

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
    const Interned interned = m_parts->intern(prepared);
    for (std::size_t i = 0; i < interned.size(); ++i) {
        take(interned.arrival(i), prepared.batch->requests[interned.requests[i]]);
    }
}

Intake::Interned Intake::internAll(const Prepared& prepared)
{
    return m_parts->intern(prepared);
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

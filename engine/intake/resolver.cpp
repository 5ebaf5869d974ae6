#include "engine/resolver.h"

#include "engine/attributes/text_arena.h"
#include "engine/intake/schema.h"
#include "engine/intake/workspace.h"

#include <algorithm>
#include <set>

namespace engine {
namespace {

constexpr std::size_t kCacheBytes = std::size_t {1} << 20;

/// Names of attributes that any of the plans derives, each once.
std::vector<std::string> derivedNames(const std::vector<const Plan*>& plans)
{
    std::vector<std::string> names;
    for (const Plan* plan : plans) {
        for (const Derivation& derivation : plan->attributes) {
            if (std::find(names.begin(), names.end(), derivation.name) == names.end()) {
                names.push_back(derivation.name);
            }
        }
    }
    return names;
}

bool uses(const Match& match, std::string_view name)
{
    return std::any_of(match.begin(), match.end(),
                       [&](const Matcher& matcher) { return matcher.attribute == name; });
}

bool uses(const Plan& plan, std::string_view name)
{
    const auto ruleUses = [&](const PlanRule& rule) {
        return uses(rule.match, name) || uses(rule.overrideMatch, name)
            || std::find(rule.key.begin(), rule.key.end(), name) != rule.key.end()
            || rule.cost.attribute == name;
    };
    return std::any_of(plan.rules.begin(), plan.rules.end(), ruleUses)
        || std::any_of(plan.exempt.begin(), plan.exempt.end(),
                       [&](const Exemption& entry) { return uses(entry.match, name); });
}

} // namespace

class Resolver::Parts {
public:
    std::vector<const Plan*> plans;
    std::vector<std::string> derived;
    intake::Schema schema;
    std::vector<std::uint32_t> slots; ///< by derived attribute
};

class Resolver::Scratch {
public:
    explicit Scratch(const intake::Schema& schema)
        : workspace(schema, kCacheBytes)
    {
    }

    intake::Workspace workspace;
    attributes::TextArena arena;
};

void Resolver::DeleteScratch::operator()(Scratch* scratch) const
{
    delete scratch;
}

Resolver::Resolver(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

Resolver::~Resolver() = default;

Result<std::unique_ptr<Resolver>> Resolver::make(std::vector<const Plan*> plans, const Match& where)
{
    auto parts = std::make_unique<Parts>();
    parts->plans = std::move(plans);
    for (std::string& name : derivedNames(parts->plans)) {
        const bool isUsed = std::any_of(parts->plans.begin(), parts->plans.end(),
                                        [&](const Plan* plan) { return uses(*plan, name); });
        if (isUsed) {
            parts->derived.push_back(std::move(name));
        }
    }
    IntakeOptions options;
    options.who.clear();
    options.recordedRejection.clear();
    options.facets = parts->derived;
    options.where = where;
    parts->schema = intake::makeSchema(parts->plans, options);
    for (std::size_t i = 0; i < parts->derived.size(); ++i) {
        std::set<std::uint32_t> slots;
        for (std::size_t p = 0; p < parts->plans.size(); ++p) {
            if (uses(*parts->plans[p], parts->derived[i])) {
                slots.insert(parts->schema.tuples[parts->schema.plans[p].facets[i]].front());
            }
        }
        if (slots.size() != 1) {
            return fail("resolver.differs",
                        "the policies derive `" + parts->derived[i] + "` in different ways",
                        "convert for one policy at a time");
        }
        parts->slots.push_back(*slots.begin());
    }
    return std::unique_ptr<Resolver>(new Resolver(std::move(parts)));
}

const std::vector<std::string>& Resolver::fields() const
{
    return m_parts->schema.fields;
}

const std::vector<std::string>& Resolver::derived() const
{
    return m_parts->derived;
}

std::vector<std::string> Resolver::madeOf(std::size_t index) const
{
    const intake::Schema& schema = m_parts->schema;
    std::uint32_t slot = m_parts->slots[index];
    while (schema.slots[slot].kind != intake::SlotKind::Field
           && schema.slots[slot].kind != intake::SlotKind::Duration) {
        slot = schema.slots[slot].source;
    }
    return schema.slots[slot].kind == intake::SlotKind::Duration
        ? std::vector<std::string> {"duration"}
        : std::vector<std::string> {schema.fields[schema.slots[slot].source]};
}

Resolver::ScratchPtr Resolver::makeScratch() const
{
    return ScratchPtr(new Scratch(m_parts->schema));
}

bool Resolver::resolve(const Request& request, const std::string_view* fields, Scratch& scratch,
                       std::string_view* values) const
{
    scratch.arena.clear();
    scratch.workspace.evaluate(request, fields, scratch.arena);
    for (std::size_t i = 0; i < m_parts->slots.size(); ++i) {
        values[i] = scratch.workspace.value(m_parts->slots[i]);
    }
    return m_parts->schema.holds(scratch.workspace.words().data(), m_parts->schema.where);
}

} // namespace engine

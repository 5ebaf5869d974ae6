#include "policies/compile.h"

#include "policies/language/limits.h"
#include "policies/language/match.h"
#include "policies/lookups/lookup_table.h"
#include "policies/plan_rule.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace policies {
namespace {

class Compiler {
public:
    Compiler(const Policy& policy, const LookupLoader& load)
        : m_policy(policy)
        , m_load(load)
    {
    }

    Compiled run()
    {
        m_plan.name = m_policy.name.value;
        m_plan.counting = m_policy.counting ? m_policy.counting->value : engine::Counting::PerTier;
        for (const Attribute& attribute : m_policy.attributes) {
            m_plan.attributes.push_back(derivationOf(attribute));
        }
        for (const Exempt& exempt : m_policy.exempt) {
            m_plan.exempt.push_back({exempt.name.value, language::matchOf(exempt.match)});
        }
        for (const std::vector<Rule>& rules : m_policy.tiers) {
            for (const Rule& rule : rules) {
                addRule(rule);
            }
        }
        tighten();
        Compiled compiled;
        if (m_diagnostics.empty()) {
            compiled.plan = std::move(m_plan);
        }
        std::stable_sort(m_diagnostics.begin(), m_diagnostics.end(),
                         [](const auto& a, const auto& b) {
                             return std::tie(a.place.file, a.place.line, a.place.column)
                                 < std::tie(b.place.file, b.place.line, b.place.column);
                         });
        compiled.diagnostics = std::move(m_diagnostics);
        return compiled;
    }

private:
    engine::Derivation derivationOf(const Attribute& attribute)
    {
        engine::Derivation derivation;
        derivation.name = attribute.name.text;
        derivation.from = attribute.from.value;
        derivation.kind = attribute.kind;
        switch (attribute.kind) {
        case engine::DerivationKind::Copy:
            break;
        case engine::DerivationKind::Pattern:
            derivation.pattern = attribute.pattern->value;
            derivation.take = attribute.takes;
            break;
        case engine::DerivationKind::Prefix:
            derivation.ipv4Bits = attribute.ipv4Bits ? attribute.ipv4Bits->value : 32;
            derivation.ipv6Bits = attribute.ipv6Bits ? attribute.ipv6Bits->value : 128;
            break;
        case engine::DerivationKind::Lookup:
            addLookup(attribute, derivation);
            break;
        case engine::DerivationKind::Param:
            derivation.param = attribute.param->value;
            break;
        }
        return derivation;
    }

    const lookups::Table* tableOf(const Field<std::string>& lookup)
    {
        const std::string& file = lookup.value;
        const auto known = m_tables.find(file);
        if (known != m_tables.end()) {
            return known->second ? &*known->second : nullptr;
        }
        std::optional<lookups::Table>& table = m_tables[file];
        const engine::Result<std::string> bytes = m_load(file);
        if (!bytes) {
            engine::Diagnostic diagnostic = bytes.error();
            diagnostic.message = fmt::format("the lookup file `{}` cannot be read: {}", file,
                                             bytes.error().message);
            diagnostic.code = "policy.lookup-file";
            diagnostic.place = {m_policy.file, lookup.at.line, lookup.at.column};
            if (lookup.at.source != 0) {
                diagnostic.place = {m_policy.adjustments[lookup.at.source - 1], 0, 0};
            }
            if (diagnostic.help.empty()) {
                diagnostic.help = "put it beside the policy, or name its folder with --lookup-dir";
            }
            m_diagnostics.push_back(std::move(diagnostic));
            return nullptr;
        }
        table = lookups::parseCsv(file, *bytes);
        m_diagnostics.insert(m_diagnostics.end(), table->diagnostics.begin(),
                             table->diagnostics.end());
        return table->diagnostics.empty() ? &*table : nullptr;
    }

    void addLookup(const Attribute& attribute, engine::Derivation& derivation)
    {
        if (attribute.fallback) {
            derivation.fallback = attribute.fallback->value;
        }
        if (const lookups::Table* table = tableOf(*attribute.lookup)) {
            derivation.table = lookups::lookupTable(
                *table, attribute.lookup->value, derivation.from, derivation.name, m_diagnostics);
        }
    }

    void addRule(const Rule& rule)
    {
        std::vector<engine::Match> earlier;
        for (const Override& override : rule.overrides) {
            addPart(rule, &override, earlier);
            earlier.push_back(language::matchOf(override.match));
        }
        addPart(rule, nullptr, earlier);
    }

    void addPart(const Rule& rule, const Override* override,
                 const std::vector<engine::Match>& earlier)
    {
        if (language::modeOf(language::valuesOf(rule, override)) == engine::Mode::Off) {
            return;
        }
        engine::Result<std::vector<engine::PlanRule>> parts = planRules(rule, override);
        if (!parts) { // read() refuses such rules
            m_diagnostics.push_back(parts.error());
            return;
        }
        m_first.emplace(rule.name.value, static_cast<std::uint32_t>(m_plan.rules.size()));
        for (engine::PlanRule& part : *parts) {
            part.unless.insert(part.unless.begin(), earlier.begin(), earlier.end());
            if (part.tighten) {
                m_tightened.emplace_back(m_plan.rules.size(), rule.tighten->value.rule.value);
            }
            m_plan.rules.push_back(std::move(part));
        }
    }

    /// Lets each `tighten` find its rule; one that is off tightens nothing.
    void tighten()
    {
        for (const auto& [index, name] : m_tightened) {
            engine::PlanRule& part = m_plan.rules[index];
            const auto other = m_first.find(name);
            if (other == m_first.end()) {
                part.tighten.reset();
            } else {
                part.tighten->rule = other->second;
            }
        }
    }

    const Policy& m_policy;
    const LookupLoader& m_load;
    engine::Plan m_plan;
    std::map<std::string, std::optional<lookups::Table>> m_tables;
    std::map<std::string, std::uint32_t, std::less<>> m_first; ///< of a rule, in the plan
    /// Index in the plan, and the rule that its `tighten` names.
    std::vector<std::pair<std::size_t, std::string_view>> m_tightened;
    std::vector<engine::Diagnostic> m_diagnostics;
};

} // namespace

Compiled compile(const Policy& policy, const LookupLoader& load)
{
    return Compiler(policy, load).run();
}

std::vector<std::string> lookupFiles(const Policy& policy)
{
    std::vector<std::string> files;
    for (const Attribute& attribute : policy.attributes) {
        if (attribute.lookup
            && std::find(files.begin(), files.end(), attribute.lookup->value) == files.end()) {
            files.push_back(attribute.lookup->value);
        }
    }
    return files;
}

} // namespace policies

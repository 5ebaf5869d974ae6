#include "policies/language/names.h"

#include "policies/language/words.h"

#include <fmt/format.h>
#include <set>
#include <utility>

namespace policies::language {
namespace {

struct Owner {
    const Rule* rule = nullptr;
    std::string_view kind; ///< "override", "class"; none: the rule itself
    const Field<std::string>* name = nullptr; ///< of it

    [[nodiscard]] const Span& at() const { return name->at; }

    [[nodiscard]] std::string title() const
    {
        const std::string whole = fmt::format("rule `{}`", shown(rule->name.value));
        return kind.empty() ? whole : fmt::format("{} `{}` of {}", kind, shown(name->value), whole);
    }
};

bool isLater(const Span& a, const Span& b)
{
    return std::pair(a.source, a.begin) > std::pair(b.source, b.begin);
}

/// Rules and overrides by the names that results, `--set` and `--mode` know them by.
class KnownNames {
public:
    explicit KnownNames(Report& report)
        : m_report(report)
    {
    }

    /// False if something else has the name, which is told.
    bool add(const std::string& name, const Owner& owner)
    {
        const auto [place, isNew] = m_owners.emplace(name, owner);
        const Owner& other = place->second;
        const bool isSame = isNew || isToldElsewhere(owner, other);
        if (!isSame) {
            const bool isOwnLater = isLater(owner.at(), other.at());
            const Owner& later = isOwnLater ? owner : other;
            const Owner& earlier = isOwnLater ? other : owner;
            if (!m_told.emplace(later.at().source, later.at().begin).second) {
                return false;
            }
            m_report.error(
                "policy.duplicate-name", later.at(),
                fmt::format("{} cannot be told from {} in line {}: both are known as `{}`",
                            later.title(), earlier.title(), earlier.at().line, shown(name)),
                "give one of them another name, as with `-` in place of `.` and `/`");
        }
        return isSame;
    }

private:
    /// Two rules of one name, or two overrides (or classes) of one name in one rule.
    static bool isToldElsewhere(const Owner& a, const Owner& b)
    {
        return a.rule->name.value == b.rule->name.value && a.kind == b.kind
            && a.name->value == b.name->value;
    }

    Report& m_report;
    std::unordered_map<std::string, Owner> m_owners;
    std::set<std::pair<std::uint32_t, std::size_t>> m_told; ///< places of names
};

/// As results show the override, and as `--set` names it: a/b, a.b.
void addOverrides(KnownNames& names, const Rule& rule)
{
    for (const Override& override : rule.overrides) {
        const std::string& name = override.name.value;
        if (name.empty() || rule.name.value.empty()) {
            continue; // told already
        }
        const Owner owner {&rule, "override", &override.name};
        if (names.add(fmt::format("{}/{}", rule.name.value, name), owner)) {
            names.add(fmt::format("{}.{}", rule.name.value, name), owner);
        }
    }
}

/// a[c], a/b[c] of an override, and a.c.
void addClasses(KnownNames& names, const Rule& rule)
{
    for (const ShedClass& shed : classesOf(rule)) {
        const std::string& name = shed.name.value;
        if (name.empty() || rule.name.value.empty()) {
            continue;
        }
        const Owner owner {&rule, "class", &shed.name};
        bool isKnown = names.add(fmt::format("{}.{}", rule.name.value, name), owner)
            && names.add(fmt::format("{}[{}]", rule.name.value, name), owner);
        for (const Override& override : rule.overrides) {
            isKnown = isKnown
                && names.add(fmt::format("{}/{}[{}]", rule.name.value, override.name.value, name),
                             owner);
        }
    }
}

} // namespace

void checkRuleNames(Report& report, const Policy& policy)
{
    KnownNames names(report);
    for (const std::vector<Rule>& rules : policy.tiers) {
        for (const Rule& rule : rules) {
            if (rule.name.value == "all") {
                report.error("policy.name", rule.name.at,
                             "`all` cannot be the name of a rule: `--mode all=shadow` means every "
                             "rule",
                             "write what it limits, as `all-requests`");
            }
            names.add(rule.name.value, {&rule, "", &rule.name});
        }
    }
    for (const std::vector<Rule>& rules : policy.tiers) {
        for (const Rule& rule : rules) {
            addOverrides(names, rule);
            addClasses(names, rule);
        }
    }
}

Names::Names(Report& report, std::string kind)
    : m_report(report)
    , m_kind(std::move(kind))
{
}

void Names::add(const Field<std::string>& name)
{
    if (name.at.line == 0 && name.at.source == 0) {
        return; // not given, which was told already
    }
    const std::string& text = name.value;
    if (text.empty() || text.front() == ' ' || text.back() == ' '
        || text.find_first_of("\n\t\r") != std::string::npos) {
        m_report.error("policy.name", name.at,
                       fmt::format("`{}` cannot be the name of a {}", shown(text), m_kind),
                       "write a word, as `free-plan`");
        return;
    }
    const auto [place, isNew] = m_places.emplace(text, name.at);
    if (!isNew) {
        m_report.error("policy.duplicate-name", name.at,
                       fmt::format("`{}` is the name of another {} already, in line {}",
                                   shown(text), m_kind, place->second.line),
                       "give each its own name");
    }
}

} // namespace policies::language

#include "policies/language/names.h"

#include "policies/language/words.h"

#include <fmt/format.h>
#include <set>
#include <utility>

namespace policies::language {
namespace {

struct Owner {
    const Rule* rule = nullptr;
    const Override* override = nullptr; ///< none: the rule itself

    [[nodiscard]] const Span& at() const { return override ? override->name.at : rule->name.at; }

    [[nodiscard]] std::string title() const
    {
        return override ? fmt::format("override `{}` of rule `{}`", shown(override->name.value),
                                      shown(rule->name.value))
                        : fmt::format("rule `{}`", shown(rule->name.value));
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
    /// Two rules of one name, or two overrides of one name in one rule.
    static bool isToldElsewhere(const Owner& a, const Owner& b)
    {
        const auto nameOf = [](const Owner& owner) {
            return owner.override ? std::string_view(owner.override->name.value)
                                  : std::string_view();
        };
        return a.rule->name.value == b.rule->name.value && nameOf(a) == nameOf(b);
    }

    Report& m_report;
    std::unordered_map<std::string, Owner> m_owners;
    std::set<std::pair<std::uint32_t, std::size_t>> m_told; ///< places of names
};

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
            names.add(rule.name.value, {&rule, nullptr});
        }
    }
    for (const std::vector<Rule>& rules : policy.tiers) {
        for (const Rule& rule : rules) {
            for (const Override& override : rule.overrides) {
                const std::string& name = override.name.value;
                if (name.empty() || rule.name.value.empty()) {
                    continue; // told already
                }
                if (names.add(fmt::format("{}/{}", rule.name.value, name), {&rule, &override})) {
                    names.add(fmt::format("{}.{}", rule.name.value, name), {&rule, &override});
                }
            }
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

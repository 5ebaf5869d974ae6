#include "policies/language/names.h"

#include "policies/language/words.h"

#include <fmt/format.h>

namespace policies::language {

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

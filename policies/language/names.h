#pragma once
#include "policies/language/report.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace policies::language {

/// Names that must differ from each other: of rules, of exemptions, of a rule's overrides.
class Names {
public:
    /// `kind` is "rule". Borrows the report.
    Names(Report& report, std::string kind);

    /// Reports the name if it was there before, or cannot be one.
    void add(const Field<std::string>& name);

private:
    Report& m_report;
    std::string m_kind;
    std::unordered_map<std::string, Span> m_places;
};

} // namespace policies::language

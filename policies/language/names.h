#pragma once
#include "policies/language/report.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace policies::language {

/// Reports names that people could not tell apart in results, `--set` or `--mode`: an override `b`
/// of rule `a` (which they show as `a/b` and take as `a.b`) beside a rule `a.b` or `a/b`, a class
/// `c` of it (`a[c]`, `a.c`) beside an override `c`, and a rule `all`. Told at the later of the
/// two. Errors: policy.duplicate-name, policy.name.
void checkRuleNames(Report& report, const Policy& policy);

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

#include "policies/rates.h"

#include "policies/language/numbers.h"
#include "policies/writing/scalar.h"
#include "policies/writing/slots_canon.h"

namespace policies {

engine::Result<engine::Rate> readRate(std::string_view text)
{
    return language::parseRate(text);
}

std::string textOf(const engine::Rate& rate)
{
    return language::rateText(rate);
}

std::string textOfDuration(std::int64_t ns)
{
    return language::durationText(ns);
}

std::string textOfName(std::string_view name)
{
    return writing::scalar(name);
}

std::string textOfClasses(const Rule& rule)
{
    return writing::classesText(classesOf(rule));
}

std::string textOfTighten(const Rule& rule)
{
    return rule.tighten ? writing::tightenText(rule.tighten->value, rule.tighten->value.rule.value)
                        : std::string();
}

} // namespace policies

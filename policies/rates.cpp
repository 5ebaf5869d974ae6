#include "policies/rates.h"

#include "policies/language/numbers.h"
#include "policies/writing/scalar.h"

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

} // namespace policies

#include "policies/language/percent.h"

#include "policies/language/numbers.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace policies::language {
namespace {

/// What somebody means who writes 80, "80 %" or "080%"; nothing for all else.
std::string percentMeant(std::string_view text)
{
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view rest = text.substr(digits);
    if (digits == 0 || !(rest.empty() || rest == "%" || rest == " %" || rest == " percent")) {
        return {};
    }
    const std::size_t first = std::min(text.find_first_not_of('0'), digits - 1);
    return std::string(text.substr(first, digits - first));
}

} // namespace

engine::Result<int> parsePercent(std::string_view text, int most)
{
    const bool hasSign = !text.empty() && text.back() == '%';
    const std::string_view number = hasSign ? text.substr(0, text.size() - 1) : text;
    const bool isPlain = isDigits(number) && (number.size() == 1 || number[0] != '0');
    if (!hasSign || !isPlain) {
        const std::string meant = percentMeant(text);
        return engine::fail("policy.percentage",
                            fmt::format("`{}` is no percentage in whole numbers", shown(text)),
                            meant.empty() ? "write a whole number with its sign, as `80%`"
                                          : fmt::format("write `{}%`", meant));
    }
    const engine::Result<std::int64_t> whole = parseWhole(number);
    if (!whole || *whole > most) {
        return engine::fail("policy.number-range", fmt::format("`{}` is too much", shown(text)),
                            fmt::format("write `0%` to `{}%`", most));
    }
    return static_cast<int>(*whole);
}

std::string percentText(int percent)
{
    return fmt::format("{}%", percent);
}

} // namespace policies::language

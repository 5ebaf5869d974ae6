#include "storage/logs/units.h"

#include "storage/logs/stamps.h"

#include <algorithm>
#include <array>

namespace storage::logs {
namespace {

constexpr std::int64_t kMinuteNs = 60 * kSecondNs;

struct Unit {
    std::string_view name;
    std::int64_t ns;
};

constexpr std::array<Unit, 22> kUnits {{{"ns", 1},
                                        {"nanos", 1},
                                        {"nanoseconds", 1},
                                        {"us", 1'000},
                                        {"\xC2\xB5s", 1'000}, // the micro sign, and the letter
                                        {"\xCE\xBCs", 1'000},
                                        {"usec", 1'000},
                                        {"micros", 1'000},
                                        {"microseconds", 1'000},
                                        {"ms", 1'000'000},
                                        {"msec", 1'000'000},
                                        {"millis", 1'000'000},
                                        {"milliseconds", 1'000'000},
                                        {"s", kSecondNs},
                                        {"sec", kSecondNs},
                                        {"secs", kSecondNs},
                                        {"second", kSecondNs},
                                        {"seconds", kSecondNs},
                                        {"m", kMinuteNs},
                                        {"min", kMinuteNs},
                                        {"h", 60 * kMinuteNs},
                                        {"hours", 60 * kMinuteNs}}};

} // namespace

std::optional<std::int64_t> unitNamed(std::string_view name)
{
    const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(),
                                          [&](const Unit& known) { return known.name == name; });
    return unit == kUnits.end() ? std::nullopt : std::optional(unit->ns);
}

std::optional<NameWithUnit> unitAtEnd(std::string_view name, char mark)
{
    const std::size_t at = name.rfind(mark);
    if (at == std::string_view::npos || at == 0) {
        return std::nullopt;
    }
    const auto unit = unitNamed(name.substr(at + 1));
    return unit && *unit <= kSecondNs ? std::optional(NameWithUnit {name.substr(0, at), *unit})
                                      : std::nullopt;
}

} // namespace storage::logs

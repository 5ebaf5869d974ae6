#include "policies/advice/words.h"

#include <array>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace policies::advice {
namespace {

struct Unit {
    std::int64_t size;
    std::int64_t enough; ///< from so many on the next larger unit reads better
    std::string_view name;
};

constexpr std::array<Unit, 7> kTimes {{
    {1, 1000, "ns"},
    {1'000, 1000, "us"},
    {1'000'000, 1000, "ms"},
    {1'000'000'000, 120, "s"},
    {60'000'000'000, 60, "min"},
    {3'600'000'000'000, 48, "h"},
    {86'400'000'000'000, std::numeric_limits<std::int64_t>::max(), "days"},
}};

constexpr std::array<Unit, 5> kBytes {{
    {1, 1000, "bytes"},
    {1'000, 1000, "kB"},
    {1'000'000, 1000, "MB"},
    {1'000'000'000, 1000, "GB"},
    {1'000'000'000'000, std::numeric_limits<std::int64_t>::max(), "TB"},
}};

template <std::size_t Count>
const Unit& unitOf(const std::array<Unit, Count>& units, std::int64_t amount)
{
    for (const Unit& unit : units) {
        if (amount / unit.size < unit.enough) {
            return unit;
        }
    }
    return units.back();
}

/// Rounded to a tenth; whole where the tenth is 0.
std::string tenths(std::int64_t amount, std::int64_t size)
{
    const std::int64_t whole = amount / size;
    const std::int64_t rest = amount % size;
    const std::int64_t tenth
        = size < 10 ? 0 : (rest / (size / 10) + (rest % (size / 10) * 2 >= size / 10 ? 1 : 0));
    return tenth == 10 ? grouped(whole + 1)
        : tenth == 0   ? grouped(whole)
                       : fmt::format("{}.{}", grouped(whole), tenth);
}

} // namespace

std::string grouped(std::int64_t number)
{
    std::string digits = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string inWords(std::int64_t ns)
{
    const Unit& unit = unitOf(kTimes, ns);
    if (ns % unit.size == 0) {
        const bool isOneDay = unit.name == "days" && ns == unit.size;
        return fmt::format("{} {}", grouped(ns / unit.size), isOneDay ? "day" : unit.name);
    }
    const bool isExact = unit.size >= 10 && ns % (unit.size / 10) == 0;
    return fmt::format("{}{} {}", isExact ? "" : "about ", tenths(ns, unit.size), unit.name);
}

std::string inWords(const engine::Rate& rate)
{
    return fmt::format("{} in {}", grouped(rate.count), inWords(rate.periodNs));
}

std::string inWords(const engine::Limit& limit)
{
    if (engine::holdsSlots(limit.algorithm)) {
        return fmt::format("{} in flight", grouped(limit.inFlight));
    }
    const std::string rate = inWords(limit.rate);
    const bool hasBurst = limit.algorithm == engine::Algorithm::TokenBucket
        || limit.algorithm == engine::Algorithm::Gcra;
    return hasBurst ? fmt::format("{}, {} at once", rate, grouped(engine::capacityOf(limit)))
                    : rate;
}

std::string bytesInWords(std::int64_t bytes)
{
    const Unit& unit = unitOf(kBytes, bytes);
    return fmt::format("{} {}", tenths(bytes, unit.size), unit.name);
}

std::string share(std::uint64_t part, std::uint64_t whole)
{
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 2001;
    if (whole == 0) {
        return "0.0%";
    }
    const bool isZero = part == 0;
    const bool isWhole = part == whole;
    while (whole > kMost) {
        whole /= 2;
        part /= 2;
    }
    const std::uint64_t tenths = (part * 2000 + whole) / (whole * 2);
    if (tenths == 0 && !isZero) {
        return "<0.1%";
    }
    if (tenths == 1000 && !isWhole) {
        return ">99.9%";
    }
    return fmt::format("{}.{}%", tenths / 10, tenths % 10);
}

std::int64_t times(std::int64_t a, std::int64_t b)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return a != 0 && b > kMost / a ? kMost : a * b;
}

std::string counted(std::int64_t number, const char* one, const char* many)
{
    return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

} // namespace policies::advice

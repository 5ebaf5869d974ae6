#include "engine/answer/structured_fields.h"

#include <algorithm>

namespace engine::structured {
namespace {

/// Puts `;key=value` behind an item; false where the value is refused.
bool append(std::string& item, std::string_view key, const std::optional<std::string>& value)
{
    if (value) {
        item.append(";").append(key).append("=").append(*value);
    }
    return value.has_value();
}

std::optional<std::string> integerFrom(std::int64_t least, std::int64_t value)
{
    return value < least ? std::nullopt : integer(value);
}

} // namespace

std::optional<std::string> text(std::string_view value)
{
    std::string out = "\"";
    for (const char c : value) {
        if (c < 0x20 || c > 0x7e) { // a signed char beyond ASCII is below 0
            return std::nullopt;
        }
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    out += '"';
    return out;
}

std::optional<std::string> integer(std::int64_t value)
{
    return value < -kLargest || value > kLargest ? std::nullopt
                                                 : std::optional(std::to_string(value));
}

std::string bytes(std::string_view value)
{
    constexpr std::string_view kDigits
        = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out = ":";
    for (std::size_t at = 0; at < value.size(); at += 3) {
        const std::size_t taken = std::min<std::size_t>(3, value.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            group = group << 8U | (i < taken ? static_cast<unsigned char>(value[at + i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            out += i <= taken ? kDigits[group >> (18 - 6 * i) & 63U] : '=';
        }
    }
    out += ':';
    return out;
}

std::optional<std::string> policyItem(const PolicyItem& item)
{
    std::optional<std::string> out = text(item.name);
    const bool isSaid = out && append(*out, "q", integerFrom(0, item.quota))
        && (item.unit.empty() || append(*out, "qu", text(item.unit)))
        && (!item.windowSeconds || append(*out, "w", integerFrom(1, *item.windowSeconds)))
        && (!item.partitionKey || append(*out, "pk", bytes(*item.partitionKey)));
    return isSaid ? out : std::nullopt;
}

std::optional<std::string> limitItem(const LimitItem& item)
{
    std::optional<std::string> out = text(item.name);
    const bool isSaid = out && append(*out, "r", integerFrom(0, item.remaining))
        && (!item.nextSeconds || append(*out, "t", integerFrom(0, *item.nextSeconds)));
    return isSaid ? out : std::nullopt;
}

std::string joined(const std::vector<std::string>& members)
{
    std::string out;
    for (const std::string& member : members) {
        out.append(out.empty() ? "" : ", ").append(member);
    }
    return out;
}

} // namespace engine::structured

#include "storage/logs/line_tail.h"

#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace storage::logs {
namespace {

/// One value of an end: `rt=0.123`, `"192.0.2.1, 192.0.2.2"`.
struct Item {
    std::string_view key; ///< with its `=` or `:`
    std::string_view value;
    bool isQuoted = false;

    [[nodiscard]] bool hasFormOf(const Item& other) const
    {
        return key == other.key && isQuoted == other.isQuoted;
    }
};

using Items = std::vector<Item>;

bool isKeyCharacter(char c)
{
    return isDigit(c) || c == '_' || c == '-' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/// "rt=" of "rt=0.1", else empty.
std::string_view keyOf(std::string_view text)
{
    std::size_t size = 0;
    while (size < text.size() && isKeyCharacter(text[size])) {
        ++size;
    }
    const bool isKey = size > 0 && size < text.size() && !isDigit(text.front())
        && text.front() != '-' && (text[size] == '=' || text[size] == ':');
    return isKey ? text.substr(0, size + 1) : std::string_view {};
}

/// The value at the start of `text` as it is to its end: an unescaped quote, or a blank that is not
/// inside of a list.
std::size_t valueSize(std::string_view text, bool isQuoted)
{
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        if (isQuoted && text[at] == '\\') {
            ++at;
        } else if (isQuoted ? text[at] == '"' : text[at] == ' ') {
            const bool inList = !isQuoted && at > 0 && text[at - 1] == ',';
            if (!inList) {
                break;
            }
        }
    }
    return std::min(at, text.size());
}

/// The values of an end; nothing: it is not made of values with a blank before each.
std::optional<Items> itemsOf(std::string_view end)
{
    Items items;
    while (!end.empty()) {
        if (end.front() != ' ') {
            return std::nullopt;
        }
        end.remove_prefix(1);
        Item item;
        item.key = keyOf(end);
        end.remove_prefix(item.key.size());
        item.isQuoted = end.starts_with('"');
        end.remove_prefix(item.isQuoted ? 1 : 0);
        const std::size_t size = valueSize(end, item.isQuoted);
        item.value = end.substr(0, size);
        end.remove_prefix(size);
        if (item.isQuoted) {
            if (end.empty()) {
                return std::nullopt;
            }
            end.remove_prefix(1);
        }
        items.push_back(item);
    }
    return items;
}

bool haveSameForm(const Items& a, const Items& b)
{
    return a.size() == b.size()
        && std::equal(a.begin(), a.end(), b.begin(),
                      [](const Item& one, const Item& other) { return one.hasFormOf(other); });
}

/// The lines of the most frequent form, if they are nearly all.
std::vector<Items> mostFrequentForm(std::span<const std::string_view> ends)
{
    std::vector<Items> all;
    for (const std::string_view end : ends) {
        if (auto items = itemsOf(end); items && !items->empty()) {
            all.push_back(std::move(*items));
        }
    }
    // A form of nearly all is that of most of any few.
    constexpr std::size_t kTried = 5;
    for (std::size_t tried = 0; tried < std::min(kTried, all.size()); ++tried) {
        std::vector<Items> same;
        std::copy_if(all.begin(), all.end(), std::back_inserter(same),
                     [&](const Items& items) { return haveSameForm(items, all[tried]); });
        if (same.size() * 10 >= ends.size() * 9) {
            return same;
        }
    }
    return {};
}

/// "0.057": as nginx writes its times.
bool isNginxTime(std::string_view value)
{
    constexpr std::size_t kDecimals = 3;
    const auto point = value.find('.');
    return point != std::string_view::npos && isWhole(value.substr(0, point))
        && value.size() - point - 1 == kDecimals && isWhole(value.substr(point + 1));
}

/// "1535540213.743"
bool isEpoch(std::string_view value)
{
    constexpr std::size_t kDigits = 10;
    return isNginxTime(value) && value.find('.') == kDigits;
}

bool holdsAddresses(std::string_view value)
{
    const bool hasAddress = value.find_first_of(".:") != std::string_view::npos;
    return value == "-"
        || (hasAddress
            && value.find_first_not_of("0123456789abcdefABCDEF.:, []") == std::string_view::npos);
}

struct Known {
    std::string_view key;
    std::string_view variable;
};

/// What people call nginx's variables.
constexpr std::array<Known, 20> kKnown {{
    {"rt", "request_time"},
    {"reqtime", "request_time"},
    {"req_time", "request_time"},
    {"request-time", "request_time"},
    {"uct", "upstream_connect_time"},
    {"uht", "upstream_header_time"},
    {"urt", "upstream_response_time"},
    {"ut", "upstream_response_time"},
    {"ua", "upstream_addr"},
    {"us", "upstream_status"},
    {"cs", "upstream_cache_status"},
    {"xff", "http_x_forwarded_for"},
    {"x_forwarded_for", "http_x_forwarded_for"},
    {"fwd", "http_x_forwarded_for"},
    {"vhost", "host"},
    {"rid", "request_id"},
    {"req_id", "request_id"},
    {"id", "request_id"},
    {"msec", "msec"},
    {"sn", "server_name"},
}};

std::string nameOfKey(std::string_view key)
{
    key.remove_suffix(1);
    std::string name;
    for (const char c : key) {
        name += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c == '-' ? '_' : c;
    }
    for (const Known& known : kKnown) {
        if (known.key == name || known.key == key) {
            return std::string(known.variable);
        }
    }
    return name;
}

/// Finds out what the values of lines of one form are.
class TailReader {
public:
    explicit TailReader(std::vector<Items> lines)
        : m_lines(std::move(lines))
    {
    }

    LineTail read();

private:
    template <class Test> [[nodiscard]] bool all(std::size_t column, Test test) const
    {
        return std::all_of(m_lines.begin(), m_lines.end(),
                           [&](const Items& items) { return test(items[column].value); });
    }

    std::string nameOf(std::size_t column, LineTail& tail);
    std::string nameOfTime(std::size_t column, LineTail& tail);

    std::vector<Items> m_lines;
    bool m_hasRequestTime = false;
    bool m_hasForwarded = false;
};

LineTail TailReader::read()
{
    LineTail tail;
    const Items form = m_lines.front();
    for (std::size_t i = 0; i < form.size(); ++i) {
        m_hasRequestTime = m_hasRequestTime
            || (!form[i].key.empty() && nameOfKey(form[i].key) == "request_time");
    }
    for (std::size_t i = 0; i < form.size(); ++i) {
        const std::string_view quote = form[i].isQuoted ? "\"" : "";
        tail.text += fmt::format(" {}{}${}{}", form[i].key, quote, nameOf(i, tail), quote);
    }
    return tail;
}

std::string TailReader::nameOf(std::size_t column, LineTail& tail)
{
    const Item& first = m_lines.front()[column];
    if (!first.key.empty()) {
        std::string name = nameOfKey(first.key);
        tail.taken.push_back(fmt::format("{} is taken for ${}", first.key, name));
        return name;
    }
    const auto isTimeOrNone
        = [](std::string_view value) { return value == "-" || isNginxTime(value); };
    if (all(column, isEpoch)) {
        tail.taken.emplace_back("a number like 1535540213.743 is taken for $msec");
        return "msec";
    }
    if (all(column, isTimeOrNone) && !all(column, [](auto value) { return value == "-"; })) {
        return nameOfTime(column, tail);
    }
    if (first.isQuoted && !m_hasForwarded && all(column, holdsAddresses)) {
        m_hasForwarded = true;
        tail.taken.emplace_back(
            "addresses in quotes behind the agent are taken for $http_x_forwarded_for");
        return "http_x_forwarded_for";
    }
    return fmt::format("extra_{}", column + 1);
}

std::string TailReader::nameOfTime(std::size_t column, LineTail& tail)
{
    if (!m_hasRequestTime && all(column, isNginxTime)) {
        m_hasRequestTime = true;
        tail.taken.emplace_back("a number with three decimals in every line is taken for "
                                "$request_time, which is what a request took in seconds");
        return "request_time";
    }
    if (!m_hasRequestTime) {
        tail.open.push_back(fmt::format(
            "a number with three decimals is - in some lines, which $request_time never is; if it "
            "is what a request took, give that log_format with $request_time for $extra_{}",
            column + 1));
    }
    return fmt::format("extra_{}", column + 1);
}

} // namespace

std::optional<LineTail> tailOf(std::span<const std::string_view> ends)
{
    auto lines = mostFrequentForm(ends);
    if (lines.empty()) {
        return std::nullopt;
    }
    return TailReader(std::move(lines)).read();
}

} // namespace storage::logs

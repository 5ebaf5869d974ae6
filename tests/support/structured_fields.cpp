#include "tests/support/structured_fields.h"

#include <algorithm>

namespace tests::support {
namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

bool isAlpha(char c)
{
    return isLower(c) || (c >= 'A' && c <= 'Z');
}

bool isTokenChar(char c)
{
    return isAlpha(c) || isDigit(c)
        || std::string_view("!#$%&'*+-.^_`|~:/").find(c) != std::string_view::npos;
}

/// Puts a value under its key: in place of an earlier one.
template <class T>
void assign(std::vector<std::pair<std::string, T>>& members, std::string key, T value)
{
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&key](const auto& member) { return member.first == key; });
    if (found == members.end()) {
        members.emplace_back(std::move(key), std::move(value));
    } else {
        found->second = std::move(value);
    }
}

class Reader {
public:
    explicit Reader(std::string_view text)
        : m_rest(text)
    {
        skip(" ");
    }

    /// Only blanks are left.
    bool atEnd()
    {
        skip(" ");
        return m_rest.empty();
    }

    [[nodiscard]] bool isEmpty() const { return m_rest.empty(); }

    std::optional<FieldItem> item()
    {
        std::optional<BareItem> value = bareItem();
        if (!value) {
            return std::nullopt;
        }
        return withParameters({std::move(*value), {}});
    }

    /// A member of a dictionary: without a value it is true.
    std::optional<std::pair<std::string, FieldItem>> member()
    {
        const std::optional<std::string> name = key();
        if (!name) {
            return std::nullopt;
        }
        const std::optional<FieldItem> value = take('=') ? item() : withParameters({true, {}});
        return value ? std::optional(std::pair(*name, *value)) : std::nullopt;
    }

    /// Between two members: nothing if what stands there is no comma, or nothing follows it.
    bool comma()
    {
        skip(" \t");
        if (!take(',')) {
            return false;
        }
        skip(" \t");
        return !m_rest.empty();
    }

private:
    void skip(std::string_view which)
    {
        m_rest.remove_prefix(std::min(m_rest.find_first_not_of(which), m_rest.size()));
    }

    bool take(char c)
    {
        const bool isThere = !m_rest.empty() && m_rest.front() == c;
        m_rest.remove_prefix(isThere ? 1 : 0);
        return isThere;
    }

    template <class Predicate> std::string_view while_(Predicate holds)
    {
        const auto end = std::find_if_not(m_rest.begin(), m_rest.end(), holds);
        const std::string_view taken
            = m_rest.substr(0, static_cast<std::size_t>(end - m_rest.begin()));
        m_rest.remove_prefix(taken.size());
        return taken;
    }

    std::optional<std::string> key()
    {
        if (m_rest.empty() || !(isLower(m_rest.front()) || m_rest.front() == '*')) {
            return std::nullopt;
        }
        return std::string(while_([](char c) {
            return isLower(c) || isDigit(c) || c == '_' || c == '-' || c == '.' || c == '*';
        }));
    }

    std::optional<FieldItem> withParameters(FieldItem item)
    {
        while (take(';')) {
            skip(" ");
            std::optional<std::string> name = key();
            if (!name) {
                return std::nullopt;
            }
            const std::optional<BareItem> value = take('=') ? bareItem() : BareItem(true);
            if (!value) {
                return std::nullopt;
            }
            assign(item.parameters, std::move(*name), *value);
        }
        return item;
    }

    std::optional<BareItem> bareItem()
    {
        if (m_rest.empty()) {
            return std::nullopt;
        }
        const char first = m_rest.front();
        if (first == '-' || isDigit(first)) {
            return integer();
        }
        if (first == '"') {
            return string();
        }
        if (first == ':') {
            return byteSequence();
        }
        if (first == '?') {
            return boolean();
        }
        if (isAlpha(first) || first == '*') {
            return Token {std::string(while_(isTokenChar))};
        }
        return std::nullopt;
    }

    std::optional<BareItem> integer()
    {
        const bool isNegative = take('-');
        const std::string_view digits = while_(isDigit);
        if (digits.empty() || digits.size() > 15 || (!m_rest.empty() && m_rest.front() == '.')) {
            return std::nullopt;
        }
        std::int64_t value = 0;
        for (const char digit : digits) {
            value = value * 10 + (digit - '0');
        }
        return isNegative ? -value : value;
    }

    std::optional<BareItem> string()
    {
        take('"');
        std::string text;
        while (!m_rest.empty()) {
            const bool isEscaped = m_rest.front() == '\\';
            if (!isEscaped && take('"')) {
                return text;
            }
            m_rest.remove_prefix(isEscaped ? 1 : 0);
            const char c = m_rest.empty() ? '\0' : m_rest.front();
            const bool isFine = isEscaped ? c == '"' || c == '\\' : c >= 0x20 && c <= 0x7e;
            if (!isFine) {
                return std::nullopt;
            }
            text += c;
            m_rest.remove_prefix(1);
        }
        return std::nullopt;
    }

    std::optional<BareItem> byteSequence()
    {
        constexpr std::string_view kDigits
            = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        take(':');
        std::string bytes;
        std::uint32_t group = 0;
        unsigned bits = 0;
        for (const char c : while_([](char one) { return one != ':' && one != '='; })) {
            const std::size_t digit = kDigits.find(c);
            if (digit == std::string_view::npos) {
                return std::nullopt;
            }
            group = group << 6U | static_cast<std::uint32_t>(digit);
            bits += 6;
            if (bits >= 8) {
                bits -= 8;
                bytes += static_cast<char>(group >> bits & 255U);
            }
        }
        while_([](char c) { return c == '='; });
        return take(':') ? std::optional<BareItem>(Bytes {bytes}) : std::nullopt;
    }

    std::optional<BareItem> boolean()
    {
        take('?');
        if (take('1')) {
            return true;
        }
        return take('0') ? std::optional<BareItem>(false) : std::nullopt;
    }

    std::string_view m_rest;
};

} // namespace

std::optional<FieldItem> parseItem(std::string_view field)
{
    Reader reader(field);
    std::optional<FieldItem> item = reader.item();
    return reader.atEnd() ? item : std::nullopt;
}

std::optional<std::vector<FieldItem>> parseList(std::string_view field)
{
    Reader reader(field);
    std::vector<FieldItem> items;
    if (reader.isEmpty()) {
        return items;
    }
    do {
        std::optional<FieldItem> item = reader.item();
        if (!item) {
            return std::nullopt;
        }
        items.push_back(std::move(*item));
        if (reader.atEnd()) {
            return items;
        }
    } while (reader.comma());
    return std::nullopt;
}

std::optional<std::vector<std::pair<std::string, FieldItem>>>
parseDictionary(std::string_view field)
{
    Reader reader(field);
    std::vector<std::pair<std::string, FieldItem>> members;
    if (reader.isEmpty()) {
        return members;
    }
    do {
        auto member = reader.member();
        if (!member) {
            return std::nullopt;
        }
        assign(members, std::move(member->first), std::move(member->second));
        if (reader.atEnd()) {
            return members;
        }
    } while (reader.comma());
    return std::nullopt;
}

} // namespace tests::support

#include "tests/support/json.h"

#include <charconv>

namespace tests::support {

/// Reads one value; every function returns false at the first thing that is not JSON.
class JsonReader {
public:
    explicit JsonReader(std::string_view text)
        : m_rest(text)
    {
    }

    bool document(Json& value) { return any(value) && (skipBlanks(), m_rest.empty()); }

private:
    void skipBlanks()
    {
        const std::size_t first = m_rest.find_first_not_of(" \t\r\n");
        m_rest.remove_prefix(first == std::string_view::npos ? m_rest.size() : first);
    }

    bool take(std::string_view word)
    {
        skipBlanks();
        if (!m_rest.starts_with(word)) {
            return false;
        }
        m_rest.remove_prefix(word.size());
        return true;
    }

    bool any(Json& value)
    {
        skipBlanks();
        if (m_rest.empty()) {
            return false;
        }
        switch (m_rest.front()) {
        case '{':
            return object(value);
        case '[':
            return list(value);
        case '"':
            value.m_kind = Json::Kind::Text;
            return string(value.m_text);
        default:
            return word(value) || number(value);
        }
    }

    bool word(Json& value)
    {
        if (take("null")) {
            return true;
        }
        const bool isTrue = take("true");
        if (!isTrue && !take("false")) {
            return false;
        }
        value.m_kind = Json::Kind::Boolean;
        value.m_integer = isTrue ? 1 : 0;
        return true;
    }

    bool number(Json& value)
    {
        const std::size_t length
            = std::min(m_rest.find_first_not_of("+-.0123456789eE"), m_rest.size());
        const std::string_view text = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        value.m_kind = Json::Kind::Integer;
        value.m_text = text;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value.m_integer);
        if (error != std::errc {} || stop != end) {
            value.m_kind = Json::Kind::Number;
        }
        return !text.empty();
    }

    bool string(std::string& text)
    {
        if (!take("\"")) {
            return false;
        }
        while (!m_rest.empty() && m_rest.front() != '"') {
            if (m_rest.front() == '\\') {
                m_rest.remove_prefix(1);
                if (!escape(text)) {
                    return false;
                }
            } else {
                text += m_rest.front();
                m_rest.remove_prefix(1);
            }
        }
        return take("\"");
    }

    bool escape(std::string& text)
    {
        constexpr std::string_view kLetters = "\"\\/bfnrt";
        constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
        if (m_rest.empty()) {
            return false;
        }
        const char letter = m_rest.front();
        m_rest.remove_prefix(1);
        if (const std::size_t at = kLetters.find(letter); at != std::string_view::npos) {
            text += kMeanings[at];
            return true;
        }
        unsigned code = 0;
        if (letter != 'u' || m_rest.size() < 4
            || std::from_chars(m_rest.data(), m_rest.data() + 4, code, 16).ptr
                != m_rest.data() + 4) {
            return false;
        }
        m_rest.remove_prefix(4);
        appendUtf8(text, code);
        return true;
    }

    static void appendUtf8(std::string& text, unsigned code)
    {
        if (code < 0x80) {
            text += static_cast<char>(code);
            return;
        }
        if (code < 0x800) {
            text += static_cast<char>(0xC0 | code >> 6);
        } else {
            text += static_cast<char>(0xE0 | code >> 12);
            text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        }
        text += static_cast<char>(0x80 | (code & 0x3F));
    }

    bool list(Json& value)
    {
        value.m_kind = Json::Kind::List;
        if (!take("[")) {
            return false;
        }
        if (take("]")) {
            return true;
        }
        do {
            if (!any(value.m_items.emplace_back())) {
                return false;
            }
        } while (take(","));
        return take("]");
    }

    bool object(Json& value)
    {
        value.m_kind = Json::Kind::Object;
        if (!take("{")) {
            return false;
        }
        if (take("}")) {
            return true;
        }
        do {
            auto& [name, member] = value.m_members.emplace_back();
            if (!string(name) || !take(":") || !any(member)) {
                return false;
            }
        } while (take(","));
        return take("}");
    }

    std::string_view m_rest;
};

std::optional<Json> Json::parse(std::string_view text)
{
    Json value;
    if (!JsonReader(text).document(value)) {
        return std::nullopt;
    }
    return value;
}

const Json* Json::find(std::string_view name) const
{
    for (const auto& [key, value] : m_members) {
        if (key == name) {
            return &value;
        }
    }
    return nullptr;
}

} // namespace tests::support

#include "storage/runs/text.h"

namespace storage::runs {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

/// Length of the well-formed UTF-8 sequence at the start of `text`, or 0.
std::size_t utf8Length(std::string_view text)
{
    const auto at
        = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i) { return (at(i) & 0xc0U) == 0x80U; };
    const unsigned first = at(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first < 0xe0) {
        return follows(1) ? 2 : 0;
    }
    if (first >= 0xe0 && first < 0xf0) {
        const bool isOverlong = first == 0xe0 && at(1) < 0xa0;
        const bool isSurrogate = first == 0xed && at(1) >= 0xa0;
        return follows(1) && follows(2) && !isOverlong && !isSurrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const bool isOverlong = first == 0xf0 && at(1) < 0x90;
        const bool isBeyond = first == 0xf4 && at(1) >= 0x90;
        return follows(1) && follows(2) && follows(3) && !isOverlong && !isBeyond ? 4 : 0;
    }
    return 0;
}

void appendHex(std::string& out, std::string_view prefix, char byte)
{
    out += prefix;
    out += kHex[static_cast<unsigned char>(byte) >> 4];
    out += kHex[static_cast<unsigned char>(byte) & 15];
}

void appendString(std::string& out, std::string_view text)
{
    out += '"';
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        const char first = text.front();
        if (length == 0 || static_cast<unsigned char>(first) < 0x20) {
            appendHex(out, R"(\\x)", first);
        } else if (first == '\\') {
            out += R"(\\\\)"; // doubled by our rule, then by JSON's
        } else if (first == '"') {
            out += R"(\")";
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += '"';
}

int hexValue(char c)
{
    const std::size_t value = kHex.find(c);
    return value == std::string_view::npos ? -1 : static_cast<int>(value);
}

/// Undoes \xHH and the doubled backslash (JSON's own escapes are gone already).
std::string unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isEscape = text[i] == '\\' && i + 1 < text.size();
        if (isEscape && text[i + 1] == '\\') {
            out += '\\';
            ++i;
        } else if (isEscape && text[i + 1] == 'x' && i + 3 < text.size()
                   && hexValue(text[i + 2]) >= 0 && hexValue(text[i + 3]) >= 0) {
            out += static_cast<char>(hexValue(text[i + 2]) * 16 + hexValue(text[i + 3]));
            i += 3;
        } else {
            out += text[i];
        }
    }
    return out;
}

} // namespace

std::string toJson(const std::vector<Option>& options)
{
    std::string out = "{";
    for (const Option& option : options) {
        out += out.size() > 1 ? "," : "";
        appendString(out, option.name);
        out += ':';
        appendString(out, option.value);
    }
    return out + "}";
}

std::string toJson(const std::vector<std::string>& values)
{
    std::string out = "[";
    for (const std::string& value : values) {
        out += out.size() > 1 ? "," : "";
        appendString(out, value);
    }
    return out + "]";
}

engine::Result<std::vector<Option>> optionsFromJson(Database& database, std::string_view json)
{
    engine::Result<Statement> rows = database.prepare("SELECT key, value FROM json_each(?1)");
    if (!rows) {
        return engine::fail(rows.error());
    }
    rows->bind(json);
    std::vector<Option> options;
    for (;;) {
        const engine::Result<bool> row = rows->step();
        if (!row) {
            return engine::fail(row.error());
        }
        if (!*row) {
            return options;
        }
        options.push_back({unescaped(rows->bytes(0)), unescaped(rows->bytes(1))});
    }
}

engine::Result<std::vector<std::string>> listFromJson(Database& database, std::string_view json)
{
    engine::Result<std::vector<Option>> entries = optionsFromJson(database, json);
    if (!entries) {
        return engine::fail(entries.error());
    }
    std::vector<std::string> values;
    for (Option& entry : *entries) {
        values.push_back(std::move(entry.value));
    }
    return values;
}

std::string joinKey(std::span<const std::string_view> values)
{
    std::string joined;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) {
            joined += std::string_view("\0\1", 2);
        }
        for (const char c : values[i]) {
            joined += c;
            if (c == '\0') {
                joined += '\xff';
            }
        }
    }
    return joined;
}

std::vector<std::string> splitKey(std::string_view joined, std::size_t count)
{
    std::vector<std::string> values;
    if (count == 0) {
        return values;
    }
    values.emplace_back();
    for (std::size_t i = 0; i < joined.size(); ++i) {
        if (joined[i] != '\0' || i + 1 == joined.size()) {
            values.back() += joined[i];
        } else if (joined[++i] == '\1') {
            values.emplace_back();
        } else {
            values.back() += '\0';
        }
    }
    return values;
}

} // namespace storage::runs

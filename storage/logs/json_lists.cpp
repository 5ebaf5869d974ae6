#include "storage/logs/json_cursor.h"
#include "storage/logs/json_scan.h"

#include <algorithm>

namespace storage::logs {
namespace {

using Kind = JsonValue::Kind;

/// Finds the path of every value of an object.
class Collector : public JsonCursor<true> {
public:
    Collector(std::string_view line, Arena& arena, std::vector<JsonValue>& values,
              std::vector<std::string>& names)
        : JsonCursor<true>(line, arena, values)
        , m_names(names)
    {
    }

    bool document()
    {
        blanks();
        word("escape=json");
        blanks();
        take('[');
        blanks();
        return peek() == '{' && object(1);
    }

private:
    bool object(int depth);
    bool member(int depth);

    std::string m_path;
    std::vector<std::string>& m_names;
};

bool Collector::member(int depth)
{
    blanks();
    if (peek() == '{') {
        return object(depth + 1);
    }
    JsonValue found;
    if (!value(found, nullptr, depth)) {
        return false;
    }
    if (found.kind != Kind::Missing) {
        m_names.push_back(m_path);
    }
    return true;
}

bool Collector::object(int depth)
{
    const std::size_t outer = m_path.size();
    if (depth > kMaxDepth || !take('{')) {
        return false;
    }
    blanks();
    if (take('}')) {
        return true;
    }
    for (;;) {
        std::string_view name;
        std::string_view written;
        if (!key(name, written)) {
            return false;
        }
        m_path.append(outer == 0 ? "" : ".").append(name);
        if (!member(depth)) {
            return false;
        }
        m_path.resize(outer);
        blanks();
        if (take('}')) {
            return true;
        }
        if (!take(',')) {
            return false;
        }
    }
}

} // namespace

void collectJsonKeys(std::string_view line, std::vector<std::string>& names)
{
    Arena arena;
    std::vector<JsonValue> values;
    std::vector<std::string> found;
    std::string padded(line);
    padded.append(kPadding, '\0');
    line = std::string_view(padded).substr(0, line.size());
    if (Collector(line, arena, values, found).document()) {
        for (auto& name : found) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(std::move(name));
            }
        }
    }
}

std::string_view joinJsonList(std::string_view list, Arena& arena)
{
    std::vector<JsonValue> values;
    JsonCursor<true> cursor(list.substr(1), arena, values);
    std::string_view only;
    std::string joined;
    do {
        JsonValue found;
        cursor.blanks();
        if (cursor.peek() == ']' || !cursor.value(found, nullptr, 1)) {
            break;
        }
        if (found.kind == Kind::List || found.text.empty()) {
            cursor.blanks();
            continue;
        }
        const std::string_view text
            = found.hasEscapes ? undoJsonEscapes(found.text, true, arena) : found.text;
        if (only.empty()) {
            only = text;
        } else {
            joined.append(joined.empty() ? only : "").append(", ").append(text);
        }
        cursor.blanks();
    } while (cursor.take(','));
    return joined.empty() ? only : arena.copy(joined);
}

} // namespace storage::logs

#include "storage/logs/json_cursor.h"
#include "storage/logs/json_scan.h"

namespace storage::logs {
namespace {

using Kind = JsonValue::Kind;

/// Finds the path of every value of an object.
class Collector : public JsonCursor<true> {
public:
    Collector(std::string_view line, Arena& arena, std::vector<JsonValue>& values,
              std::size_t longest, std::vector<std::string>& paths)
        : JsonCursor<true>(line, arena, values)
        , m_longest(longest)
        , m_paths(paths)
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

    /// Paths that were left out.
    [[nodiscard]] std::uint64_t tooLong() const { return m_tooLong; }

private:
    bool object(int depth);
    bool member(int depth);

    std::size_t m_longest;
    std::string m_path;
    std::vector<std::string>& m_paths;
    std::uint64_t m_tooLong = 0;
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
    if (found.kind != Kind::Missing && m_path.size() <= m_longest) {
        m_paths.push_back(m_path);
    } else if (found.kind != Kind::Missing) {
        ++m_tooLong;
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

std::uint64_t collectJsonKeys(std::string_view line, std::size_t longest,
                              std::vector<std::string>& paths)
{
    Arena arena;
    std::vector<JsonValue> values;
    const std::size_t before = paths.size();
    std::string padded(line);
    padded.append(kPadding, '\0');
    line = std::string_view(padded).substr(0, line.size());
    Collector collector(line, arena, values, longest, paths);
    if (!collector.document()) {
        paths.resize(before);
        return 0;
    }
    return collector.tooLong();
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

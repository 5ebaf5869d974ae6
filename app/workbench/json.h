#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Writes one JSON value after another into a string, fields in the order of the calls.
///
/// Texts pass escaped() first, so that the output is valid UTF-8 whatever a log held, and safe to
/// print after a tool has undone JSON's own escapes: a byte 0xff or an ESC in a log is the text
/// `\xff` or `\x1b` in the value, a backslash is two. This is how the neutral log format writes
/// texts, too.
///
/// Example: `json.beginObject(); json.field("n", 1); json.field("who", "a\xff"); json.end();`
/// gives {"n": 1, "who": "a\\xff"}. Objects and lists that are ended wrongly are bugs.
class Json {
public:
    enum class Layout : std::uint8_t {
        OneLine, ///< for JSON Lines
        Indented
    };

    explicit Json(Layout layout = Layout::Indented);

    void beginObject();
    void beginList();
    void end(); ///< of the innermost object or list

    void key(std::string_view name);
    void value(std::string_view text);

    void value(const char* text) { value(std::string_view(text)); }

    void value(std::int64_t number);
    void value(std::uint64_t number);

    void value(int number) { value(std::int64_t {number}); }

    void value(bool truth);
    void null();

    template <class T> void value(const std::optional<T>& maybe)
    {
        if (maybe) {
            value(*maybe);
        } else {
            null();
        }
    }

    template <class T> void field(std::string_view name, const T& content)
    {
        key(name);
        value(content);
    }

    void beginObject(std::string_view name)
    {
        key(name);
        beginObject();
    }

    void beginList(std::string_view name)
    {
        key(name);
        beginList();
    }

    /// The text so far; a line end follows the outermost value. Empties the writer.
    [[nodiscard]] std::string take();

    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    void separate();
    void begin(char bracket);
    void newLine();

    struct Level {
        char closing = '}';
        bool isEmpty = true;
    };

    std::string m_text;
    std::vector<Level> m_levels;
    Layout m_layout;
    bool m_afterKey = false;
};

/// `text` as a JSON string with its quotes, escaped() first.
std::string jsonString(std::string_view text);

} // namespace app

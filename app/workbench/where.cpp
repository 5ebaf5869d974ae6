#include "app/workbench/where.h"

#include "policies/compile.h"
#include "policies/read.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace app {
namespace {

engine::Failure syntax(std::string message, std::string help)
{
    return engine::fail("match.syntax", std::move(message), std::move(help));
}

engine::Failure placed(engine::Diagnostic diagnostic, const std::string& option, std::size_t column)
{
    diagnostic.place = {option, 1, static_cast<std::int64_t>(column)};
    return engine::fail(std::move(diagnostic));
}

/// What the policy language says of the made-up rule, as of the match that was typed.
engine::Failure asMatch(engine::Diagnostic diagnostic)
{
    constexpr std::string_view kArea = "policy.";
    constexpr std::string_view kPlace = " in the match of rule `where`";
    if (diagnostic.code.starts_with(kArea)) {
        diagnostic.code = "match." + diagnostic.code.substr(kArea.size());
    }
    if (const std::size_t at = diagnostic.message.find(kPlace); at != std::string::npos) {
        diagnostic.message.erase(at, kPlace.size());
    }
    return engine::fail(std::move(diagnostic));
}

/// The policy language reads the values, so that a match means the same here and there.
engine::Result<engine::Match> readMatch(std::string_view flowForm)
{
    const std::string text = fmt::format("weir: 1\nname: where\n"
                                         "tiers: {{ edge: [{{ name: where, key: [], algorithm: "
                                         "fixed_window, rate: 1/s, match: {} }}] }}\n",
                                         flowForm);
    const policies::Checked checked = policies::read("where", text);
    for (const engine::Diagnostic& diagnostic : checked.diagnostics) {
        if (diagnostic.severity == engine::Severity::Error) {
            return asMatch(diagnostic);
        }
    }
    policies::Compiled compiled = policies::compile(*checked.policy, [](const std::string& file) {
        return engine::Result<std::string>(
            engine::fail("match.syntax", fmt::format("`{}` is not read here", file)));
    });
    if (!compiled.plan || compiled.plan->rules.size() != 1) {
        return syntax("the match cannot be read", "write ATTRIBUTE=VALUE and ATTRIBUTE=VALUE");
    }
    return std::move(compiled.plan->rules.front().match);
}

/// Reads the short form, entry by entry.
class MatchParser {
public:
    MatchParser(std::string_view text, const std::string& option)
        : m_text(text)
        , m_option(option)
    {
    }

    engine::Result<engine::Match> parse()
    {
        engine::Match all;
        do {
            skipBlanks();
            const std::size_t start = m_at;
            const engine::Result<std::string> form = entry();
            engine::Result<engine::Match> match = form
                ? readMatch(*form)
                : engine::Result<engine::Match>(engine::fail(form.error()));
            if (!match) {
                return placed(match.error(), m_option, start + 1);
            }
            std::move(match->begin(), match->end(), std::back_inserter(all));
        } while (takeWord("and"));
        if (m_at < m_text.size()) {
            const std::size_t start = m_at;
            const std::string help = takeWord("or")
                ? "several values of one attribute are a list: method=[GET, HEAD]"
                : "join entries by `and`; put values with blanks in double quotes";
            return placed(
                syntax(fmt::format("`{}` is not expected here", m_text.substr(start)), help)
                    .diagnostic,
                m_option, start + 1);
        }
        return all;
    }

private:
    void skipBlanks()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ') {
            ++m_at;
        }
    }

    bool take(std::string_view symbol)
    {
        skipBlanks();
        const bool isThere = m_text.substr(m_at).starts_with(symbol);
        m_at += isThere ? symbol.size() : 0;
        return isThere;
    }

    bool takeWord(std::string_view word)
    {
        skipBlanks();
        const std::string_view rest = m_text.substr(m_at);
        const bool isThere
            = rest.starts_with(word) && (rest.size() == word.size() || rest[word.size()] == ' ');
        m_at += isThere ? word.size() : 0;
        return isThere;
    }

    /// One entry as a flow mapping of the policy language: `{ status: ">=500" }`.
    engine::Result<std::string> entry()
    {
        const bool isNegated = takeWord("not");
        skipBlanks();
        const std::size_t start = m_at;
        m_at = std::min(
            m_text.find_first_not_of(
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", m_at),
            m_text.size());
        const std::string attribute(m_text.substr(start, m_at - start));
        if (attribute.empty()) {
            return syntax("an attribute is missing",
                          "write ATTRIBUTE=VALUE, such as path=/search/**");
        }
        engine::Result<std::string> value = comparedValue(attribute);
        skipBlanks();
        if (!value) {
            return value;
        }
        return fmt::format("{{ {}: {} }}", doubleQuoted(attribute),
                           isNegated ? fmt::format("{{ not: {} }}", *value) : *value);
    }

    engine::Result<std::string> comparedValue(const std::string& attribute)
    {
        for (const std::string_view symbol : {">=", "<"}) {
            if (m_text.substr(m_at).starts_with("<=") || !take(symbol)) {
                continue;
            }
            const engine::Result<std::string> number = word(" ");
            return number ? doubleQuoted(std::string(symbol) + *number) : number;
        }
        if (take("<=") || take(">") || take("!=")) {
            return syntax(
                fmt::format("`{}` is compared in a way that a match does not know", attribute),
                "write =, >= or <, or `not` before the entry; `400..499` includes both ends");
        }
        if (!take("=")) {
            return syntax(fmt::format("`{}` has no value", attribute),
                          fmt::format("write {}=VALUE", attribute));
        }
        skipBlanks();
        return take("[") ? list() : value(" ");
    }

    engine::Result<std::string> list()
    {
        std::string out = "[";
        do {
            skipBlanks();
            const engine::Result<std::string> one = value(" ,]");
            if (!one) {
                return one;
            }
            out += (out.size() > 1 ? ", " : "") + *one;
        } while (take(","));
        if (!take("]")) {
            return syntax("a list does not end", "close it by `]`, values separated by `,`");
        }
        return out + "]";
    }

    /// A value in the policy's form: in quotes, but for the word `absent`.
    engine::Result<std::string> value(std::string_view ends)
    {
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            const std::optional<std::string> text = quoted();
            return text ? engine::Result<std::string>(doubleQuoted(*text))
                        : syntax("a text in quotes does not end", "close it by a double quote");
        }
        const engine::Result<std::string> plain = word(ends);
        return !plain || *plain == "absent" ? plain : doubleQuoted(*plain);
    }

    engine::Result<std::string> word(std::string_view ends)
    {
        skipBlanks();
        const std::size_t end = std::min(m_text.find_first_of(ends, m_at), m_text.size());
        if (end == m_at) {
            return syntax("a value is missing",
                          "write ATTRIBUTE=VALUE; no value at all is `absent`");
        }
        std::string out(m_text.substr(m_at, end - m_at));
        m_at = end;
        return out;
    }

    std::optional<std::string> quoted()
    {
        std::string out;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] == '"') {
                ++m_at;
                return out;
            }
            m_at += m_text[m_at] == '\\' && m_at + 1 < m_text.size() ? std::size_t {1}
                                                                     : std::size_t {0};
            out += m_text[m_at];
        }
        return std::nullopt;
    }

    std::string_view m_text;
    const std::string& m_option;
    std::size_t m_at = 0;
};

} // namespace

std::string doubleQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

engine::Result<engine::Match> parseMatch(std::string_view text, const std::string& option)
{
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (const auto bad = std::find_if(text.begin(), text.end(), isControl); bad != text.end()) {
        return placed(
            syntax("a control character has no place in a match", "leave it out").diagnostic,
            option, static_cast<std::size_t>(bad - text.begin()) + 1);
    }
    if (text.starts_with('{')) {
        engine::Result<engine::Match> match = readMatch(text);
        return match ? std::move(match) : placed(match.error(), option, 1);
    }
    return MatchParser(text, option).parse();
}

} // namespace app

#include "storage/logs/config_text.h"

#include "storage/logs/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace storage::logs {
namespace {

bool isSpace(char c)
{
    return isBlank(c) || c == '\n' || c == '\r';
}

/// What a backslash and `next` stand for in quotes, or 0: both stay.
using Unescape = char (*)(char next, char quote);

char nginxEscape(char next, char /*quote*/)
{
    switch (next) {
    case 't':
        return '\t';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case '"':
    case '\'':
    case '\\':
        return next;
    default:
        return 0;
    }
}

char apacheEscape(char next, char quote)
{
    return next == quote || next == '\\' ? next : '\0';
}

/// The text of a value in quotes that begins at text[at]; `at` goes behind it.
std::string quotedWord(std::string_view text, std::size_t& at, Unescape unescape)
{
    const char quote = text[at++];
    std::string word;
    for (; at < text.size() && text[at] != quote; ++at) {
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        const char undone = text[at] == '\\' ? unescape(next, quote) : '\0';
        word += undone != 0 ? undone : text[at];
        at += undone != 0 ? 1 : 0;
    }
    at = std::min(at + 1, text.size());
    return word;
}

std::string bareWord(std::string_view text, std::size_t& at, std::string_view ends)
{
    const std::size_t begin = at;
    while (at < text.size() && !isSpace(text[at])
           && ends.find(text[at]) == std::string_view::npos) {
        ++at;
    }
    return std::string(text.substr(begin, at - begin));
}

/// Lines that end with a backslash joined to the next, also inside of quotes.
std::string withoutContinuations(std::string_view text)
{
    std::string joined;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = text.substr(at);
        const std::size_t size = rest.starts_with("\\\n") ? 2 : rest.starts_with("\\\r\n") ? 3 : 0;
        if (size == 0) {
            joined += text[at];
        } else {
            at += size - 1;
        }
    }
    return joined;
}

void endDirective(Directive& words, std::vector<Directive>& directives)
{
    if (!words.empty()) {
        directives.push_back(std::move(words));
    }
    words.clear();
}

} // namespace

std::vector<Directive> nginxDirectives(std::string_view text)
{
    std::vector<Directive> directives;
    Directive words;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == ';' || c == '{' || c == '}') {
            endDirective(words, directives);
            ++at;
        } else if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
        } else if (isSpace(c)) {
            ++at;
        } else {
            words.push_back(c == '\'' || c == '"' ? quotedWord(text, at, nginxEscape)
                                                  : bareWord(text, at, ";{}"));
        }
    }
    endDirective(words, directives);
    return directives;
}

std::vector<Directive> apacheDirectives(std::string_view lines)
{
    const std::string text = withoutContinuations(lines);
    std::vector<Directive> directives;
    Directive words;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '\n') {
            endDirective(words, directives);
            ++at;
        } else if (c == '#' && words.empty()) {
            at = std::min(text.find('\n', at), text.size());
        } else if (isSpace(c)) {
            ++at;
        } else {
            words.push_back(c == '\'' || c == '"' ? quotedWord(text, at, apacheEscape)
                                                  : bareWord(text, at, ""));
        }
    }
    endDirective(words, directives);
    return directives;
}

engine::Result<NamedText> chooseFormat(const std::vector<NamedText>& formats,
                                       const std::vector<std::string>& used)
{
    std::vector<const NamedText*> chosen;
    std::string names;
    for (const NamedText& format : formats) {
        names += (names.empty() ? "" : ", ") + (format.name.empty() ? "one without" : format.name);
        if (std::find(used.begin(), used.end(), format.name) != used.end()) {
            chosen.push_back(&format);
        }
    }
    if (chosen.size() == 1 || formats.size() == 1) {
        return chosen.size() == 1 ? *chosen.front() : formats.front();
    }
    if (formats.empty()) {
        return engine::fail("log.format", "the configuration has no format of a log",
                            "give the log_format or LogFormat directive");
    }
    return engine::fail("log.format",
                        fmt::format("the configuration has several formats: {}", names),
                        "give the directive of the one that the log is written in, alone");
}

} // namespace storage::logs

#include "policies/yaml/source.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace policies::yaml {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr int kMostOfAKind = 10;

/// Length of the UTF-8 sequence at `at`, 0 if there is none.
std::size_t sequenceLength(std::string_view text, std::size_t at)
{
    const auto byte
        = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned first = byte(at);
    const auto follows = [&](std::size_t i) { return (byte(at + i) & 0xC0U) == 0x80U; };
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xC2 && first <= 0xDF) {
        return follows(1) ? 2 : 0;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(at + 1) < 0xA0;
        const bool surrogate = first == 0xED && byte(at + 1) > 0x9F;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(at + 1) < 0x90;
        const bool beyond = first == 0xF4 && byte(at + 1) > 0x8F;
        return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

class ByteCheck {
public:
    explicit ByteCheck(const Source& source)
        : m_source(source)
    {
    }

    std::vector<engine::Diagnostic> run()
    {
        const std::string_view text = m_source.text();
        if (text.size() > kMaxBytes) {
            add("policy.size", 0,
                fmt::format("the file has {} bytes, more than 4 MiB", text.size()),
                "divide the policy, or move long lists into a lookup file");
            return std::move(m_found);
        }
        for (std::size_t at = m_source.start(); at < text.size();) {
            at += look(text, at);
        }
        return std::move(m_found);
    }

private:
    std::size_t look(std::string_view text, std::size_t at)
    {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = sequenceLength(text, at);
        if (length == 0) {
            add("policy.encoding", at, fmt::format("the byte 0x{:02X} is not UTF-8 here", byte),
                "save the file as UTF-8");
            return 1;
        }
        if (text.substr(at, 3) == kMark) {
            add("policy.encoding", at, "a byte order mark (U+FEFF) stands inside of the text",
                "remove it; it may stand at the very start only");
        } else if (byte == '\r' && text.substr(at, 2) != "\r\n") {
            add("policy.line-end", at, "a carriage return (CR) stands without a line feed",
                "end lines with LF or CR LF");
        } else if ((byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F) {
            add("policy.control-character", at,
                fmt::format("the control character 0x{:02X}{} stands in the text", byte,
                            byte == 0 ? " (NUL)" : ""),
                "remove it; in double quotes it can be written in hexadecimal, behind a backslash "
                "and an x");
        }
        return length;
    }

    void add(const char* code, std::size_t at, std::string message, std::string help)
    {
        if (++m_counts[code] <= kMostOfAKind) {
            m_found.push_back(m_source.error(code, at, std::move(message), std::move(help)));
        }
    }

    const Source& m_source;
    std::map<std::string, int> m_counts;
    std::vector<engine::Diagnostic> m_found;
};

} // namespace

Source::Source(std::string name, std::string_view text, std::uint32_t number)
    : m_name(std::move(name))
    , m_text(text)
    , m_number(number)
{
    if (m_text.substr(0, 3) == kMark) {
        m_start = 3;
    }
    m_lines.push_back(m_start);
    for (std::size_t at = m_text.find('\n'); at != std::string_view::npos;
         at = m_text.find('\n', at + 1)) {
        m_lines.push_back(at + 1);
    }
}

std::size_t Source::lineIndex(std::size_t offset) const
{
    const auto above = std::upper_bound(m_lines.begin(), m_lines.end(), std::max(offset, m_start));
    return static_cast<std::size_t>(above - m_lines.begin()) - 1;
}

std::size_t Source::lineBegin(std::size_t offset) const
{
    return m_lines[lineIndex(offset)];
}

Span Source::span(std::size_t begin, std::size_t end) const
{
    const std::size_t line = lineIndex(begin);
    Span span;
    span.begin = begin;
    span.end = std::max(begin, end);
    span.line = static_cast<std::int64_t>(line) + 1;
    span.column = static_cast<std::int64_t>(std::max(begin, m_start) - m_lines[line]) + 1;
    span.source = m_number;
    return span;
}

engine::Diagnostic Source::error(std::string code, std::size_t offset, std::string message,
                                 std::string help) const
{
    const Span where = span(offset, offset);
    engine::Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    diagnostic.place = {m_name, where.line, where.column};
    if (m_number != 0) {
        diagnostic.place.line = 0;
        diagnostic.place.column = 0;
    }
    return diagnostic;
}

std::vector<engine::Diagnostic> checkBytes(const Source& source)
{
    return ByteCheck(source).run();
}

} // namespace policies::yaml

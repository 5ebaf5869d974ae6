#include "app/workbench/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace app {
namespace {

struct Span {
    char32_t first;
    char32_t last; // included
};

// Controls, separators, characters that are invisible or blank without being spaces, and those that
// change direction.
constexpr std::array kHidden {
    Span {0x00, 0x1F},      Span {0x7F, 0x9F},     Span {0xAD, 0xAD},       Span {0x34F, 0x34F},
    Span {0x61C, 0x61C},    Span {0x115F, 0x1160}, Span {0x17B4, 0x17B5},   Span {0x180B, 0x180F},
    Span {0x200B, 0x200F},  Span {0x2028, 0x202E}, Span {0x2060, 0x206F},   Span {0x2800, 0x2800},
    Span {0x3164, 0x3164},  Span {0xFDD0, 0xFDEF}, Span {0xFE00, 0xFE0F},   Span {0xFEFF, 0xFEFF},
    Span {0xFFA0, 0xFFA0},  Span {0xFFF0, 0xFFFB}, Span {0x1BCA0, 0x1BCA3}, Span {0x1D173, 0x1D17A},
    Span {0xE0000, 0xE0FFF}};

constexpr std::array kCombining {
    Span {0x300, 0x36F},   Span {0x483, 0x489},   Span {0x591, 0x5BD},   Span {0x610, 0x61A},
    Span {0x64B, 0x65F},   Span {0x6D6, 0x6DC},   Span {0x93C, 0x93C},   Span {0x941, 0x948},
    Span {0x94D, 0x94D},   Span {0xE31, 0xE31},   Span {0xE34, 0xE3A},   Span {0xE47, 0xE4E},
    Span {0x1AB0, 0x1AFF}, Span {0x1DC0, 0x1DFF}, Span {0x20D0, 0x20FF}, Span {0xFE20, 0xFE2F}};

constexpr std::array kWide {
    Span {0x1100, 0x115F},   Span {0x2E80, 0x303E},   Span {0x3041, 0xA4CF},
    Span {0xA960, 0xA97F},   Span {0xAC00, 0xD7A3},   Span {0xF900, 0xFAFF},
    Span {0xFE30, 0xFE6F},   Span {0xFF00, 0xFF60},   Span {0xFFE0, 0xFFE6},
    Span {0x1F300, 0x1F64F}, Span {0x1F680, 0x1F6FF}, Span {0x1F900, 0x1F9FF},
    Span {0x20000, 0x3FFFD}};

template <std::size_t N> bool isIn(const std::array<Span, N>& spans, char32_t value)
{
    return std::any_of(spans.begin(), spans.end(),
                       [value](Span span) { return span.first <= value && value <= span.last; });
}

/// The last two of each plane are noncharacters: XML has no way to write the first of them.
bool isHidden(char32_t value)
{
    return isIn(kHidden, value) || (value & 0xFFFE) == 0xFFFE;
}

unsigned byteAt(std::string_view text, std::size_t at)
{
    return static_cast<unsigned char>(text[at]);
}

bool isPlainNumber(std::string_view text)
{
    if (text.starts_with('-') || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const std::size_t dot = text.find('.');
    const std::string_view whole = text.substr(0, dot);
    const std::string_view fraction = dot == text.npos ? "0" : text.substr(dot + 1);
    const auto digits = [](std::string_view part) {
        return !part.empty()
            && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    return digits(whole) && digits(fraction);
}

void sipRound(std::array<std::uint64_t, 4>& v)
{
    v[0] += v[1];
    v[1] = std::rotl(v[1], 13) ^ v[0];
    v[0] = std::rotl(v[0], 32);
    v[2] += v[3];
    v[3] = std::rotl(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = std::rotl(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = std::rotl(v[1], 17) ^ v[2];
    v[2] = std::rotl(v[2], 32);
}

} // namespace

CodePoint codePointAt(std::string_view text, std::size_t at)
{
    const unsigned lead = byteAt(text, at);
    if (lead < 0x80) {
        return {lead, 1};
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) {
        return {};
    }
    char32_t value = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const unsigned next = byteAt(text, at + i);
        if ((next & 0xC0) != 0x80) {
            return {};
        }
        value = value << 6 | (next & 0x3F);
    }
    const bool tooLong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    return tooLong || surrogate || value > 0x10FFFF ? CodePoint {} : CodePoint {value, length};
}

namespace {

std::string madeVisible(std::string_view text, std::string_view backslash)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = codePointAt(text, at);
        const std::size_t length = std::max<std::size_t>(point.length, 1);
        if (point.length == 0 || isHidden(point.value)) {
            for (std::size_t i = 0; i < length; ++i) {
                out += fmt::format("\\x{:02x}", byteAt(text, at + i));
            }
        } else if (point.value == '\\') {
            out += backslash;
        } else {
            out += text.substr(at, length);
        }
        at += length;
    }
    return out;
}

} // namespace

std::string escaped(std::string_view text)
{
    return madeVisible(text, "\\\\");
}

std::string visible(std::string_view text)
{
    return madeVisible(text, "\\");
}

bool isSecretAttribute(std::string_view attribute)
{
    std::string lower(attribute);
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return lower.find("authorization") != std::string::npos
        || lower.find("cookie") != std::string::npos;
}

std::string shellWord(std::string_view text)
{
    constexpr std::string_view kPlain
        = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:=,@%";
    if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) {
        return std::string(text);
    }
    if (escaped(text) != text) {
        std::string word = "$'";
        for (const char c : text) {
            const bool isShown = c >= ' ' && c <= '~' && c != '\'' && c != '\\';
            word += isShown ? std::string(1, c)
                            : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
        return word + "'";
    }
    std::string word = "'";
    for (const char c : text) {
        word += c == '\'' ? std::string(R"('"'"')") : std::string(1, c);
    }
    return word + "'";
}

std::string csvCell(std::string_view text)
{
    std::string cell = escaped(text);
    const bool looksLikeFormula
        = !text.empty() && std::strchr("=+-@\t\r", text.front()) != nullptr && text.front() != '\0';
    if (looksLikeFormula && text != "-" && !isPlainNumber(text)) {
        cell.insert(0, 1, '\'');
    }
    if (cell.find_first_of(",\"") == cell.npos && !cell.starts_with(' ') && !cell.ends_with(' ')) {
        return cell;
    }
    std::string quoted = "\"";
    for (const char c : cell) {
        quoted.append(c == '"' ? std::size_t {2} : std::size_t {1}, c);
    }
    return quoted + '"';
}

std::string markdownCode(std::string_view text, MarkdownPlace place)
{
    const std::string safe = escaped(text);
    std::string inner;
    std::size_t run = 0;
    std::size_t longestRun = 0;
    for (const char c : safe) {
        run = c == '`' ? run + 1 : 0;
        longestRun = std::max(longestRun, run);
        inner += c == '|' && place == MarkdownPlace::Cell ? std::string("\\|") : std::string(1, c);
    }
    const bool pad = inner.starts_with('`') || inner.ends_with('`')
        || (inner.starts_with(' ') && inner.ends_with(' '));
    const std::string fence(longestRun + 1, '`');
    return inner.empty() ? "` `" : fence + (pad ? " " : "") + inner + (pad ? " " : "") + fence;
}

std::uint64_t sipHash(std::string_view bytes, PseudonymSecret secret)
{
    std::array<std::uint64_t, 4> v {
        secret.k0 ^ 0x736f6d6570736575U, secret.k1 ^ 0x646f72616e646f6dU,
        secret.k0 ^ 0x6c7967656e657261U, secret.k1 ^ 0x7465646279746573U};
    const auto mix = [&v](std::uint64_t word) {
        v[3] ^= word;
        sipRound(v);
        sipRound(v);
        v[0] ^= word;
    };
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        word |= std::uint64_t {byteAt(bytes, i)} << (i % 8 * 8);
        if (i % 8 == 7) {
            mix(word);
            word = 0;
        }
    }
    mix(word | std::uint64_t {bytes.size()} << 56);
    v[2] ^= 0xFF;
    for (int i = 0; i < 4; ++i) {
        sipRound(v);
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

std::string pseudonym(std::string_view text, PseudonymSecret secret)
{
    return fmt::format("key-{:012x}", sipHash(text, secret) >> 16);
}

std::size_t displayWidth(std::string_view text)
{
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = codePointAt(text, at);
        at += std::max<std::size_t>(point.length, 1);
        if (point.length != 0 && (isIn(kCombining, point.value) || isHidden(point.value))) {
            continue;
        }
        width += isIn(kWide, point.value) ? std::size_t {2} : std::size_t {1};
    }
    return width;
}

} // namespace app

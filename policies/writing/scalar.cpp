#include "policies/writing/scalar.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace policies::writing {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kInner = " _./+@=%^-";
constexpr std::string_view kInSentence = " _./+@=%^-,;()'!?";

bool isOneOf(char c, std::string_view set)
{
    return set.find(c) != std::string_view::npos;
}

/// Words that some YAML reader takes for a boolean or for nothing.
bool isReserved(std::string_view text)
{
    static constexpr std::array<std::string_view, 10> kWords {"y",   "n",    "yes",   "no",   "on",
                                                              "off", "true", "false", "null", "~"};
    std::string lower(text);
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

/// Begins with a digit and is still no number or date in anybody's eyes.
bool isSafeAfterDigit(std::string_view text)
{
    const std::size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
    const std::string_view rest = text.substr(digits);
    if (rest.empty()) {
        return digits == 1 || text[0] != '0';
    }
    const bool isUnit = rest.find_first_not_of(kLetters) == std::string_view::npos;
    const bool isAddress = std::count(rest.begin(), rest.end(), '.') == 3
        && rest.find_first_not_of("0123456789./") == std::string_view::npos;
    return isUnit || isAddress;
}

bool isPlain(std::string_view text, std::string_view inner)
{
    if (text.empty() || isReserved(text) || text.back() == ' ') {
        return false;
    }
    const char first = text.front();
    if (!isOneOf(first, kLetters) && !isOneOf(first, kDigits) && first != '/' && first != '_') {
        return false;
    }
    const bool isClean = std::all_of(text.begin(), text.end(), [&](char c) {
        return isOneOf(c, kLetters) || isOneOf(c, kDigits) || isOneOf(c, inner);
    });
    return isClean && (!isOneOf(first, kDigits) || isSafeAfterDigit(text));
}

/// Code points that are blank or invisible in a text, as they stand in UTF-8.
bool isInvisible(std::string_view sequence)
{
    return sequence == "\xC2\x85" || sequence == "\xE2\x80\xA8" || sequence == "\xE2\x80\xA9"
        || sequence == "\xEF\xBB\xBF"
        || (sequence.size() == 2 && sequence[0] == '\xC2'
            && static_cast<unsigned char>(sequence[1]) < 0xA0);
}

unsigned codePoint(std::string_view sequence)
{
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned>(static_cast<unsigned char>(sequence[i]));
    };
    return sequence.size() == 2
        ? (byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU)
        : (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
}

void appendEscaped(std::string& out, char c)
{
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        break;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
        out += fmt::format("\\x{:02x}", byte);
    } else {
        out.push_back(c);
    }
}

} // namespace

std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = byte < 0x80 ? 1U : byte < 0xE0 ? 2U : byte < 0xF0 ? 3U : 4U;
        const std::string_view sequence = text.substr(at, length);
        if (isInvisible(sequence)) {
            out += fmt::format("\\u{:04x}", codePoint(sequence));
        } else if (sequence.size() == 1) {
            appendEscaped(out, text[at]);
        } else {
            out += sequence;
        }
        at += sequence.size();
    }
    return out + "\"";
}

std::string scalar(std::string_view text)
{
    return isPlain(text, kInner) ? std::string(text) : quoted(text);
}

std::string sentence(std::string_view text)
{
    return isPlain(text, kInSentence) ? std::string(text) : quoted(text);
}

bool isLiteral(std::string_view text)
{
    if (text.find('\n') == std::string_view::npos || text.front() == '\n' || text.front() == ' '
        || text.front() == '\t') {
        return false;
    }
    if (text.size() >= 2 && text.substr(text.size() - 2) == "\n\n") {
        return false;
    }
    std::string_view previous = "x";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const bool isBlank
            = !line.empty() && line.find_first_not_of(" \t") == std::string_view::npos;
        const bool hasOdd = std::any_of(line.begin(), line.end(), [](char c) {
            return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F;
        });
        if (isBlank || hasOdd || (!line.empty() && (line.back() == ' ' || line.front() == ' '))) {
            return false;
        }
        previous = line;
        at = end + 1;
    }
    return !previous.empty();
}

} // namespace policies::writing

#include "storage/logs/syslog_head.h"

#include "engine/attributes.h"
#include "storage/logs/stamps.h"
#include "storage/logs/text.h"

#include <algorithm>

namespace storage::logs {
namespace {

/// Whether `text` begins as `shape` says: 9 is a digit, d a digit or a blank, other bytes as they
/// are.
bool isShaped(std::string_view text, std::string_view shape)
{
    if (text.size() < shape.size()) {
        return false;
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool fits = shape[i] == '9' ? isDigit(text[i])
            : shape[i] == 'd'             ? isDigit(text[i]) || text[i] == ' '
                                          : text[i] == shape[i];
        if (!fits) {
            return false;
        }
    }
    return true;
}

bool isLetter(char c)
{
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'z';
}

/// Digits behind a point or comma at `at`.
std::size_t skipFraction(std::string_view text, std::size_t at)
{
    if (at + 1 < text.size() && (text[at] == '.' || text[at] == ',') && isDigit(text[at + 1])) {
        ++at;
        while (at < text.size() && isDigit(text[at])) {
            ++at;
        }
    }
    return at;
}

std::size_t zoneLength(std::string_view text)
{
    if (text.starts_with('Z') || text.starts_with('z')) {
        return 1;
    }
    for (const std::string_view shape : {"+99:99", "-99:99", "+9999", "-9999", "+99", "-99"}) {
        if (isShaped(text, shape)) {
            return shape.size();
        }
    }
    return 0;
}

/// "Feb  6 12:14:14", "Feb 6 12:14:14.25", "Feb  6 2009 12:14:14", "2009 Feb  6 12:14:14".
std::size_t classicTimeLength(std::string_view text)
{
    std::size_t at = isShaped(text, "9999 ") ? 5U : 0U;
    if (text.size() < at + 4 || text[at + 3] != ' ' || monthNamed(text.data() + at) < 0) {
        return 0;
    }
    at += 4;
    at += isShaped(text.substr(at), "d9 ") ? 3U : isShaped(text.substr(at), "9 ") ? 2U : 0U;
    if (text[at - 1] != ' ' || !isDigit(text[at - 2])) {
        return 0;
    }
    at += isShaped(text.substr(at), "9999 ") ? 5U : 0U;
    return isShaped(text.substr(at), "99:99:99") ? skipFraction(text, at + 8) : 0;
}

/// "1547939295.210000".
std::size_t unixTimeLength(std::string_view text)
{
    return isShaped(text, "9999999999.999") ? skipFraction(text, 10) : 0;
}

bool takeBlank(std::string_view& text)
{
    if (text.empty() || !isBlank(text.front())) {
        return false;
    }
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    return true;
}

std::string_view takeWord(std::string_view& text)
{
    std::size_t size = 0;
    while (size < text.size() && !isBlank(text[size])) {
        ++size;
    }
    const std::string_view word = text.substr(0, size);
    text.remove_prefix(size);
    return word;
}

/// "nginx:", "haproxy[14389]:", "docker/web.1[7]:".
bool isTag(std::string_view word)
{
    if (word.size() < 2 || word.back() != ':') {
        return false;
    }
    word.remove_suffix(1);
    if (word.back() == ']') {
        const auto open = word.find('[');
        if (open == std::string_view::npos) {
            return false;
        }
        word = word.substr(0, open);
    }
    const auto isPart = [](char c) {
        return isLetter(c) || isDigit(c)
            || std::string_view("-_./@+").find(c) != std::string_view::npos;
    };
    return !word.empty() && std::any_of(word.begin(), word.end(), isLetter)
        && std::all_of(word.begin(), word.end(), isPart);
}

bool isHost(std::string_view word)
{
    const auto isPart = [](char c) {
        return isLetter(c) || isDigit(c)
            || std::string_view("-_.:%").find(c) != std::string_view::npos;
    };
    return !word.empty() && std::all_of(word.begin(), word.end(), isPart);
}

/// td-agent's "TIME<tab>tag<tab>{...}".
bool takeTabbedTag(std::string_view text, SyslogHead& head)
{
    if (!text.starts_with('\t')) {
        return false;
    }
    const auto end = text.find('\t', 1);
    if (end == std::string_view::npos || end + 1 == text.size() || text[end + 1] != '{') {
        return false;
    }
    head.message = text.substr(end + 1);
    head.isSure = true;
    return true;
}

/// What is behind the time: [host] [tag:] message.
void readHostAndTag(std::string_view text, SyslogHead& head)
{
    std::string_view rest = text;
    const std::string_view first = takeWord(rest);
    if (isTag(first)) {
        takeBlank(rest);
        head.message = rest;
        head.isSure = true;
        return;
    }
    head.message = text;
    if (!isHost(first) || !takeBlank(rest)) {
        return;
    }
    const std::string_view behindHost = rest;
    if (isTag(takeWord(rest))) {
        takeBlank(rest);
        head.message = rest;
        head.isSure = true;
        return;
    }
    if (!engine::parseAddress(first)) {
        head.message = behindHost;
        head.other = text;
    }
}

/// RFC 5424 behind its version: TIME HOST APP PROCID MSGID STRUCTURED-DATA [MESSAGE].
bool readModern(std::string_view text, SyslogHead& head)
{
    head.time = takeWord(text);
    if (head.time == "-") {
        head.time = {};
    } else if (isoTimeLength(head.time) != head.time.size()) {
        return false;
    }
    for (int i = 0; i < 4; ++i) {
        if (!takeBlank(text) || takeWord(text).empty()) {
            return false;
        }
    }
    if (!takeBlank(text)) {
        return false;
    }
    if (text.starts_with('-')) {
        text.remove_prefix(1);
    } else if (!text.starts_with('[')) {
        return false;
    }
    while (text.starts_with('[')) {
        bool isQuoted = false;
        std::size_t at = 1;
        for (; at < text.size() && (isQuoted || text[at] != ']'); ++at) {
            if (text[at] == '\\') {
                ++at; // what it escapes
                continue;
            }
            isQuoted = isQuoted != (text[at] == '"');
        }
        if (at >= text.size()) {
            return false;
        }
        text.remove_prefix(at + 1);
    }
    if (!text.empty() && !takeBlank(text)) {
        return false;
    }
    text.remove_prefix(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    head.message = text;
    head.isSure = true;
    return true;
}

/// The time of a line, which may have a weekday before it and the name of a zone behind.
bool takeTime(std::string_view& text, SyslogHead& head)
{
    const bool hasWeekday = text.size() > 4 && text[3] == ' ' && isLetter(text[0])
        && isShaped(text.substr(4), "9999-99-99 ");
    text.remove_prefix(hasWeekday ? 4 : 0);
    std::size_t size = hasWeekday ? 0 : classicTimeLength(text);
    size = size == 0 ? isoTimeLength(text) : size;
    size = size == 0 ? unixTimeLength(text) : size;
    if (size == 0) {
        return false;
    }
    head.time = text.substr(0, size);
    text.remove_prefix(size);
    if (hasWeekday) { // "Wed 2019-01-20 00:08:15 CET host ..."
        std::string_view rest = text;
        const std::string_view zone = takeBlank(rest) ? takeWord(rest) : std::string_view {};
        if (!std::all_of(zone.begin(), zone.end(), isLetter)) {
            return false;
        }
        head.time = zone == "UTC" ? head.time : std::string_view {};
        text = rest;
    }
    text.remove_prefix(text.starts_with(": ") ? 1 : 0);
    return true;
}

/// "126 <190>1 ..." without the 126, the length of a message in a stream (RFC 6587).
std::string_view withoutOctetCount(std::string_view line)
{
    constexpr std::size_t kMostDigits = 6;
    const std::size_t size = line.substr(0, kMostDigits + 2).find(" <");
    if (size == std::string_view::npos || !isWhole(line.substr(0, size))) {
        return line;
    }
    const std::string_view message = line.substr(size + 1);
    const auto close = message.substr(0, 5).find('>');
    const bool hasPriority
        = close != std::string_view::npos && isWhole(message.substr(1, close - 1));
    return hasPriority ? message : line;
}

} // namespace

std::size_t isoTimeLength(std::string_view text)
{
    const bool isShort = isShaped(text, "9999-99-99T99:99:99");
    if (!isShort && !isShaped(text, "9999-99-99 99:99:99")) {
        return 0;
    }
    const std::size_t at = skipFraction(text, 19);
    const std::string_view rest = text.substr(at);
    if (const std::size_t zone = zoneLength(rest); zone > 0) {
        return at + zone;
    }
    const bool hasOffset = rest.size() > 1 && rest[0] == ' ' && (rest[1] == '+' || rest[1] == '-');
    const std::size_t zone = hasOffset ? zoneLength(rest.substr(1)) : 0;
    return zone > 0 ? at + 1 + zone : at;
}

bool readSyslogHead(std::string_view line, SyslogHead& head)
{
    std::string_view text = withoutOctetCount(line);
    head = {};
    bool hasPriority = false;
    if (text.starts_with('<')) {
        const auto close = text.substr(0, 5).find('>');
        if (close == std::string_view::npos || !isWhole(text.substr(1, close - 1))) {
            return false;
        }
        text.remove_prefix(close + 1);
        hasPriority = true;
    }
    if (isShaped(text, "9 ") && readModern(text.substr(2), head)) {
        return true;
    }
    head = {};
    if (!takeTime(text, head)) {
        head.time = {};
        if (!hasPriority) {
            return false;
        }
    } else if (takeTabbedTag(text, head)) {
        return true;
    } else if (!takeBlank(text)) {
        return false;
    }
    readHostAndTag(text, head);
    const bool needsTag = !hasPriority && !head.time.empty() && unixTimeLength(head.time) > 0;
    head.isSure = head.isSure || hasPriority;
    return head.isSure || !needsTag;
}

} // namespace storage::logs

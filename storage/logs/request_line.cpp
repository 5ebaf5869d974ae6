#include "storage/logs/request_line.h"

#include <algorithm>
#include <array>

namespace storage::logs {
namespace {

/// Characters of a token (RFC 9110): what a method may be made of.
constexpr std::array<bool, 256> makeTokenCharacters()
{
    std::array<bool, 256> table {};
    for (std::size_t c = 0; c < table.size(); ++c) {
        table[c] = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}

constexpr auto kTokenCharacters = makeTokenCharacters();

/// Length of the method at the start of a line that has a blank behind it, else 0.
std::size_t methodLength(std::string_view line)
{
    if (line.empty()) {
        return 0;
    }
    std::size_t length = capitalsAt(line.data()); // the usual ones
    if (length > 0 && length < line.size() && line[length] == ' ') {
        return length;
    }
    length = 0;
    while (length < line.size() && kTokenCharacters[static_cast<unsigned char>(line[length])]) {
        ++length;
    }
    return length < line.size() && line[length] == ' ' ? length : 0;
}

/// Where " HTTP/1.1" at the end begins, or npos.
std::size_t versionStart(std::string_view line)
{
    constexpr std::size_t kUsual = std::string_view(" HTTP/1.1").size();
    if (line.size() > kUsual) { // a search for the blank from the right is slower
        const std::string_view end = line.substr(line.size() - kUsual);
        if (end.starts_with(" HTTP/") && end[6] != ' ' && end[7] != ' ' && end[8] != ' ') {
            return line.size() - kUsual;
        }
    }
    const auto blank = line.rfind(' ');
    return blank != std::string_view::npos && line.substr(blank + 1).starts_with("HTTP/")
        ? blank
        : std::string_view::npos;
}

/// "http" of "http://h/a", else empty.
std::string_view schemeOf(std::string_view target)
{
    std::size_t length = 0;
    while (length < target.size()
           && ((target[length] | 0x20) >= 'a' && (target[length] | 0x20) <= 'z')) {
        ++length;
    }
    return length > 0 && target.substr(length).starts_with("://") ? target.substr(0, length)
                                                                  : std::string_view {};
}

std::string_view orMissing(std::string_view text)
{
    return text.empty() ? std::string_view {} : text;
}

} // namespace

void splitTarget(std::string_view target, RequestParts& parts)
{
    if (target.empty() || target == "-") { // `-` stands for none in many logs, never for a target
        return;
    }
    bool absolute = false;
    if (target.front() != '/') {
        const std::string_view scheme = schemeOf(target);
        if (!scheme.empty()) {
            absolute = true;
            parts.scheme = scheme;
            target.remove_prefix(scheme.size() + 3);
            const auto stop = target.find_first_of("/?");
            parts.host = orMissing(target.substr(0, stop));
            target = stop == std::string_view::npos ? std::string_view {} : target.substr(stop);
        }
    }
    const char* const end = target.data() + target.size();
    const auto mark = static_cast<std::size_t>(findByte(target.data(), end, '?') - target.data());
    parts.path = orMissing(target.substr(0, mark));
    if (mark < target.size()) {
        parts.query = orMissing(target.substr(mark + 1));
    }
    if (absolute && parts.path.empty()) {
        parts.path = "/"; // an empty path of an absolute URI is the root
    }
}

RequestParts splitRequestLine(std::string_view line)
{
    RequestParts parts;
    if (splitUsualRequest(line, parts)) {
        return parts;
    }
    const std::size_t length = methodLength(line);
    if (length == 0) {
        return parts;
    }
    std::string_view target = line.substr(length + 1);
    if (target.starts_with(' ')) { // servers skip such blanks
        target.remove_prefix(std::min(target.find_first_not_of(' '), target.size()));
    }
    const auto version = versionStart(target);
    if (version != std::string_view::npos) {
        target = target.substr(0, version);
        while (target.ends_with(' ')) {
            target.remove_suffix(1);
        }
    } else if (target.empty() || (target.front() != '/' && target.front() != '*')) {
        return parts; // without a version only what looks like a target is one
    }
    const std::string_view method = line.substr(0, length);
    if (target.empty() || method == "-") {
        return parts;
    }
    parts.method = method;
    splitTarget(target, parts);
    return parts;
}

void readTarget(std::string_view target, RequestParts& parts)
{
    if (target.empty()) {
        return;
    }
    if (target.front() != '/') {
        const RequestParts line = splitRequestLine(target);
        if (!line.method.empty()) {
            parts = line;
            return;
        }
    }
    parts.path = {};
    parts.query = {};
    splitTarget(target, parts);
}

} // namespace storage::logs

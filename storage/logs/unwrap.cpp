#include "storage/logs/unwrap.h"

#include "storage/logs/json_scan.h"
#include "storage/logs/syslog_head.h"

#include <algorithm>
#include <cstring>

namespace storage::logs {
namespace {

constexpr int kDeepest = 4;

/// The keys of objects that wrap a line.
struct ObjectKeys {
    JsonKeys keys;
    std::uint32_t log = keys.want("log");
    std::uint32_t stream = keys.want("stream");
    std::uint32_t time = keys.want("time");
    std::uint32_t journal = keys.want("MESSAGE");
    std::uint32_t realtime = keys.want("__REALTIME_TIMESTAMP");
    std::uint32_t message = keys.want("message");
    std::uint32_t payload = keys.want("textPayload");
    std::uint32_t atTimestamp = keys.want("@timestamp");
    std::uint32_t timestamp = keys.want("timestamp");
};

const ObjectKeys& objectKeys()
{
    static const ObjectKeys keys;
    return keys;
}

bool isText(const JsonValue& value)
{
    return value.kind == JsonValue::Kind::Text;
}

/// A value with its escapes undone and room behind it for scans.
std::string_view plainText(const JsonValue& value, Arena& arena)
{
    if (!value.hasEscapes) {
        return value.text;
    }
    arena.room(value.text.size() + kPadding);
    return undoJsonEscapes(value.text, true, arena);
}

std::string_view withoutLineEnd(std::string_view text)
{
    text.remove_suffix(text.ends_with('\n') ? 1 : 0);
    return withoutReturn(text);
}

/// The bytes of a MESSAGE that journalctl writes as a list of numbers since it is no UTF-8.
std::string_view messageBytes(std::string_view line, Arena& arena)
{
    constexpr std::string_view kKey = "\"MESSAGE\"";
    auto at = line.find(kKey);
    at = at == std::string_view::npos ? at : line.find_first_not_of(" \t:", at + kKey.size());
    if (at == std::string_view::npos || line[at] != '[') {
        return {};
    }
    char* const begin = arena.room(line.size() + kPadding);
    std::size_t size = 0;
    unsigned number = 0;
    bool any = false;
    for (++at; at < line.size() && number < 256; ++at) {
        if (isDigit(line[at])) {
            number = number * 10 + static_cast<unsigned>(line[at] - '0');
            any = true;
        } else if (line[at] == ',' || line[at] == ']') {
            if (any) {
                begin[size++] = static_cast<char>(number);
            }
            number = 0;
            any = false;
            if (line[at] == ']') {
                return arena.keep(begin, size);
            }
        } else if (!isBlank(line[at])) {
            return {};
        }
    }
    return {};
}

/// {"log": ...}: complete where it ends with a newline.
bool unwrapDocker(WrapperRules rules, LineScratch& scratch, Wrapped& wrapped)
{
    const ObjectKeys& keys = objectKeys();
    const auto& json = scratch.json;
    if (!isText(json[keys.log]) || (!isText(json[keys.stream]) && !isText(json[keys.time]))) {
        return false;
    }
    wrapped.kind = WrapperKind::DockerJson;
    wrapped.text = plainText(json[keys.log], *scratch.arena);
    wrapped.time = json[keys.time].text;
    wrapped.stream = json[keys.stream].text == "stderr" ? 1 : 0;
    wrapped.isPartial = rules.hasLineEnds && !wrapped.text.ends_with('\n');
    wrapped.text = withoutLineEnd(wrapped.text);
    return true;
}

/// Most objects are records of their own and need no look inside.
bool hasKeyOfWrapper(std::string_view line)
{
    for (const std::string_view key :
         {R"("log")", R"("MESSAGE")", R"("message")", R"("textPayload")"}) {
        if (::memmem(line.data(), line.size(), key.data(), key.size()) != nullptr) {
            return true;
        }
    }
    return false;
}

bool unwrapObject(std::string_view line, WrapperRules rules, LineScratch& scratch, Wrapped& wrapped)
{
    const ObjectKeys& keys = objectKeys();
    if (!hasKeyOfWrapper(line)
        || scanJson(line, keys.keys, {true}, scratch) != JsonOutcome::Object) {
        return false;
    }
    if (unwrapDocker(rules, scratch, wrapped)) {
        return true;
    }
    const auto& json = scratch.json;
    if (json[keys.realtime].kind != JsonValue::Kind::Missing) {
        wrapped.kind = WrapperKind::Journal;
        wrapped.text = isText(json[keys.journal]) ? plainText(json[keys.journal], *scratch.arena)
                                                  : messageBytes(line, *scratch.arena);
        wrapped.time = json[keys.realtime].text;
        wrapped.text = withoutLineEnd(wrapped.text);
        return wrapped.text.data() != nullptr;
    }
    const JsonValue& time = json[keys.atTimestamp].kind != JsonValue::Kind::Missing
        ? json[keys.atTimestamp]
        : json[keys.timestamp];
    for (const std::uint32_t slot : {keys.message, keys.payload}) {
        if (isText(json[slot]) && time.kind != JsonValue::Kind::Missing) {
            wrapped.kind = WrapperKind::Event;
            wrapped.text = withoutLineEnd(plainText(json[slot], *scratch.arena));
            wrapped.time = time.text;
            wrapped.isSure = false;
            return true;
        }
    }
    return false;
}

/// "TIME stdout P:tag text".
bool unwrapCri(std::string_view line, Wrapped& wrapped)
{
    const std::size_t size = isoTimeLength(line);
    std::string_view rest = line.substr(size);
    const bool isOut = rest.starts_with(" stdout ");
    if (size == 0 || (!isOut && !rest.starts_with(" stderr "))) {
        return false;
    }
    constexpr std::size_t kStreamSize = 8;
    rest.remove_prefix(kStreamSize);
    const std::string_view tags = rest.substr(0, rest.find(' '));
    const std::string_view first = tags.substr(0, tags.find(':'));
    if (first != "F" && first != "P") {
        return false;
    }
    wrapped.kind = WrapperKind::Cri;
    wrapped.time = line.substr(0, size);
    wrapped.stream = isOut ? 0 : 1;
    wrapped.isPartial = first == "P";
    wrapped.text = rest.substr(std::min(tags.size() + 1, rest.size()));
    return true;
}

/// Drops "\x1b[36m" and its kin.
void dropColour(std::string_view& text)
{
    while (text.starts_with("\x1b[")) {
        const auto end = text.find_first_not_of("0123456789;", 2);
        if (end == std::string_view::npos || text[end] != 'm') {
            return;
        }
        text.remove_prefix(end + 1);
    }
}

/// "nginx_1  | text", coloured or not; "[pod/web-1/nginx] text".
bool unwrapPrefix(std::string_view line, Wrapped& wrapped)
{
    std::string_view text = line;
    dropColour(text);
    wrapped.kind = WrapperKind::Prefix;
    if (text.starts_with('[')) {
        const auto end = text.find_first_of(" ]");
        if (end == std::string_view::npos || text[end] != ']' || text.substr(end, 2) != "] "
            || text.substr(0, end).find('/') == std::string_view::npos) {
            return false;
        }
        wrapped.text = text.substr(end + 2);
        return true;
    }
    const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789._-");
    if (end == std::string_view::npos || end == 0 || !isBlank(text[end])) {
        return false;
    }
    text.remove_prefix(end);
    text = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    if (!text.starts_with('|')) {
        return false;
    }
    text.remove_prefix(1);
    dropColour(text);
    text.remove_prefix(text.starts_with(' ') ? 1 : 0);
    wrapped.text = text;
    wrapped.isSure = false;
    return true;
}

bool unwrapSyslog(std::string_view line, Wrapped& wrapped)
{
    SyslogHead head;
    if (!readSyslogHead(line, head)) {
        return false;
    }
    wrapped.kind = head.isSure ? WrapperKind::Syslog : WrapperKind::Stamp;
    wrapped.isSure = head.isSure;
    wrapped.text = head.message;
    wrapped.other = head.other;
    wrapped.time = head.time;
    constexpr std::string_view kCookie = "@cee:";
    if (wrapped.text.starts_with(kCookie)) {
        wrapped.text = trimmed(wrapped.text.substr(kCookie.size()));
    }
    return true;
}

} // namespace

std::string_view nameOf(WrapperKind kind)
{
    switch (kind) {
    case WrapperKind::DockerJson:
        return "Docker's json-file";
    case WrapperKind::Cri:
        return "a container runtime's log (CRI)";
    case WrapperKind::Journal:
        return "objects of the journal";
    case WrapperKind::Event:
        return "objects of a log shipper";
    case WrapperKind::Syslog:
        return "a syslog head";
    case WrapperKind::Stamp:
        return "a time in front";
    case WrapperKind::Prefix:
        return "the name of a container in front";
    case WrapperKind::None:
        break;
    }
    return "";
}

bool unwrap(std::string_view line, WrapperRules rules, LineScratch& scratch, Wrapped& wrapped)
{
    wrapped = {};
    if (line.empty()) {
        return false;
    }
    const char first = line.front();
    bool found = false;
    if (first == '{') {
        found = unwrapObject(line, rules, scratch, wrapped);
    } else if (isDigit(first)) {
        found = unwrapCri(line, wrapped) || unwrapSyslog(line, wrapped)
            || unwrapPrefix(line, wrapped);
    } else if (first == '<') {
        found = unwrapSyslog(line, wrapped);
    } else if (static_cast<unsigned char>(first) > ' ' || first == '\x1b') {
        found = (first != '[' && unwrapSyslog(line, wrapped)) || unwrapPrefix(line, wrapped);
    }
    if (!found) {
        wrapped = {};
    }
    return found;
}

InnerLines innerLines(const Wrapped& outermost, LineScratch& scratch)
{
    InnerLines inner;
    Wrapped level = outermost;
    inner.kind = outermost.kind;
    std::array<std::string_view, InnerLines::kMost + 2> outwards; // the innermost last
    std::size_t count = 0;
    for (int depth = 0; depth < kDeepest; ++depth) {
        if (!level.other.empty() && count + 2 < outwards.size()) {
            outwards[count++] = level.other;
        }
        outwards[count++] = level.text;
        inner.time = level.time.empty() ? inner.time : level.time;
        inner.isSure = inner.isSure || level.isSure;
        const std::string_view text = level.text;
        if (count + 1 >= outwards.size() || !unwrap(text, {}, scratch, level)) {
            break;
        }
    }
    for (; count > 0 && inner.count < InnerLines::kMost; --count) {
        inner.lines[inner.count++] = outwards[count - 1];
    }
    return inner;
}

std::string innermostText(std::string_view line, WrapperRules rules)
{
    line = lineText(line);
    if (!rules.isWrapped || line.size() > kLongestLine) {
        return std::string(line);
    }
    std::string padded(line);
    padded.append(kPadding, '\0');
    Arena arena;
    LineScratch scratch;
    scratch.arena = &arena;
    Wrapped wrapped;
    if (!unwrap({padded.data(), line.size()}, rules, scratch, wrapped)) {
        return std::string(line);
    }
    return std::string(innerLines(wrapped, scratch).lines[0]);
}

bool mayBePartial(std::string_view line)
{
    if (line.empty()) {
        return false;
    }
    if (line.front() != '{') {
        return isDigit(line.front());
    }
    constexpr std::string_view kBegin = R"({"log":")";
    if (!line.starts_with(kBegin)) {
        return true;
    }
    const char* const end = line.data() + line.size();
    const char* const begin = line.data() + kBegin.size();
    for (const char* at = findByte(begin, end, '"'); at < end; at = findByte(at + 1, end, '"')) {
        const char* before = at;
        while (before > begin && before[-1] == '\\') {
            --before;
        }
        if ((at - before) % 2 == 0) { // the closing one
            const bool hasNewline = at - begin >= 2 && at[-1] == 'n' && at[-2] == '\\';
            const char* slash = at - 2;
            while (slash > begin && slash[-1] == '\\') {
                --slash;
            }
            return !hasNewline || (at - 1 - slash) % 2 == 0;
        }
    }
    return true;
}

} // namespace storage::logs

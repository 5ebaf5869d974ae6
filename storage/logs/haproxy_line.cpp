#include "storage/logs/haproxy_line.h"

#include "storage/logs/row_cursor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace storage::logs::haproxy {
namespace {

constexpr std::array<const char*, kRequestCapture> kNames {"syslog_time",
                                                           "client_ip",
                                                           "client_port",
                                                           "request_date",
                                                           "frontend",
                                                           "scheme",
                                                           "backend",
                                                           "server",
                                                           "time_request",
                                                           "time_queue",
                                                           "time_connect",
                                                           "time_response",
                                                           "time_active",
                                                           "status_code",
                                                           "bytes_read",
                                                           "captured_request_cookie",
                                                           "captured_response_cookie",
                                                           "termination_state",
                                                           "connections",
                                                           "queues",
                                                           "request"};

constexpr std::size_t kDateSize = 20; // 06/Feb/2009:12:14:14

bool looksLikeDate(std::string_view text)
{
    return text.size() > kDateSize && isDigit(text[0]) && text[2] == '/' && text[6] == '/'
        && text[11] == ':' && text[14] == ':' && text[17] == ':';
}

/// Where the `[` of the first time in brackets is, or npos.
std::size_t findTime(std::string_view line)
{
    std::size_t at = line.find('[');
    while (at != std::string_view::npos && !looksLikeDate(line.substr(at + 1))) {
        at = line.find('[', at + 1);
    }
    return at;
}

/// "Feb  6 12:14:14" or an ISO time, with or without <134> and a version before it; else empty.
std::string_view headTime(std::string_view head)
{
    constexpr std::size_t kClassic = 15;
    if (head.starts_with('<')) {
        head.remove_prefix(std::min(head.find('>'), head.size() - 1) + 1);
        head.remove_prefix(head.starts_with("1 ") ? 2 : 0);
    }
    if (looksLikeIsoTime(head)) {
        return head.substr(0, head.find(' '));
    }
    const bool isClassic = head.size() >= kClassic && head[3] == ' ' && head[6] == ' '
        && head[9] == ':' && head[12] == ':' && isDigit(head[5]);
    return isClassic ? head.substr(0, kClassic) : std::string_view {};
}

/// Lines that HAProxy writes of itself and of connections that came to no request.
bool isNotice(std::string_view line)
{
    constexpr std::array<std::string_view, 12> kBeginnings {
        "Connect from ",     "Proxy ",    "Server ",     "Backup Server ",
        "Health check for ", "Starting ", "Stopping ",   "Pausing ",
        "Resuming ",         "backend ",  "New worker ", "Loading "};
    constexpr std::string_view kTag = "]: ";
    const std::size_t tag = line.find(kTag);
    const std::string_view text
        = tag == std::string_view::npos ? line : line.substr(tag + kTag.size());
    return std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](std::string_view beginning) {
        return text.starts_with(beginning) || line.starts_with(beginning);
    });
}

std::size_t slashesIn(std::string_view text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '/'));
}

/// "10/0/30/69/109" into its parts; a lower bound loses its `+`.
bool cutTimers(std::string_view text, std::string_view* values)
{
    for (std::size_t i = 0; i < 5; ++i) {
        const std::size_t slash = text.find('/');
        if ((slash == std::string_view::npos) != (i == 4)) {
            return false;
        }
        std::string_view part = text.substr(0, slash);
        part.remove_prefix(part.starts_with('+') ? 1 : 0);
        if (!isWhole(part.substr(part.starts_with('-') ? 1 : 0))) {
            return false;
        }
        values[i] = part;
        text.remove_prefix(i == 4 ? text.size() : slash + 1);
    }
    return true;
}

/// "{a|b} " into values; false: it is not closed.
bool cutCaptures(RowCursor& row, std::string_view* values)
{
    const std::string_view text = row.rest();
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos) {
        return false;
    }
    std::string_view list = text.substr(1, end - 1);
    for (std::size_t i = 0; i < kMostCaptures; ++i) {
        const std::size_t bar = list.find('|');
        values[i] = list.substr(0, bar);
        if (bar == std::string_view::npos) {
            break;
        }
        list.remove_prefix(bar + 1);
    }
    row = RowCursor(trimmed(text.substr(end + 1)));
    return true;
}

/// A request that its writer cut, without a version of which only the beginning is there.
std::string_view cutRequest(std::string_view text)
{
    constexpr std::string_view kVersion = "HTTP/";
    const std::size_t blank = text.rfind(' ');
    const std::string_view end = text.substr(blank + 1);
    const bool isBegun = blank != std::string_view::npos && text.find(' ') != blank
        && (end.starts_with(kVersion) || kVersion.starts_with(end));
    return isBegun ? text.substr(0, blank) : text;
}

/// The fields from the frontend to the timers; anything but Request ends the line.
LineOutcome cutProxies(RowCursor& row, std::string_view* values, std::size_t& whole)
{
    whole = kFrontend;
    std::string_view frontend;
    std::string_view pair;
    std::string_view timers;
    if (!row.bare(frontend)) {
        return LineOutcome::Request;
    }
    if (frontend.ends_with(':')) {
        return LineOutcome::NotHttp; // "frontend/listener: SSL handshake failure"
    }
    if (!row.bare(pair) || !row.bare(timers)) {
        return LineOutcome::Request;
    }
    const bool isSecure = frontend.ends_with('~');
    values[kFrontend] = frontend.substr(0, frontend.size() - (isSecure ? 1 : 0));
    values[kScheme] = isSecure ? std::string_view("https") : std::string_view {};
    const std::size_t slash = pair.find('/');
    values[kBackend] = pair.substr(0, slash);
    values[kServer]
        = slash == std::string_view::npos ? std::string_view {} : pair.substr(slash + 1);
    if (cutTimers(timers, values + kTimers)) {
        whole = kStatus;
        return slash == std::string_view::npos ? LineOutcome::NoMatch : LineOutcome::Request;
    }
    if (row.atEnd()) {
        return LineOutcome::Request;
    }
    // A TCP row has three timers; rows of failed connections have none.
    return slashesIn(timers) == 2 || slashesIn(pair) > 1 || isWhole(pair.substr(0, slash))
        ? LineOutcome::NotHttp
        : LineOutcome::NoMatch;
}

} // namespace

std::vector<std::string> fieldNames()
{
    std::vector<std::string> names(kNames.begin(), kNames.end());
    for (const char* side : {"request", "response"}) {
        for (std::size_t i = 1; i <= kMostCaptures; ++i) {
            names.push_back(fmt::format("{}_capture_{}", side, i));
        }
    }
    return names;
}

LineCut cutLine(std::string_view line, bool /*isCut*/, std::string_view* values)
{
    LineCut cut;
    const std::size_t bracket = findTime(line);
    if (bracket == std::string_view::npos || bracket < 2 || line[bracket - 1] != ' ') {
        cut.outcome = isNotice(line) ? LineOutcome::NotHttp : LineOutcome::NoMatch;
        return cut;
    }
    const std::string_view before = line.substr(0, bracket - 1);
    const std::size_t blank = before.rfind(' ');
    const AddressAndPort client = splitPort(before.substr(blank + 1));
    if (!isWhole(client.port)) {
        return cut;
    }
    values[kClient] = client.address;
    values[kClientPort] = client.port;
    values[kSyslogTime]
        = blank == std::string_view::npos ? std::string_view {} : headTime(before.substr(0, blank));
    RowCursor row(line.substr(bracket));
    row.bracketed(values[kTime]);
    cut.outcome = cutProxies(row, values, cut.whole);
    if (cut.outcome != LineOutcome::Request || cut.whole < kStatus) {
        return cut;
    }
    for (; cut.whole < kRequest; ++cut.whole) {
        if (row.atQuote() || !row.bare(values[cut.whole])) {
            return cut;
        }
    }
    values[kBytes].remove_prefix(values[kBytes].starts_with('+') ? 1 : 0);
    for (const std::size_t side : {kRequestCapture, kResponseCapture}) {
        if (row.rest().starts_with('{') && !cutCaptures(row, values + side)) {
            return cut;
        }
    }
    if (!row.atQuote()) {
        return cut;
    }
    const std::string_view text = row.rest().substr(1);
    const std::size_t quote = text.find('"');
    values[kRequest] = quote == std::string_view::npos ? cutRequest(text) : text.substr(0, quote);
    cut.whole = kFields;
    cut.isExact = quote != std::string_view::npos;
    return cut;
}

bool readTime(std::string_view text, StampCache& cache, Stamp& stamp)
{
    constexpr std::string_view kUtc = " +0000";
    if (text.size() < kDateSize || text.find(' ') != std::string_view::npos) {
        return false;
    }
    std::array<char, kDateSize + kUtc.size()> whole {};
    std::memcpy(whole.data(), text.data(), kDateSize);
    std::memcpy(whole.data() + kDateSize, kUtc.data(), kUtc.size());
    if (!readClfTime({whole.data(), whole.size()}, cache, stamp)) {
        return false;
    }
    stamp.isLocal = true;
    const std::string_view rest = text.substr(kDateSize);
    if (rest.empty()) {
        return true;
    }
    const auto part = readDecimal(rest.substr(1), 1); // digits only
    if (rest.front() != '.' || !part || rest.size() > 10) {
        return false;
    }
    std::int64_t fraction = *part;
    for (std::size_t digits = rest.size() - 1; digits < 9; ++digits) {
        fraction *= 10;
    }
    stamp.ns += fraction;
    stamp.resolutionNs = 0;
    return true;
}

bool readSyslogTime(std::string_view text, std::string_view near, StampCache& cache, Stamp& stamp)
{
    if (looksLikeIsoTime(text)) {
        return readIsoTime(text, false, false, cache, stamp);
    }
    constexpr std::size_t kSize = 15; // Feb  6 12:14:14
    constexpr std::int64_t kHalfYearNs = 183 * 86'400 * kSecondNs;
    if (text.size() != kSize || !looksLikeDate(near)) {
        return false;
    }
    Stamp around;
    if (!readTime(near, cache, around)) {
        return false;
    }
    const auto year = readInteger(near.substr(7, 4)).value_or(0);
    for (const std::int64_t candidate : {year, year - 1, year + 1}) {
        const std::string clf = fmt::format("{:0>2}/{}/{:04}:{}", trimmed(text.substr(4, 2)),
                                            text.substr(0, 3), candidate, text.substr(7));
        if (readTime(clf, cache, stamp) && stamp.ns - around.ns < kHalfYearNs
            && around.ns - stamp.ns < kHalfYearNs) {
            return true;
        }
    }
    return false;
}

} // namespace storage::logs::haproxy

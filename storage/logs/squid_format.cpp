#include "storage/logs/record.h"

#include <algorithm>
#include <array>

/// Squid's native log, and Apache Traffic Server's format of the same look.
namespace storage::logs {
namespace {

enum Field : std::size_t {
    kTime,
    kElapsed,
    kClient,
    kResult,
    kStatus,
    kBytes,
    kMethod,
    kUrl,
    kUser,
    kHierarchy,
    kType,
    kFields
};

constexpr std::array<std::string_view, kFields> kNames {
    "time",   "elapsed", "client", "result",    "status",      "bytes",
    "method", "url",     "user",   "hierarchy", "content_type"};

constexpr RecordSource kSources[] = {{"client_ip", "client"},
                                     {"method", "method"},
                                     {"status", "status"},
                                     {"user", "user"},
                                     {"bytes", "bytes"}};
constexpr RecordStamp kEnd[] = {{"time"}};
constexpr RecordStamp kStart[] = {{"time", true}};
constexpr RecordDuration kDurations[] = {{"elapsed", 1'000'000}};
constexpr std::array<std::string_view, 1> kTargets {"url"};

class SquidParser final : public RecordParser {
public:
    SquidParser(const RecordLayout& layout, bool /*extra*/, const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
    bool readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                   Stamp& stamp) const override;
};

/// The word at the front of `line`, taken from it with the blanks around it.
std::string_view takeWord(std::string_view& line)
{
    line = trimmed(line);
    const std::size_t size = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, size);
    line.remove_prefix(size);
    return word;
}

/// The word at the end.
std::string_view takeLastWord(std::string_view& line)
{
    line = trimmed(line);
    const std::size_t from = line.rfind(' ') + 1; // npos + 1 is the start
    const std::string_view word = line.substr(from);
    line.remove_suffix(word.size());
    return word;
}

/// Tunnels name host and port; errors and what never asked have no URL.
std::string_view targetOf(std::string_view method, std::string_view url)
{
    const bool isNone
        = url.starts_with("error:") || url == "NONE" || url == "-" || method.starts_with("NONE");
    return isNone ? std::string_view {} : url;
}

LineOutcome SquidParser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                             LineScratch& /*scratch*/, Cut& cut) const
{
    cut.reach(layout().fields.size());
    auto& values = cut.values;
    for (const Field field : {kTime, kElapsed, kClient, kResult, kBytes, kMethod}) {
        values[field] = takeWord(line);
    }
    const std::size_t slash = values[kResult].rfind('/');
    if (slash == std::string_view::npos || slash == 0 || !isWhole(values[kBytes])
        || values[kMethod].empty()) {
        return isCut ? LineOutcome::Truncated : LineOutcome::NoMatch;
    }
    values[kStatus] = values[kResult].substr(slash + 1);
    values[kResult] = values[kResult].substr(0, slash);
    // A URL may hold blanks; what stands behind it may not.
    std::string_view rest = trimmed(line);
    const bool isWhole = std::count(rest.begin(), rest.end(), ' ') >= 3;
    if (isWhole) {
        values[kType] = takeLastWord(rest);
        values[kHierarchy] = takeLastWord(rest);
        values[kUser] = takeLastWord(rest);
        values[kUrl] = trimmed(rest);
    } else {
        values[kUrl] = takeWord(rest);
        values[kUser] = takeWord(rest);
        values[kHierarchy] = takeWord(rest);
        values[kType] = takeWord(rest);
    }
    if (isCut && !isWhole) {
        return LineOutcome::Truncated;
    }
    values[kUrl] = targetOf(values[kMethod], values[kUrl]);
    values[kMethod] = values[kMethod].starts_with("NONE") ? std::string_view {} : values[kMethod];
    cut.whole = kFields;
    cut.exact = isWhole && values[kHierarchy].find('/') != std::string_view::npos;
    return LineOutcome::Request;
}

/// A count with a fraction only: what else begins with a time is no line of Squid's.
bool SquidParser::readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                            Stamp& stamp) const
{
    return field == kTime ? readEpoch(cut.values[field], stamp)
                          : RecordParser::readStamp(field, cut, scratch, stamp);
}

constexpr std::array<std::string_view, 3> kSquidRemarks {
    "the stamp is of a request's end, to the millisecond",
    "Apache Traffic Server's format of the same name looks the same, with stamps of the start: "
    "--log-format trafficserver reads it",
    "a tunnel (CONNECT) is one request that lasts until it is closed"};
constexpr std::array<std::string_view, 2> kTrafficServerRemarks {
    "the stamp is of a request's start, to the millisecond",
    "a tunnel (CONNECT) is one request that lasts until it is closed"};

} // namespace

MadeFormat makeSquidFormat(std::string_view name, const FormatOptions& options)
{
    const bool isStart = name == "trafficserver";
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = isStart ? std::span<const RecordStamp>(kStart) : kEnd;
    rules.durations = kDurations;
    rules.targets = kTargets;
    rules.escape = Escape::None;
    rules.remarks
        = isStart ? std::span<const std::string_view>(kTrafficServerRemarks) : kSquidRemarks;
    auto layout = RecordLayout::make(rules, {kNames.begin(), kNames.end()}, options);
    if (!layout) {
        return engine::fail(layout.error());
    }
    return std::shared_ptr<const LogFormat>(std::make_shared<RecordFormat<SquidParser, bool>>(
        std::string(name), std::move(*layout), true));
}

} // namespace storage::logs

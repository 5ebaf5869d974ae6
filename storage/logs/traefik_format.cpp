#include "storage/logs/record.h"
#include "storage/logs/row_cursor.h"
#include "storage/logs/written_times.h"

#include <array>

/// Traefik's text: common log format with a tail of its own, or without one (genericCLF).
namespace storage::logs {
namespace {

enum Field : std::size_t {
    kClient,
    kUser,
    kTime,
    kRequest,
    kStatus,
    kSize,
    kReferer,
    kAgent,
    kCount,
    kRouter,
    kServer,
    kDuration,
    kFields
};

constexpr std::array<const char*, kFields> kNames {
    "client_ip", "user",       "time",          "request", "status",     "bytes",
    "referer",   "user_agent", "request_count", "router",  "server_url", "request_duration"};

constexpr std::array<RecordSource, 2> kSources {{{"method", "request"}, {"path", "request"}}};
constexpr std::array<RecordStamp, 1> kStamps {{{"time", true}}};
constexpr std::array<RecordDuration, 1> kDurations {{{"request_duration", kNamedUnit}}};
constexpr std::array<std::string_view, 1> kRemarks {
    "the time is of a request's start, in whole seconds"};

RecordRules rules()
{
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.request = "request";
    rules.timeHelp = "a row has a [time]";
    rules.escape = Escape::None;
    rules.remarks = kRemarks;
    return rules;
}

/// `"referer" "user agent"`; the agent may hold quotes.
bool cutHeaders(std::string_view text, std::string_view* values)
{
    RowCursor row(text);
    if (!row.any(values[kReferer])) {
        return false;
    }
    const std::string_view agent = row.rest();
    if (agent.size() > 1 && agent.front() == '"' && agent.back() == '"') {
        values[kAgent] = agent.substr(1, agent.size() - 2);
        return true;
    }
    return row.bare(values[kAgent]) && row.atEnd();
}

/// `... count "router" "server" 12ms`, counted from the right.
bool cutTail(RowCursor& row, std::string_view* values)
{
    RowCursor right = row;
    if (!right.lastBare(values[kDuration]) || !readDuration(values[kDuration], kNamedUnit)
        || !right.lastQuoted(values[kServer]) || !right.lastQuoted(values[kRouter])
        || !right.lastBare(values[kCount]) || !(isWhole(values[kCount]) || values[kCount] == "-")) {
        return false;
    }
    row = right;
    return true;
}

class TraefikParser final : public RecordParser {
public:
    TraefikParser(const RecordLayout& layout, NoExtra /*extra*/,
                  const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
    {
    }

    /// Without its tail a line is as well anyone's combined log.
    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override
    {
        return RecordParser::likeness(line, scratch) == 2 ? 2 : 0;
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
};

LineOutcome TraefikParser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                               LineScratch& /*scratch*/, Cut& cut) const
{
    std::string_view* const values = cut.room(kFields);
    RowCursor row(line);
    if (!row.bare(values[kClient]) || !row.rest().starts_with("- ")) {
        return LineOutcome::NoMatch;
    }
    const std::size_t bracket = line.find(" [", values[kClient].size() + 2);
    if (bracket == std::string_view::npos) {
        return LineOutcome::NoMatch;
    }
    const std::size_t user = values[kClient].size() + 3;
    values[kUser] = bracket > user ? line.substr(user, bracket - user) : std::string_view {};
    row = RowCursor(line.substr(bracket + 1));
    if (!row.bracketed(values[kTime])) {
        return LineOutcome::NoMatch;
    }
    cut.whole = kRequest;
    const std::size_t size
        = row.atQuote() ? requestSizeBeforeStatus(row.rest()) : std::string_view::npos;
    if (size == std::string_view::npos) {
        return LineOutcome::Request;
    }
    row.quotedOf(size, values[kRequest]);
    if (!row.bare(values[kStatus]) || (isCut && row.atEnd())) {
        return LineOutcome::Request;
    }
    cut.whole = kSize;
    if (!row.bare(values[kSize])) {
        return LineOutcome::Request;
    }
    const bool hasTail = cutTail(row, values);
    const bool hasHeaders = cutHeaders(row.rest(), values);
    cut.whole = hasTail ? kFields : hasHeaders ? kCount : kReferer;
    cut.exact = hasTail;
    return LineOutcome::Request;
}

} // namespace

MadeFormat makeTraefikFormat(std::string_view name, const FormatOptions& options)
{
    return makeRecordFormat<TraefikParser>(name, rules(), {kNames.begin(), kNames.end()}, options);
}

} // namespace storage::logs

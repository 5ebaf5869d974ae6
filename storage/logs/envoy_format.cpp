#include "storage/logs/record.h"
#include "storage/logs/row_cursor.h"

#include <array>

/// Envoy's default text, and Istio's, which puts values in between and behind it that differ by
/// version.
namespace storage::logs {
namespace {

enum Field : std::size_t {
    kClient, ///< made here: the peer, else the nearest of X-Forwarded-For
    kTime,
    kRequest,
    kCode,
    kFlags,
    kDetails,
    kTermination,
    kFailure,
    kReceived,
    kSent,
    kDuration,
    kService,
    kForwarded,
    kAgent,
    kId,
    kAuthority,
    kUpstream,
    kCluster,
    kLocal,
    kDownstreamLocal,
    kRemote,
    kServerName,
    kRoute,
    kFields
};

constexpr std::array<const char*, kFields> kNames {"client_ip",
                                                   "start_time",
                                                   "request",
                                                   "response_code",
                                                   "response_flags",
                                                   "response_code_details",
                                                   "connection_termination_details",
                                                   "upstream_transport_failure_reason",
                                                   "bytes_received",
                                                   "bytes_sent",
                                                   "duration_ms",
                                                   "upstream_service_time",
                                                   "x_forwarded_for",
                                                   "user_agent",
                                                   "request_id",
                                                   "authority",
                                                   "upstream_host",
                                                   "upstream_cluster",
                                                   "upstream_local_address",
                                                   "downstream_local_address",
                                                   "downstream_remote_address",
                                                   "requested_server_name",
                                                   "route_name"};

constexpr std::array<RecordSource, 6> kSources {{
    {"method", "request"},
    {"path", "request"},
    {"host", "authority"},
    {"status", "response_code"},
    {"bytes", "bytes_sent"},
    {"x_forwarded_for", "x_forwarded_for"},
}};

constexpr std::array<RecordStamp, 1> kStamps {{{"start_time", true}}};
constexpr std::array<RecordDuration, 1> kDurations {{{"duration_ms", 1'000'000}}};
constexpr std::array<std::string_view, 1> kEnvoyRemarks {
    "the only address in a row of the default format is X-Forwarded-For; its right-most entry is "
    "taken for the client"};

RecordRules rules(bool isIstio)
{
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.request = "request";
    rules.timeHelp = "a row begins with [%START_TIME%]";
    rules.escape = Escape::None;
    rules.remarks = isIstio ? std::span<const std::string_view> {} : kEnvoyRemarks;
    return rules;
}

/// Takes what stands between flags and sizes; true: the sizes are next.
bool cutDetails(RowCursor& row, std::string_view* values)
{
    constexpr int kMost = 8;
    std::size_t bare = kDetails;
    for (int i = 0; i < kMost; ++i) {
        RowCursor ahead = row;
        std::string_view received;
        std::string_view sent;
        if (ahead.bare(received) && isWhole(received) && ahead.bare(sent) && isWhole(sent)) {
            return true;
        }
        const bool isFailure = row.atQuote();
        std::string_view value;
        if (!row.any(value)) {
            return false;
        }
        if (isFailure) {
            values[kFailure] = value;
        } else if (bare < kFailure) {
            values[bare++] = value;
        }
    }
    return false;
}

/// `"forwarded" "agent" "id" "authority" "upstream"`, quotes not escaped, with only bare values
/// behind it: the last three are counted from the right if from the left they do not come out.
bool cutQuoted(RowCursor& row, std::string_view* values)
{
    RowCursor left = row;
    std::size_t at = kForwarded;
    while (at <= kUpstream && left.quoted(values[at])) {
        ++at;
    }
    const bool isRead = at > kUpstream;
    if (isRead && left.rest().find('"') == std::string_view::npos) {
        row = left;
        return true;
    }
    const std::string_view text = row.rest();
    const std::size_t last = text.rfind('"');
    RowCursor right(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
    std::array<std::string_view, 3> fixed;
    const bool isAnchored = (last + 1 == text.size() || text[last + 1] == ' ')
        && right.lastQuoted(fixed[2]) && right.lastQuoted(fixed[1]) && right.lastQuoted(fixed[0]);
    const std::string_view free = right.rest();
    const std::size_t middle = free.find("\" \"");
    if (!isAnchored || middle == std::string_view::npos || middle + 4 > free.size()
        || free.front() != '"' || free.back() != '"') {
        row = left; // something in quotes behind what is known
        return isRead;
    }
    values[kForwarded] = free.substr(1, middle - 1);
    values[kAgent] = free.substr(middle + 3, free.size() - middle - 4);
    std::copy(fixed.begin(), fixed.end(), values + kId);
    row = RowCursor(trimmed(text.substr(last + 1)));
    return true;
}

class EnvoyParser final : public RecordParser {
public:
    EnvoyParser(const RecordLayout& layout, bool isIstio, const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
        , m_isIstio(isIstio)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;

private:
    bool m_isIstio;
};

LineOutcome EnvoyParser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                             LineScratch& /*scratch*/, Cut& cut) const
{
    std::string_view* const values = cut.room(kFields);
    RowCursor row(line);
    cut.whole = kRequest;
    if (!row.bracketed(values[kTime])) {
        return LineOutcome::NoMatch;
    }
    const std::size_t size
        = row.atQuote() ? requestSizeBeforeStatus(row.rest()) : std::string_view::npos;
    if (size == std::string_view::npos) {
        return LineOutcome::Request;
    }
    row.quotedOf(size, values[kRequest]);
    if (!row.bare(values[kCode]) || !row.bare(values[kFlags])) {
        return LineOutcome::Request;
    }
    if (values[kRequest] == "- - -" && (values[kCode] == "0" || values[kCode] == "-")) {
        return LineOutcome::NotHttp;
    }
    if (values[kRequest].ends_with(" -")) { // a protocol that is not known
        values[kRequest].remove_suffix(2);
    }
    const bool isRead = cutDetails(row, values) && row.bare(values[kReceived])
        && row.bare(values[kSent]) && row.bare(values[kDuration]) && row.bare(values[kService])
        && cutQuoted(row, values);
    std::size_t at = kCluster;
    while (isRead && at < kFields && !row.atQuote() && row.bare(values[at])) {
        ++at;
    }
    const bool hasRemote = at > kRemote;
    if (!isRead || (m_isIstio && isCut && !hasRemote)) {
        return LineOutcome::Request;
    }
    const std::string_view forwarded = values[kForwarded];
    values[kClient] = hasRemote && values[kRemote] != "-"
        ? splitPort(values[kRemote]).address
        : forwarded.substr(forwarded.rfind(',') + 1); // npos + 1 is the start
    cut.whole = kFields;
    cut.exact = row.atEnd() && (m_isIstio ? hasRemote : at == kCluster && values[kDetails].empty());
    return LineOutcome::Request;
}

} // namespace

MadeFormat makeEnvoyFormat(std::string_view name, const FormatOptions& options)
{
    const bool isIstio = name == "istio";
    auto layout = RecordLayout::make(rules(isIstio), {kNames.begin(), kNames.end()}, options);
    if (!layout) {
        return engine::fail(layout.error());
    }
    return std::shared_ptr<const LogFormat>(std::make_shared<RecordFormat<EnvoyParser, bool>>(
        std::string(name), std::move(*layout), isIstio));
}

} // namespace storage::logs

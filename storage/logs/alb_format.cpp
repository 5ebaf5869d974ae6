#include "storage/logs/record.h"
#include "storage/logs/row_cursor.h"

#include <array>

/// Rows of AWS' application load balancer. Its buckets may also hold rows of network load balancers
/// (TLS) and of connections, which are no requests.
namespace storage::logs {
namespace {

enum Field : std::size_t {
    kType,
    kTime,
    kElb,
    kClient,
    kClientPort,
    kTarget,
    kRequestTime,
    kTargetTime,
    kResponseTime,
    kStatus,
    kTargetStatus,
    kReceived,
    kSent,
    kRequest,
    kAgent,
    kCipher,
    kTraceId = kCipher + 3,
};

constexpr std::array<const char*, 34> kFields {"type",
                                               "time",
                                               "elb",
                                               "client_ip",
                                               "client_port",
                                               "target",
                                               "request_processing_time",
                                               "target_processing_time",
                                               "response_processing_time",
                                               "elb_status_code",
                                               "target_status_code",
                                               "received_bytes",
                                               "sent_bytes",
                                               "request",
                                               "user_agent",
                                               "ssl_cipher",
                                               "ssl_protocol",
                                               "target_group_arn",
                                               "trace_id",
                                               "domain_name",
                                               "chosen_cert_arn",
                                               "matched_rule_priority",
                                               "request_creation_time",
                                               "actions_executed",
                                               "redirect_url",
                                               "error_reason",
                                               "target_port_list",
                                               "target_status_code_list",
                                               "classification",
                                               "classification_reason",
                                               "conn_trace_id",
                                               "transformed_host",
                                               "transformed_uri",
                                               "request_transform_status"};

constexpr std::array<RecordSource, 6> kSources {{
    {"status", "elb_status_code"},
    {"bytes", "sent_bytes"},
    {"method", "request"},
    {"path", "request"},
    {"request_id", "trace_id"},
    {"user_agent", "user_agent"},
}};

constexpr std::array<RecordStamp, 1> kStamps {{{"time"}}};
constexpr std::array<std::string_view, 3> kSum {"request_processing_time", "target_processing_time",
                                                "response_processing_time"};
constexpr std::array<std::string_view, 2> kRemarks {
    "a request starts at its request_creation_time; where that is missing, lies behind its time or "
    "more than an hour before it, at its time less the sum of the three processing times",
    "rows of network load balancers and of connections are no requests: not-http"};

RecordRules rules()
{
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.sum = kSum;
    rules.start = "request_creation_time";
    rules.request = "request";
    rules.timeHelp = "a row has time and request_creation_time";
    rules.escape = Escape::None;
    rules.isAbsolute = true;
    rules.remarks = kRemarks;
    return rules;
}

bool isType(std::string_view text)
{
    return !text.empty() && text.size() <= 8 && text.front() >= 'a' && text.front() <= 'z'
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos;
}

/// "tls 2.0 time elb listener client:port ..." of a network load balancer, and a connection's
/// "time client port listener_port protocol ...".
bool isOtherRow(std::string_view line)
{
    RowCursor row(line);
    std::array<std::string_view, 4> values;
    for (std::string_view& value : values) {
        if (!row.bare(value)) {
            return false;
        }
    }
    const bool isNetwork = isType(values[0]) && readDecimal(values[1], kSecondNs)
        && looksLikeIsoTime(values[2]) && values[3].starts_with("net/");
    return isNetwork
        || (looksLikeIsoTime(values[0]) && values[1].find_first_of(".:") != std::string_view::npos
            && isWhole(values[2]) && isWhole(values[3]));
}

/// Cipher, protocol and target group stand bare between the agent and the trace id.
bool beginsWithTls(std::string_view text)
{
    RowCursor row(text);
    std::string_view value;
    for (std::size_t i = kCipher; i < kTraceId; ++i) {
        if (row.atQuote() || !row.bare(value) || value.ends_with('"')) {
            return false;
        }
    }
    return row.atQuote() && (value == "-" || value.starts_with("arn:"));
}

std::size_t agentSize(std::string_view text)
{
    for (std::size_t at = text.find("\" ", 1); at != std::string_view::npos;
         at = text.find("\" ", at + 1)) {
        if (beginsWithTls(text.substr(at + 2))) {
            return at - 1;
        }
    }
    return std::string_view::npos;
}

class AlbParser final : public RecordParser {
public:
    AlbParser(const RecordLayout& layout, NoExtra /*extra*/, const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
};

LineOutcome AlbParser::cut(std::string_view line, bool /*isCut*/, std::size_t last,
                           LineScratch& /*scratch*/, Cut& cut) const
{
    std::string_view* const values = cut.room(kFields.size());
    RowCursor row(line);
    const auto stop = [&](std::size_t whole) {
        cut.whole = whole;
        return LineOutcome::Request;
    };
    if (!row.bare(values[kType]) || !isType(values[kType]) || !row.bare(values[kTime])
        || !looksLikeIsoTime(values[kTime])) {
        return isOtherRow(line) ? LineOutcome::NotHttp : LineOutcome::NoMatch;
    }
    for (std::size_t i = kElb; i < kRequest; ++i) {
        if (row.atQuote() || !row.bare(values[i])) {
            return stop(i);
        }
        if (i == kClient) {
            const AddressAndPort split = splitPort(values[i]);
            values[kClient] = split.address;
            values[++i] = split.port;
        }
    }
    std::size_t size = row.atQuote() ? requestSizeBeforeQuote(row.rest()) : std::string_view::npos;
    if (size != std::string_view::npos) {
        row.quotedOf(size, values[kRequest]);
        size = agentSize(row.rest());
    } else if (!row.quoted(values[kRequest])) {
        return stop(kRequest);
    }
    if (size != std::string_view::npos) {
        row.quotedOf(size, values[kAgent]);
    } else if (!row.any(values[kAgent])) {
        return stop(kAgent);
    }
    std::size_t i = kCipher;
    while (i < kFields.size() && i <= last && row.any(values[i])) {
        ++i;
    }
    cut.exact = i > kTraceId;
    return stop(i);
}

} // namespace

MadeFormat makeAlbFormat(std::string_view name, const FormatOptions& options)
{
    return makeRecordFormat<AlbParser>(name, rules(), {kFields.begin(), kFields.end()}, options);
}

} // namespace storage::logs

#include "storage/logs/record.h"
#include "storage/logs/row_cursor.h"

#include <array>

/// Rows of AWS' classic load balancer.
namespace storage::logs {
namespace {

enum Field : std::size_t {
    kTime,
    kElb,
    kClient,
    kClientPort,
    kBackend,
    kStatus = kBackend + 4,
    kRequest = kStatus + 4,
    kAgent,
    kCipher,
    kProtocol
};

constexpr std::array<const char*, 16> kFields {"timestamp",
                                               "elb",
                                               "client_ip",
                                               "client_port",
                                               "backend",
                                               "request_processing_time",
                                               "backend_processing_time",
                                               "response_processing_time",
                                               "elb_status_code",
                                               "backend_status_code",
                                               "received_bytes",
                                               "sent_bytes",
                                               "request",
                                               "user_agent",
                                               "ssl_cipher",
                                               "ssl_protocol"};

constexpr std::array<RecordSource, 4> kSources {{
    {"status", "elb_status_code"},
    {"bytes", "sent_bytes"},
    {"method", "request"},
    {"path", "request"},
}};

constexpr std::array<RecordStamp, 1> kStamps {{{"timestamp", true}}};
constexpr std::array<std::string_view, 3> kSum {
    "request_processing_time", "backend_processing_time", "response_processing_time"};
constexpr std::array<std::string_view, 2> kRemarks {
    "the timestamp is taken as the start of a request; AWS also calls it the end: "
    "--map time=timestamp reads it so",
    "rows of TCP and SSL listeners are no requests: not-http"};

RecordRules rules()
{
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.sum = kSum;
    rules.request = "request";
    rules.timeHelp = "a row has a timestamp";
    rules.escape = Escape::None;
    rules.isAbsolute = true;
    rules.remarks = kRemarks;
    return rules;
}

/// `"user agent" cipher protocol`; the agent may hold quotes.
std::size_t cutTail(std::string_view tail, std::string_view* values)
{
    RowCursor row(tail);
    if (row.lastBare(values[kProtocol]) && row.lastBare(values[kCipher]) && row.rest().size() > 1
        && row.atQuote() && row.rest().back() == '"') {
        row.quotedOf(row.rest().size() - 2, values[kAgent]);
        return kFields.size();
    }
    RowCursor left(tail);
    std::size_t whole = kAgent;
    while (whole < kFields.size() && left.any(values[whole])) {
        ++whole;
    }
    return whole;
}

class ElbParser final : public RecordParser {
public:
    ElbParser(const RecordLayout& layout, NoExtra /*extra*/, const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
};

LineOutcome ElbParser::cut(std::string_view line, bool /*isCut*/, std::size_t /*last*/,
                           LineScratch& /*scratch*/, Cut& cut) const
{
    std::string_view* const values = cut.room(kFields.size());
    RowCursor row(line);
    if (!row.bare(values[kTime]) || !looksLikeIsoTime(values[kTime])) {
        return LineOutcome::NoMatch;
    }
    for (cut.whole = kElb; cut.whole < kRequest; ++cut.whole) {
        if (row.atQuote() || !row.bare(values[cut.whole])) {
            return LineOutcome::Request;
        }
        if (cut.whole == kClient) {
            const AddressAndPort split = splitPort(values[kClient]);
            values[kClient] = split.address;
            values[kClientPort] = split.port;
            ++cut.whole;
        }
    }
    const std::size_t size
        = row.atQuote() ? requestSizeBeforeQuote(row.rest()) : std::string_view::npos;
    if (size != std::string_view::npos) {
        row.quotedOf(size, values[kRequest]);
    } else if (!row.quoted(values[kRequest])) {
        return LineOutcome::Request;
    }
    if (values[kRequest].starts_with("- - -") && values[kStatus] == "-") {
        return LineOutcome::NotHttp;
    }
    cut.whole = cutTail(row.rest(), values);
    cut.exact = cut.whole > kAgent || row.atEnd();
    return LineOutcome::Request;
}

} // namespace

MadeFormat makeElbFormat(std::string_view name, const FormatOptions& options)
{
    return makeRecordFormat<ElbParser>(name, rules(), {kFields.begin(), kFields.end()}, options);
}

} // namespace storage::logs

#include "storage/logs/record.h"
#include "storage/logs/row_cursor.h"

#include <array>

/// Rows of AWS S3's server access logs. Quotes are not escaped in request, referer and user agent;
/// fields were added at the end over the years.
namespace storage::logs {
namespace {

enum Field : std::size_t {
    kOwner,
    kBucket,
    kTime,
    kClient,
    kRequester,
    kId,
    kOperation,
    kKey,
    kRequest,
    kStatus,
    kTurnaround = kStatus + 5,
    kReferer,
    kAgent,
    kVersion,
    kFields = kVersion + 9
};

constexpr std::array<const char*, kFields> kNames {"bucket_owner",
                                                   "bucket",
                                                   "time",
                                                   "remote_ip",
                                                   "requester",
                                                   "request_id",
                                                   "operation",
                                                   "key",
                                                   "request_uri",
                                                   "http_status",
                                                   "error_code",
                                                   "bytes_sent",
                                                   "object_size",
                                                   "total_time",
                                                   "turn_around_time",
                                                   "referer",
                                                   "user_agent",
                                                   "version_id",
                                                   "host_id",
                                                   "signature_version",
                                                   "cipher_suite",
                                                   "authentication_type",
                                                   "host_header",
                                                   "tls_version",
                                                   "access_point_arn",
                                                   "acl_required"};

constexpr std::array<RecordSource, 7> kSources {{
    {"client_ip", "remote_ip"},
    {"method", "request_uri"},
    {"path", "request_uri"},
    {"host", "host_header"},
    {"status", "http_status"},
    {"user", "requester"},
    {"bytes", "bytes_sent"},
}};

constexpr std::array<RecordStamp, 1> kStamps {{{"time", true}}};
constexpr std::array<RecordDuration, 1> kDurations {{{"total_time", 1'000'000}}};
constexpr std::array<std::string_view, 2> kRemarks {
    "the time is when S3 received a request, in whole seconds; rows arrive late and in no order",
    "what S3 did by itself (expirations, keys of a batch) is no request: no-client, not-http"};

RecordRules rules()
{
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.request = "request_uri";
    rules.timeHelp = "a row has a [time]";
    rules.escape = Escape::None;
    rules.remarks = kRemarks;
    return rules;
}

bool isNil(std::string_view value)
{
    return value.empty() || value == "-";
}

/// `"referer" "user agent"`, of which each may be a bare `-`, with only bare values behind them:
/// the agent ends at the last quote of the line.
std::size_t cutReferer(RowCursor& row, std::string_view* values)
{
    const std::string_view text = row.rest();
    const std::size_t middle = row.atQuote() ? text.find("\" \"", 1) : std::string_view::npos;
    if (middle != std::string_view::npos) {
        row.quotedOf(middle - 1, values[kReferer]);
    } else if (!row.any(values[kReferer])) {
        return kReferer;
    }
    const std::size_t last = row.rest().rfind('"');
    const bool isClosed = row.atQuote() && last > 0
        && (last + 1 == row.rest().size() || row.rest()[last + 1] == ' ');
    if (isClosed) {
        row.quotedOf(last - 1, values[kAgent]);
    } else if (row.atQuote() || !row.bare(values[kAgent])) {
        return kAgent;
    }
    return kVersion;
}

class S3Parser final : public RecordParser {
public:
    S3Parser(const RecordLayout& layout, NoExtra /*extra*/, const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
};

LineOutcome S3Parser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                          LineScratch& /*scratch*/, Cut& cut) const
{
    std::string_view* const values = cut.room(kFields);
    RowCursor row(line);
    if (!row.bare(values[kOwner]) || !row.bare(values[kBucket]) || !row.bracketed(values[kTime])) {
        return LineOutcome::NoMatch;
    }
    for (cut.whole = kClient; cut.whole < kRequest; ++cut.whole) {
        if (!row.bare(values[cut.whole])) {
            return LineOutcome::Request;
        }
    }
    const std::size_t size
        = row.atQuote() ? requestSizeBeforeStatus(row.rest()) : std::string_view::npos;
    if (size != std::string_view::npos) {
        row.quotedOf(size, values[kRequest]);
    } else if (row.atQuote() || !row.bare(values[kRequest])) {
        return LineOutcome::Request;
    }
    for (cut.whole = kStatus; cut.whole <= kTurnaround; ++cut.whole) {
        if (row.atQuote() || !row.bare(values[cut.whole])) {
            break;
        }
    }
    if (isCut && row.atEnd() && cut.whole <= kTurnaround) {
        --cut.whole; // the last of them may go on
    }
    if (cut.whole > kStatus && isNil(values[kRequest])) {
        return isNil(values[kClient]) ? LineOutcome::NoClient : LineOutcome::NotHttp;
    }
    if (cut.whole > kTurnaround) {
        cut.whole = cutReferer(row, values);
    }
    while (cut.whole >= kVersion && cut.whole < kFields && row.bare(values[cut.whole])) {
        ++cut.whole;
    }
    cut.exact = cut.whole > kAgent;
    return LineOutcome::Request;
}

} // namespace

MadeFormat makeS3Format(std::string_view name, const FormatOptions& options)
{
    return makeRecordFormat<S3Parser>(name, rules(), {kNames.begin(), kNames.end()}, options);
}

} // namespace storage::logs

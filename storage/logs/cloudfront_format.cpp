#include "storage/logs/columns.h"
#include "storage/logs/headed_format.h"

#include <algorithm>
#include <array>

/// Amazon CloudFront's standard logs.
namespace storage::logs {
namespace {

constexpr std::array<std::string_view, 1> kMarks {"#Fields:"};
constexpr std::array<std::string_view, 1> kOtherMarks {"#Version:"};

/// Rows without a header are of these.
constexpr std::string_view kDocumented
    = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status "
      "cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id "
      "x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher "
      "x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port "
      "time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len "
      "sc-range-start sc-range-end";

/// Of the oldest rows, which have no more.
constexpr std::size_t kOldestColumns = 12;

constexpr RecordSource kSources[] = {
    {"client_ip", "c-ip"},
    {"request_id", "x-edge-request-id"},
    {"method", "cs-method"},
    {"target", "cs-uri-stem"},
    {"query", "cs-uri-query"},
    {"host", "x-host-header"},
    {"host", "cs(Host)"},
    {"scheme", "cs-protocol"},
    {"status", "sc-status"},
    {"user_agent", "cs(User-Agent)"},
    {"referer", "cs(Referer)"},
    {"bytes", "sc-bytes"},
    {"x_forwarded_for", "x-forwarded-for"},
};

constexpr RecordStamp kStamps[] = {{"timestamp(ms)"}, {"time"}, {"timestamp"}, {"date"}};
constexpr RecordDuration kDurations[] = {{"time-taken", kSecondNs}};
constexpr std::array<std::string_view, 1> kLists {"x-forwarded-for"};

std::optional<ColumnLayout> layoutOf(std::string_view header, const FormatOptions& options)
{
    ColumnRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.lists = kLists;
    rules.isUtc = true;
    const std::string_view named = headerText(header, "#Fields:");
    std::vector<std::string> fields = wordsOf(named.data() == nullptr ? kDocumented : named);
    const bool isOwn = std::any_of(fields.begin(), fields.end(), [](const std::string& field) {
        return field.starts_with("x-edge-");
    });
    auto layout = columnLayout(rules, std::move(fields), options);
    return layout && isOwn && layout->layout.status ? std::move(layout) : std::nullopt;
}

/// How CloudFront's own percent-encoding is undone.
enum class Encoding : std::uint8_t {
    None,
    Target, ///< as the client sent it: what it must have encoded itself stays
    Text ///< to the bytes of the header, also where it was encoded twice
};

/// The byte of "%41", or -1.
int encodedByte(std::string_view text, std::size_t at)
{
    if (at + 2 >= text.size() || text[at] != '%') {
        return -1;
    }
    const int high = hexDigit(text[at + 1]);
    const int low = hexDigit(text[at + 2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/// Bytes that CloudFront encodes and that may stand in a target as they are.
bool isOwnEncoding(std::string_view text, std::size_t at, int byte)
{
    constexpr std::string_view kEncoded = "{}|\\^~[]`'";
    if (byte == '%') { // "%2541" was "%41"
        return at + 4 < text.size() && hexDigit(text[at + 3]) >= 0 && hexDigit(text[at + 4]) >= 0;
    }
    return byte > 0 && kEncoded.find(static_cast<char>(byte)) != std::string_view::npos;
}

std::string_view decoded(std::string_view text, Encoding encoding, Arena& arena)
{
    char* const room = arena.room(text.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int byte = encodedByte(text, i);
        if (byte >= 0 && (encoding == Encoding::Text || isOwnEncoding(text, i, byte))) {
            room[size++] = static_cast<char>(byte);
            i += 2;
        } else {
            room[size++] = text[i];
        }
    }
    return arena.keep(room, size);
}

class CloudFrontParser final : public RowParser {
public:
    CloudFrontParser(const ColumnLayout& made, const std::vector<std::string>& wanted);

    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override
    {
        return line.find('\t') == std::string_view::npos ? 0 : RowParser::likeness(line, scratch);
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;

private:
    struct Encoded {
        std::size_t field = 0;
        Encoding encoding = Encoding::None;
    };

    std::vector<Encoded> m_encoded; ///< of those that are wanted
};

CloudFrontParser::CloudFrontParser(const ColumnLayout& made, const std::vector<std::string>& wanted)
    : RowParser(made, wanted)
{
    for (std::size_t i = 0; i < made.columns; ++i) {
        const std::string& name = made.layout.fields[i];
        const bool isPath = made.layout.target == i;
        const bool isWanted = isPath
            || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& attribute) {
                                  return made.layout.sourceOf(attribute) == i;
                              });
        const bool isTarget = isPath || name == "cs-uri-query" || name == "cs-uri-stem";
        const bool isText = name.starts_with("cs(") || name == "x-forwarded-for";
        if (isWanted && (isTarget || isText)) {
            m_encoded.push_back({i, isTarget ? Encoding::Target : Encoding::Text});
        }
    }
}

LineOutcome CloudFrontParser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                                  LineScratch& scratch, Cut& cut) const
{
    const std::size_t count = cutPlain(line, '\t', cut);
    end(count, isCut, cut);
    if (count < std::min(kOldestColumns, columns())) {
        return isCut ? LineOutcome::Truncated : LineOutcome::NoMatch;
    }
    for (const Encoded& encoded : m_encoded) {
        std::string_view& value = cut.values[encoded.field];
        if (!cut.has(encoded.field)
            || findByte(value.data(), value.data() + value.size(), '%')
                == value.data() + value.size()) {
            continue;
        }
        value = decoded(value, encoded.encoding, *scratch.arena);
        const bool isTwice = encoded.encoding == Encoding::Text
            && value.find("%20") != std::string_view::npos
            && value.find(' ') == std::string_view::npos;
        value = isTwice ? decoded(value, Encoding::Text, *scratch.arena) : value;
    }
    return LineOutcome::Request;
}

std::shared_ptr<const LineParser> makeRows(std::string_view header, const FormatOptions& options,
                                           const std::vector<std::string>& wanted)
{
    const auto layout = layoutOf(header, options);
    if (!layout) {
        return refusedRows(wordsOf(headerText(header, "#Fields:")).size());
    }
    return std::make_shared<CloudFrontParser>(*layout, wanted);
}

std::vector<std::string> fieldsOf(std::string_view header, const FormatOptions& options)
{
    const auto layout = layoutOf(header, options);
    return layout ? layout->layout.attributes() : std::vector<std::string> {};
}

constexpr std::array<std::string_view, 3> kRemarks {
    "the stamp is of a request's end, in UTC",
    "rows may come up to a day late and in many files: give all files of the span together",
    "CloudFront's own percent-encoding is undone"};

constexpr HeadedRules kRules {"cloudfront", kMarks,     kOtherMarks, makeRows,
                              fieldsOf,     "#Fields:", false,       kRemarks};

} // namespace

MadeFormat makeCloudFrontFormat(std::string_view /*name*/, const FormatOptions& options)
{
    return makeHeadedFormat(kRules, options);
}

} // namespace storage::logs

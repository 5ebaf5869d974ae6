#include "storage/logs/columns.h"
#include "storage/logs/headed_format.h"

#include <algorithm>
#include <array>

/// Zeek's http.log, with its header.
namespace storage::logs {
namespace {

constexpr std::array<std::string_view, 5> kMarks {"#separator", "#empty_field", "#unset_field",
                                                  "#path", "#fields"};
constexpr std::array<std::string_view, 4> kOtherMarks {"#set_separator", "#open", "#close",
                                                       "#types"};

constexpr RecordSource kSources[] = {
    {"client_ip", "id.orig_h"}, {"request_id", "uid"},
    {"method", "method"},       {"target", "uri"},
    {"host", "host"},           {"status", "status_code"},
    {"user", "username"},       {"user_agent", "user_agent"},
    {"referer", "referrer"},    {"bytes", "response_body_len"},
};

constexpr RecordStamp kStamps[] = {{"ts", true}};

struct ZeekHeader {
    char separator = '\t';
    std::string empty = "(empty)";
    std::string unset = "-";
    std::string_view path;
    std::vector<std::string> fields;
};

ZeekHeader readHeader(std::string_view text)
{
    ZeekHeader header;
    const std::string_view separator = headerText(text, "#separator");
    if (separator.starts_with("\\x") && separator.size() == 4 && hexDigit(separator[2]) >= 0
        && hexDigit(separator[3]) >= 0) {
        header.separator = static_cast<char>(hexDigit(separator[2]) * 16 + hexDigit(separator[3]));
    }
    const auto valueOf = [&](std::string_view mark) {
        std::string_view value = headerText(text, mark);
        value.remove_prefix(value.starts_with(header.separator) ? 1 : 0);
        return value;
    };
    if (const auto empty = valueOf("#empty_field"); !empty.empty()) {
        header.empty = empty;
    }
    if (const auto unset = valueOf("#unset_field"); !unset.empty()) {
        header.unset = unset;
    }
    header.path = valueOf("#path");
    for (std::string_view names = valueOf("#fields"); !names.empty();) {
        const std::size_t size = std::min(names.find(header.separator), names.size());
        header.fields.emplace_back(names.substr(0, size));
        names.remove_prefix(std::min(size + 1, names.size()));
    }
    return header;
}

std::optional<ColumnLayout> layoutOf(const ZeekHeader& header, const FormatOptions& options)
{
    ColumnRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.escape = Escape::Hex;
    rules.nil = {};
    rules.isUtc = true;
    auto layout = columnLayout(rules, header.fields, options);
    const bool isHttp = layout && layout->layout.target && layout->layout.status;
    return isHttp ? std::move(layout) : std::nullopt;
}

class ZeekParser final : public RowParser {
public:
    ZeekParser(const ColumnLayout& made, ZeekHeader header, const std::vector<std::string>& wanted)
        : RowParser(made, wanted)
        , m_header(std::move(header))
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t /*last*/,
                    LineScratch& /*scratch*/, Cut& cut) const override
    {
        const std::size_t count = cutPlain(line, m_header.separator, cut);
        for (std::size_t i = 0; i < std::min(count, columns()); ++i) {
            if (cut.values[i] == m_header.unset || cut.values[i] == m_header.empty) {
                cut.values[i] = {};
            }
        }
        return end(count, isCut, cut);
    }

private:
    ZeekHeader m_header;
};

std::shared_ptr<const LineParser> makeRows(std::string_view text, const FormatOptions& options,
                                           const std::vector<std::string>& wanted)
{
    ZeekHeader header = readHeader(text);
    const auto layout = layoutOf(header, options);
    if (!layout) {
        return refusedRows(header.fields.size());
    }
    return std::make_shared<ZeekParser>(*layout, std::move(header), wanted);
}

std::vector<std::string> fieldsOf(std::string_view text, const FormatOptions& options)
{
    const auto layout = layoutOf(readHeader(text), options);
    return layout ? layout->layout.attributes() : std::vector<std::string> {};
}

constexpr std::array<std::string_view, 2> kRemarks {
    "the stamp is of a request's start, in UTC, as the network saw it",
    "a request that Zeek could not follow to its answer has no status"};

constexpr HeadedRules kRules {"zeek",   kMarks,    kOtherMarks, makeRows,
                              fieldsOf, "#fields", true,        kRemarks};

} // namespace

MadeFormat makeZeekFormat(std::string_view /*name*/, const FormatOptions& options)
{
    return makeHeadedFormat(kRules, options);
}

} // namespace storage::logs

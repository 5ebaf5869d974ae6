#include "storage/logs/record.h"
#include "storage/logs/written_times.h"

#include <algorithm>
#include <array>

/// Microsoft's own format of IIS: commas, local time.
namespace storage::logs {
namespace {

enum Field : std::size_t {
    kClient,
    kUser,
    kDate,
    kClock,
    kService,
    kServer,
    kServerIp,
    kTaken,
    kReceived,
    kSent,
    kStatus,
    kWin32,
    kMethod,
    kTarget,
    kQuery,
    kFields
};

constexpr std::array<std::string_view, kFields> kNames {
    "client", "user",         "date",       "time",           "service",
    "server", "server_ip",    "time_taken", "bytes_received", "bytes_sent",
    "status", "win32_status", "method",     "target",         "parameters"};

constexpr RecordSource kSources[]
    = {{"client_ip", "client"}, {"user", "user"},        {"status", "status"},
       {"method", "method"},    {"query", "parameters"}, {"bytes", "bytes_sent"}};
constexpr RecordStamp kStamps[] = {{"time"}, {"date"}};
constexpr RecordDuration kDurations[] = {{"time_taken", 1'000'000}};
constexpr std::array<std::string_view, 1> kTargets {"target"};

class IisParser final : public RecordParser {
public:
    IisParser(const RecordLayout& layout, DateOrder order, const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
        , m_order(order)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
    bool readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                   Stamp& stamp) const override;

private:
    DateOrder m_order;
};

/// Commas may stand in the target and the parameters alone: the fields before them are cut from the
/// left, the parameters from the right, at the last comma with a blank, which parts values.
LineOutcome IisParser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                           LineScratch& /*scratch*/, Cut& cut) const
{
    cut.reach(layout().fields.size());
    auto& values = cut.values;
    std::string_view rest = trimmed(line);
    for (std::size_t i = kClient; i < kTarget; ++i) {
        const std::size_t comma = rest.find(',');
        if (comma == std::string_view::npos) {
            return isCut && i > kClock ? LineOutcome::Truncated : LineOutcome::NoMatch;
        }
        values[i] = trimmed(rest.substr(0, comma));
        rest.remove_prefix(comma + 1);
    }
    const bool isClosed = rest.ends_with(',');
    rest.remove_suffix(isClosed ? 1 : 0);
    const std::size_t parting = rest.rfind(", ");
    const std::size_t comma = parting == std::string_view::npos ? rest.rfind(',') : parting;
    values[kTarget] = trimmed(rest.substr(0, comma));
    values[kQuery]
        = comma == std::string_view::npos ? std::string_view {} : trimmed(rest.substr(comma + 1));
    cut.whole = kFields;
    cut.exact = isClosed && comma != std::string_view::npos;
    const auto isNumber = [&](Field field) { return isWhole(values[field]); };
    if (!isNumber(kTaken) || !isNumber(kReceived) || !isNumber(kSent) || !isNumber(kWin32)) {
        return LineOutcome::NoMatch;
    }
    const std::string_view service = values[kService];
    const bool isOther = service.starts_with("MSFTPSVC") || service.starts_with("SMTPSVC")
        || service.starts_with("NNTPSVC") || service.starts_with("FTPSVC")
        || values[kMethod].starts_with('[');
    return isOther ? LineOutcome::NotHttp : LineOutcome::Request;
}

bool IisParser::readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                          Stamp& stamp) const
{
    return field == kClock
        ? readDateAndClock(cut.values[kDate], cut.values[kClock], m_order, scratch.stamps, stamp)
        : RecordParser::readStamp(field, cut, scratch, stamp);
}

constexpr std::array<std::string_view, 3> kRemarks {
    "the stamp is of a request's end, in the server's local time: --tz says which",
    "dates are read with the month first (11/28/26); --map time=time:dmy reads them with the day "
    "first",
    "a date does not say which of its two first numbers is the month"};

} // namespace

MadeFormat makeIisFormat(std::string_view name, const FormatOptions& options)
{
    constexpr std::string_view kDayFirst = ":dmy";
    FormatOptions own = options;
    DateOrder order = DateOrder::MonthFirst;
    for (FieldMapping& mapping : own.mappings) {
        if (mapping.name == "time" && mapping.field.ends_with(kDayFirst)) {
            mapping.field.erase(mapping.field.size() - kDayFirst.size());
            order = DateOrder::DayFirst;
        }
    }
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.targets = kTargets;
    rules.escape = Escape::None;
    rules.remarks = kRemarks;
    auto layout = RecordLayout::make(rules, {kNames.begin(), kNames.end()}, own);
    if (!layout) {
        return engine::fail(layout.error());
    }
    return std::shared_ptr<const LogFormat>(std::make_shared<RecordFormat<IisParser, DateOrder>>(
        std::string(name), std::move(*layout), order));
}

} // namespace storage::logs

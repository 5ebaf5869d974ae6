#include "storage/logs/haproxy_line.h"
#include "storage/logs/record.h"

#include <array>
#include <cstring>

/// HAProxy's httplog (and httpslog), of all versions.
namespace storage::logs {
namespace {

constexpr std::array<RecordSource, 5> kSources {{
    {"client_ip", "client_ip"},
    {"method", "request"},
    {"path", "request"},
    {"status", "status_code"},
    {"bytes", "bytes_read"},
}};

constexpr std::array<RecordStamp, 1> kStamps {{{"request_date", true}}};
constexpr std::array<RecordDuration, 1> kDurations {{{"time_active", 1'000'000}}};
constexpr std::array<std::string_view, 3> kRemarks {
    "the time in brackets is taken as the start of a request; up to HAProxy 1.6 it is when the "
    "connection was accepted: where syslog's time is later than it and the duration together by "
    "1 s to 10 min, the request started at syslog's time less the duration",
    "times name no zone: they are read as UTC, or as --tz says",
    "a duration written as +N is a lower bound"};

RecordRules rules()
{
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.request = "request";
    rules.timeHelp = "a row has a [time]";
    rules.escape = Escape::Sharp;
    rules.isAbsolute = true;
    rules.remarks = kRemarks;
    return rules;
}

class HaproxyParser final : public RecordParser {
public:
    HaproxyParser(const RecordLayout& layout, const std::vector<std::string>& wanted)
        : RecordParser(layout, wanted)
        , m_hasOwnTime(layout.stamps.size() == 1)
    {
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
    bool readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                   Stamp& stamp) const override;
    bool readTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const override;

private:
    bool m_hasOwnTime; ///< no time was mapped
};

LineOutcome HaproxyParser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                               LineScratch& scratch, Cut& cut) const
{
    std::string_view* const values = cut.room(haproxy::kFields);
    const haproxy::LineCut found = haproxy::cutLine(line, isCut, values);
    cut.whole = found.whole;
    cut.exact = found.isExact;
    if (!scratch.outer.time.empty()) {
        values[haproxy::kSyslogTime] = scratch.outer.time;
    }
    return found.outcome;
}

bool HaproxyParser::readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                              Stamp& stamp) const
{
    return haproxy::readTime(cut.values[field], scratch.stamps, stamp)
        || readAnyTime(cut.values[field], scratch.stamps, stamp);
}

bool HaproxyParser::readTimes(const Cut& cut, LineScratch& scratch, engine::Request& request) const
{
    if (!RecordParser::readTimes(cut, scratch, request)) {
        return false;
    }
    const std::string_view text = cut.values[haproxy::kSyslogTime];
    if (!m_hasOwnTime || request.durationNs < 0 || text.empty()) {
        return true;
    }
    Stamp logged;
    StampCache cache; // of its own: it would push the brackets' date out
    if (!haproxy::readSyslogTime(text, cut.values[haproxy::kTime], cache, logged)) {
        return true;
    }
    const auto counts = scratch.localTimes;
    applyZone(layout().options.zone.get(), scratch, logged);
    scratch.localTimes = counts; // one line, one local time
    const std::int64_t gap
        = cappedDifference(cappedDifference(logged.ns, request.durationNs), request.stampNs);
    if (gap > haproxy::kLeastGapNs && gap < haproxy::kMostGapNs) {
        setTimes(logged, false, request.durationNs, request);
    }
    return true;
}

class HaproxyFormat final : public LogFormat {
public:
    HaproxyFormat(std::string name, RecordLayout layout)
        : m_name(std::move(name))
        , m_layout(std::move(layout))
    {
    }

    [[nodiscard]] std::string name() const override { return m_name; }

    /// Without the captures: lines say how many there are.
    [[nodiscard]] std::vector<std::string> fields() const override
    {
        std::vector<std::string> names = m_layout.attributes();
        std::erase_if(names, [](const std::string& name) {
            return name.find("_capture_") != std::string::npos || name == "syslog_time";
        });
        return names;
    }

    [[nodiscard]] bool isOpenEnded() const override { return true; }

    void collectFields(std::string_view line, FieldNames& names) const override
    {
        std::array<std::string_view, haproxy::kFields> values;
        if (haproxy::cutLine(line, false, values.data()).outcome != LineOutcome::Request) {
            return;
        }
        for (std::size_t i = haproxy::kRequestCapture; i < haproxy::kFields; ++i) {
            if (values[i].data() != nullptr) {
                names.add(m_layout.fields[i]);
            }
        }
    }

    [[nodiscard]] std::vector<std::string> remarks() const override
    {
        return {kRemarks.begin(), kRemarks.end()};
    }

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& wanted) const override
    {
        return std::make_unique<HaproxyParser>(m_layout, wanted);
    }

private:
    std::string m_name;
    RecordLayout m_layout;
};

} // namespace

MadeFormat makeHaproxyFormat(std::string_view name, const FormatOptions& options)
{
    auto layout = RecordLayout::make(rules(), haproxy::fieldNames(), options);
    if (!layout) {
        return engine::fail(layout.error());
    }
    return std::shared_ptr<const LogFormat>(
        std::make_shared<HaproxyFormat>(std::string(name), std::move(*layout)));
}

} // namespace storage::logs

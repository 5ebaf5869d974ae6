#include "storage/logs/columns.h"
#include "storage/logs/headed_format.h"

#include <algorithm>
#include <array>

/// W3C extended log files: IIS, Exchange, ISA and TMG, ProxySG, Tomcat, WebLogic, Oracle Web Cache.
namespace storage::logs {
namespace {

constexpr std::array<std::string_view, 6> kMarks {
    "#Software:", "#Date:", "#Start-Date:", "#Fields:", "#GMT-Offset:", "#Time Format:"};

constexpr RecordSource kSources[] = {
    {"client_ip", "c-ip"},
    {"client_ip", "ClientIpAddress"},
    {"client_ip", "client-ip"},
    {"client_ip", "c-dns"},
    {"request_id", "cs(X-Request-Id)"},
    {"request_id", "RequestId"},
    {"request_id", "x-edge-request-id"},
    {"method", "cs-method"},
    {"method", "Method"},
    {"target", "cs-uri-stem"},
    {"target", "cs-uri-path"},
    {"target", "cs-uri"},
    {"target", "UrlStem"},
    {"query", "cs-uri-query"},
    {"query", "UrlQuery"},
    {"host", "cs-host"},
    {"host", "cs(Host)"},
    {"host", "UrlHost"},
    {"scheme", "cs-uri-scheme"},
    {"status", "sc-status"},
    {"status", "HttpStatus"},
    {"user", "cs-username"},
    {"user", "cs-auth-id"},
    {"user", "c-auth-id"},
    {"user", "AuthenticatedUser"},
    {"api_key", "cs(X-Api-Key)"},
    {"user_agent", "cs(User-Agent)"},
    {"user_agent", "c-agent"},
    {"user_agent", "cs-user-agent"},
    {"user_agent", "UserAgent"},
    {"referer", "cs(Referer)"},
    {"referer", "cs(Referrer)"},
    {"referer", "cs-referred"},
    {"bytes", "sc-bytes"},
    {"bytes", "bytes"},
    {"x_forwarded_for", "cs(X-Forwarded-For)"},
    {"x_forwarded_for", "X-Forwarded-For"},
    {"x_forwarded_for", "OriginalIP"},
};

constexpr RecordStamp kStamps[] = {{"BeginRequest-UTC", true},
                                   {"EndRequest-UTC"},
                                   {"time"},
                                   {"DateTime"},
                                   {"date-time"},
                                   {"date"}};

constexpr std::int64_t kMillisecond = 1'000'000;
constexpr RecordDuration kInSeconds[] = {
    {"TimeTakenMS", kMillisecond}, {"TotalRequestTime", kMillisecond}, {"time-taken", kSecondNs}};
constexpr RecordDuration kInMs[] = {{"TimeTakenMS", kMillisecond},
                                    {"TotalRequestTime", kMillisecond},
                                    {"time-taken", kMillisecond}};
constexpr RecordDuration kInUs[] = {{"time-taken", 1'000}};

constexpr std::array<std::string_view, 5> kOtherMarks {
    "#Version:", "#Verson:", "#Remark:", "#End-Date:", "#Log-type:"};

/// Commands of mail, news and file transfer, which IIS writes into logs of the same kind. Sorted.
constexpr std::array<std::string_view, 58> kOtherCommands {
    "ABOR", "ACCT", "ALLO", "APPE", "AUTH", "BDAT",     "CCC",  "CDUP", "CWD",  "DATA",
    "DELE", "EHLO", "EPRT", "EPSV", "ETRN", "EXPN",     "FEAT", "HELO", "HELP", "LIST",
    "MAIL", "MDTM", "MKD",  "MLSD", "MLST", "MODE",     "NLST", "NOOP", "OPTS", "PASS",
    "PASV", "PBSZ", "PORT", "PROT", "PWD",  "QUIT",     "RCPT", "REST", "RETR", "RMD",
    "RNFR", "RNTO", "RSET", "SITE", "SIZE", "STARTTLS", "STAT", "STOR", "STOU", "STRU",
    "SYST", "TURN", "TYPE", "USER", "VRFY", "XMKD",     "XPWD", "XRMD"};

enum class Quotes : std::uint8_t { Raw, Around };

/// What a header says of the rows below it.
struct W3cHeader {
    std::vector<std::string> fields;
    bool hasCommas = false;
    std::string_view software;
    std::optional<std::int64_t> day; ///< of #Date, in days since 1970
    std::int64_t clockNs = 0; ///< of #Date
    std::int64_t offsetNs = 0; ///< of #GMT-Offset
    bool isLocal = false;
};

bool mentions(std::string_view text, std::string_view word)
{
    return text.find(word) != std::string_view::npos;
}

std::vector<std::string> listOf(std::string_view text)
{
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t size = std::min(text.find(','), text.size());
        names.emplace_back(trimmed(text.substr(0, size)));
        text.remove_prefix(std::min(size + 1, text.size()));
    }
    return names;
}

W3cHeader readHeader(std::string_view text)
{
    W3cHeader header;
    const std::string_view fields = headerText(text, "#Fields:");
    header.hasCommas = fields.find(',') != std::string_view::npos;
    header.fields = header.hasCommas ? listOf(fields) : wordsOf(fields);
    header.software = headerText(text, "#Software:");
    header.isLocal = headerText(text, "#Time Format:") == "Local";
    std::string_view date = headerText(text, "#Date:");
    if (date.empty()) {
        date = headerText(text, "#Start-Date:");
    }
    const std::size_t blank = std::min(date.find(' '), date.size());
    std::string_view clock = trimmed(date.substr(blank));
    DayClock read;
    header.day = readDate(date.substr(0, blank), DateOrder::MonthFirst);
    if (readDayClock(clock, read)) {
        header.clockNs = read.ns;
    }
    std::int64_t offset = 0;
    if (readZone(headerText(text, "#GMT-Offset:"), offset)) {
        header.offsetNs = offset * kSecondNs;
    }
    return header;
}

bool has(const std::vector<std::string>& fields, std::string_view name)
{
    return std::any_of(fields.begin(), fields.end(), [&](const std::string& field) {
        return plainName(field) == plainName(name);
    });
}

/// IIS and its kin count time-taken in ms, Oracle's cache in us, the draft and all others in s.
std::span<const RecordDuration> durationsOf(const W3cHeader& header)
{
    if (mentions(header.software, "Web Cache")) {
        return kInUs;
    }
    const bool isKin = mentions(header.software, "Microsoft") || mentions(header.software, "IIS")
        || mentions(header.software, "SGOS")
        || (header.software.empty()
            && (has(header.fields, "sc-win32-status") || has(header.fields, "sc-substatus")
                || has(header.fields, "s-sitename") || has(header.fields, "s-computername")));
    return isKin ? std::span<const RecordDuration>(kInMs)
                 : std::span<const RecordDuration>(kInSeconds);
}

std::optional<ColumnLayout> layoutOf(const W3cHeader& header, const FormatOptions& options)
{
    constexpr std::array<std::string_view, 3> kLists {"cs(X-Forwarded-For)", "X-Forwarded-For",
                                                      "OriginalIP"};
    ColumnRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = durationsOf(header);
    rules.lists = kLists;
    rules.isUtc = !header.isLocal;
    auto layout = columnLayout(rules, header.fields, options);
    const bool isFtp = has(header.fields, "x-session");
    return layout && layout->saysRequests() && !isFtp ? std::move(layout) : std::nullopt;
}

class W3cParser final : public RowParser {
public:
    W3cParser(const ColumnLayout& made, const W3cHeader& header,
              const std::vector<std::string>& wanted);

    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override
    {
        const int likeness = RowParser::likeness(line, scratch);
        return m_isCloudFront ? std::min(likeness, 1) : likeness;
    }

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
    bool readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                   Stamp& stamp) const override;

private:
    std::size_t cutTabs(std::string_view line, Cut& cut) const;
    std::size_t cutBlanks(std::string_view line, LineScratch& scratch, Cut& cut) const;
    std::string_view takeQuoted(std::string_view line, std::size_t& at, LineScratch& scratch) const;
    [[nodiscard]] bool isOtherProtocol(const Cut& cut) const;
    void mend(Cut& cut, Arena& arena) const;

    [[nodiscard]] std::string_view valueOf(std::optional<std::size_t> field, const Cut& cut) const
    {
        return field && cut.has(*field) ? cut.values[*field] : std::string_view {};
    }

    bool m_hasCommas;
    Quotes m_quotes;
    bool m_isCloudFront;
    std::optional<std::int64_t> m_day;
    std::int64_t m_clockNs;
    std::int64_t m_offsetNs;
    std::optional<std::size_t> m_method;
    std::optional<std::size_t> m_site;
    std::optional<std::size_t> m_version;
    std::optional<std::size_t> m_agent; ///< wanted: its blanks are undone
    std::optional<std::size_t> m_query;
};

W3cParser::W3cParser(const ColumnLayout& made, const W3cHeader& header,
                     const std::vector<std::string>& wanted)
    : RowParser(made, wanted)
    , m_hasCommas(header.hasCommas)
    , m_quotes(mentions(header.software, "Internet Information Serv") ? Quotes::Raw
                                                                      : Quotes::Around)
    , m_isCloudFront(has(header.fields, "x-edge-location"))
    , m_day(made.date ? std::nullopt : header.day)
    , m_clockNs(header.clockNs)
    , m_offsetNs(header.offsetNs)
    , m_method(made.layout.sourceOf("method"))
    , m_site(made.layout.indexOf("s-sitename"))
    , m_version(made.layout.indexOf("cs-version"))
    , m_query(made.layout.sourceOf("query"))
{
    const auto agent = made.layout.sourceOf("user_agent");
    const bool isWanted
        = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& attribute) {
              return agent && made.layout.sourceOf(attribute) == agent;
          });
    m_agent = isWanted ? agent : std::nullopt;
}

std::size_t W3cParser::cutTabs(std::string_view line, Cut& cut) const
{
    std::size_t count = 0;
    for (std::size_t at = 0; at <= line.size(); ++count) {
        const std::size_t end = std::min(line.find('\t', at), line.size());
        if (count < columns()) {
            std::string_view value = trimmed(line.substr(at, end - at));
            if (value.size() > 1 && value.front() == '"' && value.back() == '"') {
                value = value.substr(1, value.size() - 2);
            }
            cut.values[count] = value;
        }
        at = end + 1;
    }
    return count;
}

/// A value in quotes, two of which stand for one; empty data() if it is none. `at` is its quote.
std::string_view W3cParser::takeQuoted(std::string_view line, std::size_t& at,
                                       LineScratch& scratch) const
{
    bool hasDoubled = false;
    std::size_t end = line.find('"', at + 1);
    while (end != std::string_view::npos && end + 1 < line.size() && !isBlank(line[end + 1])) {
        hasDoubled = hasDoubled || line[end + 1] == '"';
        end = line.find('"', end + (line[end + 1] == '"' ? 2 : 1));
    }
    if (end == std::string_view::npos) {
        return {};
    }
    const std::string_view raw = line.substr(at + 1, end - at - 1);
    at = end + 1;
    if (!hasDoubled) {
        return raw;
    }
    char* const room = scratch.arena->room(raw.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        room[size++] = raw[i];
        i += raw[i] == '"' && i + 1 < raw.size() && raw[i + 1] == '"' ? 1U : 0U;
    }
    return scratch.arena->keep(room, size);
}

std::size_t W3cParser::cutBlanks(std::string_view line, LineScratch& scratch, Cut& cut) const
{
    std::size_t count = 0;
    std::size_t at = 0;
    while (at < line.size()) {
        if (isBlank(line[at])) {
            ++at;
            continue;
        }
        std::string_view value;
        const std::size_t from = at;
        if (line[at] == '"' && m_quotes == Quotes::Around) {
            value = takeQuoted(line, at, scratch);
        }
        if (at == from) {
            while (at < line.size() && !isBlank(line[at])) {
                ++at;
            }
            value = line.substr(from, at - from);
        }
        if (count < columns()) {
            cut.values[count] = value;
        }
        ++count;
    }
    return count;
}

bool W3cParser::isOtherProtocol(const Cut& cut) const
{
    const std::string_view method = valueOf(m_method, cut);
    if (method == "GET" || method == "POST") {
        return false;
    }
    const auto isNil = [](std::string_view value) { return value.empty() || value == "-"; };
    const auto target = layout().target;
    if (isNil(method) && isNil(valueOf(target, cut)) && isNil(valueOf(layout().status, cut))
        && (m_method || target || layout().status)) {
        return true; // a connection that never asked
    }
    const std::string_view site = valueOf(m_site, cut);
    const std::string_view version = valueOf(m_version, cut);
    if (site.starts_with("W3SVC") || version.starts_with("HTTP")) {
        return false;
    }
    return site.starts_with("SMTPSVC") || site.starts_with("MSFTPSVC")
        || site.starts_with("NNTPSVC") || site.starts_with("FTPSVC") || version == "SMTP"
        || method.starts_with('[') || method.starts_with("ControlChannel")
        || method.starts_with("DataChannel")
        || std::binary_search(kOtherCommands.begin(), kOtherCommands.end(), method);
}

/// Blanks of an agent come as `+`; some write the query with its `?`.
void W3cParser::mend(Cut& cut, Arena& arena) const
{
    if (m_query && cut.has(*m_query) && cut.values[*m_query].starts_with('?')) {
        cut.values[*m_query].remove_prefix(1);
    }
    if (m_agent && cut.has(*m_agent)) {
        std::string_view& agent = cut.values[*m_agent];
        const bool hasBlanks = agent.find(' ') != std::string_view::npos;
        if (!hasBlanks && agent.find('+') != std::string_view::npos) {
            char* const room = arena.room(agent.size());
            std::replace_copy(agent.begin(), agent.end(), room, '+', ' ');
            agent = arena.keep(room, agent.size());
        }
    }
}

LineOutcome W3cParser::cut(std::string_view line, bool isCut, std::size_t /*last*/,
                           LineScratch& scratch, Cut& cut) const
{
    cut.reach(layout().fields.size());
    LineOutcome outcome = LineOutcome::Request;
    if (m_hasCommas) {
        outcome = cutQuoted(line, ',', scratch, cut);
    } else {
        const char* const stop = line.data() + line.size();
        const bool hasTabs = findByte(line.data(), stop, '\t') < stop;
        const bool isTabbed = hasTabs
            && static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) * 2
                >= columns();
        const std::size_t count = isTabbed ? cutTabs(line, cut) : cutBlanks(line, scratch, cut);
        outcome = end(count, isCut, cut);
    }
    if (outcome != LineOutcome::Request) {
        return outcome == LineOutcome::Truncated && !isCut ? LineOutcome::NoMatch : outcome;
    }
    if (isOtherProtocol(cut)) {
        return LineOutcome::NotHttp;
    }
    mend(cut, *scratch.arena);
    return LineOutcome::Request;
}

bool W3cParser::readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                          Stamp& stamp) const
{
    if (!m_day || field != clockColumn()) {
        if (!RowParser::readStamp(field, cut, scratch, stamp)) {
            return false;
        }
        stamp.ns -= m_offsetNs;
        return stamp.ns >= 0;
    }
    constexpr std::int64_t kDayNs = 86'400 * kSecondNs;
    constexpr std::int64_t kSlackNs = 60 * kSecondNs; // rows may be a little older than the header
    std::string_view text = cut.values[field];
    DayClock clock;
    if (!readDayClock(text, clock) || !text.empty()) {
        return false;
    }
    const bool isNextDay = clock.ns < m_clockNs - kSlackNs;
    stamp.ns = (*m_day + (isNextDay ? 1 : 0)) * kDayNs + clock.ns - m_offsetNs;
    stamp.resolutionNs = clock.resolutionNs;
    return stamp.ns >= 0;
}

std::shared_ptr<const LineParser> makeRows(std::string_view text, const FormatOptions& options,
                                           const std::vector<std::string>& wanted)
{
    const W3cHeader header = readHeader(text);
    const auto layout = layoutOf(header, options);
    if (!layout) {
        return refusedRows(header.fields.size());
    }
    return std::make_shared<W3cParser>(*layout, header, wanted);
}

std::vector<std::string> fieldsOf(std::string_view text, const FormatOptions& options)
{
    const auto layout = layoutOf(readHeader(text), options);
    return layout ? layout->layout.attributes() : std::vector<std::string> {};
}

constexpr std::array<std::string_view, 3> kRemarks {
    "the stamp is of a request's end, in UTC",
    "time-taken is in milliseconds where #Software names IIS or its kin, else in seconds",
    "rows that have a time only are of the day of the #Date above them, or of the day after it"};

constexpr HeadedRules kRules {"w3c",    kMarks,     kOtherMarks, makeRows,
                              fieldsOf, "#Fields:", true,        kRemarks};

} // namespace

MadeFormat makeW3cFormat(std::string_view /*name*/, const FormatOptions& options)
{
    return makeHeadedFormat(kRules, options);
}

} // namespace storage::logs

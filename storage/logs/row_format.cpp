#include "storage/logs/row_format.h"

#include "storage/logs/error_log.h"
#include "storage/logs/plain_row.h"

#include <algorithm>
#include <array>

namespace storage::logs {
namespace {

constexpr std::array<RecordSource, 34> kSources {{
    {"client_ip", "remote_addr"},
    {"client_ip", "remote_host"},
    {"client_ip", "realip_remote_addr"},
    {"client_ip", "peer_host"},
    {"client_ip", "http_x_real_ip"},
    {"client_ip", "http_x_forwarded_for"},
    {"client_ip", "proxy_add_x_forwarded_for"},
    {"request_id", "request_id"},
    {"request_id", "req_id"},
    {"request_id", "http_x_request_id"},
    {"request_id", "env_unique_id"},
    {"request_id", "request_log_id"},
    {"method", "request_method"},
    {"method", "request"},
    {"path", "request_uri"},
    {"path", "request"},
    {"path", "uri"},
    {"path", "document_uri"},
    {"query", "args"},
    {"query", "query_string"},
    {"host", "host"},
    {"host", "http_host"},
    {"host", "server_name"},
    {"scheme", "scheme"},
    {"status", "status"},
    {"status", "original_status"},
    {"user", "remote_user"},
    {"api_key", "http_x_api_key"},
    {"user_agent", "http_user_agent"},
    {"referer", "http_referer"},
    {"bytes", "body_bytes_sent"},
    {"bytes", "bytes_sent"},
    {"x_forwarded_for", "http_x_forwarded_for"},
    {"x_forwarded_for", "proxy_add_x_forwarded_for"},
}};

constexpr std::array<RecordStamp, 3> kStamps {{{"msec"}, {"time_iso8601"}, {"time_local"}}};
constexpr std::array<RecordDuration, 1> kDurations {{{"request_time"}}};
constexpr std::array<std::string_view, 3> kTargets {"request_uri", "uri", "document_uri"};
constexpr std::array<std::string_view, 2> kLists {"http_x_forwarded_for",
                                                  "proxy_add_x_forwarded_for"};

using Places = std::vector<std::size_t>; ///< where a pattern's fields are among all

struct Shapes {
    RowShapes shapes;
    std::vector<Places> places; ///< of the patterns behind the first
};

class RowParser final : public RecordParser {
public:
    RowParser(const RecordLayout& layout, const Shapes& shapes,
              const std::vector<std::string>& wanted);

    bool parsePlain(std::string_view line, LineScratch& scratch, engine::Request& request,
                    std::string_view* values) const override;
    [[nodiscard]] int likeness(std::string_view line, LineScratch& scratch) const override;

protected:
    LineOutcome cut(std::string_view line, bool isCut, std::size_t last, LineScratch& scratch,
                    Cut& cut) const override;
    bool readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                   Stamp& stamp) const override;

private:
    static const LineMarks& marksOf(std::string_view line, LineScratch& scratch);
    void settleUser(Cut& cut) const;
    [[nodiscard]] bool hasMoreInFront(const Cut& cut) const;
    [[nodiscard]] bool hasBracketedUser(const Cut& cut) const;
    [[nodiscard]] bool isOfOtherProtocol(const Cut& cut) const;

    [[nodiscard]] const RowPattern& first() const { return m_shapes.shapes.patterns.front(); }

    /// The patterns behind the first have no lines that this fits as far as is needed.
    [[nodiscard]] bool isLone() const
    {
        return m_shapes.places.empty() || m_shapes.shapes.othersMayMiss;
    }

    [[nodiscard]] std::optional<PlainRow> makePlain() const;
    bool cutOtherwise(std::string_view line, Cut& cut) const;

    Shapes m_shapes;
    std::size_t m_roomOfCuts;
    std::optional<std::size_t> m_logname;
    std::optional<std::size_t> m_user;
    bool m_isTimeBehindUser = false; ///< "$remote_user [$time_local]"
    std::vector<std::size_t> m_nilInOthers;
    std::size_t m_lastOwn = 0; ///< the last field that is looked at here: of a time, or the user
    std::optional<PlainRow> m_plain;
};

RowParser::RowParser(const RecordLayout& layout, const Shapes& shapes,
                     const std::vector<std::string>& wanted)
    : RecordParser(layout, wanted)
    , m_shapes(shapes)
    , m_roomOfCuts(std::max(RowPattern::kMaxFields, layout.fields.size()))
    , m_logname(layout.indexOf("remote_logname"))
    , m_user(layout.indexOf("remote_user"))
{
    for (const std::string& field : shapes.shapes.nilInOthers) {
        if (const auto found = layout.indexOf(field)) {
            m_nilInOthers.push_back(*found);
        }
    }
    const auto& tokens = first().tokens();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        m_lastOwn = tokens[i].clock ? i : m_lastOwn;
    }
    m_isTimeBehindUser = m_user && *m_user + 1 < tokens.size() && tokens[*m_user].literal == " ["
        && tokens[*m_user + 1].mayLackBracket;
    if (m_user) {
        m_lastOwn = std::max(m_lastOwn, *m_user + (m_isTimeBehindUser ? 1U : 0U));
    }
    m_plain = makePlain();
}

std::optional<PlainRow> RowParser::makePlain() const
{
    const std::size_t count = first().tokens().size();
    PlainRow::Rules rules;
    rules.last = isLone() ? std::min(std::max(last(), m_lastOwn), count - 1) : count - 1;
    rules.mustFit = !isLone();
    rules.user = m_user;
    const auto& nil = m_nilInOthers;
    rules.mayBeOther = nil.size() > 1
        && (!layout().status || std::find(nil.begin(), nil.end(), *layout().status) == nil.end());
    return PlainRow::make(first(), layout(), rules);
}

bool RowParser::parsePlain(std::string_view line, LineScratch& scratch, engine::Request& request,
                           std::string_view* values) const
{
    if (!m_plain) {
        return false;
    }
    Cut cut {scratch.cuts, first().count()};
    cut.hasNoBackslash = true;
    cut.reach(m_roomOfCuts);
    PlainRow::Values found;
    if (!m_plain->read(line, scratch.marks, scratch.stamps, cut.values, request, found)) {
        return false;
    }
    fill(cut, *scratch.arena, {found.client, found.status, request.durationNs}, values);
    return true;
}

/// The user is what a client says: one with " [" in it ends where the time begins, and blanks
/// around a "-" (Jetty) or quotes around nothing (Apache) are none.
void RowParser::settleUser(Cut& cut) const
{
    constexpr std::size_t kPlainStamp = 26; // 28/Nov/2026:00:00:00 +0000
    if (!m_user || !cut.has(*m_user) || cut.values[*m_user].data() == nullptr) {
        return; // a shape without a user
    }
    std::string_view& user = cut.values[*m_user];
    if (m_isTimeBehindUser && cut.has(*m_user + 1)) {
        std::string_view& time = cut.values[*m_user + 1];
        const std::size_t open
            = time.size() == kPlainStamp ? std::string_view::npos : time.rfind(" [");
        if (open != std::string_view::npos) {
            user = {user.data(), static_cast<std::size_t>(time.data() + open - user.data())};
            time.remove_prefix(open + 2);
        }
    }
    if (!user.empty() && (isBlank(user.front()) || isBlank(user.back()))) {
        user = trimmed(user);
    }
    if (user == R"("")") {
        user = user.substr(0, 0);
    }
}

/// With a field more than the format has in front of a line ("host client - - [") its client would
/// be the host, and the user two words.
bool RowParser::hasMoreInFront(const Cut& cut) const
{
    if (!m_user || !cut.has(*m_user) || cut.values[*m_user].size() < 2) {
        return false;
    }
    const std::string_view user = cut.values[*m_user];
    const bool isTwoWords = user.find(' ') != std::string_view::npos;
    return user.starts_with("- ") || (isTwoWords && m_logname && cut.values[*m_logname] != "-");
}

const LineMarks& RowParser::marksOf(std::string_view line, LineScratch& scratch)
{
    if (scratch.isMarked && scratch.marks.cover(line)) {
        return scratch.marks;
    }
    scratch.innerMarks.scan(line);
    return scratch.innerMarks;
}

LineOutcome RowParser::cut(std::string_view line, bool isCut, std::size_t last,
                           LineScratch& scratch, Cut& cut) const
{
    cut.reach(m_roomOfCuts);
    const std::size_t end = isLone() ? std::max(last, m_lastOwn) : layout().fields.size();
    const LineMarks& marks = marksOf(line, scratch);
    const std::size_t lastToken = std::min(end, first().tokens().size() - 1);
    cut.hasNoBackslash = marks.isPlain() && lastToken < first().plainCount()
        && first().cutPlain(line, marks, lastToken, cut.values, cut.exact);
    cut.whole = cut.hasNoBackslash ? first().tokens().size()
                                   : first().cut(line, end, cut.values, cut.exact);
    settleUser(cut);
    const bool isUnfit
        = isLone() ? cut.whole <= layout().lastRequired : !cut.exact || hasBracketedUser(cut);
    if (isUnfit && cutOtherwise(line, cut)) {
        settleUser(cut);
        return LineOutcome::Request;
    }
    if (cut.whole <= layout().lastRequired && isErrorLogLine(line)) {
        return LineOutcome::ErrorLog;
    }
    if (hasMoreInFront(cut)) {
        return LineOutcome::NoMatch;
    }
    if (isOfOtherProtocol(cut)) {
        return LineOutcome::NotHttp;
    }
    const auto& tokens = first().tokens();
    if (cut.whole < tokens.size() && !isCut) {
        // A writer that stops behind a bare value wrote it whole; inside quotes it did not. Behind
        // a number there may be something else.
        std::string_view& rest = cut.values[cut.whole];
        const std::string_view word = rest.substr(0, rest.find(' '));
        const bool isWord = word.size() == rest.size() || word == "-" || isWhole(word);
        if (tokens[cut.whole].literal.starts_with(' ') && !word.empty() && isWord) {
            rest = word;
            ++cut.whole;
        }
    }
    return LineOutcome::Request;
}

bool RowParser::isOfOtherProtocol(const Cut& cut) const
{
    // A status alone may be missing of a request that was never answered.
    return m_nilInOthers.size() > 1
        && std::all_of(m_nilInOthers.begin(), m_nilInOthers.end(), [&](std::size_t field) {
               return cut.has(field) && (cut.values[field] == "-" || cut.values[field] == "0");
           });
}

/// "address - [address] - user" has one more field than "address - user", which fits as well.
bool RowParser::hasBracketedUser(const Cut& cut) const
{
    return m_user && cut.has(*m_user) && cut.values[*m_user].starts_with("[");
}

/// Whether one of the patterns behind the first fits all of the line.
bool RowParser::cutOtherwise(std::string_view line, Cut& cut) const
{
    std::array<std::string_view, RowPattern::kMaxFields> found;
    const auto& patterns = m_shapes.shapes.patterns;
    for (std::size_t i = 1; i < patterns.size(); ++i) {
        bool exact = false;
        patterns[i].cut(line, RowPattern::kMaxFields, found, exact);
        if (!exact) {
            continue;
        }
        const Places& places = m_shapes.places[i - 1];
        std::fill_n(cut.values.begin(), layout().fields.size(), std::string_view {});
        for (std::size_t k = 0; k < places.size(); ++k) {
            cut.values[places[k]] = found[k];
        }
        cut.whole = layout().fields.size();
        cut.exact = true;
        return true;
    }
    return false;
}

bool RowParser::readStamp(std::size_t field, const Cut& cut, LineScratch& scratch,
                          Stamp& stamp) const
{
    const auto& tokens = first().tokens();
    if (field >= tokens.size() || !tokens[field].clock) {
        return RecordParser::readStamp(field, cut, scratch, stamp);
    }
    TimeParts parts;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool isPart = tokens[i].clock && tokens[i].isEnd == tokens[field].isEnd;
        if (isPart && (!cut.has(i) || !tokens[i].clock->read(cut.values[i], parts))) {
            return false;
        }
    }
    for (std::size_t i = 0; i < tokens.size() && !parts.hasZone; ++i) {
        TimeParts other; // the zone is the server's, of whichever time it stands at
        if (tokens[i].clock && cut.has(i) && tokens[i].clock->read(cut.values[i], other)) {
            parts.hasZone = other.hasZone;
            parts.zoneSeconds = other.zoneSeconds;
        }
    }
    return parts.toStamp(stamp);
}

int RowParser::likeness(std::string_view line, LineScratch& scratch) const
{
    const int likeness = RecordParser::likeness(line, scratch);
    const auto isTypical = m_shapes.shapes.isTypical;
    const bool isLess = likeness > 0 && isTypical != nullptr && !isTypical(scratch.cuts);
    return likeness - (isLess ? 1 : 0);
}

} // namespace

RecordRules rowRules()
{
    RecordRules rules;
    rules.sources = kSources;
    rules.stamps = kStamps;
    rules.durations = kDurations;
    rules.request = "request";
    rules.targets = kTargets;
    rules.lists = kLists;
    return rules;
}

MadeFormat makeRowFormat(std::string name, const RecordRules& rules, RowShapes shapes,
                         const FormatOptions& options)
{
    Shapes made;
    std::vector<std::string> fields = shapes.patterns.front().fields();
    for (std::size_t i = 1; i < shapes.patterns.size(); ++i) {
        Places places;
        for (const std::string& field : shapes.patterns[i].fields()) {
            const auto found = std::find(fields.begin(), fields.end(), field);
            places.push_back(static_cast<std::size_t>(found - fields.begin()));
            if (found == fields.end()) {
                fields.push_back(field);
            }
        }
        made.places.push_back(std::move(places));
    }
    auto layout = RecordLayout::make(rules, std::move(fields), options);
    if (!layout) {
        return engine::fail(layout.error());
    }
    made.shapes = std::move(shapes);
    return std::shared_ptr<const LogFormat>(std::make_shared<RecordFormat<RowParser, Shapes>>(
        std::move(name), std::move(*layout), std::move(made)));
}

} // namespace storage::logs

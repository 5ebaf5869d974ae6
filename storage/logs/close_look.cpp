#include "storage/logs/close_look.h"

#include "storage/logs/apache_pattern.h"
#include "storage/logs/formats.h"
#include "storage/logs/line_tail.h"
#include "storage/logs/nginx_pattern.h"

#include <array>
#include <fmt/format.h>

namespace storage::logs {
namespace {

constexpr std::string_view kCombinedName = "nginx-combined";
constexpr std::string_view kCommonName = "apache-common";
constexpr std::string_view kCommonText = R"(%h %l %u %t "%r" %>s %b)";
constexpr std::size_t kCommonFields = 7;

// HAProxy's `option httplog clf`, without captured headers, and what it looks like behind the
// combined format.
constexpr std::string_view kHaproxyText
    = R"(%ci - - [%trg] %{+Q}r %ST %B "" "" %cp %ms %{+Q}ft %{+Q}b %{+Q}s %TR %Tw %Tc %Tr %Ta %{+Q}tsc %ac %fc %bc %sc %rc %sq %bq %{+Q}CC %{+Q}CS)";
constexpr std::string_view kHaproxyTail
    = R"( $extra_1 $extra_2 "$extra_3" "$extra_4" "$extra_5" $extra_6 $extra_7 $extra_8 $extra_9 $extra_10 "$extra_11" $extra_12 $extra_13 $extra_14 $extra_15 $extra_16 $extra_17 $extra_18 "$extra_19" "$extra_20")";

/// A line cut as nginx-combined.
struct CombinedLine {
    std::array<std::string_view, 8> values;
    std::string_view time;
    std::string_view request;
    std::string_view status;
    std::string_view size;
    std::string_view end; ///< behind the agent
    bool isWhole = false;
};

CombinedLine cutCombined(const RowPattern& pattern, std::string_view line)
{
    constexpr std::size_t kTime = 2;
    CombinedLine cut;
    bool exact = false;
    const std::size_t whole = pattern.cut(line, RowPattern::kMaxFields, cut.values, exact);
    cut.isWhole = whole == pattern.tokens().size();
    if (cut.isWhole) {
        cut.time = cut.values[kTime];
        cut.request = cut.values[kTime + 1];
        cut.status = cut.values[kTime + 2];
        cut.size = cut.values[kTime + 3];
        const std::string_view agent = cut.values[whole - 1];
        const char* const behind = agent.data() + agent.size() + 1; // its quote
        cut.end = {behind, static_cast<std::size_t>(line.data() + line.size() - behind)};
    }
    return cut;
}

/// What tells nginx from Apache.
struct Traces {
    std::uint64_t nginxEscapes = 0; ///< \xAB, \x22
    std::uint64_t apacheEscapes = 0; ///< \xab, \", \n
    std::uint64_t noSize = 0; ///< a size of "-": %b of no bytes
    std::uint64_t emptyAnswers = 0; ///< a size of 0 with status 304, where %b has "-"
    std::uint64_t emptyRequests = 0; ///< ""
    std::uint64_t timedOut = 0; ///< "-" with status 408
    std::uint64_t stepsBack = 0; ///< by more than a second
    std::int64_t lastNs = INT64_MIN;
    StampCache stamps;

    void noteEscapes(std::string_view text);
    void note(const CombinedLine& line);

    [[nodiscard]] bool saysNginx() const { return nginxEscapes + emptyAnswers + emptyRequests > 0; }

    [[nodiscard]] bool saysApache() const { return apacheEscapes + noSize > 0; }

    [[nodiscard]] bool hintsAtApache() const { return timedOut + stepsBack > 0; }
};

void Traces::noteEscapes(std::string_view text)
{
    for (auto at = text.find('\\'); at != std::string_view::npos && at + 1 < text.size();
         at = text.find('\\', at + 2)) {
        const std::string_view digits = text.substr(at + 1, 3);
        if (digits.front() != 'x') {
            apacheEscapes
                += std::string_view("\"\\nrtbv").find(digits.front()) != std::string_view::npos
                ? 1U
                : 0U;
        } else if (digits.find_first_of("ABCDEF") != std::string_view::npos || digits == "x22") {
            ++nginxEscapes;
        } else if (digits.find_first_of("abcdef") != std::string_view::npos) {
            ++apacheEscapes;
        }
    }
}

void Traces::note(const CombinedLine& line)
{
    noteEscapes(line.request);
    for (std::size_t i = 0; i < 2; ++i) { // referer, agent
        noteEscapes(line.values[6 + i]);
    }
    noSize += line.size == "-" ? 1U : 0U;
    emptyAnswers += line.size == "0" && line.status == "304" ? 1U : 0U;
    emptyRequests += line.request.empty() ? 1U : 0U;
    timedOut += line.request == "-" && line.status == "408" ? 1U : 0U;
    Stamp stamp;
    if (readAnyTime(line.time, stamps, stamp)) {
        stepsBack += lastNs != INT64_MIN && stamp.ns < lastNs - kSecondNs ? 1U : 0U;
        lastNs = stamp.ns;
    }
}

std::string listed(const std::vector<std::string>& parts)
{
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// Why the lines are Apache's.
std::string apacheReasons(const Traces& traces)
{
    std::vector<std::string> reasons;
    if (traces.apacheEscapes > 0) {
        reasons.emplace_back("escapes like \\\" and \\xab");
    }
    if (traces.noSize > 0) {
        reasons.emplace_back("- for a size of 0");
    }
    if (traces.timedOut > 0) {
        reasons.emplace_back("\"-\" with status 408");
    }
    if (traces.stepsBack > 0) {
        reasons.push_back(
            fmt::format("{} stamps more than a second before the one above", traces.stepsBack));
    }
    return listed(reasons);
}

std::string nginxReasons(const Traces& traces)
{
    std::vector<std::string> reasons;
    if (traces.nginxEscapes > 0) {
        reasons.emplace_back("escapes like \\x22 and \\xAB");
    }
    if (traces.emptyAnswers > 0) {
        reasons.emplace_back("a size of 0 with status 304");
    }
    if (traces.emptyRequests > 0) {
        reasons.emplace_back("an empty request");
    }
    return listed(reasons);
}

/// Which of the two wrote the lines; with Apache that format is the better one.
void tellServers(const Traces& traces, const FormatOptions& options, CloseLook& look)
{
    if (traces.saysApache() && !traces.saysNginx()) {
        look.notes.push_back(fmt::format("nginx-combined looks the same; Apache or a kin of it "
                                         "wrote this: {}",
                                         apacheReasons(traces)));
    } else if (traces.saysNginx() && !traces.saysApache()) {
        look.notes.push_back(fmt::format(
            "Apache's combined format looks the same; nginx wrote this: {}", nginxReasons(traces)));
        return;
    } else if (!traces.saysNginx() && traces.hintsAtApache()) {
        look.notes.push_back(fmt::format(
            "nginx-combined looks the same; Apache more likely wrote this: {}; if it was nginx, "
            "say --log-format nginx-combined",
            apacheReasons(traces)));
    } else {
        look.isOpen = true;
        look.notes.emplace_back(
            "Apache's combined format looks the same; its stamps are of the start of a request: "
            "--log-format apache-combined if it wrote this");
        return;
    }
    if (auto format = makeNamedApacheFormat("apache-combined", options)) {
        look.format = *format;
    }
}

/// Makes a format with what stands behind the lines, and its text.
using WithTail
    = MadeFormat (*)(const LineTail& tail, const FormatOptions& options, std::string& text);

MadeFormat combinedWith(const LineTail& tail, const FormatOptions& options, std::string& text)
{
    if (tail.text.starts_with(kHaproxyTail)) {
        text = std::string(kHaproxyText);
        return makeHaproxyTextFormat(text, options);
    }
    text = std::string(nginxCombinedText()) + tail.text;
    return makeNginxFormat(text, options);
}

/// A format with what stands behind the lines of the format `base`, too.
void readEnds(std::span<const std::string_view> ends, std::string_view base,
              const FormatOptions& options, WithTail make, CloseLook& look)
{
    const auto tail = tailOf(ends);
    const bool isLoneCount = tail && ends.front().size() > 1 && isWhole(ends.front().substr(1))
        && tail->text == " $extra_1";
    if (!tail || isLoneCount) {
        look.notes.push_back(fmt::format(
            "{} lines have something behind what {} has; --log-format with the server's own format "
            "would read it{}",
            ends.size(), base,
            isLoneCount ? ", like %D (Apache: microseconds, Tomcat: milliseconds) or %T (seconds)"
                        : ""));
        return;
    }
    std::string text;
    auto format = make(*tail, options, text);
    if (!format) {
        return;
    }
    look.format = *format;
    look.notes.push_back(fmt::format(
        "{} lines have more than {}; they are read as --log-format '{}'", ends.size(), base, text));
    for (const std::string& sentence : tail->taken) {
        look.notes.push_back(sentence + "; if it is something else, give --log-format");
    }
    look.notes.insert(look.notes.end(), tail->open.begin(), tail->open.end());
}

CloseLook lookAtCombined(std::span<const CombinedLine> lines, const FormatOptions& options)
{
    CloseLook look;
    Traces traces;
    std::vector<std::string_view> ends;
    for (const CombinedLine& line : lines) {
        traces.note(line);
        if (!line.end.empty()) {
            ends.push_back(line.end);
        }
    }
    // A few lines with more are odd lines, not another format.
    if (ends.size() * 10 >= lines.size() * 9 && !ends.empty()) {
        readEnds(ends, kCombinedName, options, combinedWith, look);
    }
    if (!look.format) {
        tellServers(traces, options, look);
    }
    return look;
}

/// A format of the common format's fields and of what stands behind them. Three decimals are
/// written by servers whose stamp is of a request's end, as nginx's is.
MadeFormat commonWith(const LineTail& tail, const FormatOptions& options, std::string& text)
{
    if (tail.text.find("$request_time") != std::string::npos) {
        text = R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent)"
            + tail.text;
        return makeNginxFormat(text, options);
    }
    text = std::string(kCommonText);
    for (std::size_t at = 0; at < tail.text.size();) { // $name as %{name}x
        if (tail.text[at] != '$') {
            text += tail.text[at++];
            continue;
        }
        const std::size_t end
            = std::min(tail.text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at + 1),
                       tail.text.size());
        text += "%{" + tail.text.substr(at + 1, end - at - 1) + "}x";
        at = end;
    }
    return makeApacheFormat(text, options);
}

/// Lines without a referer and an agent that have something else in their place (Tomcat's %D, ids,
/// or a blank alone).
CloseLook lookAtCommon(std::span<const std::string_view> lines, const FormatOptions& options)
{
    CloseLook look;
    const auto pattern = parseApachePattern(kCommonText);
    const auto common = makeNamedApacheFormat(kCommonName, options);
    std::vector<std::string_view> ends;
    std::size_t whole = 0;
    for (const std::string_view line : lines) {
        std::array<std::string_view, RowPattern::kMaxFields> values;
        bool exact = false;
        if (!pattern || pattern->cut(line, RowPattern::kMaxFields, values, exact) < kCommonFields) {
            continue;
        }
        const std::string_view size = values[kCommonFields - 1];
        const char* const behind = size.data() + size.size();
        std::string_view end {behind, static_cast<std::size_t>(line.data() + line.size() - behind)};
        while (end.ends_with(' ')) {
            end.remove_suffix(1);
        }
        whole += size == "-" || isWhole(size) ? 1U : 0U;
        if (!end.empty()) {
            ends.push_back(end);
        }
    }
    if (!common || whole * 10 < lines.size() * 9) {
        return look;
    }
    look.format = *common;
    if (ends.size() * 10 >= lines.size() * 9) {
        readEnds(ends, kCommonName, options, commonWith, look);
    }
    return look;
}

} // namespace

CloseLook lookClosely(std::string_view name, std::span<const std::string_view> lines,
                      const FormatOptions& options)
{
    CloseLook look;
    const auto pattern = NginxPattern::parse(nginxCombinedText());
    if ((name != kCombinedName && name != kCommonName) || !pattern) {
        return look;
    }
    std::vector<CombinedLine> combined;
    for (const std::string_view line : lines) {
        if (auto cut = cutCombined(pattern->row, line); cut.isWhole) {
            combined.push_back(cut);
        }
    }
    if (name == kCombinedName) {
        return combined.empty() ? lookAtCommon(lines, options) : lookAtCombined(combined, options);
    }
    if (name == kCommonName && !combined.empty()) {
        if (auto format = makeNamedApacheFormat("apache-combined", options)) {
            look.format = *format;
            look.notes.push_back(
                fmt::format("{} lines are of the combined format, which reads the others, too",
                            combined.size()));
        }
    }
    return look;
}

} // namespace storage::logs

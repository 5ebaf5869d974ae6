#include "storage/log_format.h"

#include "storage/logs/close_look.h"
#include "storage/logs/error_log.h"
#include "storage/logs/formats.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace storage {
namespace {

std::string listOfNames()
{
    std::string list;
    for (const auto& name : logFormatNames()) {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

std::string helpFor(std::string_view name)
{
    const std::string near = logs::nearestWord(name, logFormatNames());
    return near.empty()
        ? fmt::format("write one of {}, or an nginx log_format or Apache LogFormat in quotes",
                      listOfNames())
        : fmt::format("did you mean {}?", near);
}

/// The sentences that go with a format that was found, and a better one that a close look finds.
void lookAgain(Detection& detection, const std::vector<std::string>& equals,
               const std::vector<std::string>& lines, const FormatOptions& options)
{
    std::vector<std::string_view> texts;
    for (const auto& padded : lines) {
        texts.push_back(std::string_view(padded).substr(0, padded.size() - logs::kPadding));
    }
    logs::CloseLook look = logs::lookClosely(detection.format->name(), texts, options);
    for (const auto& equal : look.notes.empty() ? equals : std::vector<std::string>()) {
        detection.notes.push_back(fmt::format("the lines fit {} as well", equal));
    }
    detection.format = look.format ? look.format : detection.format;
    detection.notes.insert(detection.notes.end(), look.notes.begin(), look.notes.end());
    if (detection.fit < detection.lines) {
        detection.notes.push_back(fmt::format("{} of the first {} lines do not fit",
                                              detection.lines - detection.fit, detection.lines));
    }
}

/// Up to kDetectionLines lines of `head` that are not blank, each with padding behind it.
std::vector<std::string> sampleLines(std::string_view head)
{
    std::vector<std::string> lines;
    while (!head.empty() && lines.size() < kDetectionLines) {
        const auto end = head.find('\n');
        std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(line.size() + 1, head.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        line.remove_prefix(std::min(line.find_first_not_of('\0'), line.size()));
        if (!logs::trimmed(line).empty() && line.size() <= logs::kLongestLine) {
            lines.emplace_back(line);
            lines.back().append(logs::kPadding, '\0');
        }
    }
    return lines;
}

std::string helpForUnknown(const std::vector<std::string>& lines)
{
    const auto isError = [](const std::string& line) { return logs::isErrorLogLine(line); };
    if (std::any_of(lines.begin(), lines.end(), isError)) {
        return "this looks like the error log of a server; requests are in its access log";
    }
    return fmt::format("give --log-format: one of {}, or the server's log_format in quotes",
                       listOfNames());
}

struct Score {
    std::uint64_t fit = 0;
    std::uint64_t exact = 0;
};

Score scoreOf(const LogFormat& format, const std::vector<std::string>& lines)
{
    logs::Arena arena;
    logs::LineScratch scratch;
    scratch.arena = &arena;
    Score score;
    if (format.hasHeaderLine() && !lines.empty()) {
        scratch.header = lines.front().substr(0, lines.front().size() - logs::kPadding);
    }
    const auto parser = format.parser({});
    for (const auto& padded : lines) {
        const int likeness = parser->likeness(
            std::string_view(padded).substr(0, padded.size() - logs::kPadding), scratch);
        score.fit += likeness > 0 ? 1 : 0;
        score.exact += likeness > 1 ? 1 : 0;
        arena.clear();
        scratch.keys.entries.clear();
    }
    return score;
}

} // namespace

void LogFormat::collectFields(std::string_view /*line*/, std::vector<std::string>& /*names*/) const
{
}

engine::Result<FieldMapping> parseMapping(std::string_view text)
{
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
        return engine::fail("log.map", fmt::format("{} is no NAME=FIELD", text),
                            "write the attribute, `=`, and the log's field: api_key=http_x_key");
    }
    return FieldMapping {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::vector<std::string> logFormatNames()
{
    std::vector<std::string> names;
    for (const auto& entry : logs::formats()) {
        names.emplace_back(entry.name);
    }
    return names;
}

namespace {

/// A configuration of Apache, or a LogFormat whose literals hold a `$`.
bool isApacheText(std::string_view text)
{
    return logs::trimmed(text).starts_with('%') || text.find("LogFormat") != std::string_view::npos
        || text.find("CustomLog") != std::string_view::npos;
}

} // namespace

engine::Result<std::shared_ptr<const LogFormat>> logFormat(std::string_view text,
                                                           const FormatOptions& options)
{
    for (const auto& entry : logs::formats()) {
        if (entry.name == text) {
            return entry.make(text, options);
        }
    }
    const bool isApache = isApacheText(text);
    if (!isApache && text.find('$') != std::string_view::npos) {
        return logs::makeNginxFormat(text, options);
    }
    if (logs::isEnvoyText(text)) {
        return logs::makeEnvoyTextFormat(text, options);
    }
    if (logs::isHaproxyText(text)) {
        return logs::makeHaproxyTextFormat(text, options);
    }
    if (isApache || text.find('%') != std::string_view::npos) {
        return logs::makeApacheFormat(text, options);
    }
    return engine::fail("log.format", fmt::format("there is no log format {}", text),
                        helpFor(text));
}

namespace {

constexpr std::string_view kNeutralName = "weir";

/// A neutral log with a bad line among the first would pass for `json`, which is lenient and reads
/// its times otherwise: neutral lines that are at least half of those are a neutral log.
bool isNeutralRather(std::string_view best, const Score& bestScore, const Score& neutral)
{
    return best == "json" && neutral.fit > 0 && neutral.fit * 2 >= bestScore.fit;
}

} // namespace

engine::Result<Detection> detectLogFormat(std::string_view head, const FormatOptions& options)
{
    const std::vector<std::string> lines = sampleLines(head);
    Detection best;
    best.lines = lines.size();
    Score bestScore;
    std::vector<std::string> equals;
    std::shared_ptr<const LogFormat> neutral;
    Score neutralScore;
    for (const auto& entry : logs::formats()) {
        auto format = entry.make(entry.name, options);
        if (!entry.isDetected || !format) {
            continue;
        }
        const Score score = scoreOf(**format, lines);
        if (entry.name == kNeutralName) {
            neutral = *format;
            neutralScore = score;
        }
        const std::uint64_t sum = score.fit + score.exact;
        const std::uint64_t bestSum = bestScore.fit + bestScore.exact;
        if (!best.format || sum > bestSum) {
            equals.clear();
            best.format = *format;
            bestScore = score;
        } else if (sum == bestSum && sum > 0 && score.exact > 0) {
            equals.emplace_back(entry.name);
        }
    }
    if (!best.format) {
        return engine::fail("log.map", "no format can follow the mapping", "give --log-format");
    }
    if (neutral && isNeutralRather(best.format->name(), bestScore, neutralScore)) {
        best.format = neutral;
        bestScore = neutralScore;
        equals.clear();
    }
    best.fit = bestScore.fit;
    if (best.lines > 0 && best.fit == 0) {
        return engine::fail(
            "log.unknown-format",
            fmt::format("none of the first {} lines is of a format that is known", best.lines),
            helpForUnknown(lines));
    }
    lookAgain(best, equals, lines, options);
    return best;
}

} // namespace storage

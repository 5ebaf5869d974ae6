#include "storage/logs/detection.h"

#include "storage/logs/formats.h"
#include "storage/logs/head_lines.h"
#include "storage/logs/line_parser.h"

#include <algorithm>
#include <fmt/format.h>

namespace storage::logs {
namespace {

constexpr std::string_view kNeutralName = "weir";

/// How the lines of a head fit a format.
struct Fit {
    std::string_view name;
    std::shared_ptr<const LogFormat> format;
    std::vector<std::uint8_t> likeness; ///< by line
    std::uint64_t fit = 0;
    std::uint64_t exact = 0;
    std::uint64_t inside = 0; ///< of the lines that fit, inside of a wrapper
    std::vector<std::uint64_t> wrappers = std::vector<std::uint64_t>(8); ///< of them, by kind

    [[nodiscard]] std::uint64_t sum() const { return fit + exact; }
};

/// Asks a parser about lines, with and without their wrappers.
class Judge {
public:
    explicit Judge(const LogFormat& format)
        : m_parser(format.parser({}))
    {
        m_scratch.arena = &m_arena;
    }

    void setHeader(std::string_view line) { m_scratch.header = line; }

    void judge(const HeadLine& line, Fit& fit)
    {
        int best = 0;
        bool isInside = false;
        m_scratch.outer.time = line.inner.time;
        for (std::size_t i = 0; i < line.inner.count && best < 2; ++i) {
            best = std::max(best, likenessOf(line.inner.lines[i]));
        }
        isInside = best > 0;
        m_scratch.outer.time = {};
        if (best < 2 || !line.inner.isSure) {
            const int whole = likenessOf(line.text);
            isInside = isInside && (best > whole || (best == whole && line.inner.isSure));
            best = std::max(best, whole);
        }
        fit.likeness.push_back(static_cast<std::uint8_t>(best));
        fit.fit += best > 0 ? 1U : 0U;
        fit.exact += best > 1 ? 1U : 0U;
        if (isInside) {
            ++fit.inside;
            ++fit.wrappers[static_cast<std::size_t>(line.inner.kind)];
        }
        m_arena.clear();
        m_scratch.keys.entries.clear();
    }

private:
    int likenessOf(std::string_view text)
    {
        return isBlankText(text) ? 0 : m_parser->likeness(text, m_scratch);
    }

    std::unique_ptr<LineParser> m_parser;
    Arena m_arena;
    LineScratch m_scratch;
};

Fit fitOf(std::string_view name, std::shared_ptr<const LogFormat> format, const HeadLines& head)
{
    Fit fit;
    fit.name = name;
    Judge judge(*format);
    const auto& lines = head.lines();
    if (format->hasHeaderLine() && !lines.empty()) {
        const HeadLine& first = lines.front();
        judge.setHeader(first.inner.count > 0 ? first.inner.lines[0] : first.text);
    }
    for (const HeadLine& line : lines) {
        judge.judge(line, fit);
    }
    fit.format = std::move(format);
    return fit;
}

/// The sentences that go with a format that was found.
void addNotes(Detection& detection, std::uint64_t exact, const std::vector<std::string>& equals)
{
    const std::string name = detection.format->name();
    for (const auto& equal : equals) {
        detection.notes.push_back(fmt::format("the lines fit {} as well", equal));
    }
    if (name == "nginx-combined") {
        detection.notes.emplace_back(
            "Apache's combined format looks the same; its stamps are of the start of a request");
        if (exact < detection.fit) {
            detection.notes.push_back(
                fmt::format("{} lines have something before or behind what nginx-combined has; "
                            "--log-format with the server's log_format would read it",
                            detection.fit - exact));
        }
    }
    if (detection.fit < detection.lines) {
        detection.notes.push_back(fmt::format("{} of the first {} lines do not fit",
                                              detection.lines - detection.fit, detection.lines));
    }
}

/// A neutral log with a bad line among the first would pass for `json`, which is lenient and reads
/// its times otherwise: neutral lines that are at least half of those are a neutral log.
bool isNeutralRather(const Fit& best, const Fit* neutral)
{
    return neutral != nullptr && best.name == "json" && neutral->fit > 0
        && neutral->fit * 2 >= best.fit;
}

std::string listOfNames()
{
    std::string list;
    for (const auto& entry : formats()) {
        list += (list.empty() ? "" : ", ") + std::string(entry.name);
    }
    return list;
}

WrapperRules rulesOf(const Fit& fit, const HeadLines& head)
{
    return {fit.inside > 0, head.hasLineEnds()};
}

/// Which wrapper most lines have, in words.
void noteWrapper(const Fit& fit, Detection& detection)
{
    if (fit.inside == 0) {
        return;
    }
    const auto most = std::max_element(fit.wrappers.begin(), fit.wrappers.end());
    detection.wrapper = nameOf(static_cast<WrapperKind>(most - fit.wrappers.begin()));
    detection.wrapped = fit.inside;
}

} // namespace

HeadReading readHead(std::string_view head, std::shared_ptr<const LogFormat> format)
{
    const HeadLines lines(head);
    const std::string name = format->name();
    const Fit fit = fitOf(name, format, lines);
    HeadReading reading;
    reading.detection.format = std::move(format);
    reading.wrappers = rulesOf(fit, lines);
    noteWrapper(fit, reading.detection);
    return reading;
}

engine::Result<HeadReading> readHead(std::string_view head, const FormatOptions& options)
{
    const HeadLines lines(head);
    std::vector<Fit> fits;
    for (const auto& entry : formats()) {
        auto format = entry.make(entry.name, options);
        if (entry.isDetected && format) {
            fits.push_back(fitOf(entry.name, std::move(*format), lines));
        }
    }
    if (fits.empty()) {
        return engine::fail("log.map", "no format can follow the mapping", "give --log-format");
    }
    const Fit* best = &fits.front();
    const Fit* neutral = nullptr;
    for (const Fit& fit : fits) {
        best = fit.sum() > best->sum() ? &fit : best;
        neutral = fit.name == kNeutralName ? &fit : neutral;
    }
    if (isNeutralRather(*best, neutral)) {
        best = neutral;
    }
    HeadReading reading;
    Detection& detection = reading.detection;
    detection.format = best->format;
    detection.lines = lines.lines().size();
    detection.fit = best->fit;
    if (detection.lines > 0 && detection.fit == 0) {
        return engine::fail(
            "log.unknown-format",
            fmt::format("none of the first {} lines is of a format that is known", detection.lines),
            fmt::format("give --log-format: one of {}, or the server's log_format in quotes",
                        listOfNames()));
    }
    std::vector<std::string> equals;
    for (const Fit& fit : fits) {
        if (&fit != best && best->exact > 0 && fit.sum() == best->sum()) {
            equals.emplace_back(fit.name);
        }
    }
    reading.wrappers = rulesOf(*best, lines);
    noteWrapper(*best, detection);
    addNotes(detection, best->exact, equals);
    return reading;
}

} // namespace storage::logs

#include "storage/logs/detection.h"

#include "storage/logs/close_look.h"
#include "storage/logs/formats.h"
#include "storage/logs/head_fit.h"
#include "storage/logs/lookalikes.h"
#include "storage/logs/mixed_format.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <tuple>

namespace storage::logs {
namespace {

constexpr std::string_view kNeutralName = "weir";

/// Formats of any fields: that one of them fits what is of a format of its own says nothing.
constexpr std::array<std::string_view, 4> kGeneric {"json", "logfmt", "csv", "tsv"};

bool isGeneric(std::string_view name)
{
    return std::find(kGeneric.begin(), kGeneric.end(), name) != kGeneric.end();
}

/// JSON of any names: what one of them reads is nothing new to the other.
bool readsAnyJson(std::string_view name)
{
    return name == "json" || name == "nginx-json";
}

/// What was found: one format, or several that each read lines which the others do not.
struct Choice {
    std::vector<const HeadFit*> formats; ///< in the order in which they are tried
    const HeadFit* main = nullptr; ///< that fits most
    std::vector<std::uint8_t> likeness; ///< of the best of them, by line
    std::vector<std::uint8_t> known; ///< the same, without those that take any names

    [[nodiscard]] std::uint64_t count(std::uint8_t atLeast) const
    {
        return static_cast<std::uint64_t>(
            std::count_if(likeness.begin(), likeness.end(), [&](std::uint8_t like) {
                return like != HeadFit::kDirective && like >= atLeast;
            }));
    }
};

std::vector<HeadFit> fitsOf(const HeadLines& head, const FormatOptions& options)
{
    std::vector<HeadFit> fits;
    for (const auto& entry : formats()) {
        auto format = entry.make(entry.name, options);
        if (entry.isDetected && format) {
            fits.push_back(fitOf(std::string(entry.name), std::move(*format), head));
        }
    }
    return fits;
}

/// The format that fits most. A neutral log with a bad line among the first would pass for `json`,
/// which is lenient and reads its times otherwise: neutral lines that are at least half of those
/// are a neutral log.
const HeadFit* bestOf(const std::vector<HeadFit>& fits)
{
    const HeadFit* best = &fits.front();
    const HeadFit* neutral = nullptr;
    for (const HeadFit& fit : fits) {
        best = fit.sum() > best->sum() ? &fit : best;
        neutral = fit.name == kNeutralName ? &fit : neutral;
    }
    const bool isNeutral = neutral != nullptr && best->name == "json" && neutral->fit > 0
        && neutral->fit * 2 >= best->fit;
    return isNeutral ? neutral : best;
}

bool givesDurations(const HeadFit& fit)
{
    const std::vector<std::string> fields = fit.format->fields();
    return std::find(fields.begin(), fields.end(), "duration") != fields.end();
}

/// How many lines `json` would bring beside formats that know what they read: a log of any names
/// with some lines of a known kind. A few lines are those that a server writes beside its log.
std::uint64_t gainOfJson(const HeadFit& fit, const Choice& choice)
{
    constexpr std::uint64_t kShare = 10;
    const bool isCovered
        = std::any_of(choice.formats.begin(), choice.formats.end(),
                      [](const HeadFit* chosen) { return readsAnyJson(chosen->name); });
    std::uint64_t gain = 0;
    for (std::size_t i = 0; i < fit.likeness.size(); ++i) {
        gain += fit.likeness[i] > 0 && choice.likeness[i] == 0 ? 1U : 0U;
    }
    return !isCovered && gain * kShare >= fit.likeness.size() ? gain : 0;
}

bool isObject(const HeadLine& line)
{
    return (line.inner.count > 0 ? line.inner.lines[0] : line.text).starts_with('{');
}

/// How many lines a further format would bring: those that it fits exactly and no other can read,
/// or only one that takes any names; and those that the others read with something left over, if
/// only this one knows how long a request took. Objects are all of the neutral format or all of
/// others: see bestOf().
std::uint64_t gainOf(const HeadFit& fit, const Choice& choice, const HeadLines& head)
{
    const auto isNeutral = [](const HeadFit* one) { return one->name == kNeutralName; };
    const bool withNeutral
        = isNeutral(&fit) || std::any_of(choice.formats.begin(), choice.formats.end(), isNeutral);
    if (fit.name == "json") {
        return withNeutral ? 0 : gainOfJson(fit, choice);
    }
    const bool takesAnyNames = isGeneric(fit.name) || readsAnyJson(fit.name);
    const std::vector<std::uint8_t>& have = takesAnyNames ? choice.likeness : choice.known;
    const bool isRicher = givesDurations(fit)
        && std::none_of(choice.formats.begin(), choice.formats.end(),
                        [](const HeadFit* chosen) { return givesDurations(*chosen); });
    std::uint64_t gain = 0;
    for (std::size_t i = 0; i < fit.likeness.size(); ++i) {
        const bool isNew = have[i] == 0 || (isRicher && have[i] == 1);
        if (withNeutral && isObject(head.lines()[i])) {
            if (!isNeutral(&fit)) {
                continue;
            }
            if (choice.likeness[i] > 0) {
                return 0;
            }
        }
        gain += fit.likeness[i] == 2 && isNew ? 1U : 0U;
    }
    return gain;
}

void add(const HeadFit& fit, Choice& choice)
{
    choice.formats.push_back(&fit);
    choice.likeness.resize(fit.likeness.size());
    choice.known.resize(fit.likeness.size());
    for (std::size_t i = 0; i < fit.likeness.size(); ++i) {
        choice.likeness[i] = std::max(choice.likeness[i], fit.likeness[i]);
        if (!isGeneric(fit.name)) {
            choice.known[i] = std::max(choice.known[i], fit.likeness[i]);
        }
    }
}

/// A format that also reads, with something left over, what another reads exactly comes behind it;
/// last those that take any names.
void putInOrder(Choice& choice)
{
    const auto overlap = [&](const HeadFit* fit) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < fit->likeness.size(); ++i) {
            count += fit->likeness[i] == 1 && choice.likeness[i] == 2 ? 1U : 0U;
        }
        return count;
    };
    const auto rank = [&](const HeadFit* fit) {
        return std::tuple(isGeneric(fit->name), readsAnyJson(fit->name), overlap(fit));
    };
    std::stable_sort(choice.formats.begin(), choice.formats.end(),
                     [&](const HeadFit* a, const HeadFit* b) { return rank(a) < rank(b); });
}

Choice choose(const std::vector<HeadFit>& fits, const HeadLines& head)
{
    // A line of a thousand may be of anything; of few lines each counts.
    constexpr std::uint64_t kLinesForOne = 200;
    Choice choice;
    choice.main = bestOf(fits);
    add(*choice.main, choice);
    while (choice.formats.size() < kMostFormats && canBeMixed(*choice.main->format)) {
        const HeadFit* next = nullptr;
        std::uint64_t most = choice.likeness.size() / kLinesForOne;
        for (const HeadFit& fit : fits) {
            const std::uint64_t gain = gainOf(fit, choice, head);
            if (gain > most && canBeMixed(*fit.format)) {
                most = gain;
                next = &fit;
            }
        }
        if (next == nullptr) {
            break;
        }
        add(*next, choice);
    }
    putInOrder(choice);
    return choice;
}

std::string listOfNames()
{
    std::string list;
    for (const auto& entry : formats()) {
        list += (list.empty() ? "" : ", ") + std::string(entry.name);
    }
    return list;
}

/// Why a log is none, and what to do.
engine::Diagnostic unknownFormat(const Choice& choice, const HeadLines& head)
{
    std::vector<std::string_view> texts;
    for (const HeadLine& line : head.lines()) {
        texts.push_back(line.inner.count > 0 && line.inner.isSure ? line.inner.lines[0]
                                                                  : line.text);
    }
    const std::uint64_t lines = texts.size();
    const std::uint64_t fit = choice.count(1);
    engine::Diagnostic unknown;
    unknown.code = "log.unknown-format";
    if (lines == 0) {
        unknown.message = "the first lines are blank, or longer than a line of a log may be";
    } else if (fit == 0) {
        unknown.message
            = fmt::format("none of the first {} lines is of a format that is known", lines);
    } else if (fit * 2 > lines) {
        unknown.message = fmt::format("the first {} lines are of the format {}, but none of them "
                                      "is an HTTP request",
                                      lines, choice.main->name);
    } else {
        unknown.message = fmt::format("only {} of the first {} lines look like requests ({})", fit,
                                      lines, choice.main->name);
    }
    const std::string kind = whatLinesAre(texts);
    unknown.help = kind.empty()
        ? fmt::format("give --log-format: one of {}, or the server's log_format in quotes",
                      listOfNames())
        : fmt::format("this looks like {}", kind);
    return unknown;
}

/// Few lines that fit with something left over are chance; three that fit exactly are not.
bool isCredible(const Choice& choice, const HeadLines& head)
{
    constexpr std::uint64_t kShare = 20;
    constexpr std::uint64_t kExact = 3;
    const std::uint64_t fit = choice.count(1);
    const bool enough = fit * kShare >= head.lines().size() || choice.count(2) >= kExact;
    return fit > 0 && enough
        && std::any_of(choice.formats.begin(), choice.formats.end(),
                       [&](const HeadFit* chosen) { return hasRequest(*chosen, head); });
}

/// What the format of the lines says of the mappings, where it would have been found without them:
/// a format that cannot follow a mapping is not tried.
std::optional<engine::Diagnostic> mappingAtFault(const HeadLines& head,
                                                 const FormatOptions& options)
{
    if (options.mappings.empty()) {
        return std::nullopt;
    }
    FormatOptions plain = options;
    plain.mappings.clear();
    const std::vector<HeadFit> fits = fitsOf(head, plain);
    const Choice choice = choose(fits, head);
    if (!isCredible(choice, head)) {
        return std::nullopt;
    }
    const auto made = logFormat(choice.main->name, options);
    if (made) {
        return std::nullopt;
    }
    engine::Diagnostic fault = made.error();
    fault.message = fmt::format("the lines are of {}: {}", choice.main->name, fault.message);
    return fault;
}

std::string differenceOf(const LogFormat& format)
{
    const std::vector<std::string> remarks = format.remarks();
    return remarks.empty() ? std::string() : remarks.front();
}

/// Formats that fit as well as the one that was found.
void addCandidates(const std::vector<HeadFit>& fits, const Choice& choice, Detection& detection)
{
    const HeadFit& main = *choice.main;
    if (main.name == kNeutralName || main.exact == 0 || choice.formats.size() > 1) {
        return;
    }
    for (const HeadFit& fit : fits) {
        if (&fit != &main && fit.sum() == main.sum() && !isGeneric(fit.name)
            && fit.name != kNeutralName) {
            detection.candidates.push_back({fit.name, differenceOf(*fit.format)});
        }
    }
}

void addNotes(Detection& detection)
{
    for (const Detection::Candidate& candidate : detection.candidates) {
        detection.notes.push_back(fmt::format(
            "the lines fit {} as well{}; if it wrote this, give "
            "--log-format {}",
            candidate.format,
            candidate.difference.empty() ? std::string() : " (" + candidate.difference + ")",
            candidate.format));
    }
}

/// What a close look at the lines of each format finds: a format that reads more, which server it
/// was.
std::vector<std::shared_ptr<const LogFormat>> lookAgain(const Choice& choice, const HeadLines& head,
                                                        const FormatOptions& options,
                                                        Detection& detection)
{
    std::vector<std::shared_ptr<const LogFormat>> formats;
    bool isOpen = true;
    std::vector<std::string> notes;
    for (const HeadFit* fit : choice.formats) {
        CloseLook look = lookClosely(fit->name, fittingTexts(*fit, head), options);
        formats.push_back(look.format ? look.format : fit->format);
        isOpen = isOpen && (look.notes.empty() || look.isOpen);
        notes.insert(notes.end(), look.notes.begin(), look.notes.end());
    }
    if (!isOpen) {
        detection.candidates.clear();
    }
    if (notes.empty()) {
        addNotes(detection);
    }
    detection.notes.insert(detection.notes.end(), notes.begin(), notes.end());
    return formats;
}

void noteMix(const Choice& choice, Detection& detection)
{
    if (choice.formats.size() < 2) {
        return;
    }
    std::vector<std::string> counts;
    for (const HeadFit* fit : choice.formats) {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < fit->likeness.size(); ++i) {
            const auto* first
                = std::find_if(choice.formats.data(), choice.formats.data() + choice.formats.size(),
                               [&](const HeadFit* other) { return other->likeness[i] > 0; });
            count += first != choice.formats.data() + choice.formats.size() && *first == fit ? 1U
                                                                                             : 0U;
        }
        counts.push_back(fmt::format("{} ({} lines)", fit->name, count));
    }
    detection.notes.push_back(
        fmt::format("the log has lines of {} formats: {}; each line is read by the first that can",
                    counts.size(), fmt::join(counts, ", ")));
}

int confidenceOf(const Detection& detection)
{
    if (detection.lines == 0) {
        return 0;
    }
    const std::uint64_t percent = (detection.fit + detection.exact) * 50 / detection.lines;
    return static_cast<int>(detection.candidates.empty() ? percent : percent / 2);
}

/// The wrapper that most lines have, in words.
void noteWrapper(std::span<const HeadFit* const> fits, Detection& detection)
{
    std::array<std::uint64_t, kWrapperKinds> kinds {};
    for (const HeadFit* fit : fits) {
        detection.wrapped += fit->inside;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            kinds[i] += fit->wrappers[i];
        }
    }
    if (detection.wrapped > 0) {
        const auto most = std::max_element(kinds.begin(), kinds.end()) - kinds.begin();
        detection.wrapper = nameOf(static_cast<WrapperKind>(most));
    }
}

HeadReading readingOf(const Choice& choice, const HeadLines& head)
{
    HeadReading reading;
    noteWrapper(choice.formats, reading.detection);
    reading.wrappers = {reading.detection.wrapped > 0, head.hasLineEnds()};
    return reading;
}

/// Of a log without a line: there is nothing that a format or a mapping could be wrong about.
engine::Result<HeadReading> emptyReading()
{
    auto neutral = makeNeutralFormat(kNeutralName, {});
    if (!neutral) {
        return engine::fail(neutral.error());
    }
    HeadReading reading;
    reading.detection.format = std::move(*neutral);
    return reading;
}

} // namespace

HeadReading readHead(std::string_view head, std::shared_ptr<const LogFormat> format,
                     std::int64_t notAfterNs)
{
    const HeadLines lines(head, notAfterNs);
    const std::string name = format->name();
    const HeadFit fit = fitOf(name, std::move(format), lines);
    Choice choice;
    add(fit, choice);
    HeadReading reading = readingOf(choice, lines);
    reading.detection.format = fit.format;
    return reading;
}

engine::Result<HeadReading> readHead(std::string_view head, const FormatOptions& options,
                                     std::int64_t notAfterNs)
{
    const HeadLines lines(head, notAfterNs);
    if (lines.areBlank()) {
        return emptyReading();
    }
    const std::vector<HeadFit> fits = fitsOf(lines, options);
    if (fits.empty()) {
        return engine::fail("log.map", "no format can follow the mapping", "give --log-format");
    }
    const Choice choice = choose(fits, lines);
    if (!isCredible(choice, lines)) {
        if (const auto fault = mappingAtFault(lines, options)) {
            return engine::fail(*fault);
        }
        return engine::fail(unknownFormat(choice, lines));
    }
    HeadReading reading = readingOf(choice, lines);
    Detection& detection = reading.detection;
    detection.lines = choice.likeness.size()
        - static_cast<std::uint64_t>(std::count(choice.likeness.begin(), choice.likeness.end(),
                                                HeadFit::kDirective));
    detection.fit = choice.count(1);
    detection.exact = choice.count(2);
    addCandidates(fits, choice, detection);
    noteMix(choice, detection);
    auto formats = lookAgain(choice, lines, options, detection);
    if (formats.size() == 1) {
        detection.format = formats.front();
    } else if (auto mixed = makeMixedFormat(std::move(formats))) {
        detection.format = *mixed;
    } else {
        return engine::fail(mixed.error());
    }
    detection.confidence = confidenceOf(detection);
    if (detection.fit < detection.lines) {
        detection.notes.push_back(fmt::format("{} of the first {} lines do not fit",
                                              detection.lines - detection.fit, detection.lines));
    }
    return reading;
}

} // namespace storage::logs

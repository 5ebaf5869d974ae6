#include "app/workbench/notes.h"

#include "app/workbench/condition_notes.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/missing_notes.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace app {
namespace {

/// "--from 2026-07-01T00:00:00Z and --to ..."
std::string rangeText(const PassOptions& pass)
{
    const std::string from = pass.fromNs ? "--from " + rfc3339(*pass.fromNs) : std::string();
    const std::string to = pass.toNs ? "--to " + rfc3339(*pass.toNs) : std::string();
    return from + (from.empty() || to.empty() ? "" : " and ") + to;
}

struct NoteList {
    void add(std::string code, std::string text)
    {
        list.push_back({std::move(code), std::move(text)});
    }

    void add(std::vector<storage::Note> more)
    {
        list.insert(list.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
    }

    std::vector<storage::Note> list;
};

/// "access.log: " where there are several.
std::string named(const Pass& pass, const ReadLog& log)
{
    return pass.logs.size() > 1 ? log.path + ": " : std::string();
}

/// How each format was found; LOGs of one format together.
void noteDetection(const Pass& pass, NoteList& notes)
{
    struct Found {
        std::size_t logs = 0;
        std::uint64_t fit = 0;
        std::uint64_t lines = 0;
    };

    std::map<std::string, Found> formats;
    for (const ReadLog& log : pass.logs) {
        Found& found = formats[log.format];
        ++found.logs;
        found.fit += log.detection.fit;
        found.lines += log.detection.lines;
    }
    for (const auto& [format, found] : formats) {
        if (found.lines > 0) {
            notes.add("log.detected",
                      found.logs == 1
                          ? fmt::format("format {}: fits {} of the first {} lines", format,
                                        grouped(found.fit), grouped(found.lines))
                          : fmt::format("format {} ({} logs): fits {} of the first {} lines",
                                        format, grouped(found.logs), grouped(found.fit),
                                        grouped(found.lines)));
        }
    }
    if (!pass.report.byFormat.empty()) {
        std::vector<std::string> parts;
        for (const auto& [format, requests] : pass.report.byFormat) {
            parts.push_back(fmt::format("{} of {}", grouped(requests), format));
        }
        notes.add("log.formats",
                  fmt::format("lines of several formats lie in one log; requests: {}",
                              fmt::join(parts, ", ")));
    }
    std::set<std::string> said;
    for (const ReadLog& log : pass.logs) {
        for (const std::string& sentence : log.detection.notes) {
            if (said.insert(sentence).second) {
                notes.add("log.detection", named(pass, log) + sentence);
            }
        }
    }
}

/// What --where and --recorded-rejection ask of a request, and no line has.
void noteAsked(const Pass& pass, const ReplayRequest& request, NoteList& notes)
{
    const auto add = [&](const engine::Match& match, std::string_view option) {
        notes.add(missingNotesOf(*pass.intake, match, option));
    };
    add(request.pass.intake.where, "--where");
    if (!request.pass.findRecorded) {
        add(request.pass.intake.recordedRejection, "--recorded-rejection");
        for (const engine::Match& match : request.pass.intake.otherRejections) {
            add(match, "--recorded-rejection");
        }
    }
}

void noteMask(const Masking& mask, NoteList& notes)
{
    if (mask.isOn()) {
        notes.add("replay.masked",
                  fmt::format("values of {} are pseudonyms in the store; the policy, its lookup "
                              "files and --where are there as they are",
                              fmt::join(mask.attributes, ", ")));
    }
}

void noteReading(const Pass& pass, const ReplayRequest& request, NoteList& notes)
{
    const storage::LogReport& report = pass.report;
    noteDetection(pass, notes);
    for (const ReadLog& log : pass.logs) {
        for (const engine::Diagnostic& warning : log.warnings) {
            const bool isNamed = warning.message.starts_with(log.path);
            notes.add(warning.code, (isNamed ? "" : named(pass, log)) + warning.message);
        }
    }
    for (const storage::Note& note : pass.twice) {
        notes.add(note.code, note.text);
    }
    noteAsked(pass, request, notes);
    noteMask(request.mask, notes);
    if (report.rejected > 0) {
        notes.add("log.bad-lines",
                  fmt::format("{} of {} lines could not be read and take no part",
                              grouped(report.rejected), grouped(report.lines)));
    }
    if (pass.intake->requests() == 0) {
        notes.add("log.empty",
                  pass.logs.size() > 1 ? "the logs hold no request" : "the log holds no request");
    }
    const std::uint64_t total = pass.intake->requests();
    if (pass.intake->leftOut() > 0) {
        notes.add("replay.left-out",
                  fmt::format("--where left out {} of {} requests", grouped(pass.intake->leftOut()),
                              grouped(total)));
    }
    if (pass.intake->dropped() > 0) {
        notes.add(
            "replay.recorded-dropped",
            fmt::format("--recorded-rejected drop left out {} of {} requests, which production "
                        "had rejected",
                        grouped(pass.intake->dropped()), grouped(total)));
    }
    if (pass.outOfRange > 0) {
        notes.add("replay.out-of-range",
                  fmt::format("{} left out {} of {} requests", rangeText(request.pass),
                              grouped(pass.outOfRange), grouped(total)));
    }
    for (const storage::Option& option : request.reading) {
        if (option.name == "sampled") {
            notes.add("log.sampled", sampledText(option.value));
        }
    }
    if (pass.interrupted) {
        notes.add("replay.interrupted",
                  "the replay was interrupted: the figures are those of the part that was read");
    }
}

/// What was not in the stamps: zones, and clocks that were put right.
void noteClocks(const Pass& pass, const ReplayRequest& request, NoteList& notes)
{
    const storage::LogReport& report = pass.report;
    if (report.linesBehindNuls > 0) {
        notes.add("log.nuls",
                  fmt::format("{} lines begin with NUL bytes, which were dropped: the log was "
                              "truncated while it was written",
                              grouped(report.linesBehindNuls)));
    }
    if (report.outerTimes > 0) {
        notes.add("log.wrapper-times",
                  fmt::format("{} of {} requests have no time of their own: that of the wrapper "
                              "around their line counts as their end",
                              grouped(report.outerTimes), grouped(report.requests)));
    }
    if (report.localTimes > 0) {
        std::set<std::string> zones;
        for (std::size_t i = 0; i < pass.logs.size(); ++i) {
            if (pass.logs[i].report.localTimes > 0) {
                const LogChoice& log = request.pass.logs[i];
                zones.insert(log.zone ? log.zone->name() : "UTC");
            }
        }
        std::string names;
        for (const std::string& zone : zones) {
            names += (names.empty() ? "" : ", ") + zone;
        }
        notes.add("log.zone",
                  fmt::format("{} stamps name no zone and are read as {} (--tz)",
                              grouped(report.localTimes), names));
    }
    if (report.ambiguousTimes > 0) {
        notes.add("log.ambiguous-times",
                  fmt::format("{} stamps are of an hour that local time had twice: the earlier one "
                              "was taken",
                              grouped(report.ambiguousTimes)));
    }
    if (report.skippedTimes > 0) {
        notes.add(
            "log.skipped-times",
            fmt::format("{} stamps are of an hour that local time never had: they are read by "
                        "the offset before it",
                        grouped(report.skippedTimes)));
    }
    for (std::size_t i = 0; i < pass.logs.size(); ++i) {
        if (const std::int64_t clock = request.pass.logs[i].clockNs; clock != 0) {
            notes.add("log.clock",
                      fmt::format("{}: {}{} was added to all times", pass.logs[i].path,
                                  clock < 0 ? "-" : "+", waitText(clock < 0 ? -clock : clock)));
        }
    }
}

/// Whose word was taken on who a client is.
void noteProxies(const Pass& pass, NoteList& notes)
{
    const storage::LogReport& report = pass.report;
    if (report.forwarded > 0) {
        notes.add(
            "log.proxies",
            fmt::format("{} of {} requests came through trusted proxies and have their client "
                        "from X-Forwarded-For or Forwarded",
                        grouped(report.forwarded), grouped(report.requests)));
    }
    if (report.unusableLists > 0) {
        notes.add("log.unusable-lists",
                  fmt::format("{} lists of trusted proxies have something else where the client's "
                              "address belongs: the peer counts as client",
                              grouped(report.unusableLists)));
    }
}

void noteTime(const Pass& pass, const ReplayRequest& request, NoteList& notes)
{
    const storage::LogReport& report = pass.report;
    if (report.coarse > 0 && request.pass.logs.front().spread == storage::Spread::Even) {
        notes.add("replay.spread",
                  fmt::format("{} stamps are whole seconds: the n requests of a second were placed "
                              "at second + i/n "
                              "(--spread none leaves them at its start); limits finer than a "
                              "second are not meaningful",
                              grouped(report.coarse)));
    } else if (report.coarse > 0) {
        notes.add("replay.spread",
                  fmt::format(
                      "{} stamps are whole seconds and stand at the second's start (--spread none)",
                      grouped(report.coarse)));
    }
    const auto lacksDuration = [](const ReadLog& log) {
        return log.report.requests > 0 && log.report.withDuration == 0 && log.format != "weir";
    };
    const auto lacking = std::count_if(pass.logs.begin(), pass.logs.end(), lacksDuration);
    if (lacking > 0 && pass.logs.size() == 1) {
        notes.add("replay.no-duration",
                  "no line has a duration: stamps at a request's end count as its start");
    } else if (lacking > 0) {
        const auto first = std::find_if(pass.logs.begin(), pass.logs.end(), lacksDuration);
        notes.add("replay.no-duration",
                  fmt::format("{} of {} logs have no durations (such as {}): stamps at a request's "
                              "end count as its start",
                              grouped(static_cast<std::uint64_t>(lacking)),
                              grouped(pass.logs.size()), first->path));
    }
    if (pass.sortedWhole) {
        notes.add("replay.sorted",
                  pass.logs.size() > 1
                      ? "lines came more than 60 s out of order within their log: all logs were "
                        "read again and sorted as a whole"
                      : "lines came more than 60 s out of order: the log was read again and sorted "
                        "as a whole");
    }
    if (pass.order.late > 0) {
        const std::int64_t serving = pass.order.servingHorizonNs;
        std::string text = fmt::format(
            "{} requests came later than the horizon and were decided at the clock's time",
            grouped(pass.order.late));
        if (pass.order.lateLong * 2 > pass.order.late) {
            text += "; most are long requests (WebSocket, downloads)";
        }
        const std::int64_t seconds
            = serving / 1'000'000'000 + (serving % 1'000'000'000 != 0 ? 1 : 0);
        notes.add("replay.late", text + fmt::format("; --reorder {}s would have served", seconds));
    }
}

void notePolicy(const Pass& pass, const engine::Tally& tally, const ReplayRequest& request,
                std::size_t plan, NoteList& notes)
{
    const engine::Intake& intake = *pass.intake;
    const engine::RunTally& run = tally.run(plan);
    const std::uint64_t total = run.requests;
    if (total > 0) {
        const std::uint64_t without = tally.who(plan, engine::kNoId).requests;
        notes.list.push_back(whoNote(intake.who(), total - std::min(total, without), total));
    }
    notes.add(missingNotesOf(intake, plan));
    if (run.recordedRejected > 0) {
        notes.add("replay.recorded", recordedText(run.recordedRejected));
    }
    for (std::size_t rule = 0; rule < intake.plans()[plan]->rules.size(); ++rule) {
        const engine::PlanRule& planned = intake.plans()[plan]->rules[rule];
        // Where its classes are for all requests, none is left for the rest of a load_shedder.
        const bool isRest = planned.stateBefore > 0 && !planned.className;
        if (total > 0 && run.rules[rule].judged == 0 && !isRest) {
            notes.add("replay.rule-unused",
                      fmt::format("rule {} judged no request", fullName(planned)));
        }
        if (const std::uint64_t missing = intake.costMissing(plan, rule); missing > 0) {
            notes.add("replay.cost-missing",
                      fmt::format("rule {}: {} requests have no usable `{}` and cost 1",
                                  planned.rule, grouped(missing), planned.cost.attribute));
        }
    }
    notes.add(conditionNotesOf(intake, *pass.replay, *pass.conditions, plan));
    if (run.warmup > 0) {
        notes.add("replay.warmup",
                  fmt::format("the first {} requests (--warmup {}) were decided and not counted",
                              grouped(run.warmup), durationText(request.pass.warmupNs)));
    }
}

} // namespace

std::string sampledText(std::string_view sampled)
{
    return fmt::format("sample of {}: real figures are about {} times as high; limits are not "
                       "scaled",
                       sampled, sampled.substr(sampled.find('/') + 1));
}

storage::Note whoNote(std::string_view who, std::uint64_t having, std::uint64_t requests)
{
    return {"replay.who",
            fmt::format("who is {}: {} of {} requests have it", who, grouped(having),
                        grouped(requests))};
}

std::string recordedText(std::uint64_t rejected)
{
    return fmt::format("production had rejected {} of these requests: such lines have no real "
                       "duration, and clients send them again, so the log has more and shorter "
                       "requests than it would have had without (--recorded-rejected drop leaves "
                       "them out)",
                       grouped(rejected));
}

std::vector<storage::Note> readingNotesOf(const Pass& pass, const ReplayRequest& request)
{
    NoteList notes;
    noteReading(pass, request, notes);
    noteProxies(pass, notes);
    noteClocks(pass, request, notes);
    noteTime(pass, request, notes);
    return std::move(notes.list);
}

std::vector<storage::Note> notesOf(const Pass& pass, const engine::Tally& tally,
                                   const ReplayRequest& request, std::size_t plan)
{
    NoteList notes {readingNotesOf(pass, request)};
    notePolicy(pass, tally, request, plan, notes);
    return std::move(notes.list);
}

bool nothingRead(const Pass& pass)
{
    return pass.intake->requests() == 0 && pass.report.rejected > 0;
}

engine::Diagnostic unreadable(const Pass& pass)
{
    std::string logs;
    for (const ReadLog& log : pass.logs) {
        logs += fmt::format("{}{}", logs.empty() ? "" : ", ", log.path);
    }
    return engine::fail("log.nothing-read",
                        fmt::format("none of the {} lines of {} could be read as {}",
                                    grouped(pass.report.lines), logs, pass.logs.front().format),
                        "`weir inspect LOG` says why; --log-format says what the lines are")
        .diagnostic;
}

} // namespace app

#include "app/workbench/notes.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace app {
namespace {

std::string mappingText(const std::vector<storage::FieldMapping>& mappings)
{
    std::string text;
    for (const storage::FieldMapping& mapping : mappings) {
        text += (text.empty() ? "" : "\n") + mapping.name + "=" + mapping.field;
    }
    return text;
}

std::string spreadText(storage::Spread spread)
{
    return spread == storage::Spread::Even ? "even" : "none";
}

class NoteList {
public:
    void add(std::string code, std::string text)
    {
        m_notes.push_back({std::move(code), std::move(text)});
    }

    std::vector<storage::Note> take() { return std::move(m_notes); }

private:
    std::vector<storage::Note> m_notes;
};

void noteReading(const Pass& pass, NoteList& notes)
{
    const storage::LogReport& report = pass.reader->report();
    const storage::Detection& detection = pass.reader->detection();
    if (detection.lines > 0) {
        notes.add("log.detected",
                  fmt::format("format {}: fits {} of the first {} lines",
                              pass.reader->format().name(), grouped(detection.fit),
                              grouped(detection.lines)));
    }
    for (const std::string& sentence : detection.notes) {
        notes.add("log.detection", sentence);
    }
    for (const engine::Diagnostic& warning : pass.reader->source().warnings()) {
        notes.add(warning.code, warning.message);
    }
    if (report.rejected > 0) {
        notes.add("log.bad-lines",
                  fmt::format("{} of {} lines could not be read and take no part",
                              grouped(report.rejected), grouped(report.lines)));
    }
    if (pass.intake->requests() == 0) {
        notes.add("log.empty", "the log holds no request");
    }
    if (pass.intake->leftOut() > 0) {
        notes.add("replay.left-out",
                  fmt::format("--where left out {} of {} requests", grouped(pass.intake->leftOut()),
                              grouped(pass.intake->requests())));
    }
    if (pass.interrupted) {
        notes.add("replay.interrupted",
                  "the replay was interrupted: the figures are those of the part that was read");
    }
}

void noteTime(const Pass& pass, const ReplayRequest& request, NoteList& notes)
{
    const storage::LogReport& report = pass.reader->report();
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
    const bool stampsArrival = pass.reader->format().name() == "weir";
    if (report.requests > 0 && report.withDuration == 0 && !stampsArrival) {
        notes.add("replay.no-duration",
                  "no line has a duration: stamps at a request's end count as its start");
    }
    if (pass.sortedWhole) {
        notes.add(
            "replay.sorted",
            "lines came more than 60 s out of order: the log was read again and sorted as a whole");
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

/// What the policy itself asks of a request, but for what it derives.
std::set<std::string> attributesAsked(const engine::Plan& plan)
{
    std::set<std::string> names;
    const auto addMatch = [&names](const engine::Match& match) {
        for (const engine::Matcher& entry : match) {
            names.insert(entry.attribute);
        }
    };
    for (const engine::PlanRule& rule : plan.rules) {
        addMatch(rule.match);
        addMatch(rule.overrideMatch);
        names.insert(rule.key.begin(), rule.key.end());
        names.insert(rule.cost.attribute);
    }
    for (const engine::Exemption& exemption : plan.exempt) {
        addMatch(exemption.match);
    }
    for (const engine::Derivation& derivation : plan.attributes) {
        names.insert(derivation.from);
    }
    return names;
}

void notePolicy(const Pass& pass, const engine::Tally& tally, const ReplayRequest& request,
                std::size_t plan, NoteList& notes)
{
    const engine::Intake& intake = *pass.intake;
    const engine::RunTally& run = tally.run(plan);
    const std::uint64_t total = run.requests;
    if (total > 0) {
        const std::uint64_t without = tally.who(plan, engine::kNoId).requests;
        notes.add("replay.who",
                  fmt::format("who is {}: {} of {} requests have it", intake.who(),
                              grouped(total - std::min(total, without)), grouped(total)));
    }
    if (intake.requests() > 0) {
        const std::set<std::string> asked = attributesAsked(*intake.plans()[plan]);
        for (std::size_t field = 0; field < intake.fields().size(); ++field) {
            const std::string& name = intake.fields()[field];
            if (intake.filled(field) == 0 && name != "duration" && asked.contains(name)) {
                notes.add("replay.attribute-missing",
                          fmt::format("no line has `{}`, which the policy reads", name));
            }
        }
    }
    for (std::size_t rule = 0; rule < intake.plans()[plan]->rules.size(); ++rule) {
        const engine::PlanRule& planned = intake.plans()[plan]->rules[rule];
        if (total > 0 && run.rules[rule].judged == 0) {
            notes.add("replay.rule-unused",
                      fmt::format("rule {} judged no request", fullName(planned)));
        }
        if (const std::uint64_t missing = intake.costMissing(plan, rule); missing > 0) {
            notes.add("replay.cost-missing",
                      fmt::format("rule {}: {} requests have no usable `{}` and cost 1",
                                  planned.rule, grouped(missing), planned.cost.attribute));
        }
    }
    if (run.warmup > 0) {
        notes.add("replay.warmup",
                  fmt::format("the first {} requests (--warmup {}) were decided and not counted",
                              grouped(run.warmup), durationText(request.pass.warmupNs)));
    }
}

} // namespace

storage::RecordingRecord recordingOf(const Pass& pass, const ReplayRequest& request)
{
    const storage::LogSource& source = pass.reader->source();
    const storage::LogReport& report = pass.reader->report();
    storage::RecordingRecord record;
    record.fingerprint = source.fingerprint().toText();
    record.streamed = !source.isRegular();
    record.partial = source.isPartial() || pass.interrupted;
    record.files.push_back({source.path(), source.isRegular() ? record.fingerprint : std::string(),
                            source.bytesRead(), report.lines});
    record.reading = request.reading;
    record.reading.push_back({"format", pass.reader->format().name()});
    record.reading.push_back({"map", mappingText(request.pass.logs.front().mappings)});
    record.reading.push_back({"spread", spreadText(request.pass.logs.front().spread)});
    record.reading.push_back({"reorder",
                              request.pass.logs.front().reorderNs
                                  ? fmt::format("{}ns", *request.pass.logs.front().reorderNs)
                                  : std::string("auto")});
    record.reading.push_back({"who", pass.intake->who()});
    if (pass.sortedWhole) {
        record.reading.push_back({"sorted", "whole"}); // what explain must know, no option
    }
    record.firstNs = report.firstNs;
    record.lastNs = report.lastNs;
    record.lines = report.lines;
    record.directives = report.directiveLines;
    record.requests = report.requests;
    record.leftOut = pass.intake->leftOut();
    record.badLines = report.rejected;
    return record;
}

std::vector<storage::BadLines> badLinesOf(const storage::LogReport& report)
{
    std::vector<storage::BadLines> lines;
    for (const auto& [reason, found] : report.reasons) {
        storage::BadLines bad {reason, found.count, {}};
        for (const storage::LineReject& example : found.examples) {
            bad.examples.push_back({0, example.line, example.text});
        }
        lines.push_back(std::move(bad));
    }
    return lines;
}

std::vector<storage::Note> notesOf(const Pass& pass, const engine::Tally& tally,
                                   const ReplayRequest& request, std::size_t plan)
{
    NoteList notes;
    noteReading(pass, notes);
    noteTime(pass, request, notes);
    notePolicy(pass, tally, request, plan, notes);
    return notes.take();
}

} // namespace app

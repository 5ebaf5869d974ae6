#include "storage/runs/run_rows.h"

#include "storage/runs/condition_rows.h"
#include "storage/runs/key_rows.h"
#include "storage/runs/text.h"
#include "storage/runs/writer_process.h"

#include <future>
#include <vector>

namespace storage::runs {
namespace {

std::int64_t insertPolicy(Steps& steps, const PolicyRecord& policy)
{
    std::optional<Statement> same = steps.prepare(
        "SELECT id FROM policies WHERE fingerprint = ?1 AND name = ?2 AND path = ?3 AND text = ?4");
    if (same) {
        same->bind(policy.fingerprint, policy.name, policy.path, policy.text);
    }
    if (steps.next(same)) {
        return same->integer(0);
    }
    same.reset();
    steps.run("INSERT INTO policies(name, path, fingerprint, text) VALUES(?1, ?2, ?3, ?4)",
              policy.name, policy.path, policy.fingerprint, policy.text);
    const std::int64_t id = steps.database().lastRowId();
    for (const Lookup& lookup : policy.lookups) {
        steps.run("INSERT INTO lookups(policy, name, content) VALUES(?1, ?2, ?3)", id, lookup.name,
                  Blob {lookup.bytes});
    }
    return id;
}

std::string joinedFiles(const std::vector<RecordingFile>& files)
{
    std::vector<std::string> texts;
    for (const RecordingFile& file : files) {
        texts.push_back(file.path);
        texts.push_back(file.fingerprint);
    }
    return toJson(texts);
}

/// The recording that says the same, if there is one: runs of one log share it.
std::optional<std::int64_t> findRecording(Steps& steps, const RecordingRecord& recording,
                                          const std::string& reading)
{
    std::vector<std::int64_t> candidates;
    std::optional<Statement> same = steps.prepare(
        "SELECT id FROM recordings WHERE fingerprint = ?1 AND reading = ?2 AND streamed = ?3 "
        "AND partial = ?4 AND lines = ?5 AND requests = ?6 AND left_out = ?7 AND bad_lines = ?8");
    if (same) {
        same->bind(recording.fingerprint, reading, recording.streamed, recording.partial,
                   recording.lines, recording.requests, recording.leftOut, recording.badLines);
    }
    while (steps.next(same)) {
        candidates.push_back(same->integer(0));
    }
    for (const std::int64_t id : candidates) {
        std::vector<RecordingFile> files;
        std::optional<Statement> rows = steps.prepare(
            "SELECT path, fingerprint FROM recording_files WHERE recording = ?1 ORDER BY file");
        if (rows) {
            rows->bind(id);
        }
        while (steps.next(rows)) {
            files.push_back({rows->text(0), rows->text(1), 0, 0});
        }
        if (joinedFiles(files) == joinedFiles(recording.files)) {
            return id;
        }
    }
    return std::nullopt;
}

std::int64_t insertRecording(Steps& steps, const RecordingRecord& recording)
{
    const std::string reading = toJson(recording.reading);
    const std::optional<std::int64_t> known = findRecording(steps, recording, reading);
    if (known) {
        return *known;
    }
    steps.run("INSERT INTO recordings(fingerprint, reading, streamed, partial, first_ns, last_ns, "
              "lines, directives, "
              "requests, left_out, bad_lines) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
              recording.fingerprint, reading, recording.streamed, recording.partial,
              recording.firstNs, recording.lastNs, recording.lines, recording.directives,
              recording.requests, recording.leftOut, recording.badLines);
    const std::int64_t id = steps.database().lastRowId();
    std::int64_t place = 0;
    for (const RecordingFile& file : recording.files) {
        steps.run("INSERT INTO recording_files(recording, file, path, fingerprint, bytes, lines) "
                  "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                  id, place++, file.path, file.fingerprint, file.bytes, file.lines);
    }
    return id;
}

void updateRule(Steps& steps, RunId run, std::size_t index, const RunEnd& end, const KeyRows& keys)
{
    const engine::RuleTally& tally = end.figures.run().rules[index];
    const engine::PlanRule& rule = end.plan.rules[index];
    const DelayTotals delays = totalsOf(tally.delays);
    steps.run("UPDATE rules SET judged = ?3, admitted = ?4, denied = ?5, rejected = ?6, "
              "cost_missing = ?7, keys = ?8, "
              "keys_denied = ?9, keys_left_out = ?10, state_keys = ?11, state_bytes = ?12 "
              "WHERE run = ?1 AND rule = ?2",
              run, index, tally.judged, tally.admitted, tally.denied, tally.rejected,
              end.figures.costMissing(index), keys.judged, keys.denied, keys.leftOut,
              keys.memory.keys, keys.memory.bytes);
    insertKeys(steps, run, index, end.figures, keys.rows);
    if (delays.count > 0) {
        steps.run("UPDATE rules SET delays = ?3, delay_mean_ns = ?4, delay_p50_ns = ?5, "
                  "delay_p90_ns = ?6, "
                  "delay_p95_ns = ?7, delay_p99_ns = ?8, delay_p999_ns = ?9, delay_max_ns = ?10 "
                  "WHERE run = ?1 AND rule = ?2",
                  run, index, delays.count, delays.meanNs, delays.p50Ns, delays.p90Ns, delays.p95Ns,
                  delays.p99Ns, delays.p999Ns, delays.maximumNs);
    }
    for (std::size_t place = 0; place < tally.skipped.size(); ++place) {
        if (tally.skipped[place] > 0) {
            const std::string_view attribute
                = place < rule.key.size() ? std::string_view(rule.key[place]) : "duration";
            steps.run("INSERT INTO skips(run, rule, place, attribute, requests) VALUES(?1, ?2, ?3, "
                      "?4, ?5)",
                      run, index, place, attribute, tally.skipped[place]);
        }
    }
}

/// The rows of each rule's keys, then those of whos. The next are gathered while these are
/// inserted.
void insertKeysAndWhos(Steps& steps, RunId run, const RunEnd& end)
{
    const auto when
        = end.gathersAside ? std::launch::async | std::launch::deferred : std::launch::deferred;
    const std::size_t rules = end.plan.rules.size();
    std::future<std::vector<std::uint32_t>> whos;
    std::future<KeyRows> next;
    const auto gather = [&](std::size_t rule) {
        if (rule < rules) {
            next = std::async(when,
                              [&end, rule] { return gatherKeys(end.figures, rule, end.limits); });
        } else {
            whos = std::async(when, [&end] { return gatherWhos(end.figures, end.limits.largest); });
        }
    };
    gather(0);
    for (std::size_t rule = 0; rule < rules && steps.isFine(); ++rule) {
        const KeyRows keys = next.get();
        gather(rule + 1);
        updateRule(steps, run, rule, end, keys);
    }
    if (steps.isFine()) {
        insertWhos(steps, run, end.figures, whos.get());
    }
}

void insertPathGroups(Steps& steps, RunId run, const RunEnd& end)
{
    std::optional<Statement> insert
        = steps.prepare("INSERT INTO path_groups(run, id, path_group) VALUES(?1, ?2, ?3)");
    for (std::size_t id = 0; id < end.pathGroups.size(); ++id) {
        if (end.pathGroups[id]) {
            steps.again(insert, run, id,
                        Blob {end.figures.pathGroupText(static_cast<std::uint32_t>(id))});
        }
    }
}

void insertNotes(Steps& steps, RunId run, const RunClosing& closing)
{
    for (const BadLines& bad : closing.badLines) {
        steps.run("INSERT INTO bad_lines(run, reason, count) VALUES(?1, ?2, ?3)", run, bad.reason,
                  bad.count);
        std::int64_t place = 0;
        for (const BadLineExample& example : bad.examples) {
            steps.run("INSERT INTO bad_line_examples(run, reason, place, file, line, text) "
                      "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                      run, bad.reason, place++, example.file, example.line, Blob {example.text});
        }
    }
    std::int64_t place = 0;
    for (const Note& note : closing.notes) {
        steps.run("INSERT INTO notes(run, place, code, text) VALUES(?1, ?2, ?3, ?4)", run, place++,
                  note.code, note.text);
    }
}

void updateRun(Steps& steps, RunId run, RunState state, const RunEnd& end, std::int64_t recording)
{
    const engine::RunTally& tally = end.figures.run();
    steps.run(
        "UPDATE runs SET requests = ?2, admitted = ?3, rejected = ?4, exempt = ?5, would_reject = "
        "?6, late = ?7, "
        "delayed = ?8, warmup = ?9, recorded_known = ?10, recorded_rejected = ?11, first_ns = ?12, "
        "last_ns = ?13, whos = ?14 WHERE id = ?1",
        run, tally.requests, tally.admitted, tally.rejected, tally.exempt, tally.wouldReject,
        tally.late, tally.delayed, tally.warmup, tally.recordedKnown, tally.recordedRejected,
        tally.firstNs, tally.lastNs, end.figures.whoCount());
    steps.run("UPDATE runs SET state = ?2, ended_ns = ?3, recording = ?4, request_ns = ?5 "
              "WHERE id = ?1",
              run, nameOf(state), end.closing.endedNs, recording, end.closing.requestNs);
}

} // namespace

RunId insertRun(Steps& steps, const RunHeader& header, const engine::Plan& plan)
{
    const std::int64_t policy = insertPolicy(steps, header.policy);
    steps.run("INSERT INTO runs(name, state, policy, source, options, seed, version, process, "
              "started_ns) "
              "VALUES(?1, 'running', ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
              header.name, policy, header.source, toJson(header.options), header.seed,
              header.version, ownProcess(), header.startedNs);
    const RunId run = steps.database().lastRowId();
    std::optional<Statement> insert
        = steps.prepare("INSERT INTO rules(run, rule, name, override, class, tier, mode, "
                        "algorithm, key) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    std::int64_t place = 0;
    for (const engine::PlanRule& rule : plan.rules) {
        const std::string key = toJson(rule.key);
        steps.again(insert, run, place++, rule.rule, rule.overrideName, rule.className,
                    engine::nameOf(rule.tier), engine::nameOf(rule.mode),
                    engine::nameOf(rule.limit.algorithm), key);
    }
    return run;
}

void insertEnd(Steps& steps, RunId run, RunState state, const RunEnd& end)
{
    const engine::RunTally& tally = end.figures.run();
    for (std::size_t tier = 0; tier < engine::kTierCount; ++tier) {
        steps.run(
            "INSERT INTO tiers(run, place, tier, judged, rejected) VALUES(?1, ?2, ?3, ?4, ?5)", run,
            tier, engine::nameOf(static_cast<engine::Tier>(tier)), tally.tiers[tier].judged,
            tally.tiers[tier].rejected);
    }
    insertKeysAndWhos(steps, run, end);
    for (std::size_t i = 0; i < end.plan.exempt.size(); ++i) {
        steps.run("INSERT INTO exemptions(run, exemption, name, requests) VALUES(?1, ?2, ?3, ?4)",
                  run, i, end.plan.exempt[i].name,
                  i < tally.exemptBy.size() ? tally.exemptBy[i] : 0);
    }
    insertConditions(steps, run, end.figures.conditions());
    insertPathGroups(steps, run, end);
    insertNotes(steps, run, end.closing);
    updateRun(steps, run, state, end, insertRecording(steps, end.closing.recording));
}

} // namespace storage::runs

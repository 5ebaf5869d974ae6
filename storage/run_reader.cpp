#include "storage/run_reader.h"

#include "storage/runs/steps.h"
#include "storage/runs/text.h"
#include "storage/runs/timeline.h"
#include "storage/runs/writer_process.h"

#include <algorithm>

namespace storage {
namespace {

using runs::Statement;
using runs::Steps;

engine::Failure unknownRun(const std::string& path, RunId run)
{
    engine::Failure failure
        = engine::fail("store.unknown-run", "`" + path + "` has no run " + std::to_string(run),
                       "`weir runs` lists them");
    failure.diagnostic.place.file = path;
    return failure;
}

RunState stateNamed(std::string_view name)
{
    for (const RunState state : {RunState::Running, RunState::Complete, RunState::Interrupted}) {
        if (name == nameOf(state)) {
            return state;
        }
    }
    return RunState::Failed;
}

constexpr const char* kSummaries = "SELECT r.id, r.name, r.state, r.process, p.name, "
                                   "p.fingerprint, r.source, c.fingerprint, r.version, r.seed, "
                                   "r.started_ns, r.ended_ns, c.partial, r.failure_code, "
                                   "r.failure, r.requests, r.admitted, r.rejected, r.exempt, "
                                   "r.would_reject, r.late, r.delayed, r.warmup, r.recorded_known, "
                                   "r.recorded_rejected, r.first_ns, r.last_ns, "
                                   "r.options, r.policy, r.recording, r.whos "
                                   "FROM runs r JOIN policies p ON p.id = r.policy LEFT JOIN "
                                   "recordings c ON c.id = r.recording ";

RunSummary summaryFrom(const Statement& row)
{
    RunSummary summary;
    summary.id = row.integer(0);
    summary.name = row.text(1);
    summary.state = stateNamed(row.bytes(2));
    if (summary.state == RunState::Running && !runs::isAlive(row.bytes(3))) {
        summary.state = RunState::Interrupted; // the next writer will say so in the file
    }
    summary.policyName = row.text(4);
    summary.policyFingerprint = row.text(5);
    summary.source = row.text(6);
    summary.recordingFingerprint = row.text(7);
    summary.version = row.text(8);
    summary.seed = row.count(9);
    summary.startedNs = row.integer(10);
    summary.endedNs = row.maybe(11);
    summary.partial = row.integer(12) != 0;
    summary.failureCode = row.text(13);
    summary.failure = row.text(14);
    RunTotals& totals = summary.totals;
    int column = 15;
    for (std::uint64_t* total : {&totals.requests, &totals.admitted, &totals.rejected,
                                 &totals.exempt, &totals.wouldReject, &totals.late, &totals.delayed,
                                 &totals.warmup, &totals.recordedKnown, &totals.recordedRejected}) {
        *total = row.count(column++);
    }
    totals.firstNs = row.maybe(column++);
    totals.lastNs = row.maybe(column);
    return summary;
}

/// A statement with the run as its first parameter.
std::optional<Statement> ofRun(Steps& steps, std::string_view sql, std::int64_t run)
{
    std::optional<Statement> rows = steps.prepare(sql);
    if (rows) {
        rows->bind(run);
    }
    return rows;
}

PolicyRecord policyOf(Steps& steps, std::int64_t id)
{
    PolicyRecord policy;
    std::optional<Statement> row
        = ofRun(steps, "SELECT name, path, text, fingerprint FROM policies WHERE id = ?1", id);
    if (steps.next(row)) {
        policy = {row->text(0), row->text(1), row->text(2), row->text(3), {}};
    }
    std::optional<Statement> lookups
        = ofRun(steps, "SELECT name, content FROM lookups WHERE policy = ?1 ORDER BY name", id);
    while (steps.next(lookups)) {
        policy.lookups.push_back({lookups->text(0), lookups->text(1)});
    }
    return policy;
}

RecordingRecord recordingOf(Steps& steps, std::int64_t id)
{
    RecordingRecord recording;
    std::string reading = "{}";
    std::optional<Statement> row
        = ofRun(steps,
                "SELECT fingerprint, reading, streamed, partial, first_ns, last_ns, lines, "
                "directives, requests, left_out, bad_lines FROM recordings WHERE id = ?1",
                id);
    if (steps.next(row)) {
        recording.fingerprint = row->text(0);
        reading = row->text(1);
        recording.streamed = row->integer(2) != 0;
        recording.partial = row->integer(3) != 0;
        recording.firstNs = row->maybe(4);
        recording.lastNs = row->maybe(5);
        recording.lines = row->count(6);
        recording.directives = row->count(7);
        recording.requests = row->count(8);
        recording.leftOut = row->count(9);
        recording.badLines = row->count(10);
    }
    std::optional<Statement> files = ofRun(steps,
                                           "SELECT path, fingerprint, bytes, lines FROM "
                                           "recording_files WHERE recording = ?1 ORDER BY file",
                                           id);
    while (steps.next(files)) {
        recording.files.push_back(
            {files->text(0), files->text(1), files->count(2), files->count(3)});
    }
    engine::Result<std::vector<Option>> options = runs::optionsFromJson(steps.database(), reading);
    if (options) {
        recording.reading = std::move(*options);
    } else {
        steps.take(engine::fail(options.error()));
    }
    return recording;
}

RuleTotals ruleFrom(Steps& steps, const Statement& row)
{
    RuleTotals rule;
    rule.index = row.id(0);
    rule.rule = row.text(1);
    if (!row.isNull(2)) {
        rule.overrideName = row.text(2);
    }
    rule.tier = engine::tierNamed(row.bytes(3)).value_or(engine::Tier::Edge);
    rule.mode = engine::modeNamed(row.bytes(4)).value_or(engine::Mode::Enforce);
    rule.algorithm = row.text(5);
    engine::Result<std::vector<std::string>> key
        = runs::listFromJson(steps.database(), row.bytes(6));
    if (key) {
        rule.key = std::move(*key);
    } else {
        steps.take(engine::fail(key.error()));
    }
    int column = 7;
    for (std::uint64_t* count :
         {&rule.judged, &rule.admitted, &rule.denied, &rule.rejected, &rule.costMissing, &rule.keys,
          &rule.keysDenied, &rule.keysLeftOut, &rule.delays.count}) {
        *count = row.count(column++);
    }
    DelayTotals& delays = rule.delays;
    for (std::int64_t* delay : {&delays.meanNs, &delays.p50Ns, &delays.p90Ns, &delays.p95Ns,
                                &delays.p99Ns, &delays.p999Ns, &delays.maximumNs}) {
        *delay = row.integer(column++);
    }
    return rule;
}

void readRules(Steps& steps, RunDetail& detail)
{
    std::optional<Statement> rows = ofRun(steps,
                                          "SELECT rule, name, override, tier, mode, algorithm, "
                                          "key, judged, admitted, denied, rejected, "
                                          "cost_missing, keys, keys_denied, keys_left_out, delays, "
                                          "delay_mean_ns, delay_p50_ns, delay_p90_ns, "
                                          "delay_p95_ns, delay_p99_ns, delay_p999_ns, delay_max_ns "
                                          "FROM rules WHERE run = ?1 ORDER BY rule",
                                          detail.summary.id);
    while (steps.next(rows)) {
        detail.rules.push_back(ruleFrom(steps, *rows));
    }
    std::optional<Statement> skips = ofRun(
        steps, "SELECT rule, attribute, requests FROM skips WHERE run = ?1 ORDER BY rule, place",
        detail.summary.id);
    while (steps.next(skips)) {
        if (skips->id(0) < detail.rules.size()) {
            detail.rules[skips->id(0)].skips.push_back({skips->text(1), skips->count(2)});
        }
    }
}

void readNotes(Steps& steps, RunDetail& detail)
{
    const RunId run = detail.summary.id;
    std::optional<Statement> bad
        = ofRun(steps, "SELECT reason, count FROM bad_lines WHERE run = ?1 ORDER BY reason", run);
    while (steps.next(bad)) {
        detail.badLines.push_back({bad->text(0), bad->count(1), {}});
    }
    std::optional<Statement> examples
        = ofRun(steps,
                "SELECT reason, file, line, text FROM bad_line_examples WHERE run = ?1 ORDER BY "
                "reason, place",
                run);
    while (steps.next(examples)) {
        const std::string_view reason = examples->bytes(0);
        const auto at = std::find_if(detail.badLines.begin(), detail.badLines.end(),
                                     [&](const BadLines& lines) { return lines.reason == reason; });
        if (at != detail.badLines.end()) {
            at->examples.push_back({examples->id(1), examples->count(2), examples->text(3)});
        }
    }
    std::optional<Statement> notes
        = ofRun(steps, "SELECT code, text FROM notes WHERE run = ?1 ORDER BY place", run);
    while (steps.next(notes)) {
        detail.notes.push_back({notes->text(0), notes->text(1)});
    }
}

void readTotals(Steps& steps, RunDetail& detail)
{
    std::optional<Statement> tiers
        = ofRun(steps, "SELECT tier, judged, rejected FROM tiers WHERE run = ?1 ORDER BY place",
                detail.summary.id);
    while (steps.next(tiers)) {
        detail.tiers.push_back({engine::tierNamed(tiers->bytes(0)).value_or(engine::Tier::Edge),
                                tiers->count(1), tiers->count(2)});
    }
    std::optional<Statement> exempt
        = ofRun(steps, "SELECT name, requests FROM exemptions WHERE run = ?1 ORDER BY exemption",
                detail.summary.id);
    while (steps.next(exempt)) {
        detail.exemptions.push_back({exempt->text(0), exempt->count(1)});
    }
}

std::string_view orderOf(KeyOrder order)
{
    switch (order) {
    case KeyOrder::Denied:
        return "denied DESC, judged DESC, key";
    case KeyOrder::Judged:
        return "judged DESC, key";
    case KeyOrder::Key:
        return "key";
    }
    return "key";
}

std::string_view orderOf(WhoOrder order)
{
    switch (order) {
    case WhoOrder::Rejected:
        return "rejected DESC, requests DESC, who";
    case WhoOrder::WouldReject:
        return "would_reject DESC, requests DESC, who";
    case WhoOrder::RecordedRejected:
        return "recorded_rejected DESC, requests DESC, who";
    case WhoOrder::Requests:
        return "requests DESC, who";
    case WhoOrder::Who:
        return "who";
    }
    return "who";
}

/// A number larger than SQLite's means "all".
std::int64_t limited(std::size_t count)
{
    return static_cast<std::int64_t>(std::min<std::size_t>(count, INT64_MAX));
}

std::string_view valueOf(const std::vector<Option>& options, std::string_view name)
{
    const auto at = std::find_if(options.begin(), options.end(),
                                 [&](const Option& option) { return option.name == name; });
    return at == options.end() ? std::string_view() : std::string_view(at->value);
}

engine::Failure differs(std::string_view option, const RunDetail& a, const RunDetail& b,
                        std::string_view ofA, std::string_view ofB)
{
    const auto side = [](const RunDetail& run, std::string_view value) {
        return "run " + std::to_string(run.summary.id) + " has "
            + (value.empty() ? std::string("none") : "`" + std::string(value) + "`");
    };
    return engine::fail("compare.differs",
                        "the runs cannot be compared: `" + std::string(option) + "` differs; "
                            + side(a, ofA) + ", " + side(b, ofB),
                        "replay one of the policies again with the other run's options, or compare "
                        "policies with --log");
}

} // namespace

RunReader::RunReader(RunStore& store)
    : m_store(store)
{
}

engine::Status RunReader::find(RunId run) const
{
    Steps steps(m_store.database());
    std::optional<Statement> row = ofRun(steps, "SELECT 1 FROM runs WHERE id = ?1", run);
    if (steps.next(row)) {
        return engine::Done {};
    }
    return steps.isFine() ? unknownRun(m_store.path(), run) : steps.status();
}

engine::Result<std::vector<RunSummary>> RunReader::list() const
{
    Steps steps(m_store.database());
    std::vector<RunSummary> summaries;
    std::optional<Statement> rows = steps.prepare(std::string(kSummaries) + "ORDER BY r.id");
    while (steps.next(rows)) {
        summaries.push_back(summaryFrom(*rows));
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return summaries;
}

engine::Result<RunDetail> RunReader::detail(RunId run) const
{
    Steps steps(m_store.database());
    RunDetail detail;
    std::optional<Statement> row = ofRun(steps, std::string(kSummaries) + "WHERE r.id = ?1", run);
    if (!steps.next(row)) {
        return steps.isFine() ? unknownRun(m_store.path(), run) : engine::fail(steps.error());
    }
    detail.summary = summaryFrom(*row);
    engine::Result<std::vector<Option>> options
        = runs::optionsFromJson(m_store.database(), row->bytes(27));
    if (!options) {
        return engine::fail(options.error());
    }
    detail.options = std::move(*options);
    detail.policy = policyOf(steps, row->integer(28));
    if (!row->isNull(29)) {
        detail.recording = recordingOf(steps, row->integer(29));
    }
    detail.whos = row->count(30);
    readTotals(steps, detail);
    readRules(steps, detail);
    readNotes(steps, detail);
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return detail;
}

engine::Result<std::vector<KeyRow>> RunReader::keys(RunId run, std::uint32_t rule, KeyOrder order,
                                                    Page page) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    std::optional<Statement> width
        = steps.prepare("SELECT json_array_length(key) FROM rules WHERE run = ?1 AND rule = ?2");
    if (width) {
        width->bind(run, rule);
    }
    const std::size_t values = steps.next(width) ? static_cast<std::size_t>(width->integer(0)) : 0;
    std::vector<KeyRow> keys;
    std::optional<Statement> rows = steps.prepare(
        "SELECT id, key, judged, denied FROM keys WHERE run = ?1 AND rule = ?2 ORDER BY "
        + std::string(orderOf(order)) + " LIMIT ?3 OFFSET ?4");
    if (rows) {
        rows->bind(run, rule, limited(page.count), limited(page.offset));
    }
    while (steps.next(rows)) {
        keys.push_back({rule, rows->id(0), runs::splitKey(rows->bytes(1), values), rows->count(2),
                        rows->count(3)});
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return keys;
}

engine::Result<std::uint64_t> RunReader::keyRows(RunId run, std::uint32_t rule) const
{
    Steps steps(m_store.database());
    std::optional<Statement> row
        = steps.prepare("SELECT count(*) FROM keys WHERE run = ?1 AND rule = ?2");
    if (row) {
        row->bind(run, rule);
    }
    const std::uint64_t count = steps.next(row) ? row->count(0) : 0;
    return steps.isFine() ? engine::Result<std::uint64_t>(count) : engine::fail(steps.error());
}

engine::Result<std::vector<WhoRow>> RunReader::whos(RunId run, WhoOrder order, Page page) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    std::vector<WhoRow> whos;
    std::optional<Statement> rows
        = steps.prepare("SELECT id, who, requests, rejected, would_reject, recorded_rejected FROM "
                        "whos WHERE run = ?1 "
                        "ORDER BY "
                        + std::string(orderOf(order)) + " LIMIT ?2 OFFSET ?3");
    if (rows) {
        rows->bind(run, limited(page.count), limited(page.offset));
    }
    while (steps.next(rows)) {
        whos.push_back({rows->id(0),
                        rows->text(1),
                        {rows->count(2), rows->count(3), rows->count(4), rows->count(5)}});
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return whos;
}

engine::Result<std::uint64_t> RunReader::whoRows(RunId run) const
{
    Steps steps(m_store.database());
    std::optional<Statement> row = ofRun(steps, "SELECT count(*) FROM whos WHERE run = ?1", run);
    const std::uint64_t count = steps.next(row) ? row->count(0) : 0;
    return steps.isFine() ? engine::Result<std::uint64_t>(count) : engine::fail(steps.error());
}

engine::Result<std::vector<engine::SecondTally>> RunReader::timeline(RunId run,
                                                                     std::int64_t fromSecond,
                                                                     std::int64_t toSecond,
                                                                     TimelineLevel level) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    runs::Decompressor decompressor;
    std::vector<engine::SecondTally> points;
    std::optional<Statement> rows = steps.prepare(
        "SELECT columns FROM timelines WHERE run = ?1 AND level = ?2 AND last_second >= ?3 "
        "AND first_second < ?4 ORDER BY first_second");
    if (rows) {
        rows->bind(run, static_cast<std::int64_t>(level), fromSecond, toSecond);
    }
    while (steps.next(rows)) {
        if (!runs::decodeTimeline(rows->bytes(0), decompressor, points)) {
            return engine::fail("store.damaged",
                                "`" + m_store.path() + "` is damaged: a timeline cannot be decoded",
                                "copy the file, then try `sqlite3 FILE .recover`, or start a new "
                                "store with --db FILE");
        }
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    std::erase_if(points, [&](const engine::SecondTally& point) {
        return point.second < fromSecond || point.second >= toSecond;
    });
    return points;
}

engine::Status RunReader::comparable(RunId a, RunId b) const
{
    const engine::Result<RunDetail> ofA = detail(a);
    const engine::Result<RunDetail> ofB = detail(b);
    if (!ofA || !ofB) {
        return engine::fail(ofA ? ofB.error() : ofA.error());
    }
    for (const RunDetail* run : {&*ofA, &*ofB}) {
        if (run->summary.state != RunState::Complete || !run->recording) {
            return engine::fail("compare.incomplete",
                                "run " + std::to_string(run->summary.id) + " is "
                                    + std::string(nameOf(run->summary.state))
                                    + ", so it has not decided every request",
                                "replay it again");
        }
    }
    if (ofA->recording->fingerprint != ofB->recording->fingerprint) {
        return differs("recording", *ofA, *ofB, ofA->recording->fingerprint,
                       ofB->recording->fingerprint);
    }
    for (const std::string_view option : kReadingOptions) {
        const std::string_view valueOfA = valueOf(ofA->recording->reading, option);
        const std::string_view valueOfB = valueOf(ofB->recording->reading, option);
        if (valueOfA != valueOfB) {
            return differs(option, *ofA, *ofB, valueOfA, valueOfB);
        }
    }
    return engine::Done {};
}

} // namespace storage

#include "storage/run_reader.h"
#include "storage/runs/classes.h"
#include "storage/runs/condition_rows.h"
#include "storage/runs/schema.h"
#include "storage/runs/summary.h"
#include "storage/runs/text.h"

#include <algorithm>

namespace storage {
namespace {

using runs::eachOfRun;
using runs::ofRun;
using runs::Statement;
using runs::Steps;

PolicyRecord policyOf(Steps& steps, std::int64_t id)
{
    PolicyRecord policy;
    std::optional<Statement> row
        = ofRun(steps, "SELECT name, path, text, fingerprint FROM policies WHERE id = ?1", id);
    if (steps.next(row)) {
        policy = {row->text(0), row->text(1), row->text(2), row->text(3), {}};
    }
    eachOfRun(steps, "SELECT name, content FROM lookups WHERE policy = ?1 ORDER BY name", id,
              [&](const Statement& lookup) {
                  policy.lookups.push_back({lookup.text(0), lookup.text(1)});
              });
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
        runs::takeCounts(*row, 6,
                         {&recording.lines, &recording.directives, &recording.requests,
                          &recording.leftOut, &recording.badLines});
    }
    eachOfRun(
        steps,
        "SELECT path, fingerprint, bytes, lines FROM "
        "recording_files WHERE recording = ?1 ORDER BY file",
        id, [&](const Statement& file) {
            recording.files.push_back({file.text(0), file.text(1), file.count(2), file.count(3)});
        });
    engine::Result<std::vector<Option>> options = runs::optionsFromJson(steps.database(), reading);
    if (options) {
        recording.reading = std::move(*options);
    } else {
        steps.take(engine::fail(options.error()));
    }
    return recording;
}

/// Of readRules().
constexpr std::string_view kRuleColumns
    = "rule, name, override, tier, mode, algorithm, key, judged, admitted, denied, rejected, "
      "cost_missing, keys, keys_denied, keys_left_out, delays, delay_mean_ns, delay_p50_ns, "
      "delay_p90_ns, delay_p95_ns, delay_p99_ns, delay_p999_ns, delay_max_ns, ";
constexpr int kMemoryColumns = 23;
constexpr int kClassColumn = 25; ///< behind those of every version

RuleTotals ruleFrom(Steps& steps, const Statement& row)
{
    RuleTotals rule;
    rule.index = row.id(0);
    rule.rule = row.text(1);
    if (!row.isNull(2)) {
        rule.overrideName = row.text(2);
    }
    if (!row.isNull(kClassColumn)) {
        rule.className = row.text(kClassColumn);
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
    const int delays
        = runs::takeCounts(row, 7,
                           {&rule.judged, &rule.admitted, &rule.denied, &rule.rejected,
                            &rule.costMissing, &rule.keys, &rule.keysDenied, &rule.keysLeftOut});
    rule.delays = runs::delaysFrom(row, delays);
    rule.memory = {row.count(kMemoryColumns), row.count(kMemoryColumns + 1)};
    return rule;
}

void readRules(Steps& steps, RunDetail& detail)
{
    const std::string_view memory
        = runs::has(steps, runs::kConditionsVersion) ? "state_keys, state_bytes, " : "0, 0, ";
    eachOfRun(steps,
              "SELECT " + std::string(kRuleColumns) + std::string(memory) + runs::classColumn(steps)
                  + " FROM rules WHERE run = ?1 ORDER BY rule",
              detail.summary.id,
              [&](const Statement& row) { detail.rules.push_back(ruleFrom(steps, row)); });
    eachOfRun(steps,
              "SELECT rule, attribute, requests FROM skips WHERE run = ?1 ORDER BY rule, place",
              detail.summary.id, [&](const Statement& row) {
                  if (row.id(0) < detail.rules.size()) {
                      detail.rules[row.id(0)].skips.push_back({row.text(1), row.count(2)});
                  }
              });
}

void readNotes(Steps& steps, RunDetail& detail)
{
    const RunId run = detail.summary.id;
    eachOfRun(steps, "SELECT reason, count FROM bad_lines WHERE run = ?1 ORDER BY reason", run,
              [&](const Statement& row) {
                  detail.badLines.push_back({row.text(0), row.count(1), {}});
              });
    eachOfRun(steps,
              "SELECT reason, file, line, text FROM bad_line_examples WHERE run = ?1 ORDER BY "
              "reason, place",
              run, [&](const Statement& row) {
                  const std::string_view reason = row.bytes(0);
                  const auto at
                      = std::find_if(detail.badLines.begin(), detail.badLines.end(),
                                     [&](const BadLines& lines) { return lines.reason == reason; });
                  if (at != detail.badLines.end()) {
                      at->examples.push_back({row.id(1), row.count(2), row.text(3)});
                  }
              });
    eachOfRun(steps, "SELECT code, text FROM notes WHERE run = ?1 ORDER BY place", run,
              [&](const Statement& row) {
                  detail.notes.push_back({row.text(0), row.text(1)});
              });
}

void readTotals(Steps& steps, RunDetail& detail)
{
    if (runs::has(steps, runs::kClassVersion)) {
        std::optional<Statement> row
            = ofRun(steps, "SELECT request_ns FROM runs WHERE id = ?1", detail.summary.id);
        if (steps.next(row)) {
            detail.requestNs = row->maybe(0);
        }
    }
    eachOfRun(steps, "SELECT tier, judged, rejected FROM tiers WHERE run = ?1 ORDER BY place",
              detail.summary.id, [&](const Statement& row) {
                  detail.tiers.push_back(
                      {engine::tierNamed(row.bytes(0)).value_or(engine::Tier::Edge), row.count(1),
                       row.count(2)});
              });
    eachOfRun(steps, "SELECT name, requests FROM exemptions WHERE run = ?1 ORDER BY exemption",
              detail.summary.id, [&](const Statement& row) {
                  detail.exemptions.push_back({row.text(0), row.count(1)});
              });
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

engine::Result<RunDetail> RunReader::detail(RunId run) const
{
    Steps steps(m_store.database());
    RunDetail detail;
    std::optional<Statement> row
        = ofRun(steps, std::string(runs::kSummaries) + "WHERE r.id = ?1", run);
    if (!steps.next(row)) {
        return steps.isFine() ? runs::unknownRun(m_store.path(), run) : engine::fail(steps.error());
    }
    detail.summary = runs::summaryFrom(*row);
    engine::Result<std::vector<Option>> options
        = runs::optionsFromJson(m_store.database(), row->bytes(runs::kOptionsColumn));
    if (!options) {
        return engine::fail(options.error());
    }
    detail.options = std::move(*options);
    detail.policy = policyOf(steps, row->integer(runs::kPolicyColumn));
    if (!row->isNull(runs::kRecordingColumn)) {
        detail.recording = recordingOf(steps, row->integer(runs::kRecordingColumn));
    }
    detail.whos = row->count(runs::kWhosColumn);
    readTotals(steps, detail);
    readRules(steps, detail);
    detail.conditions = runs::conditionsOf(steps, run, detail.rules);
    readNotes(steps, detail);
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return detail;
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

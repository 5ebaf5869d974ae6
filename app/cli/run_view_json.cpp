#include "app/cli/condition_view.h"
#include "app/cli/run_view.h"
#include "app/workbench/text.h"

#include <algorithm>

namespace app::cli {
namespace {

/// A figure that the store keeps for the whole run only is null in a part of it.
void wholeOnly(Json& json, std::string_view name, std::uint64_t value, bool isNarrowed)
{
    json.key(name);
    isNarrowed ? json.null() : json.value(value);
}

void writeTotalsJson(Json& json, const storage::RunTotals& totals, bool isNarrowed)
{
    json.beginObject("totals");
    json.field("requests", totals.requests);
    json.field("admitted", totals.admitted);
    json.field("rejected", totals.rejected);
    json.field("would_reject", totals.wouldReject);
    wholeOnly(json, "exempt", totals.exempt, isNarrowed);
    wholeOnly(json, "late", totals.late, isNarrowed);
    wholeOnly(json, "delayed", totals.delayed, isNarrowed);
    wholeOnly(json, "warmup", totals.warmup, isNarrowed);
    wholeOnly(json, "recorded_known", totals.recordedKnown, isNarrowed);
    json.field("recorded_rejected", totals.recordedRejected);
    json.field("first_ns", isNarrowed ? std::nullopt : totals.firstNs);
    json.field("last_ns", isNarrowed ? std::nullopt : totals.lastNs);
    json.end();
}

void writeRuleJson(Json& json, const storage::RuleTotals& rule, bool isNarrowed)
{
    json.beginObject();
    json.field("rule", rule.rule);
    json.field("override", rule.overrideName);
    json.field("class", rule.className);
    json.field("tier", engine::nameOf(rule.tier));
    json.field("mode", engine::nameOf(rule.mode));
    json.field("algorithm", rule.algorithm);
    json.beginList("key");
    for (const std::string& attribute : rule.key) {
        json.value(attribute);
    }
    json.end();
    json.field("judged", rule.judged);
    json.field("admitted", rule.admitted);
    json.field("denied", rule.denied);
    json.field("rejected", rule.rejected);
    wholeOnly(json, "cost_missing", rule.costMissing, isNarrowed);
    wholeOnly(json, "keys", rule.keys, isNarrowed);
    wholeOnly(json, "keys_denied", rule.keysDenied, isNarrowed);
    json.beginObject("skipped");
    for (const storage::SkipTotal& skip : rule.skips) {
        json.field(skip.attribute, skip.count);
    }
    json.end();
    if (rule.delays.count > 0) {
        json.beginObject("delays");
        json.field("count", rule.delays.count);
        json.field("mean_ns", rule.delays.meanNs);
        json.field("p50_ns", rule.delays.p50Ns);
        json.field("p90_ns", rule.delays.p90Ns);
        json.field("p95_ns", rule.delays.p95Ns);
        json.field("p99_ns", rule.delays.p99Ns);
        json.field("p999_ns", rule.delays.p999Ns);
        json.field("maximum_ns", rule.delays.maximumNs);
        json.end();
    }
    json.end();
}

engine::Status writeKeysJson(Json& json, const storage::RunReader& reader,
                             const storage::RunDetail& run, const SecretAttributes& secrets,
                             std::size_t top)
{
    json.beginList("keys");
    for (const storage::RuleTotals& rule : run.rules) {
        const auto keys
            = reader.keys(run.summary.id, rule.index, storage::KeyOrder::Denied, {0, top});
        if (!keys) {
            return engine::fail(keys.error());
        }
        for (const storage::KeyRow& key : *keys) {
            if (key.denied == 0) {
                continue;
            }
            json.beginObject();
            json.field("rule", rule.rule);
            json.field("override", rule.overrideName);
            json.field("class", rule.className);
            json.beginList("key");
            for (std::size_t i = 0; i < key.values.size(); ++i) {
                json.value(secrets.shown(rule.key[i], key.values[i]));
            }
            json.end();
            json.field("judged", key.judged);
            json.field("denied", key.denied);
            json.end();
        }
    }
    json.end();
    return engine::Done {};
}

engine::Status writeWhosJson(Json& json, const storage::RunReader& reader,
                             const storage::RunDetail& run, const SecretAttributes& secrets,
                             std::size_t top)
{
    const auto whos = reader.whos(run.summary.id, storage::WhoOrder::Rejected, {0, top});
    if (!whos) {
        return engine::fail(whos.error());
    }
    const std::string who = whoOf(run);
    json.beginList("who");
    for (const storage::WhoRow& row : *whos) {
        json.beginObject();
        json.key("who");
        row.id == engine::kNoId ? json.null() : json.value(secrets.shown(who, row.who));
        json.field("requests", row.tally.requests);
        json.field("rejected", row.tally.rejected);
        json.field("would_reject", row.tally.wouldReject);
        json.field("recorded_rejected", row.tally.recordedRejected);
        json.end();
    }
    json.end();
    return engine::Done {};
}

void writeNarrowedJson(Json& json, const PeriodView& view, const SecretAttributes& secrets,
                       std::size_t top)
{
    json.beginList("keys");
    for (std::size_t i = 0; i < std::min(top, view.keys.size()); ++i) {
        const PeriodView::Key& key = view.keys[i];
        const storage::RuleTotals& rule = view.run.rules[key.rule];
        json.beginObject();
        json.field("rule", rule.rule);
        json.field("override", rule.overrideName);
        json.field("class", rule.className);
        json.beginList("key");
        for (std::size_t part = 0; part < key.values.size(); ++part) {
            json.value(secrets.shown(rule.key[part], key.values[part]));
        }
        json.end();
        json.field("rejected", key.rejected);
        json.end();
    }
    json.end();
    const std::string who = whoOf(view.run);
    json.beginList("who");
    for (std::size_t i = 0; i < std::min(top, view.whos.size()); ++i) {
        json.beginObject();
        json.key("who");
        view.whos[i].first.empty() ? json.null()
                                   : json.value(secrets.shown(who, view.whos[i].first));
        json.field("rejected", view.whos[i].second);
        json.end();
    }
    json.end();
}

void writeByJson(Json& json, const std::vector<Attribute>& attributes,
                 const SecretAttributes& secrets, std::size_t top)
{
    json.beginObject("by");
    for (const auto& [name, counts] : attributes) {
        const std::vector<ByValue::const_iterator> rows = byRequests(counts);
        json.beginList(name);
        for (std::size_t i = 0; i < std::min(top, rows.size()); ++i) {
            const auto& [value, tally] = *rows[i];
            json.beginObject();
            json.key("value");
            value.empty() ? json.null() : json.value(secrets.shown(name, value));
            json.field("requests", tally.requests);
            json.field("admitted", tally.requests - tally.rejected);
            json.field("rejected", tally.rejected);
            json.field("would_reject", tally.wouldReject);
            json.field("recorded_rejected", tally.recordedRejected);
            json.end();
        }
        json.end();
    }
    json.end();
}

/// What the run took: bytes of state as measured, and the time of a request, which no two replays
/// have in common.
void writeCostJson(Json& json, const storage::RunDetail& run)
{
    json.beginObject("cost");
    json.field("request_ns", run.requestNs);
    json.beginList("states");
    for (const storage::RuleTotals& rule : run.rules) {
        json.beginObject();
        json.field("rule", rule.rule);
        json.field("override", rule.overrideName);
        json.field("class", rule.className);
        json.field("keys", rule.memory.keys);
        json.field("bytes", rule.memory.bytes);
        json.end();
    }
    json.end();
    json.end();
}

void writeReadingJson(Json& json, const storage::RunDetail& run)
{
    if (!run.recording) {
        return;
    }
    const storage::RecordingRecord& recording = *run.recording;
    json.beginObject("recording");
    json.field("fingerprint", recording.fingerprint);
    json.field("partial", recording.partial);
    json.field("lines", recording.lines);
    json.field("requests", recording.requests);
    json.field("left_out", recording.leftOut);
    json.field("bad_lines", recording.badLines);
    json.beginObject("reading");
    for (const storage::Option& option : recording.reading) {
        json.field(option.name, option.value);
    }
    json.end();
    json.end();
}

} // namespace

void writeNotesJson(Json& json, const std::vector<storage::Note>& notes,
                    const std::vector<storage::BadLines>& badLines)
{
    json.beginObject("not_read");
    for (const storage::BadLines& bad : badLines) {
        json.field(bad.reason, bad.count);
    }
    json.end();
    json.beginList("notes");
    for (const storage::Note& note : notes) {
        json.beginObject();
        json.field("code", note.code);
        json.field("text", note.text);
        json.end();
    }
    json.end();
}

engine::Status writeRunFields(Json& json, const storage::RunReader& reader, storage::RunId run,
                              const RunViewOptions& options)
{
    const bool isNarrowed = options.narrowed != nullptr;
    const engine::Result<storage::RunDetail> detail = isNarrowed
        ? engine::Result<storage::RunDetail>(options.narrowed->run)
        : reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    const storage::RunSummary& summary = detail->summary;
    json.field("run", summary.id);
    json.field("name", summary.name);
    json.field("state", storage::nameOf(summary.state));
    json.beginObject("policy");
    json.field("name", summary.policyName);
    json.field("file", detail->policy.path);
    json.field("fingerprint", summary.policyFingerprint);
    json.end();
    json.field("source", summary.source);
    json.field("seed", summary.seed);
    json.field("version", summary.version);
    const SecretAttributes secrets = secretsOf(*detail);
    writeReadingJson(json, *detail);
    const std::string sampled = readingOf(*detail, "sampled");
    json.key("sampled");
    sampled.empty() ? json.null() : json.value(sampled);
    if (isNarrowed || !options.period.isAll()) {
        json.beginObject("period");
        json.field("from_ns", options.period.fromNs);
        json.field("to_ns", options.period.toNs);
        json.end();
    }
    writeTotalsJson(json, summary.totals, isNarrowed);
    json.beginList("tiers");
    for (const storage::TierTotals& tier : detail->tiers) {
        json.beginObject();
        json.field("tier", engine::nameOf(tier.tier));
        json.field("judged", tier.judged);
        json.field("rejected", tier.rejected);
        json.end();
    }
    json.end();
    json.beginList("rules");
    for (const storage::RuleTotals& rule : detail->rules) {
        writeRuleJson(json, rule, isNarrowed);
    }
    json.end();
    if (isNarrowed) {
        json.key("exempt");
        json.null();
    } else {
        json.beginObject("exempt");
        for (const storage::ExemptionTotal& exemption : detail->exemptions) {
            json.field(exemption.name, exemption.requests);
        }
        json.end();
    }
    if (isNarrowed) {
        writeNarrowedJson(json, *options.narrowed, secrets, options.top);
    } else {
        if (engine::Status written = writeKeysJson(json, reader, *detail, secrets, options.top);
            !written) {
            return written;
        }
        if (engine::Status written = writeWhosJson(json, reader, *detail, secrets, options.top);
            !written) {
            return written;
        }
    }
    if (!isNarrowed) {
        if (engine::Status written = writeConditionFields(json, reader, *detail, KeyNames(secrets),
                                                          {options.top, options.withSeconds});
            !written) {
            return written;
        }
    }
    if (options.withCost) {
        writeCostJson(json, *detail);
    }
    if (!options.by.empty()) {
        writeByJson(json, options.by, secrets, options.top);
    }
    writeNotesJson(json, detail->notes, detail->badLines);
    return engine::Done {};
}

engine::Status writeRunJson(Context& context, const storage::RunReader& reader, storage::RunId run,
                            const RunViewOptions& options)
{
    Json json;
    json.beginObject();
    if (engine::Status written = writeRunFields(json, reader, run, options); !written) {
        return written;
    }
    if (options.more) {
        options.more(json);
    }
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
    return engine::Done {};
}

} // namespace app::cli

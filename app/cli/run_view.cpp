#include "app/cli/run_view.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

std::string span(const storage::RunTotals& totals)
{
    if (!totals.firstNs || !totals.lastNs) {
        return "no requests";
    }
    return fmt::format("{} to {}", timeText(*totals.firstNs), timeText(*totals.lastNs));
}

void writeHead(Context& context, const storage::RunDetail& run, const RunViewOptions& options)
{
    const bool isStored = options.isStored;
    const storage::RunSummary& summary = run.summary;
    std::string state;
    if (summary.state != storage::RunState::Complete) {
        state = fmt::format(", {}", storage::nameOf(summary.state));
    }
    const std::string title = isStored
        ? fmt::format("Run {} ({})", summary.id, escaped(summary.name))
        : fmt::format("{} (not stored)", escaped(summary.name));
    context.out.write(painted(title + state, Style::Strong, context.common.colour) + "\n");
    TextTable head({{"", Align::Left}, {"", Align::Left}}, 2);
    head.add({"policy", fmt::format("{}  {}", run.policy.path, summary.policyFingerprint)});
    head.add({"log", summary.source});
    if (options.narrowed == nullptr) {
        head.add({"requests", span(summary.totals)});
    } else {
        head.add({"period",
                  fmt::format("{} to {} (not included)",
                              options.period.fromNs ? timeText(*options.period.fromNs) : "begin",
                              options.period.toNs ? timeText(*options.period.toNs) : "end")});
    }
    if (!summary.failure.empty()) {
        head.add({"failed", summary.failure});
    }
    context.out.write(head.render());
}

void writeTotals(Context& context, const storage::RunTotals& totals, std::string_view sampled)
{
    TextTable table({{"", Align::Left}, {"", Align::Right}, {"", Align::Right}}, 2);
    table.add({"requests", grouped(totals.requests), ""});
    table.add({"admitted", grouped(totals.admitted), percent(totals.admitted, totals.requests)});
    table.add({"rejected", grouped(totals.rejected), percent(totals.rejected, totals.requests)});
    const auto optional = [&](const char* name, std::uint64_t count) {
        if (count > 0) {
            table.add({name, grouped(count), percent(count, totals.requests)});
        }
    };
    optional("would be rejected (shadow)", totals.wouldReject);
    optional("exempt", totals.exempt);
    optional("delayed", totals.delayed);
    optional("late", totals.late);
    if (totals.warmup > 0) {
        table.add({"warm-up, not counted", grouped(totals.warmup), ""});
    }
    if (totals.recordedKnown > 0) {
        table.add({"rejected by production", grouped(totals.recordedRejected),
                   percent(totals.recordedRejected, totals.recordedKnown)});
    }
    context.out.write("\n" + table.render());
    writeSampled(context, sampled);
}

/// Keys and skips are known for the whole run only.
void writeRules(Context& context, const storage::RunDetail& run, bool isNarrowed)
{
    TextTable table({{"tier", Align::Left},
                     {"rule", Align::Left},
                     {"mode", Align::Left},
                     {"judged", Align::Right},
                     {"denied", Align::Right},
                     {"", Align::Right},
                     {"rejected", Align::Right},
                     {"keys", Align::Right},
                     {"denied keys", Align::Right},
                     {"skipped", Align::Right}},
                    2);
    for (const storage::RuleTotals& rule : run.rules) {
        std::string skips;
        for (const storage::SkipTotal& skip : rule.skips) {
            skips += fmt::format("{}{} {}", skips.empty() ? "" : ", ", grouped(skip.count),
                                 skip.attribute);
        }
        table.add({std::string(engine::nameOf(rule.tier)), fullName(rule.rule, rule.overrideName),
                   std::string(engine::nameOf(rule.mode)), grouped(rule.judged),
                   grouped(rule.denied), percent(rule.denied, rule.judged), grouped(rule.rejected),
                   isNarrowed ? std::string("-") : grouped(rule.keys),
                   isNarrowed ? std::string("-") : grouped(rule.keysDenied), skips},
                  rule.rejected > 0 ? Style::Bad : Style::Plain);
    }
    context.out.write("\n" + table.render(context.common.colour, 60));
    writeSampled(context, readingOf(run, "sampled"));
}

void writeDelays(Context& context, const storage::RunDetail& run)
{
    TextTable table({{"delays by", Align::Left},
                     {"delayed", Align::Right},
                     {"mean", Align::Right},
                     {"p50", Align::Right},
                     {"p95", Align::Right},
                     {"p99", Align::Right},
                     {"maximum", Align::Right}},
                    2);
    for (const storage::RuleTotals& rule : run.rules) {
        if (rule.delays.count > 0) {
            table.add({fullName(rule.rule, rule.overrideName), grouped(rule.delays.count),
                       durationText(rule.delays.meanNs), durationText(rule.delays.p50Ns),
                       durationText(rule.delays.p95Ns), durationText(rule.delays.p99Ns),
                       durationText(rule.delays.maximumNs)});
        }
    }
    if (!table.isEmpty()) {
        context.out.write("\n" + table.render() + "  percentiles are at most 1% too high\n");
        writeSampled(context, readingOf(run, "sampled"));
    }
}

engine::Status writeWhos(Context& context, const storage::RunReader& reader,
                         const storage::RunDetail& run, const SecretAttributes& secrets,
                         std::size_t top)
{
    const auto whos = reader.whos(run.summary.id, storage::WhoOrder::Rejected, {0, top});
    if (!whos) {
        return engine::fail(whos.error());
    }
    const std::string who = whoOf(run);
    TextTable table({{"most rejected " + who, Align::Left},
                     {"requests", Align::Right},
                     {"rejected", Align::Right},
                     {"", Align::Right},
                     {"by production", Align::Right}},
                    2);
    for (const storage::WhoRow& row : *whos) {
        if (row.tally.rejected > 0) {
            table.add({row.id == engine::kNoId || row.who.empty() ? std::string("(none)")
                                                                  : secrets.shown(who, row.who),
                       grouped(row.tally.requests), grouped(row.tally.rejected),
                       percent(row.tally.rejected, row.tally.requests),
                       grouped(row.tally.recordedRejected)});
        }
    }
    if (!table.isEmpty()) {
        context.out.write("\n" + table.render(context.common.colour, 60));
        writeSampled(context, readingOf(run, "sampled"));
    }
    return engine::Done {};
}

/// A line of eight levels; a column that has anything at all is never empty.
std::string sparkline(const std::vector<std::uint64_t>& columns)
{
    constexpr std::array<std::string_view, 8> kLevels {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::uint64_t most
        = std::max<std::uint64_t>(1, *std::max_element(columns.begin(), columns.end()));
    std::string line;
    for (const std::uint64_t value : columns) {
        // 128 bits are not needed: counts of requests times 7.
        line += value == 0 ? std::string_view(" ")
                           : kLevels[static_cast<std::size_t>(value * 7 / most)];
    }
    return line;
}

engine::Status writeTimeline(Context& context, const storage::RunReader& reader,
                             const storage::RunDetail& run, bool isNarrowed)
{
    constexpr std::int64_t kColumns = 60;
    constexpr std::int64_t kNs = 1'000'000'000;
    const storage::RunTotals& totals = run.summary.totals;
    if (!totals.firstNs || *totals.lastNs / kNs - *totals.firstNs / kNs < 10) {
        return engine::Done {};
    }
    const std::int64_t first = *totals.firstNs / kNs;
    const std::int64_t last = *totals.lastNs / kNs;
    const std::int64_t width = (last - first) / kColumns + 1;
    const bool isCoarse = width >= 60 && !isNarrowed; // a minute may lie across the period's end
    const auto points = reader.timeline(run.summary.id, isCoarse ? first - 60 : first, last + 1,
                                        isCoarse ? storage::TimelineLevel::Minute
                                                 : storage::TimelineLevel::Second);
    if (!points) {
        return engine::fail(points.error());
    }
    std::vector<std::uint64_t> requests(kColumns);
    std::vector<std::uint64_t> rejected(kColumns);
    std::vector<std::uint64_t> recorded(kColumns);
    for (const engine::SecondTally& point : *points) {
        const auto column = static_cast<std::size_t>(
            std::clamp<std::int64_t>((point.second - first) / width, 0, kColumns - 1));
        requests[column] += point.requests;
        rejected[column] += point.rejected;
        recorded[column] += point.recordedRejected;
    }
    context.out.write(fmt::format("\n  requests {}  up to {} in {}\n", sparkline(requests),
                                  grouped(*std::max_element(requests.begin(), requests.end())),
                                  durationText(width * kNs)));
    context.out.write(fmt::format("  rejected {}  up to {}\n", sparkline(rejected),
                                  grouped(*std::max_element(rejected.begin(), rejected.end()))));
    if (totals.recordedRejected > 0) {
        context.out.write(
            fmt::format("  recorded {}  up to {}, rejected by production\n", sparkline(recorded),
                        grouped(*std::max_element(recorded.begin(), recorded.end()))));
    }
    writeSampled(context, readingOf(run, "sampled"));
    return engine::Done {};
}

void writeTiers(Context& context, const storage::RunDetail& run)
{
    TextTable table({{"tier", Align::Left},
                     {"judged", Align::Right},
                     {"rejected", Align::Right},
                     {"", Align::Right}},
                    2);
    for (const storage::TierTotals& tier : run.tiers) {
        if (tier.judged > 0) {
            table.add({std::string(engine::nameOf(tier.tier)), grouped(tier.judged),
                       grouped(tier.rejected), percent(tier.rejected, tier.judged)});
        }
    }
    if (!table.isEmpty()) {
        context.out.write("\n" + table.render());
        writeSampled(context, readingOf(run, "sampled"));
    }
}

/// The keys that were denied most, over all rules.
engine::Status writeKeys(Context& context, const storage::RunReader& reader,
                         const storage::RunDetail& run, const SecretAttributes& secrets,
                         std::size_t top)
{
    std::vector<std::pair<const storage::RuleTotals*, storage::KeyRow>> rows;
    for (const storage::RuleTotals& rule : run.rules) {
        if (rule.key.empty()) {
            continue; // one bucket: the table of rules has said it
        }
        auto keys = reader.keys(run.summary.id, rule.index, storage::KeyOrder::Denied, {0, top});
        if (!keys) {
            return engine::fail(keys.error());
        }
        for (storage::KeyRow& key : *keys) {
            if (key.denied > 0) {
                rows.emplace_back(&rule, std::move(key));
            }
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.second.denied > b.second.denied;
    });
    TextTable table({{"most denied keys", Align::Left},
                     {"rule", Align::Left},
                     {"judged", Align::Right},
                     {"denied", Align::Right},
                     {"", Align::Right}},
                    2);
    for (std::size_t i = 0; i < std::min(top, rows.size()); ++i) {
        const auto& [rule, key] = rows[i];
        std::string values;
        for (std::size_t part = 0; part < key.values.size(); ++part) {
            values += fmt::format("{}{}", part == 0 ? "" : ", ",
                                  secrets.shown(rule->key[part], key.values[part]));
        }
        table.add({values, fullName(rule->rule, rule->overrideName), grouped(key.judged),
                   grouped(key.denied), percent(key.denied, key.judged)});
    }
    if (!table.isEmpty()) {
        context.out.write("\n" + table.render(context.common.colour, 60));
        writeSampled(context, readingOf(run, "sampled"));
    }
    return engine::Done {};
}

/// Who and which keys were rejected in the period: from the rejections, so without what else they
/// sent.
void writeNarrowed(Context& context, const PeriodView& view, const SecretAttributes& secrets,
                   std::size_t top)
{
    const std::string who = whoOf(view.run);
    const std::string sampled = readingOf(view.run, "sampled");
    TextTable whos({{"most rejected " + who, Align::Left}, {"rejected", Align::Right}}, 2);
    for (std::size_t i = 0; i < std::min(top, view.whos.size()); ++i) {
        const auto& [value, rejected] = view.whos[i];
        whos.add(
            {value.empty() ? std::string("(none)") : secrets.shown(who, value), grouped(rejected)});
    }
    TextTable keys(
        {{"most rejected keys", Align::Left}, {"rule", Align::Left}, {"rejected", Align::Right}},
        2);
    for (std::size_t i = 0; i < std::min(top, view.keys.size()); ++i) {
        const PeriodView::Key& key = view.keys[i];
        const storage::RuleTotals& rule = view.run.rules[key.rule];
        std::string values;
        for (std::size_t part = 0; part < key.values.size(); ++part) {
            values += fmt::format("{}{}", part == 0 ? "" : ", ",
                                  secrets.shown(rule.key[part], key.values[part]));
        }
        keys.add({values, fullName(rule.rule, rule.overrideName), grouped(key.rejected)});
    }
    for (const TextTable* table : {&whos, &keys}) {
        if (!table->isEmpty()) {
            context.out.write("\n" + table->render(context.common.colour, 60));
            writeSampled(context, sampled);
        }
    }
}

/// What became of the requests with each value of an attribute, most requests first.
void writeBy(Context& context, const Attribute& attribute, const SecretAttributes& secrets,
             std::size_t top, std::string_view sampled)
{
    const auto& [name, counts] = attribute;
    TextTable table({{name, Align::Left},
                     {"requests", Align::Right},
                     {"admitted", Align::Right},
                     {"rejected", Align::Right},
                     {"", Align::Right},
                     {"shadow", Align::Right},
                     {"by production", Align::Right}},
                    2);
    const std::vector<ByValue::const_iterator> rows = byRequests(counts);
    for (std::size_t i = 0; i < std::min(top, rows.size()); ++i) {
        const auto& [value, tally] = *rows[i];
        table.add({value.empty() ? std::string("(none)") : secrets.shown(name, value),
                   grouped(tally.requests), grouped(tally.requests - tally.rejected),
                   grouped(tally.rejected), percent(tally.rejected, tally.requests),
                   grouped(tally.wouldReject), grouped(tally.recordedRejected)},
                  tally.rejected > 0 ? Style::Bad : Style::Plain);
    }
    if (table.isEmpty()) {
        return;
    }
    context.out.write("\n" + table.render(context.common.colour, 60));
    if (rows.size() > top) {
        context.out.write(fmt::format("  and {} more (--top N)\n", grouped(rows.size() - top)));
    }
    writeSampled(context, sampled);
}

} // namespace

void writeNotes(Context& context, const std::vector<storage::Note>& notes,
                const std::vector<storage::BadLines>& badLines, const SecretAttributes& secrets)
{
    if (notes.empty() && badLines.empty()) {
        return;
    }
    context.out.write("\n");
    for (const storage::Note& note : notes) {
        context.out.write("  note: " + escaped(note.text) + "\n");
    }
    for (const storage::BadLines& bad : badLines) {
        std::string example;
        if (!bad.examples.empty()) {
            example = fmt::format(", first line {}: {}", bad.examples.front().line,
                                  shortened(secrets.shownLine(bad.examples.front().text), 60));
        }
        context.out.write(fmt::format("  not read: {} {}, {}{}\n", grouped(bad.count),
                                      bad.count == 1 ? "line" : "lines", escaped(bad.reason),
                                      example));
    }
}

std::string readingOf(const storage::RunDetail& run, std::string_view option)
{
    for (const storage::Option& given :
         run.recording ? run.recording->reading : std::vector<storage::Option>()) {
        if (given.name == option) {
            return given.value;
        }
    }
    return {};
}

void writeSampled(Context& context, std::string_view sampled)
{
    if (!sampled.empty()) {
        context.out.write(painted(fmt::format("  sample of {}: real figures are about {} times as "
                                              "high; limits are not scaled",
                                              sampled, sampled.substr(sampled.find('/') + 1)),
                                  Style::Bad, context.common.colour)
                          + "\n");
    }
}

std::string whoOf(const storage::RunDetail& run)
{
    const std::string who = readingOf(run, "who");
    return who.empty() ? "who" : who;
}

std::vector<ByValue::const_iterator> byRequests(const ByValue& counts)
{
    std::vector<ByValue::const_iterator> rows;
    for (auto row = counts.begin(); row != counts.end(); ++row) {
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a->second.requests > b->second.requests;
    });
    return rows;
}

engine::Status writeRun(Context& context, const storage::RunReader& reader, storage::RunId run,
                        const RunViewOptions& options)
{
    engine::Result<storage::RunDetail> detail = options.narrowed != nullptr
        ? engine::Result<storage::RunDetail>(options.narrowed->run)
        : reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    const bool isNarrowed = options.narrowed != nullptr;
    const std::string sampled = readingOf(*detail, "sampled");
    const SecretAttributes secrets = secretsOf(*detail);
    writeHead(context, *detail, options);
    writeTotals(context, detail->summary.totals, sampled);
    writeTiers(context, *detail);
    writeRules(context, *detail, isNarrowed);
    writeDelays(context, *detail);
    if (isNarrowed) {
        writeNarrowed(context, *options.narrowed, secrets, options.top);
    } else {
        if (engine::Status written = writeWhos(context, reader, *detail, secrets, options.top);
            !written) {
            return written;
        }
        if (engine::Status written = writeKeys(context, reader, *detail, secrets, options.top);
            !written) {
            return written;
        }
    }
    for (const Attribute& attribute : options.by) {
        writeBy(context, attribute, secrets, options.top, sampled);
    }
    if (engine::Status written = writeTimeline(context, reader, *detail, isNarrowed); !written) {
        return written;
    }
    if (isNarrowed) {
        context.out.write(
            "\n  note: delays, skipped requests, exemptions, late requests and what "
            "admitted keys sent are kept for the whole run only; what follows is of it\n");
    }
    writeNotes(context, detail->notes, detail->badLines, secrets);
    return engine::Done {};
}

} // namespace app::cli

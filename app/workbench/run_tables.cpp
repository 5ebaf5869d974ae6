#include "app/workbench/run_tables.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {
namespace {

using Align = TextTable::Align;

std::string keyText(const std::vector<std::string>& attributes,
                    const std::vector<std::string>& values, const KeyNames& names)
{
    std::vector<std::string> shown;
    for (std::size_t part = 0; part < values.size(); ++part) {
        shown.push_back(names.of(attributes[part], values[part]));
    }
    return joinedKey(shown);
}

Cell whoCell(const std::string& who, std::string_view value, const KeyNames& names)
{
    return value.empty() ? Cell::words("(none)") : Cell::value(names.of(who, value));
}

void addTiers(engine::SecondTally& into, const engine::SecondTally& point)
{
    for (std::size_t tier = 0; tier < engine::kTierCount; ++tier) {
        into.tiers[tier].judged += point.tiers[tier].judged;
        into.tiers[tier].rejected += point.tiers[tier].rejected;
    }
}

} // namespace

std::string whoOf(const storage::RunDetail& run)
{
    const std::string who = readingOf(run, "who");
    return who.empty() ? "who" : who;
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

FigureTable totalsTable(const storage::RunTotals& totals)
{
    FigureTable table {
        "totals", "All requests", {{"value", "", Align::Left}, {"requests", ""}, {"", ""}}};
    const auto add = [&](const char* name, std::uint64_t count, std::uint64_t whole) {
        table.add({Cell::words(name), Cell::number(count), Cell::share(count, whole)});
    };
    const auto optional = [&](const char* name, std::uint64_t count) {
        if (count > 0) {
            add(name, count, totals.requests);
        }
    };
    table.add({Cell::words("requests"), Cell::number(totals.requests)});
    add("admitted", totals.admitted, totals.requests);
    add("rejected", totals.rejected, totals.requests);
    optional("would be rejected (shadow)", totals.wouldReject);
    optional("exempt", totals.exempt);
    optional("delayed", totals.delayed);
    optional("late", totals.late);
    if (totals.warmup > 0) {
        table.add({Cell::words("warm-up, not counted"), Cell::number(totals.warmup)});
    }
    if (totals.recordedKnown > 0) {
        add("rejected by production", totals.recordedRejected, totals.recordedKnown);
    }
    return table;
}

FigureTable tiersTable(const storage::RunDetail& run)
{
    FigureTable table {
        "tiers",
        "Tiers",
        {{"tier", "tier", Align::Left}, {"judged", "judged"}, {"rejected", "rejected"}, {"", ""}}};
    for (const storage::TierTotals& tier : run.tiers) {
        if (tier.judged > 0) {
            table.add({Cell::words(std::string(engine::nameOf(tier.tier))),
                       Cell::number(tier.judged), Cell::number(tier.rejected),
                       Cell::share(tier.rejected, tier.judged)});
        }
    }
    return table;
}

FigureTable rulesTable(const storage::RunDetail& run, bool isNarrowed)
{
    FigureTable table {"rules",
                       "Rules",
                       {{"tier", "tier", Align::Left},
                        {"rule", "rule", Align::Left},
                        {"mode", "mode", Align::Left},
                        {"judged", "judged"},
                        {"denied", "denied"},
                        {"", ""},
                        {"rejected", "rejected"},
                        {"keys", "keys"},
                        {"keys_denied", "denied keys"},
                        {"skipped", "skipped"}}};
    for (const storage::RuleTotals& rule : run.rules) {
        std::string skips;
        for (const storage::SkipTotal& skip : rule.skips) {
            skips += fmt::format("{}{} {}", skips.empty() ? "" : ", ", grouped(skip.count),
                                 skip.attribute);
        }
        table.add(
            {Cell::words(std::string(engine::nameOf(rule.tier))), Cell::value(fullName(rule)),
             Cell::words(std::string(engine::nameOf(rule.mode))), Cell::number(rule.judged),
             Cell::number(rule.denied), Cell::share(rule.denied, rule.judged),
             Cell::number(rule.rejected), isNarrowed ? Cell::words("-") : Cell::number(rule.keys),
             isNarrowed ? Cell::words("-") : Cell::number(rule.keysDenied), Cell::value(skips)},
            rule.rejected > 0);
    }
    return table;
}

FigureTable delaysTable(const storage::RunDetail& run)
{
    FigureTable table {"delays",
                       "Delays",
                       {{"rule", "delays by", Align::Left},
                        {"delayed", "delayed"},
                        {"mean_ns", "mean"},
                        {"p50_ns", "p50"},
                        {"p95_ns", "p95"},
                        {"p99_ns", "p99"},
                        {"maximum_ns", "maximum"}}};
    table.remark = "percentiles are at most 1% too high";
    for (const storage::RuleTotals& rule : run.rules) {
        const storage::DelayTotals& delays = rule.delays;
        if (delays.count > 0) {
            table.add({Cell::value(fullName(rule)), Cell::number(delays.count),
                       Cell::duration(delays.meanNs), Cell::duration(delays.p50Ns),
                       Cell::duration(delays.p95Ns), Cell::duration(delays.p99Ns),
                       Cell::duration(delays.maximumNs)});
        }
    }
    return table;
}

engine::Result<FigureTable> whosTable(const storage::RunReader& reader,
                                      const storage::RunDetail& run, std::size_t top,
                                      const KeyNames& names)
{
    const auto whos = reader.whos(run.summary.id, storage::WhoOrder::Rejected, {0, top});
    if (!whos) {
        return engine::fail(whos.error());
    }
    const auto rejected = reader.rejectedWhoRows(run.summary.id);
    if (!rejected) {
        return engine::fail(rejected.error());
    }
    const std::string who = whoOf(run);
    FigureTable table {"who",
                       "Who is hit, by " + who,
                       {{"who", "most rejected " + who, Align::Left},
                        {"requests", "requests"},
                        {"rejected", "rejected"},
                        {"", ""},
                        {"recorded_rejected", "by production"}}};
    for (const storage::WhoRow& row : *whos) {
        if (row.tally.rejected > 0) {
            table.add({whoCell(who, row.id == engine::kNoId ? std::string() : row.who, names),
                       Cell::number(row.tally.requests), Cell::number(row.tally.rejected),
                       Cell::share(row.tally.rejected, row.tally.requests),
                       Cell::number(row.tally.recordedRejected)});
        }
    }
    table.more = *rejected - table.rows.size();
    return table;
}

engine::Result<FigureTable> keysTable(const storage::RunReader& reader,
                                      const storage::RunDetail& run, std::size_t top,
                                      const KeyNames& names)
{
    std::vector<std::pair<const storage::RuleTotals*, storage::KeyRow>> rows;
    std::uint64_t denied = 0;
    for (const storage::RuleTotals& rule : run.rules) {
        if (rule.key.empty()) {
            continue; // one bucket: the table of rules has said it
        }
        denied += rule.keysDenied;
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
    FigureTable table {"keys",
                       "Keys of rules",
                       {{"key", "most denied keys", Align::Left},
                        {"rule", "rule", Align::Left},
                        {"judged", "judged"},
                        {"denied", "denied"},
                        {"", ""}}};
    for (std::size_t i = 0; i < std::min(top, rows.size()); ++i) {
        const auto& [rule, key] = rows[i];
        table.add({Cell::value(keyText(rule->key, key.values, names)), Cell::value(fullName(*rule)),
                   Cell::number(key.judged), Cell::number(key.denied),
                   Cell::share(key.denied, key.judged)});
    }
    table.more = denied - table.rows.size();
    return table;
}

FigureTable attributeTable(const Attribute& attribute, std::size_t top, const KeyNames& names)
{
    const auto& [name, counts] = attribute;
    FigureTable table {"by " + name,
                       "By " + name,
                       {{"value", name, Align::Left},
                        {"requests", "requests"},
                        {"admitted", "admitted"},
                        {"rejected", "rejected"},
                        {"", ""},
                        {"would_reject", "shadow"},
                        {"recorded_rejected", "by production"}}};
    const std::vector<ByValue::const_iterator> rows = byRequests(counts);
    const std::size_t shown = std::min(top, rows.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& [value, tally] = *rows[i];
        table.add({whoCell(name, value, names), Cell::number(tally.requests),
                   Cell::number(tally.requests - tally.rejected), Cell::number(tally.rejected),
                   Cell::share(tally.rejected, tally.requests), Cell::number(tally.wouldReject),
                   Cell::number(tally.recordedRejected)},
                  tally.rejected > 0);
    }
    table.more = rows.size() - shown;
    return table;
}

std::vector<FigureTable> narrowedTables(const PeriodView& view, std::size_t top,
                                        const KeyNames& names)
{
    const std::string who = whoOf(view.run);
    FigureTable whos {"who",
                      "Who is hit, by " + who,
                      {{"who", "most rejected " + who, Align::Left}, {"rejected", "rejected"}}};
    for (std::size_t i = 0; i < std::min(top, view.whos.size()); ++i) {
        whos.add({whoCell(who, view.whos[i].first, names), Cell::number(view.whos[i].second)});
    }
    whos.more = view.whos.size() - whos.rows.size();
    FigureTable keys {"keys",
                      "Keys of rules",
                      {{"key", "most rejected keys", Align::Left},
                       {"rule", "rule", Align::Left},
                       {"rejected", "rejected"}}};
    for (std::size_t i = 0; i < std::min(top, view.keys.size()); ++i) {
        const PeriodView::Key& key = view.keys[i];
        const storage::RuleTotals& rule = view.run.rules[key.rule];
        keys.add({Cell::value(keyText(rule.key, key.values, names)), Cell::value(fullName(rule)),
                  Cell::number(key.rejected)});
    }
    keys.more = view.keys.size() - keys.rows.size();
    return {std::move(whos), std::move(keys)};
}

engine::Result<std::vector<engine::SecondTally>>
timelineColumns(const storage::RunReader& reader, storage::RunId run, const TimelineSpan& span)
{
    // A coarse point begins before its first request, by less than its own length.
    const std::int64_t from = span.level == storage::TimelineLevel::Second
        ? span.firstSecond
        : span.firstSecond - static_cast<std::int64_t>(span.level);
    const auto points = reader.timeline(run, from, span.endSecond, span.level);
    if (!points) {
        return engine::fail(points.error());
    }
    std::vector<engine::SecondTally> columns(span.columns());
    for (std::size_t column = 0; column < columns.size(); ++column) {
        columns[column].second
            = span.firstSecond + static_cast<std::int64_t>(column) * span.widthSeconds;
    }
    for (const engine::SecondTally& point : *points) {
        const std::int64_t column = (point.second - span.firstSecond) / span.widthSeconds;
        engine::SecondTally& into
            = columns[static_cast<std::size_t>(std::max<std::int64_t>(column, 0))];
        into.requests += point.requests;
        into.admitted += point.admitted;
        into.rejected += point.rejected;
        into.wouldReject += point.wouldReject;
        into.recordedRejected += point.recordedRejected;
        addTiers(into, point);
    }
    return columns;
}

} // namespace app

#include "app/workbench/period_view.h"

#include "app/workbench/figures_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>

namespace app {
namespace {

constexpr std::int64_t kNs = 1'000'000'000;

engine::Status checkSeconds(const Period& period)
{
    for (const std::optional<std::int64_t>& bound : {period.fromNs, period.toNs}) {
        if (bound && *bound % kNs != 0) {
            return engine::fail("period.seconds",
                                fmt::format("{} lies within a second", rfc3339(*bound)),
                                "a stored run is counted by the second: give whole seconds, or "
                                "replay the log with --from and --to");
        }
    }
    return engine::Done {};
}

void add(const engine::SecondTally& second, storage::RunDetail& run)
{
    storage::RunTotals& totals = run.summary.totals;
    totals.requests += second.requests;
    totals.admitted += second.admitted;
    totals.rejected += second.rejected;
    totals.wouldReject += second.wouldReject;
    totals.recordedRejected += second.recordedRejected;
    for (storage::TierTotals& tier : run.tiers) {
        const engine::TierTally& of = second.tiers[static_cast<std::size_t>(tier.tier)];
        tier.judged += of.judged;
        tier.rejected += of.rejected;
    }
    for (const engine::SecondTally::Count& count : second.rules) {
        for (storage::RuleTotals& rule : run.rules) {
            if (rule.index == count.rule) {
                rule.judged += count.judged;
                rule.denied += count.denied;
                rule.rejected += count.rejected;
                rule.admitted += count.judged - count.denied;
            }
        }
    }
}

/// Rejected requests of the period by who, and by rule and key.
engine::Status countRows(const storage::RunReader& reader, storage::RunId run, const Period& period,
                         PeriodView& view)
{
    auto cursor = reader.verdicts(run);
    if (!cursor) {
        return engine::fail(cursor.error());
    }
    const auto names = reader.names(run);
    if (!names) {
        return engine::fail(names.error());
    }
    std::map<std::uint32_t, std::uint64_t> whos;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> keys;
    storage::VerdictBlock block;
    for (;;) {
        const engine::Result<bool> more = cursor->next(block);
        if (!more) {
            return engine::fail(more.error());
        }
        if (!*more) {
            break;
        }
        for (const storage::RejectionRow& row : block.rows) {
            if (block.outcomes[row.position] == storage::StoredOutcome::Rejected
                && period.holds(row.timeNs)) {
                ++whos[row.who];
                ++keys[{row.rule, row.key}];
            }
        }
    }
    for (const auto& [id, count] : whos) {
        view.whos.emplace_back(names->who(id), count);
    }
    for (const auto& [id, count] : keys) {
        if (id.second == engine::kNoId) {
            continue; // one bucket for all
        }
        PeriodView::Key key {id.first, id.second, {}, count};
        for (const std::string_view value : names->key(id.first, id.second)) {
            key.values.emplace_back(value);
        }
        if (!key.values.empty()) {
            view.keys.push_back(std::move(key));
        }
    }
    std::sort(view.whos.begin(), view.whos.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::sort(view.keys.begin(), view.keys.end(), [](const auto& a, const auto& b) {
        return a.rejected != b.rejected ? a.rejected > b.rejected
                                        : std::tie(a.rule, a.values) < std::tie(b.rule, b.values);
    });
    return engine::Done {};
}

} // namespace

engine::Result<PeriodView> periodOf(const storage::RunReader& reader, storage::RunId run,
                                    const Period& period)
{
    if (engine::Status seconds = checkSeconds(period); !seconds) {
        return engine::fail(seconds.error());
    }
    engine::Result<storage::RunDetail> detail = reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    PeriodView view;
    view.run = std::move(*detail);
    using Limits = std::numeric_limits<std::int64_t>;
    const std::int64_t from = secondOf(period.fromNs.value_or(Limits::min()));
    const std::int64_t to = period.toNs ? secondOf(*period.toNs) : secondOf(Limits::max()) + 1;
    const auto seconds = reader.timeline(run, from, to, storage::TimelineLevel::Second);
    if (!seconds) {
        return engine::fail(seconds.error());
    }
    storage::RunTotals& totals = view.run.summary.totals;
    const storage::RunTotals whole = totals;
    totals = {};
    for (storage::TierTotals& tier : view.run.tiers) {
        tier.judged = tier.rejected = 0;
    }
    for (storage::RuleTotals& rule : view.run.rules) {
        rule.judged = rule.admitted = rule.denied = rule.rejected = 0;
        rule.costMissing = rule.keys = rule.keysDenied = rule.keysLeftOut = 0;
        rule.skips.clear();
        rule.delays = {};
    }
    view.run.exemptions.clear();
    for (const engine::SecondTally& second : *seconds) {
        add(second, view.run);
    }
    if (!seconds->empty()) { // to the second
        totals.firstNs
            = std::max(whole.firstNs.value_or(Limits::min()), secondNs(seconds->front().second));
        // Behind the last second that ns can say there is none: its end is the end of all.
        const std::int64_t end = secondNs(seconds->back().second + 1);
        totals.lastNs
            = std::min(whole.lastNs.value_or(Limits::max()), end == Limits::max() ? end : end - 1);
    }
    if (engine::Status counted = countRows(reader, run, period, view); !counted) {
        return engine::fail(counted.error());
    }
    return view;
}

} // namespace app

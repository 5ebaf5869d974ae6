#include "app/console/explain/tier_rows.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/verdict_text.h"

#include <fmt/format.h>

namespace app::console {

namespace {

std::int64_t figureOf(const std::vector<engine::StateFigure>& figures, std::string_view name)
{
    for (const engine::StateFigure& figure : figures) {
        if (figure.name == name) {
            return figure.value;
        }
    }
    return 0;
}

bool rejects(const Explanation& explanation, const ExplainedRule& rule)
{
    return explanation.verdict.outcome == engine::Outcome::Rejected
        && rule.decision.rule == explanation.verdict.rule;
}

TierRow judgedRow(const Explanation& explanation, const ExplainedRule& rule)
{
    TierRow row;
    row.tier = rule.rule.tier;
    row.name = fullName(rule.rule);
    const bool isShadow = rule.rule.mode == engine::Mode::Shadow;
    if (rule.decision.admits) {
        row.verdict = TierRow::Verdict::Admitted;
        row.what = isShadow ? "admits, in shadow" : "admits";
    } else if (isShadow) {
        row.verdict = TierRow::Verdict::Shadow;
        row.what = "would deny";
    } else {
        row.verdict = TierRow::Verdict::Rejected;
        row.what = rejects(explanation, rule) ? "denies" : "denies as well";
    }
    if (rule.decision.isStoreAway) {
        row.before = "its store was away: nothing was judged";
        row.after = "not counted";
        return row;
    }
    row.before = foundText(rule);
    const std::string left
        = fmt::format("{} left", groupedSigned(figureOf(rule.decision.after, "remaining")));
    row.after = rule.decision.counted ? fmt::format("{}, counted {}", left, rule.decision.cost)
                                      : fmt::format("{}, not counted", left);
    if (rule.decision.delayNs > 0) {
        row.after += fmt::format(", waits {}", durationText(rule.decision.delayNs));
    }
    return row;
}

/// All that stands under one tier.
struct TierPart {
    std::vector<TierRow> judged;
    std::vector<TierRow> others;
    std::string rejectedBy;
    std::int64_t counted = 0;
};

TierRow headOf(const TierPart& part, engine::Tier tier)
{
    TierRow head;
    head.kind = TierRow::Kind::Tier;
    head.tier = tier;
    head.name = std::string(engine::nameOf(tier));
    head.isInRejecting = !part.rejectedBy.empty();
    if (head.isInRejecting) {
        head.verdict = TierRow::Verdict::Rejected;
        head.what = "rejected by " + part.rejectedBy;
    } else if (part.judged.empty()) {
        head.what = "no rule of it applied";
    } else {
        head.verdict = TierRow::Verdict::Admitted;
        head.what = "passed";
    }
    if (!part.judged.empty()) {
        head.after = part.counted == 0 ? "nothing counted"
                                       : fmt::format("counted {}", groupedSigned(part.counted));
    }
    return head;
}

void addUnreached(const TierPart& part, engine::Tier tier, std::vector<TierRow>& rows)
{
    TierRow head;
    head.kind = TierRow::Kind::Tier;
    head.tier = tier;
    head.name = std::string(engine::nameOf(tier));
    head.what = "never reached";
    rows.push_back(std::move(head));
    TierRow note;
    note.kind = TierRow::Kind::Note;
    note.tier = tier;
    for (std::size_t i = 0; i < part.others.size(); ++i) {
        const bool isLast = i + 1 == part.others.size();
        note.name += (i == 0 ? "" : isLast ? " and " : ", ") + part.others[i].name;
    }
    note.name += " did not see the request.";
    rows.push_back(std::move(note));
}

} // namespace

std::vector<TierRow> tierRows(const Explanation& explanation)
{
    std::array<TierPart, engine::kTierCount> parts;
    std::optional<std::size_t> rejecting;
    for (const ExplainedRule& rule : explanation.rules) {
        TierPart& part = parts[static_cast<std::size_t>(rule.rule.tier)];
        part.judged.push_back(judgedRow(explanation, rule));
        part.counted += rule.decision.counted ? rule.decision.cost : 0;
        if (rejects(explanation, rule)) {
            part.rejectedBy = fullName(rule.rule);
            rejecting = static_cast<std::size_t>(rule.rule.tier);
        }
    }
    for (const UninvolvedRule& rule : explanation.uninvolved) {
        TierRow row;
        row.tier = rule.rule.tier;
        row.name = fullName(rule.rule);
        row.what = "not judged";
        row.before = rule.reason;
        parts[static_cast<std::size_t>(rule.rule.tier)].others.push_back(std::move(row));
    }
    std::vector<TierRow> rows;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        TierPart& part = parts[i];
        const auto tier = static_cast<engine::Tier>(i);
        if (part.judged.empty() && part.others.empty()) {
            continue;
        }
        if (rejecting && i > *rejecting) {
            addUnreached(part, tier, rows);
            continue;
        }
        rows.push_back(headOf(part, tier));
        for (std::vector<TierRow>* list : {&part.judged, &part.others}) {
            for (TierRow& row : *list) {
                row.isInRejecting = rejecting == i;
                rows.push_back(std::move(row));
            }
        }
    }
    return rows;
}

} // namespace app::console

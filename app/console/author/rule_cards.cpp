#include "app/console/author/rule_cards.h"

#include "app/console/frame/values.h"
#include "policies/limit_words.h"
#include "policies/plan_rule.h"

#include <algorithm>

namespace app::console {

namespace {

constexpr std::size_t kMostName = 200;

engine::Mode modeOf(const policies::Rule& rule)
{
    return rule.values.mode ? rule.values.mode->value : engine::Mode::Enforce;
}

/// "rule `sms` has no `queue`" is "has no queue" on the card of sms, "`rate` of rule `sms`: ..."
/// is "rate: ...".
QString shortError(const engine::Diagnostic& problem, const std::string& rule)
{
    std::string text = problem.message;
    const std::string name = "rule `" + rule + "`";
    for (const std::string& whose : {" of " + name, name + " "}) {
        if (const std::size_t at = text.find(whose); at != std::string::npos) {
            text.erase(at, whose.size());
        }
    }
    std::erase(text, '`');
    return shown(text, kMostName);
}

void addWords(RuleCard& card, const policies::Policy& policy, const policies::Rule& rule)
{
    const engine::Result<engine::PlanRule> plan = policies::planRule(rule);
    if (!plan) {
        card.isBroken = true;
        return;
    }
    const policies::CardWords words = policies::cardWords(*plan);
    card.matches = shown(words.matches);
    card.key = rule.key.key.line == 0 ? QStringLiteral("no key") : shown(words.key);
    card.isBroken = !policies::isComplete(rule);
    if (card.isBroken) {
        return;
    }
    const policies::LimitWords limit
        = policies::limitWords(*plan, policies::countsAllItAdmits(policy, rule));
    card.limit = shown(words.limit);
    card.sentence = shown(limit.sentence);
    card.more = shown(limit.more + policies::slotWords(rule));
    for (const policies::Override& override : rule.overrides) {
        if (const auto part = policies::planRule(rule, &override)) {
            card.overrides << QStringLiteral("%1: %2").arg(
                shown(override.name.value, kMostName), shown(policies::limitWords(*part).sentence));
        }
    }
}

/// Diagnostics in order of their lines, each where it stood before among those of one line.
using ByLine = std::vector<const engine::Diagnostic*>;

ByLine byLine(const std::vector<engine::Diagnostic>& problems)
{
    ByLine sorted;
    for (const engine::Diagnostic& problem : problems) {
        sorted.push_back(&problem);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto* a, const auto* b) { return a->place.line < b->place.line; });
    return sorted;
}

RuleCard cardOf(const policies::Policy& policy, const policies::Rule& rule, const ByLine& problems)
{
    RuleCard card;
    card.id = rule.name.value;
    card.name
        = rule.name.value.empty() ? QStringLiteral("no name") : shown(rule.name.value, kMostName);
    card.tier = rule.tier;
    card.mode = modeOf(rule);
    addWords(card, policy, rule);
    const Lines lines = linesOf(policy, rule.at);
    auto at = std::partition_point(
        problems.begin(), problems.end(),
        [&](const engine::Diagnostic* problem) { return problem->place.line < lines.first; });
    for (; at != problems.end() && (*at)->place.line <= lines.last; ++at) {
        const engine::Diagnostic& problem = **at;
        if (problem.severity == engine::Severity::Error && card.errors.isEmpty() && card.isBroken) {
            card.limit = shortError(problem, card.id);
        }
        (problem.severity == engine::Severity::Error ? card.errors : card.advice)
            << sentence(problem);
    }
    return card;
}

} // namespace

std::vector<RuleCard> ruleCards(const policies::Policy& policy,
                                const std::vector<engine::Diagnostic>& problems)
{
    std::vector<RuleCard> cards;
    const ByLine sorted = byLine(problems);
    for (const std::vector<policies::Rule>& rules : policy.tiers) {
        for (const policies::Rule& rule : rules) {
            cards.push_back(cardOf(policy, rule, sorted));
        }
    }
    return cards;
}

QString exemptionWords(const policies::Policy& policy)
{
    if (policy.exempt.empty()) {
        return {};
    }
    QStringList names;
    for (const policies::Exempt& exempt : policy.exempt) {
        names << shown(exempt.name.value, kMostName);
    }
    return QStringLiteral("%1 every tier: %2")
        .arg(plural(policy.exempt.size(), QStringLiteral("exemption passes"),
                    QStringLiteral("exemptions pass")),
             names.join(QStringLiteral(", ")));
}

Lines linesOf(const policies::Policy& policy, const policies::Span& span)
{
    const std::string& text = policy.text;
    std::size_t end = std::min(span.end, text.size());
    while (end > span.begin && (text[end - 1] == '\n' || text[end - 1] == ' ')) {
        --end; // a block's span may reach to where the next thing begins
    }
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(std::min(span.begin, end));
    return {span.line,
            span.line + std::count(begin, text.begin() + static_cast<std::ptrdiff_t>(end), '\n')};
}

QString modeName(engine::Mode mode)
{
    return words(engine::nameOf(mode));
}

} // namespace app::console

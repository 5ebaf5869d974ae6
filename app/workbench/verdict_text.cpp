#include "app/workbench/verdict_text.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/rule_text.h"
#include "policies/limit_words.h"

#include <fmt/format.h>

namespace app {
namespace {

constexpr std::int64_t kNs = 1'000'000'000;

std::optional<std::int64_t> figureOf(const std::vector<engine::StateFigure>& figures,
                                     std::string_view name)
{
    for (const engine::StateFigure& figure : figures) {
        if (figure.name == name) {
            return figure.value;
        }
    }
    return std::nullopt;
}

/// The estimate of a sliding_window_counter as a sum: what it had counted in the window before
/// counts for the part of it that is still within reach.
std::string estimateText(const ExplainedRule& rule)
{
    const engine::Limit& limit = rule.rule.limit;
    const std::int64_t period = limit.rate.periodNs;
    const auto previous = figureOf(rule.decision.before, "previous_count");
    const auto current = figureOf(rule.decision.before, "count");
    if (!previous || !current || *previous == 0) {
        return {};
    }
    std::int64_t phase = (rule.decision.judgedNs % period - limit.anchorNs % period) % period;
    phase += phase < 0 ? period : 0;
    return fmt::format("{} into the window, {} of {} of the one before still count: "
                       "{} × {} / {}{} + {} + {} is more than {}.",
                       durationText(phase), durationText(period - phase), durationText(period),
                       grouped(static_cast<std::uint64_t>(*previous)), secondsText(period - phase),
                       secondsText(period), limit.floorEstimate ? " (rounded down)" : "",
                       groupedSigned(*current), rule.decision.cost,
                       groupedSigned(limit.rate.count));
}

std::string leftText(const ExplainedRule& rule)
{
    const std::int64_t left = figureOf(rule.decision.before, "remaining").value_or(0);
    const std::int64_t capacity
        = figureOf(rule.decision.before, "capacity").value_or(engine::capacityOf(rule.rule.limit));
    if (engine::holdsSlots(rule.rule.limit.algorithm)) {
        const auto inFlight = figureOf(rule.decision.before, "in_flight");
        return inFlight && *inFlight != capacity
            ? fmt::format("{} were in flight, of {}", groupedSigned(*inFlight),
                          groupedSigned(capacity))
            : fmt::format("all {} were taken", groupedSigned(capacity));
    }
    return fmt::format("{} of {} were left", groupedSigned(left), groupedSigned(capacity));
}

/// "an API key may send about 10 in any minute": the limit alone, to be built into a sentence.
std::string limitClause(engine::PlanRule rule)
{
    rule.mode = engine::Mode::Enforce;
    rule.match.clear();
    rule.overrideMatch.clear();
    rule.classMatch.clear();
    std::string text = policies::limitWords(rule).sentence;
    if (!text.empty() && text.back() == '.') {
        text.pop_back();
    }
    for (const std::string_view article : {"A ", "An ", "All "}) {
        if (text.starts_with(article)) {
            text.front() = 'a';
        }
    }
    return text;
}

std::string usedText(std::int64_t used, std::int64_t capacity)
{
    return fmt::format("{} of {} used", groupedSigned(used), groupedSigned(capacity));
}

bool isShared(const engine::PlanRule& rule)
{
    return rule.key.empty();
}

std::string fieldOf(const Explanation& explanation, std::string_view name)
{
    for (const auto& [field, value] : explanation.fields) {
        if (field == name) {
            return explanation.secrets.shown(field, value);
        }
    }
    return {};
}

} // namespace

std::optional<std::size_t> tellingRule(const Explanation& explanation)
{
    std::optional<std::size_t> least;
    std::optional<std::size_t> shadow;
    for (std::size_t i = 0; i < explanation.rules.size(); ++i) {
        const ExplainedRule& rule = explanation.rules[i];
        if (explanation.verdict.outcome == engine::Outcome::Rejected
            && rule.decision.rule == explanation.verdict.rule) {
            return i;
        }
        if (rule.decision.rule == explanation.verdict.shadowRule && !shadow) {
            shadow = i;
        }
        const bool isEnforced = rule.rule.mode == engine::Mode::Enforce;
        if (isEnforced
            && (!least
                || rule.decision.figures.remaining
                    < explanation.rules[*least].decision.figures.remaining)) {
            least = i;
        }
    }
    return shadow ? shadow : least;
}

std::string foundText(const ExplainedRule& rule)
{
    const std::vector<engine::StateFigure>& before = rule.decision.before;
    const std::int64_t left = figureOf(before, "remaining").value_or(0);
    const std::int64_t capacity
        = figureOf(before, "capacity").value_or(engine::capacityOf(rule.rule.limit));
    switch (rule.rule.limit.algorithm) {
    case engine::Algorithm::SlidingWindowCounter: {
        const std::int64_t previous = figureOf(before, "previous_count").value_or(0);
        if (previous == 0) {
            break;
        }
        return fmt::format("{}: {} in the window before, {} in this one",
                           usedText(capacity - left, capacity), groupedSigned(previous),
                           groupedSigned(figureOf(before, "count").value_or(0)));
    }
    case engine::Algorithm::TokenBucket:
    case engine::Algorithm::Gcra:
    case engine::Algorithm::LeakyBucket:
        return fmt::format("{} of {} left", groupedSigned(left), groupedSigned(capacity));
    case engine::Algorithm::Concurrency:
    case engine::Algorithm::AdaptiveConcurrency:
    case engine::Algorithm::LoadShedder:
        return fmt::format("{} of {} in flight",
                           groupedSigned(figureOf(before, "in_flight").value_or(capacity - left)),
                           groupedSigned(capacity));
    case engine::Algorithm::FixedWindow:
    case engine::Algorithm::SlidingWindowLog:
        break;
    }
    return usedText(capacity - left, capacity);
}

VerdictText verdictText(const Explanation& explanation)
{
    if (!explanation.exemption.empty()) {
        return {fmt::format("No rule judged it: it is exempt as {}.", explanation.exemption), {}};
    }
    const std::optional<std::size_t> telling = tellingRule(explanation);
    if (!telling) {
        return {"No rule applied to it, so it was admitted.", {}};
    }
    const ExplainedRule& rule = explanation.rules[*telling];
    const std::string name = fullName(rule.rule);
    if (rule.decision.isStoreAway && !rule.decision.admits) {
        return {fmt::format("{} could not judge it: the store of its counts was away, and the rule "
                            "is closed then.",
                            name),
                {}};
    }
    const std::string allows = fmt::format("{}: {}", name, limitClause(rule.rule));
    if (rule.decision.admits) {
        const std::size_t count = explanation.rules.size();
        return {
            count == 1 ? fmt::format("The one rule that applied, {}, admitted it.", name)
                       : fmt::format("All {} rules that applied admitted it.", count),
            fmt::format("{}; {}, and this cost {}.", allows, leftText(rule), rule.decision.cost)};
    }
    const bool isShadow = explanation.verdict.outcome != engine::Outcome::Rejected;
    return {fmt::format("{}{}; {}, and this costs {}.", isShadow ? "In shadow: " : "", allows,
                        leftText(rule), rule.decision.cost),
            estimateText(rule)};
}

std::string keySentence(const KeyHistory& history)
{
    const std::string whose = isShared(history.rule)
        ? fmt::format("its {} requests", grouped(history.requests))
        : fmt::format("the {} requests of {}", grouped(history.requests),
                      keyText(history.rule, history.key));
    return fmt::format("{}: {}; of {} it denied {}.", fullName(history.rule),
                       limitClause(history.rule), whose, grouped(history.denied));
}

std::string zonedText(std::int64_t timeNs, const storage::Zone& zone)
{
    const std::int64_t second = secondOf(timeNs);
    const std::int64_t shiftNs = (zone.toLocal(second) - second) * kNs;
    std::string text = timeText(timeNs + shiftNs);
    return text.substr(0, text.rfind(' ')); // without the name of the zone
}

std::string customerText(const Explanation& explanation, const storage::Zone& zone)
{
    const std::string method = fieldOf(explanation, "method");
    const std::string path = fieldOf(explanation, "path");
    const std::string id = fieldOf(explanation, "request_id");
    const bool isRejected = explanation.verdict.outcome == engine::Outcome::Rejected;
    std::string text = fmt::format("Your request {}{}{}{} of {} ({}) was {}.\n", method,
                                   method.empty() ? "" : " ", path, id.empty() ? "" : ", id " + id,
                                   zonedText(explanation.arrivalNs, zone), zone.name(),
                                   isRejected ? "rejected" : "admitted");
    const std::optional<std::size_t> telling = tellingRule(explanation);
    if (!isRejected || !telling) {
        return text;
    }
    const ExplainedRule& rule = explanation.rules[*telling];
    if (isShared(rule.rule)) {
        text += "The limit that it met is not yours alone, so it says nothing of how much you "
                "sent.\n";
    } else {
        text += fmt::format("Your limit: {}; {}.\n", limitClause(rule.rule), leftText(rule));
    }
    if (!explanation.retryAfterNs) {
        return text + "It is larger than the limit can ever admit.\n";
    }
    const std::int64_t wait = *explanation.retryAfterNs;
    return text
        + fmt::format("It would have passed {} later, at {}.\n", waitText(wait),
                      zonedText(explanation.decidedNs + wait, zone));
}

std::string customerText(const KeyHistory& history, const storage::Zone& zone)
{
    constexpr std::size_t kMostTold = 10;
    if (isShared(history.rule)) {
        return "This limit is not yours alone, so it says nothing of how much you sent.\n";
    }
    std::string text = fmt::format("Your limit: {}. Of your {} requests {} were rejected by it.\n",
                                   limitClause(history.rule), grouped(history.requests),
                                   grouped(history.denied));
    std::size_t told = 0;
    for (const KeyEpisode& episode : history.episodes) {
        if (told++ == kMostTold) {
            break;
        }
        text += fmt::format("From {} for {}: {} of {}.\n", zonedText(episode.beginNs, zone),
                            durationText(episode.lengthNs()), grouped(episode.denied),
                            grouped(episode.requests));
    }
    if (history.episodes.size() > kMostTold) {
        text += fmt::format("And {} more times.\n", grouped(history.episodes.size() - kMostTold));
    }
    return text + fmt::format("Times are in {}.\n", zone.name());
}

} // namespace app

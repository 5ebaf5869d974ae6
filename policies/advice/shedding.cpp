#include "policies/advice/checks.h"
#include "policies/advice/words.h"
#include "policies/language/percent.h"
#include "policies/language/slot_limits.h"
#include "policies/language/words.h"

#include <fmt/format.h>

/// adaptive.*, shedder.*: limits that learn, and classes that are shed.
namespace policies::advice {
namespace {

using engine::Algorithm;

void checkGuess(const SurveyedRule& rule, const LogFacts* log, Findings& findings)
{
    const Given<std::int64_t>& assumed = rule.rule->assumeDurationNs;
    if (!assumed || (log != nullptr && log->withDuration == log->requests)) {
        return;
    }
    std::string message = fmt::format("{} learns from {} where no duration is recorded",
                                      rule.named(), inWords(assumed->value));
    if (log != nullptr) {
        message += fmt::format(": {} of the log's requests",
                               share(log->requests - log->withDuration, log->requests));
    }
    findings.add("adaptive.assumed-duration", assumed->at, *rule.rule, std::move(message));
}

void checkFixed(const SurveyedRule& rule, Findings& findings)
{
    const engine::Limit& limit = rule.parts.front().limit;
    if (limit.minimum != limit.maximum) {
        return;
    }
    const Given<std::int64_t>& given = rule.rule->maximum ? rule.rule->maximum : rule.rule->minimum;
    findings.add("adaptive.fixed", given->at, *rule.rule,
                 fmt::format("{} has a limit of {} whatever it learns", rule.named(),
                             grouped(limit.maximum)));
}

/// The share in slots, of the rule's own capacity.
std::string slotsOf(const SurveyedRule& rule, const ShedClass& shed)
{
    engine::Limit limit = rule.parts.back().limit;
    limit.upTo = shed.upTo.value;
    return fmt::format("{} ({} of {} in flight)", language::percentText(limit.upTo),
                       grouped(engine::slotsOf(limit)), grouped(limit.inFlight));
}

std::string named(const SurveyedRule& rule, const ShedClass& shed)
{
    return fmt::format("class `{}` of {}", language::shown(shed.name.value), rule.named());
}

void checkShare(const SurveyedRule& rule, const ShedClass& shed, Findings& findings)
{
    engine::Limit limit = rule.parts.back().limit;
    limit.upTo = shed.upTo.value;
    const bool isWhole = limit.upTo == 100;
    const bool isNothing = limit.inFlight > 0 && engine::slotsOf(limit) == 0;
    if (!isWhole && !isNothing) {
        return;
    }
    findings.add("shedder.share", shed.upTo.at, *rule.rule,
                 fmt::format("{} may fill {}: {}", named(rule, shed), slotsOf(rule, shed),
                             isWhole ? "it is shed no sooner than requests of no class"
                                     : "none of its requests is ever admitted"));
}

void checkFleet(const SurveyedRule& rule, Findings& findings)
{
    const ShedClass* least = nullptr;
    for (const ShedClass& shed : classesOf(*rule.rule)) {
        checkShare(rule, shed, findings);
        if (least != nullptr && shed.upTo.value > least->upTo.value) {
            findings.add("shedder.order", shed.upTo.at, *rule.rule,
                         fmt::format("{} may fill {}, and `{}` above it only {}", named(rule, shed),
                                     slotsOf(rule, shed), language::shown(least->name.value),
                                     language::percentText(least->upTo.value)));
        } else {
            least = &shed;
        }
    }
}

void checkUtilisation(const SurveyedRule& rule, Findings& findings)
{
    for (const ShedClass& shed : classesOf(*rule.rule)) {
        if (shed.upTo.value != 100) {
            findings.add("shedder.unused-share", shed.upTo.at, *rule.rule,
                         fmt::format("`up_to: {}` of {} has no effect under strategy utilisation",
                                     language::percentText(shed.upTo.value), named(rule, shed)));
        }
    }
}

void checkClasses(const SurveyedRule& rule, Findings& findings)
{
    if (classesOf(*rule.rule).empty()) {
        findings.add("shedder.no-classes", rule.rule->algorithm.at, *rule.rule,
                     fmt::format("{} has no classes: it {}", rule.named(),
                                 language::isUtilisation(*rule.rule) ? "sheds nothing"
                                                                     : "sheds all requests alike"));
    } else if (language::isUtilisation(*rule.rule)) {
        checkUtilisation(rule, findings);
    } else {
        checkFleet(rule, findings);
    }
}

} // namespace

void checkShedding(const Survey& survey, const LogFacts* log, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        const Algorithm algorithm = rule.rule->algorithm.value;
        if (rule.isOff()) {
            continue;
        }
        if (algorithm == Algorithm::AdaptiveConcurrency) {
            checkGuess(rule, log, findings);
            checkFixed(rule, findings);
        } else if (algorithm == Algorithm::LoadShedder) {
            checkClasses(rule, findings);
        }
    }
}

} // namespace policies::advice

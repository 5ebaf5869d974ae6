#include "policies/advice.h"

#include "policies/advice/checks.h"

namespace policies {

std::vector<engine::Diagnostic> advise(const Policy& policy, const engine::Plan* plan,
                                       const LogFacts* log, const engine::ClientProfile* clients)
{
    const advice::Survey survey(policy);
    advice::Findings findings(policy);
    advice::checkWindows(survey, findings);
    advice::checkBursts(survey, findings);
    advice::checkCosts(survey, findings);
    advice::checkStates(survey, plan, log, findings);
    advice::checkShedding(survey, log, findings);
    advice::checkTightening(survey, findings);
    advice::checkKeys(survey, log, findings);
    advice::checkTenants(survey, plan, findings);
    advice::checkMatches(survey, log, findings);
    advice::checkAttributes(survey, log, findings);
    advice::checkLogins(survey, findings);
    advice::checkModes(survey, findings);
    advice::checkNames(survey, plan, findings);
    advice::checkReach(survey, plan, findings);
    advice::checkStrength(survey, findings);
    advice::checkRepeats(survey, findings);
    if (log != nullptr) {
        advice::checkSpan(survey, *log, findings);
    }
    if (clients != nullptr) {
        advice::checkRetries(survey, *clients, findings);
    }
    findings.tellPartial();
    // What --set, --mode, a log or a missing lookup change is no reason to drop an `allow`.
    findings.tellAboutAllow(plan != nullptr && log == nullptr && policy.adjustments.empty());
    return findings.take();
}

std::vector<engine::Diagnostic> adviseRetries(const Policy& policy,
                                              const engine::ClientProfile& clients)
{
    const advice::Survey survey(policy);
    advice::Findings findings(policy);
    advice::checkRetries(survey, clients, findings);
    return findings.take();
}

} // namespace policies

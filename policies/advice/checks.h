#pragma once
#include "policies/advice/findings.h"
#include "policies/advice/survey.h"

/// The kinds of advice, a file for each subject; advise() calls all of them. Each looks at every
/// rule once and compares rules through an index only.
namespace policies::advice {

void checkWindows(const Survey& survey, Findings& findings); ///< window.edge, window.week
void checkBursts(const Survey& survey, Findings& findings); ///< burst.*
void checkCosts(const Survey& survey, Findings& findings); ///< rate.zero, cost.*
/// concurrency.no-duration, window.memory: better with a log.
void checkStates(const Survey& survey, const engine::Plan* plan, const LogFacts* log,
                 Findings& findings);
/// adaptive.*, shedder.*: the former better with a log.
void checkShedding(const Survey& survey, const LogFacts* log, Findings& findings);
void checkTightening(const Survey& survey, Findings& findings); ///< tighten.*
void checkKeys(const Survey& survey, const LogFacts* log, Findings& findings); ///< key.*
void checkTenants(const Survey& survey, const engine::Plan* plan,
                  Findings& findings); ///< tenant.per-key
void checkMatches(const Survey& survey, const LogFacts* log, Findings& findings); ///< match.*
void checkAttributes(const Survey& survey, const LogFacts* log,
                     Findings& findings); ///< attribute.*
void checkLogins(const Survey& survey, Findings& findings); ///< login.*
void checkModes(const Survey& survey, Findings& findings); ///< mode.*
void checkNames(const Survey& survey, const engine::Plan* plan, Findings& findings); ///< name.*
void checkReach(const Survey& survey, const engine::Plan* plan,
                Findings& findings); ///< rule.never-matches
void checkStrength(const Survey& survey, Findings& findings); ///< rule.never-rejects
void checkRepeats(const Survey& survey, Findings& findings); ///< rule.duplicate
void checkSpan(const Survey& survey, const LogFacts& log, Findings& findings); ///< log.*
void checkRetries(const Survey& survey, const engine::ClientProfile& clients,
                  Findings& findings); ///< clients.*

} // namespace policies::advice

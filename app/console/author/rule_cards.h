#pragma once

#include "engine/diagnostic.h"
#include "engine/plan.h"
#include "policies/policy.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace app::console {

/// What the board shows of a rule. Texts of the policy have passed shown().
///
/// Example: of search in public-api: matches "GET, HEAD  /search/**", key "per api_key", limit
/// "120 per minute", mode Enforce, no problems.
struct RuleCard {
    std::string id; ///< the name as the policy has it
    QString name;
    engine::Tier tier = engine::Tier::Edge;
    engine::Mode mode = engine::Mode::Enforce;
    QString matches;
    QString key;
    QString limit; ///< where it has none: what is wrong with it
    bool isBroken = false; ///< `limit` is an error
    QString sentence;
    QString more;
    QStringList errors;
    QStringList advice;
    QStringList overrides; ///< "acme: For tenant acme: an API key may ..."

    friend bool operator==(const RuleCard&, const RuleCard&) = default;
};

/// Of all rules, by tier and as written. `problems`: of the policy's text, each told at the rule in
/// whose lines it lies.
std::vector<RuleCard> ruleCards(const policies::Policy& policy,
                                const std::vector<engine::Diagnostic>& problems);

/// "2 exemptions pass every tier: probes, metrics"; "" for none.
QString exemptionWords(const policies::Policy& policy);

/// Lines of a span of a policy's own text, from 1, both included.
struct Lines {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

Lines linesOf(const policies::Policy& policy, const policies::Span& span);

/// The mode in a word, and back from the place in that row: enforce, shadow, off.
QString modeName(engine::Mode mode);

} // namespace app::console

#pragma once
#include "app/workbench/explain.h"
#include "app/workbench/figure_table.h"

#include <string>
#include <vector>

/// What an explanation says, in words. Texts are raw bytes but for explanationText(): whoever shows
/// them escapes them.
namespace app {

/// All of it: the request, the rules that judged it with each state before and after and what
/// filled it, and those that did not judge it, with the reason. Escaped, ready to be shown.
std::string explanationText(const Explanation& explanation, bool colour = false);

/// "rejected with 429 by search in tier endpoint", "admitted, after a wait of 40 ms".
std::string outcomeText(const Explanation& explanation);

/// Of a rejected request: "after 1.675 s, at 2026-03-10 10:14:33.333 UTC".
std::string retryText(const Explanation& explanation);

/// Of a request whose client comes again: "2 times: admitted at attempt 3, 1.2 s after it came";
/// "" where nobody does, or where it was admitted at once.
std::string comebackText(const Explanation& explanation);

/// "rejected with 429 by search in tier endpoint, retry after 2 s", "admitted".
std::string outcomeText(const LaterAttempt& attempt);

/// Each of its later attempts: when it came, to which server, and its outcome.
FigureTable attemptsTable(const Explanation& explanation);

/// "rejected (status 429)", "served (status 200)", "the log does not say".
std::string productionText(const Explanation& explanation);

/// "capacity 10, remaining 0, previous count 9, count 5".
std::string stateText(const std::vector<engine::StateFigure>& figures);

/// The values of the rule's key, as they may be shown.
std::vector<std::string> shownKey(const ExplainedRule& rule, const SecretAttributes& secrets);

} // namespace app

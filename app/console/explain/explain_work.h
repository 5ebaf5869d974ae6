#pragma once

#include "app/workbench/explain.h"
#include "app/workbench/explain_key.h"
#include "app/workbench/find_requests.h"
#include "app/workbench/key_states.h"

#include <optional>
#include <string>
#include <vector>

/// What Explain works out off the GUI thread: each function opens a store of its own. Values only.
namespace app::console {

/// A decision in full, and the rejected requests around it.
struct RequestAnswer {
    std::optional<Explanation> explanation;
    std::optional<FoundRequest> stored; ///< what the store says of it where there is none
    std::optional<engine::Diagnostic> failure; ///< why there is none
    std::vector<KeyState> states; ///< of the key of the rule that tells; see tellingRule()
    RejectedBeside any;
    RejectedBeside sameKey;
};

/// A list of requests: those that were asked for, or those of the worst second.
struct ListAnswer {
    storage::RunSummary run;
    std::vector<std::string> rules; ///< full names, for the choice
    FoundRequests found;
    std::optional<std::int64_t> worstSecond; ///< where the list is of that second
    std::optional<engine::Diagnostic> failure;
};

RequestAnswer explainRequest(const std::string& store, storage::RunId run,
                             const ExplainTarget& target, const ReadAgain& again);

/// `query` nothing: the rejected requests of the worst second.
ListAnswer listRequests(const std::string& store, storage::RunId run,
                        const std::optional<RequestQuery>& query, const ReadAgain& again);

engine::Result<KeyHistory> explainKeyOf(const std::string& store, storage::RunId run,
                                        const KeyTarget& target, const ReadAgain& again);

/// Can it be worked out once somebody says where the log is now?
bool isAboutTheLog(const engine::Diagnostic& failure);

} // namespace app::console

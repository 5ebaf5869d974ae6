#include "app/console/explain/explain_work.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/run_moments.h"
#include "app/workbench/verdict_text.h"
#include "storage/run_store.h"

namespace app::console {

namespace {

engine::Result<std::unique_ptr<storage::RunStore>> openToRead(const std::string& path)
{
    return storage::RunStore::open(path, storage::Access::Read);
}

/// The key whose history the page steps along: of the rule that the explanation is about.
std::optional<StoredKey> keyOf(const Explanation& explanation)
{
    const std::optional<std::size_t> telling = tellingRule(explanation);
    if (!telling) {
        return std::nullopt;
    }
    const ExplainedRule& rule = explanation.rules[*telling];
    return StoredKey {rule.decision.rule, rule.key};
}

std::optional<FoundRequest> storedRequest(storage::RunStore& store, storage::RunId run,
                                          const ExplainTarget& target)
{
    if (!target.n) {
        return std::nullopt;
    }
    RequestQuery query;
    query.n = target.n;
    query.outcome = FoundOutcome::Rejected;
    auto found = findRequests(store, run, query, {});
    if (found && found->requests.empty()) {
        query.outcome = FoundOutcome::WouldReject;
        found = findRequests(store, run, query, {});
    }
    return found && !found->requests.empty() ? std::optional(found->requests.front())
                                             : std::nullopt;
}

void findBeside(const storage::RunReader& reader, storage::RunId run, std::int64_t timeNs,
                std::uint64_t n, const std::optional<StoredKey>& key, RequestAnswer& answer)
{
    if (const auto any = rejectedBeside(reader, run, timeNs, n)) {
        answer.any = *any;
    }
    if (key) {
        if (const auto same = rejectedBeside(reader, run, timeNs, n, key)) {
            answer.sameKey = *same;
        }
    }
}

} // namespace

RequestAnswer explainRequest(const std::string& path, storage::RunId run,
                             const ExplainTarget& target, const ReadAgain& again)
{
    RequestAnswer answer;
    const auto store = openToRead(path);
    if (!store) {
        answer.failure = store.error();
        return answer;
    }
    const storage::RunReader reader(**store);
    engine::Result<Explanation> explanation
        = app::explain(**store, run, target, again, ReadDepth::Visits);
    if (explanation) {
        findBeside(reader, run, explanation->clockNs, explanation->n, keyOf(*explanation), answer);
        if (const auto telling = tellingRule(*explanation)) {
            constexpr std::size_t kPoints = 600; // about one for two pixels
            const ExplainedRule& rule = explanation->rules[*telling];
            answer.states = keyStates(rule, tellingFromNs(rule), kPoints);
        }
        answer.explanation = std::move(*explanation);
        return answer;
    }
    answer.failure = explanation.error();
    answer.stored = storedRequest(**store, run, target);
    if (answer.stored) {
        findBeside(reader, run, answer.stored->timeNs, answer.stored->n, std::nullopt, answer);
    }
    return answer;
}

ListAnswer listRequests(const std::string& path, storage::RunId run,
                        const std::optional<RequestQuery>& query, const ReadAgain& again)
{
    ListAnswer answer;
    const auto store = openToRead(path);
    if (!store) {
        answer.failure = store.error();
        return answer;
    }
    const storage::RunReader reader(**store);
    const auto detail = reader.detail(run);
    if (!detail) {
        answer.failure = detail.error();
        return answer;
    }
    answer.run = detail->summary;
    for (const storage::RuleTotals& rule : detail->rules) {
        answer.rules.push_back(fullName(rule));
    }
    RequestQuery asked = query.value_or(RequestQuery {});
    if (!query) {
        const auto worst = worstSecond(reader, *detail, again.stop);
        if (!worst) {
            answer.failure = worst.error();
            return answer;
        }
        if (*worst) {
            answer.worstSecond = (*worst)->second;
            asked.fromNs = secondNs((*worst)->second);
            asked.toNs = secondNs((*worst)->second + 1);
        } else { // nothing was rejected
            asked.outcome = FoundOutcome::WouldReject;
        }
    }
    auto found = findRequests(**store, run, asked, again);
    if (found) {
        answer.found = std::move(*found);
    } else {
        answer.failure = found.error();
    }
    return answer;
}

engine::Result<KeyHistory> explainKeyOf(const std::string& path, storage::RunId run,
                                        const KeyTarget& target, const ReadAgain& again)
{
    const auto store = openToRead(path);
    if (!store) {
        return engine::fail(store.error());
    }
    return explainKey(**store, run, target, again);
}

bool isAboutTheLog(const engine::Diagnostic& failure)
{
    return failure.code.starts_with("recording.");
}

} // namespace app::console

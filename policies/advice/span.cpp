#include "engine/worst_case.h"
#include "policies/advice/checks.h"
#include "policies/advice/words.h"

#include <fmt/format.h>

/// log.*: what a log is too short to say about a rule.
namespace policies::advice {
namespace {

constexpr std::int64_t kLongStart = 10; ///< an empty start of more than a tenth of the log matters

void checkPart(const SurveyedRule& rule, const Part& part, const LogFacts& log, Findings& findings)
{
    const std::int64_t memory = engine::refillNs(part.limit);
    if (memory == 0 || log.requests == 0) {
        return;
    }
    const Span& at = part.rate->at;
    if (memory > log.spanNs) {
        findings.add(
            "log.shorter-than-window", at, *rule.rule,
            fmt::format("{} counts over {}, and the log spans {}: it is over before all of that "
                        "has passed once",
                        rule.named(part), inWords(memory), inWords(log.spanNs)));
        return;
    }
    if (memory > log.warmupNs && memory > log.spanNs / kLongStart) {
        findings.add("log.empty-start", at, *rule.rule,
                     fmt::format("{} starts with nothing counted, and the first {} of the log's {} "
                                 "are judged more mildly than in production",
                                 rule.named(part), inWords(memory), inWords(log.spanNs)),
                     fmt::format("replay with `--warmup`, as long as {}, or take a longer log",
                                 inWords(memory)));
    }
}

} // namespace

void checkSpan(const Survey& survey, const LogFacts& log, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        for (const Part& part : rule.parts) {
            if (!rule.isRepeated(part)) {
                checkPart(rule, part, log, findings);
            }
        }
    }
}

} // namespace policies::advice

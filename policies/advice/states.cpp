#include "policies/advice/checks.h"
#include "policies/advice/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace policies::advice {
namespace {

using engine::Algorithm;

constexpr std::int64_t kEntryBytes = 16; ///< of one request in a log, as the engine keeps it
constexpr std::int64_t kManyEntries = 1000;
constexpr std::int64_t kManyInOneBucket = 100'000;
constexpr std::int64_t kExampleKeys = 100'000;

/// The largest number of entries that a key of the rule can hold.
const Part* largestOf(const SurveyedRule& rule)
{
    const Part* largest = nullptr;
    for (const Part& part : rule.parts) {
        if (largest == nullptr || part.limit.rate.count > largest->limit.rate.count) {
            largest = &part;
        }
    }
    return largest;
}

/// How many keys a rule has, and who says so.
struct Keys {
    std::int64_t number = kExampleKeys;
    std::string_view source = "";
};

Keys keysOf(const SurveyedRule& rule, const engine::Plan* plan, const LogFacts* log)
{
    constexpr auto kMost = std::uint64_t {1} << 62U;
    if (log != nullptr) {
        if (const auto seen = log->keys.find(rule.rule->name.value); seen != log->keys.end()) {
            return {static_cast<std::int64_t>(std::min(seen->second, kMost)), " of the log"};
        }
    }
    if (plan != nullptr && rule.rule->key.value.size() == 1) {
        for (const engine::Derivation& derivation : plan->attributes) {
            if (derivation.table && derivation.from == rule.rule->key.value.front().text) {
                return {static_cast<std::int64_t>(derivation.table->size()), " of its lookup file"};
            }
        }
    }
    return {};
}

/// What the states took that the log made, at its end.
std::string measuredOf(const SurveyedRule& rule, const LogFacts* log)
{
    const std::string& name = rule.rule->name.value;
    if (log == nullptr) {
        return {};
    }
    const auto bytes = log->stateBytes.find(name);
    const auto keys = log->keys.find(name);
    if (bytes == log->stateBytes.end() || keys == log->keys.end() || keys->second == 0) {
        return {};
    }
    const auto whole = static_cast<std::int64_t>(std::min(bytes->second, std::uint64_t {1} << 62U));
    const auto number = static_cast<std::int64_t>(std::min(keys->second, std::uint64_t {1} << 62U));
    return fmt::format("; at the end of the log it took {}, {} a key, as measured",
                       bytesInWords(whole), bytesInWords((whole + number - 1) / number));
}

void checkMemory(const SurveyedRule& rule, const engine::Plan* plan, const LogFacts* log,
                 Findings& findings)
{
    const Part* part = largestOf(rule);
    const bool isOneBucket = rule.rule->key.value.empty();
    const std::int64_t entries = part->limit.rate.count;
    if (entries < (isOneBucket ? kManyInOneBucket : kManyEntries)) {
        return;
    }
    const std::int64_t each = times(entries, kEntryBytes);
    std::string message
        = fmt::format("{} remembers up to {} requests", rule.named(*part), grouped(entries));
    if (isOneBucket) {
        message += fmt::format(": {}", bytesInWords(each));
    } else {
        const Keys keys = keysOf(rule, plan, log);
        message += fmt::format(" for each key: {}, which is {} for {}{}", bytesInWords(each),
                               bytesInWords(times(each, keys.number)),
                               counted(keys.number, "key", "keys"), keys.source);
    }
    message += measuredOf(rule, log);
    findings.add("window.memory", part->rate->at, *rule.rule, std::move(message));
}

void checkDurations(const SurveyedRule& rule, const LogFacts* log, Findings& findings)
{
    if (rule.rule->assumeDurationNs || (log != nullptr && log->withDuration == log->requests)) {
        return;
    }
    std::string message
        = fmt::format("{} does not apply to a request without a recorded duration", rule.named());
    if (log != nullptr) {
        const std::uint64_t without = log->requests - log->withDuration;
        message += log->withDuration == 0
            ? ", and no request of the log has one"
            : fmt::format(": {} of the log's requests", share(without, log->requests));
    }
    findings.add("concurrency.no-duration", rule.rule->algorithm.at, *rule.rule,
                 std::move(message));
}

} // namespace

void checkStates(const Survey& survey, const engine::Plan* plan, const LogFacts* log,
                 Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        if (rule.isOff()) {
            continue;
        }
        if (engine::holdsSlots(rule.rule->algorithm.value)) {
            checkDurations(rule, log, findings);
        }
        if (rule.rule->algorithm.value == Algorithm::SlidingWindowLog) {
            checkMemory(rule, plan, log, findings);
        }
    }
}

} // namespace policies::advice

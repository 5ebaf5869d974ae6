#include "policies/advice/checks.h"
#include "policies/advice/in_period.h"
#include "policies/advice/words.h"
#include "policies/language/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace policies::advice {
namespace {

constexpr std::array<std::string_view, 3> kParts {"login", "password", "token"};

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// "otp" as a word of its own: "/otp/verify" and "/send-otp", not "/hotpot".
bool hasWordOtp(std::string_view text)
{
    for (std::size_t at = text.find("otp"); at != std::string_view::npos;
         at = text.find("otp", at + 1)) {
        const bool begins = at == 0 || !isLetter(text[at - 1]);
        const bool ends = at + 3 == text.size() || !isLetter(text[at + 3]);
        if (begins && ends) {
            return true;
        }
    }
    return false;
}

/// Where secrets are tried out, by what the path says.
bool isLoginPath(std::string_view path)
{
    std::string text(path);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return hasWordOtp(text)
        || std::any_of(kParts.begin(), kParts.end(),
                       [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

/// The first path that the rule matches and that looks like a login.
const Word* loginPath(const Rule& rule)
{
    if (rule.match) {
        for (const MatchEntry& entry : rule.match->entries) {
            if (entry.attribute.text != "path" || entry.negated) {
                continue;
            }
            for (const Word& value : entry.values) {
                if (isLoginPath(value.text)) {
                    return &value;
                }
            }
        }
    }
    return nullptr;
}

void checkEstimate(const Survey& survey, const SurveyedRule& rule, const Word& path,
                   Findings& findings)
{
    for (const Part& part : rule.parts) {
        const bool judges = part.isEnforced() && !part.deniesAll() && !rule.isRepeated(part);
        if (!judges || !exceedsWindow(survey, rule, part)) {
            continue;
        }
        const std::int64_t most = mostInPeriod(survey, rule, part);
        const std::int64_t each = part.hasFixedCost() ? part.cost.fixed : 1;
        findings.add("login.estimate", rule.rule->algorithm.at, *rule.rule,
                     fmt::format("{} guards `{}` by {}: within {} up to {} may pass, not {}",
                                 rule.named(part), language::shown(path.text),
                                 engine::nameOf(part.limit.algorithm),
                                 inWords(part.limit.rate.periodNs),
                                 part.hasFixedCost() ? grouped(most) + " tries"
                                                     : "a cost of " + grouped(most),
                                 grouped(part.limit.rate.count / each)));
    }
}

} // namespace

void checkLogins(const Survey& survey, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        const Word* path = rule.isEnforced() ? loginPath(*rule.rule) : nullptr;
        if (path == nullptr) {
            continue;
        }
        if (rule.onStoreFailure() == engine::StoreFailure::Open) {
            const Given<engine::StoreFailure>& given = rule.rule->onStoreFailure;
            findings.add("login.fail-open", given ? given->at : path->at, *rule.rule,
                         fmt::format("{} guards `{}` and lets every try through while the store of "
                                     "its counts is away",
                                     rule.named(), language::shown(path->text)));
        }
        const engine::Algorithm algorithm = rule.rule->algorithm.value;
        if (algorithm == engine::Algorithm::FixedWindow
            || algorithm == engine::Algorithm::SlidingWindowCounter) {
            checkEstimate(survey, rule, *path, findings);
        }
    }
}

} // namespace policies::advice

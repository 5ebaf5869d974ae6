#pragma once
#include "engine/decision.h"
#include "engine/diagnostic.h"
#include "engine/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the client of a decided request is told: header fields, and the body of a rejection.
/// Pure functions, any thread. Definition: semantics section 15; the forms are those of the IETF
/// draft ratelimit-headers, RFC 9651 (Structured Fields), RFC 9457 (problem details) and RFC 9110
/// (Retry-After).
namespace engine {

/// In which form limits are told. The first two tell of each rule, and -07 in `RateLimit` of one;
/// the legacy forms know one limit, which is the one nearest to be exhausted.
enum class HeaderStyle : std::uint8_t {
    Draft10, ///< `RateLimit: "search";r=0;t=2`
    Draft07, ///< `RateLimit: limit=2, remaining=0, reset=2`; reset in seconds from now
    Github, ///< X-RateLimit-*, reset in seconds since the epoch
    Draft03, ///< X-RateLimit-* as Envoy and Limitador write them, reset in seconds from now
    Kong, ///< X-RateLimit-*-Minute and RateLimit-*, reset in seconds from now
    None, ///< no limits, only Retry-After
};

std::string_view nameOf(HeaderStyle style); ///< "10", "07", "github", "draft03", "kong", "none"
std::optional<HeaderStyle> headerStyleNamed(std::string_view name);
std::vector<std::string> headerStyleNames();

/// A line of a response's head. Values are visible ASCII and blanks; a name comes once at most.
struct HeaderField {
    std::string name;
    std::string value;
};

/// The members of an application/problem+json body. Texts are raw bytes; problemJson() escapes
/// them.
struct Problem {
    std::string_view type; ///< quota-exceeded, or temporary-reduced-capacity where status is 503
    std::string_view title;
    int status = 429; ///< of the rule that rejected
    std::string detail; ///< rule, tier, limit, when it resets; for people
    std::vector<std::string> violatedPolicies; ///< enforcing rules that denied, in policy order
};

struct Answer {
    std::vector<HeaderField> headers; ///< in the order in which they are to be sent
    std::optional<Problem> problem; ///< of a rejection
};

/// The answer to a request that `plan` decided. `decision` has its figures (DecisionSink).
///
/// Example: search (endpoint, token_bucket 12/min, burst 2) rejects, 1.41 s before it has one
/// again:
///   Retry-After: 2
///   RateLimit-Policy: "search";q=2;w=10
///   RateLimit: "search";r=0;t=2
///   Content-Type: application/problem+json
/// Rules in shadow, those that were not judged and those that have no count are not told of. What a
/// form cannot say is left out or capped as unsayable() tells.
Answer answerTo(const Plan& plan, const Decision& decision,
                HeaderStyle style = HeaderStyle::Draft10);

/// What answers by `plan` in this form leave out or cap, whatever the request, as advice:
/// answer.drawn (a load_shedder of strategy utilisation: no count says what remains), answer.name
/// (beyond ASCII: a String cannot hold it), answer.quota (above 15 digits: capped), answer.window
/// (none, which -03 and -07 have no policy for).
std::vector<Diagnostic> unsayable(const Plan& plan, HeaderStyle style);

/// The name of a rule in headers and bodies: "search", of an override "search/acme".
std::string policyName(const PlanRule& rule);

/// The body as it is sent: JSON in ASCII, one member a line. A byte that is not UTF-8 becomes
/// U+FFFD.
std::string problemJson(const Problem& problem);

/// A wait as a header says it: max(1, ceil(seconds)), so that whoever waits as told has waited long
/// enough. Example: 0 ns is 1, 1 s is 1, 1 s and 1 ns is 2.
std::int64_t headerSeconds(std::int64_t waitNs);

} // namespace engine

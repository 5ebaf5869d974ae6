#include "policies/advice.h"

#include <algorithm>
#include <array>

namespace policies {
namespace {

// clang-format off
constexpr std::array kCodes {
    AdviceCode {"advice.partial", "advice that was not looked for everywhere",
        "comparing everything with everything would take too long, so what is not said here may still hold",
        "split the policy, or look at these rules yourself"},
    AdviceCode {"allow.unknown", "an `allow` of a code that there is not",
        "it silences nothing, and what it was meant to silence is still said",
        "write a code that `weir check` shows in brackets"},
    AdviceCode {"allow.unused", "an `allow` that silences nothing",
        "it would hide advice that comes up later, unseen",
        "take the code out of `allow`"},
    AdviceCode {"attribute.unknown", "an attribute that is neither built in nor derived",
        "a rule whose key or match names a field that no log line has never applies",
        "check the name against `weir inspect LOG`, or derive it under `attributes`"},
    AdviceCode {"burst.first-second", "what a token bucket lets through in one second",
        "a full bucket gives its whole burst at once, and refills while that is spent",
        "make the burst what the servers bear at once; gcra with a small burst spaces requests"},
    AdviceCode {"burst.one", "room for one request, at a rate per minute or longer",
        "browsers and batches send several requests at once, and such a rate reads as if they could",
        "write a burst (or queue) of as many as a client sends at once"},
    AdviceCode {"burst.refill", "a burst that takes minutes to refill",
        "who has used it waits long for the next one, and a pause earns far more than the rate",
        "write a smaller burst, or a higher rate"},
    AdviceCode {"concurrency.no-duration", "concurrency over requests without a duration",
        "without a duration nobody knows how long a slot is held, so the request is skipped",
        "write `assume_duration`, such as the median of the endpoint, or log durations"},
    AdviceCode {"cost.above-capacity", "a cost that the limit can never hold",
        "such a request can never pass, however long its client waits",
        "write a smaller cost, or a burst, queue or rate that holds it"},
    AdviceCode {"key.ipv6", "single IPv6 addresses as keys",
        "a client takes a new address of its /64 for each request and never meets the limit",
        "derive `network: { from: client_ip, prefix: { ipv4: 32, ipv6: 64 } }` and count by `network`"},
    AdviceCode {"key.missing", "requests without the key attribute have no limit",
        "a rule does not apply to a request that lacks an attribute of its key",
        "add a rule for them, such as one by `client_ip` that matches `absent`"},
    AdviceCode {"key.shared-address", "addresses that many people share",
        "offices, mobile networks and proxies put thousands behind one address",
        "add what tells people apart to the key (`api_key`, `user`), or make the limit wide"},
    AdviceCode {"log.empty-start", "a rate judged from an empty start",
        "no key has a past when a replay begins, so early requests find every limit unused",
        "replay with `--warmup`, or take a longer log", true},
    AdviceCode {"log.shorter-than-window", "a window longer than the log at hand",
        "what comes later in the same window is not in the log, so a replay may show fewer rejections than there would be",
        "take a log that is several times as long", true},
    AdviceCode {"login.estimate", "a windowed counter before a login",
        "who guesses passwords times the guesses around the edge of a window",
        "use `sliding_window_log`, which is exact; its N is small here"},
    AdviceCode {"login.fail-open", "a login that fails open",
        "whoever can make the store fail can then guess without limit",
        "write `on_store_failure: closed`"},
    AdviceCode {"match.after-response", "status, bytes or duration decide about the request",
        "a gateway must decide before there is a response; only a replay can know it",
        "match on what the request brings (method, path, key), or count such requests elsewhere"},
    AdviceCode {"match.not-missing", "`not` on an attribute that may be missing",
        "a missing attribute matches nothing, not even `not`",
        "add a rule for requests without the attribute (`absent`)"},
    AdviceCode {"mode.nothing-enforced", "nothing but shadow rules",
        "a policy that only watches protects nobody",
        "enforce what has been watched long enough: `mode: enforce`"},
    AdviceCode {"mode.tier-not-enforced", "a tier without an enforced rule",
        "shadow rules judge and count, but the tier lets everything through",
        "enforce one of its rules, or live with it while it is tried"},
    AdviceCode {"name.plan", "a rule named like a plan that asks for none",
        "plans are matched by an attribute; names have no meaning",
        "match the plan: `match: { plan: NAME }`"},
    AdviceCode {"rate.zero", "a limit of nothing",
        "a rate of 0 (or no slot) denies always, and there is no Retry-After to send",
        "write a rate above 0, or say in a note that the endpoint is closed"},
    AdviceCode {"rule.duplicate", "two rules with the same match and key",
        "the tighter of the two decides; the other one is read by people and hits nobody, or rarely",
        "keep one of them, or say in a note what each is for"},
    AdviceCode {"rule.never-matches", "a rule that no request reaches",
        "it looks like protection and is none",
        "correct its match, or remove it"},
    AdviceCode {"rule.never-rejects", "a rule that can never reject",
        "the other rule is judged no later, counts at least as much and is at least as tight",
        "make it tighter than the other one, or remove it"},
    AdviceCode {"tenant.per-key", "limits per key with nothing above them",
        "keys are free to make: who has many of them has the limit many times",
        "add a rule with `key: [tenant]` in tier `tenant`"},
    AdviceCode {"window.edge", "both sides of a window's edge",
        "a fixed window forgets all it counted when the next one begins",
        "use sliding_window_counter or sliding_window_log, or half the rate"},
    AdviceCode {"window.memory", "a log of many requests for each key",
        "sliding_window_log keeps a time for each request that it admitted",
        "use sliding_window_counter, which keeps two numbers for each key"},
    AdviceCode {"window.week", "weeks that begin on Thursday",
        "windows are counted from 1 January 1970, which was a Thursday",
        "write `anchor: 4day` for weeks that begin on Monday, 00:00 UTC"},
};
// clang-format on

} // namespace

std::span<const AdviceCode> adviceCodes()
{
    return kCodes;
}

const AdviceCode* adviceCode(std::string_view code)
{
    const auto found = std::lower_bound(
        kCodes.begin(), kCodes.end(), code,
        [](const AdviceCode& known, std::string_view wanted) { return known.code < wanted; });
    return found != kCodes.end() && found->code == code ? &*found : nullptr;
}

} // namespace policies

#include "app/cli/verbs.h"

#include "app/workbench/published_figures.h"
#include "app/workbench/traffic_options.h"

#include <array>
#include <cstdlib>

namespace app::cli {
namespace {

constexpr std::string_view kPolicies = "Policies";
constexpr std::string_view kLogs = "Logs";
constexpr std::string_view kReplays = "Replays";
constexpr std::string_view kItself = "weir itself";

// clang-format off
constexpr std::array kVerbs {
    VerbInfo {Verb::New, "new", kPolicies, "[FILE]", "a commented policy to start from",
R"(Writes a small policy with a comment on every part, to FILE or to stdout. A FILE that is there
already stays as it is. --from LOG (a file or a folder, read twice) starts from what the log
shows instead: what its requests have, and a rule in shadow for each key that they have, at the
largest peak seen, with percentiles as comments.)",
R"(weir new limits.yaml
weir new limits.yaml --from access.log.gz
weir check limits.yaml)",
        0, 1, runNew},
    VerbInfo {Verb::Check, "check", kPolicies, "POLICY...", "errors and advice of policies",
R"(Reads each POLICY with its lookup files and reports every mistake, not the first one only, with
its place and what to write instead. Of a valid policy it says what deserves a second look
(advice): worst cases in numbers, rules that never reject or never match, requests that no limit
is for. A rule that lives with one says so: `allow: [window.edge]`. With --log the advice has
what the log shows, with --clients which rules these clients never get past. Each code has its
section in policies/advice/README.md.

Exit status 1 if there are errors, with --strict also if there is advice. `-` is stdin.)",
R"(weir check public-api.yaml
weir check public-api.yaml --log access.log.gz
weir check public-api.yaml --clients sdk.clients.yaml
weir check --strict --format github policies/*.yaml)",
        1, kAnyNumber, runCheck},
    VerbInfo {Verb::Test, "test", kPolicies, "[POLICY] CASES...", "runs tables of requests with their expected outcome",
R"(CASES are YAML files (NAME.cases.yaml) or text tables (NAME.scn). What `policy:` names, beside
the file, holds where POLICY is left out.

  cases: 1
  policy: public-api.yaml
  defaults: { client_ip: 192.0.2.1 }        # of every step that does not say otherwise
  tests:                                    # each begins with nothing counted
    - name: ten searches a minute
      steps:
        - { path: /search/a, times: 10, every: 1s, expect: admitted }
        - { path: /search/a, at: +1s, expect: rejected by search retry_after 40s..50s }
        - { path: /search/a, times: 9, every: 10s, expect: [4 rejected by search, 5 admitted] }
        - { path: /other, times: 60, expect: { admitted: 59..60, rejected: 0..1 } }

A step has attributes by name, `at` (+1s after the request before, 10s after the start, or a time;
left out: at once), `times` and `every`, `duration`, and what it expects: admitted, rejected,
rejected by RULE, exempt, exempt as NAME, with any of retry_after, remaining, next_after,
full_after, delay (a value or a range A..B; `remaining search:3` asks one rule), shadow, tier.

A table has one request in a line, and what the policy is to answer:

  policy: public-api.yaml
  at     client_ip  path     ->  outcome   rule    remaining  retry
  0      192.0.2.1  /search  ->  admitted  -       1          -
  +0.5s  192.0.2.1  /search  ->  admitted  -       0          -
  +0.5s  192.0.2.1  /search  ->  rejected  search  0          59

A header line names the columns. Before the arrow: `at` (seconds since 1970, a time, or +1.5s after
the line before), `duration`, and attributes by name; `-` is missing, double quotes hold blanks.
Behind it any of outcome (admitted, rejected, exempt), rule (that rejects), tier, shadow (the first
that denied), remaining, retry, next, full, delay, decided, late; `?` may be anything, `-` is none.
Figures can name their rules: `search:1,login:4`. Times are seconds or have a unit.

Exit status 1 if a case fails, 3 if the policy is invalid.)",
R"(weir test limits.cases.yaml cases/*.scn --format junit > results.xml
weir test candidate.yaml limits.cases.yaml
limits.cases.yaml:9: test `ten searches a minute`, step 2, at 10 s: expected rejected by search, was admitted
    search (endpoint): admits, remaining 9)",
        1, kAnyNumber, runTest},
    VerbInfo {Verb::Diff, "diff", kPolicies, "A B", "what changes between two policies, in words",
R"(Compares by meaning: 60/min and 60/60s do not differ, nor does a default that is written out. Below
what differs stands what it amounts to: how much more per time, the most that can pass at once or
around an edge (for costs of 1), which requests are newly covered or uncovered.)",
R"(weir diff public-api.yaml candidate.yaml
rule search: rate 10/min -> 1/s
  6 times as many per time: 10/min -> 60/min
  at worst: 19 within 1min, after a late burst -> 1 within 1s, after a late burst)",
        2, 2, runDiff},
    VerbInfo {Verb::Set, "set", kPolicies, "POLICY CHANGE...", "changes values and rules in the file, all else byte for byte",
R"(Changes POLICY in place. Comments, order, blank lines, quotes and line ends of everything that a
change is not about stay as they are. `-` reads stdin and writes the changed policy to stdout.
A CHANGE is one of the options below, or PATH=VALUE:

  search.rate=20/min             a value, written as in a policy
  login.burst=                   without VALUE: the field goes
  search.match.path="/find/**"   inside of a match, a cost, ...
  pro-plan/acme.rate=30/s        of an override
  shed.batch.up_to=40%           of a class
  exempt.probe.match={ path: /healthz }
  counting=all_or_nothing        of the policy; so do description, name, attributes.plan.default

A part is named RULE, RULE/OVERRIDE, RULE.CLASS, exempt.NAME or tiers.TIER. All changes are made, or none, in
this order: --remove, --rename, --add, --duplicate, values, --move. What comes of it must pass
`weir check`, unless POLICY did not pass it before; else nothing is written and the exit status is
3. It is 2 for a change that cannot be made.)",
R"(weir set limits.yaml search.rate=20/min login.burst= --diff
weir set limits.yaml --rename search=find --move find=gateway:1
weir set limits.yaml --duplicate search=search-eu search-eu.match.host=eu.example.com
weir set limits.yaml --add 'edge={ name: everyone, key: [], algorithm: gcra, rate: 1/s, burst: 5 }'
weir set limits.yaml --add 'search/={ name: acme, match: { tenant: acme }, rate: 9/s }'
weir set limits.yaml --remove search/acme --remove tiers.tenant --dry-run)",
        1, kAnyNumber, runSet},
    VerbInfo {Verb::Export, "export", kPolicies, "POLICY", "the policy in canonical form",
R"(Writes the validated policy with normalised values, defaults left out, comments kept, and a first
line that names the fingerprint of its meaning. Exporting an export gives the same bytes.)",
R"(weir export public-api.yaml -o release.yaml)",
        1, 1, runExport},
    VerbInfo {Verb::Schema, "schema", kPolicies, "", "a JSON Schema of the policy language, for editors",
R"(Prints a JSON Schema (2020-12) that lets editors complete fields, say what they mean, and underline
mistakes. It takes every good policy; what it cannot see (names that occur twice, patterns, lookup
files), `weir check` tells.)",
R"(weir schema > weir.schema.json
# in an editor with the YAML language server, the first line of a policy:
# yaml-language-server: $schema=weir.schema.json)",
        0, 0, runSchema},
    VerbInfo {Verb::Inspect, "inspect", kLogs, "LOG...", "what a log is, and what of it can be read",
R"(Reads the whole log and says its format, the first requests as read, which fields the lines
have and what a policy can limit by, its span, gaps and order, how fast the busiest clients were,
and what could not be read and why. LOG is a file, plain or packed (gzip, zstd), or `-` for stdin.)",
R"(weir inspect access.log.gz)",
        0, kAnyNumber, runInspect},
    VerbInfo {Verb::Convert, "convert", kLogs, "LOG...", "any log into the neutral format",
R"(Writes one JSON object a request, sorted by arrival, with every field that the log has. What
comes of it can be replayed with the same result. Lines that cannot be read are counted. A FILE
that ends in .zst or .gz is packed.

To make a small log for a repository: --for the policies that it is to be replayed with, --mask
what must not leave the house, --sample-by a key. Without --mask-key, anyone who tries all
addresses finds out which pseudonym is whose.)",
R"(weir convert access.log.gz -o requests.jsonl --rejects bad.jsonl
weir convert access.log.* --for limits.yaml --mask client_ip,api_key --mask-key mask.key
    --sample-by client_ip 5% -o fixture.jsonl.zst)",
        0, kAnyNumber, runConvert},
    VerbInfo {Verb::Generate, "generate", kLogs, "SCENARIO", "made traffic as a log, the same for the same seed",
R"(Writes requests of clients that do not exist in the neutral format, as convert does: to see what a
policy does before there is a log, or to show somebody why. The same options and --seed give the
same bytes on every machine. A FILE that ends in .zst or .gz is packed.

What a SCENARIO is, with the options that it has and what they are if they are not given:)",
R"(weir generate poisson --rate 50/s --keys 20 --duration 1h -o even.jsonl.zst
weir generate boundary --burst 100 --window 1min --duration 2min | weir replay limits.yaml -
weir generate burst --burst 500 --every 2s --length 50ms --duration 4s
weir generate spike --rate 90/min --factor 2 --at 1min --length 40s --duration 2min --seed 7
weir generate tenant_keys --keys 10000 --tenants 1 --start 2026-11-28T12:00:00Z
weir generate retry_storm --at 4min --length 1min --attempts 5 --wait 200ms
weir generate many_keys --keys 270000 --count 1000000 -o many.jsonl.gz)",
        1, 1, runGenerate, trafficHelp},
    VerbInfo {Verb::Replay, "replay", kReplays, "POLICY LOG...", "every decision the policy would have made",
R"(Replays the log through the policy and keeps the results as a run in the store: who would have
been rejected, by which rule, when. The log is not changed and nothing is sent anywhere. Several
LOGs (rotated files, hosts, other formats, `-`) are merged by time, in whatever order they are
given; how late lines are, and where in its second a request lies, is judged within each LOG.
A LOG may be plain, gzip or zstd, a folder (its files, but not its folders), or a description
NAME.logs.yaml, whose groups say how their files are read:

  logs: 1
  groups:
    - { name: edge, files: ["edge/*.log.gz"], log_format: haproxy, tz: Europe/Berlin }
    - { name: app, files: [app/], map: { api_key: key }, clock: +1.2s, trusted_proxies: [10.0.0.0/8] }

--fail-if makes it a gate: exit 1 if the expression holds, or if there was no request at all.
Figures: requests, admitted, rejected, rejected_share, would_reject; of one rule:
rule("search").rejected; of a class of a load_shedder, of one rule or of all:
rule("shed").class("batch").rejected_share, class("critical").rejected; of some requests:
rejected[plan=pro]; joined by and, or, not; compared with a number or with N%. The whole grammar is
in app/workbench/gate.h.

--decisions FILE writes every decision as a line of JSON; --answers adds what each client would
have been told: `headers` (Retry-After, RateLimit and its kin) and the `body` of a rejection.)",
R"(weir replay limits.yaml access.log.gz
weir replay limits.yaml access.log.gz --mode search=shadow --fail-if 'rejected_share > 1%'
weir replay limits.yaml access.log.gz --decisions all.jsonl --answers --headers github)",
        1, kAnyNumber, runReplay},
    VerbInfo {Verb::Runs, "runs", kReplays, "", "the runs in the store",
R"(Lists the runs, oldest first.)",
R"(weir runs
weir runs --keep 20)",
        0, 0, runRuns},
    VerbInfo {Verb::Show, "show", kReplays, "RUN", "one run: totals, rules, who was hit, when",
R"(RUN is a number that `weir runs` shows. --from and --to narrow totals, tiers, rules, timeline and
the most rejected to a period of whole seconds. --by reads the log again, because the store keeps
no attributes of requests that were admitted.)",
R"(weir show 3 --top 20
weir show 3 --from 2026-11-28T12:00:00Z --to 2026-11-28T13:00:00Z --by plan)",
        1, 1, runShow},
    VerbInfo {Verb::Compare, "compare", kReplays, "BASE CANDIDATE", "who is newly rejected, and who no longer",
R"(BASE and CANDIDATE are runs of the same log; BASE may be `recorded`, which is what production
did (rejected: status 429). With --log LOG they are policies, decided in one pass and stored as
runs unless --no-store says otherwise (then `recorded` may be BASE, too; a single POLICY is
compared with itself under --set and --mode).

--fail-if makes it a gate: exit 1 if the expression holds, or if there was no request at all.
Figures: requests, admitted, rejected, rejected_share, would_reject, newly_rejected,
newly_admitted, still_rejected, still_admitted, newly_rejected_keys, newly_rejected_share; of one
rule: rule("search").newly_rejected; of a class of a load_shedder, of one rule or of all:
rule("shed").class("batch").newly_rejected, class("critical").newly_rejected; of some requests:
newly_rejected[plan=pro]; joined by and, or, not; compared with a number or with N%.

--format markdown is a comment for a pull request, github writes workflow commands that GitHub
shows at the rules, both with pseudonyms for keys unless --show-keys says otherwise; csv has every
row.)",
R"(weir compare 3 4 --by plan
weir compare recorded 4
weir compare --log access.log.gz a.yaml b.yaml --fail-if 'newly_rejected_keys[plan=pro] > 0')",
        1, 2, runCompare},
    VerbInfo {Verb::Explain, "explain", kReplays, "RUN", "one decision in full",
R"(Which rules judged the request and which did not and why, each state before and after, which
earlier requests filled it, when it would have passed, what production answered, and what this
policy tells the client: header fields, in the form of --headers, and the body of a rejection.
Where clients come again (--clients), what came of each later attempt. Reads the log again. Without
--request or --line it takes the first rejected request that fits --at and --where; if there is
none, the first that a shadow rule denied, else the first that fits.

--key RULE=VALUE tells the history of one key of one rule instead: the episodes in which it was
denied, and the smallest rate and burst with which the rule would have admitted all its requests,
all else unchanged (each is tried over the log, and so is one less). VALUE is the key as it is
shown elsewhere (several parts with a comma between); RULE/OVERRIDE is an override, RULE[CLASS] a
class.)",
R"(weir explain 3 --key search=k-free
weir explain 3 --where 'path=/login and client_ip=192.0.2.7'
weir explain 3 --request 1234 --headers github)",
        1, 1, runExplain},
    VerbInfo {Verb::Report, "report", kReplays, "RUN | BASE CANDIDATE", "a run or a comparison as one page",
R"(Writes a page that needs nothing else: totals, who is hit, rules, charts over time, and what the
figures do not say. No script, nothing that is loaded, light and dark, readable on paper. Keys are
pseudonyms that are the same in every report about one log (under --mask-key about all logs);
--show-keys shows them. BASE may be `recorded`. --by reads the log again.)",
R"(weir report 3 -o report.html
weir report 3 4 --by plan --format markdown >> "$GITHUB_STEP_SUMMARY")",
        1, 2, runReport},
    VerbInfo {Verb::Suggest, "suggest", kReplays, "LOG...", "limits from history: what keys needed, and what each limit would reject",
R"(Measures in one pass, for each --key, the largest number of requests in a window (fixed_window and
sliding_window_log) or the burst beside a rate (token_bucket, gcra) that each key would have
needed, and for each candidate limit the requests and keys that it would have rejected: exactly
what a replay with it says. Of windows the limits are those that the keys' needs point at (their
percentiles, the knee where few keys need much more than all others), of rates the round ones
next to them; --limit adds more.

--stop says whom a limit is to reject, --protect whom it must not. Then the suggestion is the
least limit that hits no customer (--who), with a quarter more where that stops nearly as much.
Without them it is the knee with a quarter more. Several keys stand side by side.)",
R"(weir suggest access.log.gz --key client_ip --key api_key --window 1min,1h
weir suggest access.log.gz --key client_ip --where path=/login --rate 1/min
    --stop client_ip=203.0.113.0/24 --protect 'api_key=[k1, k2]')",
        0, kAnyNumber, runSuggest},
    VerbInfo {Verb::Sweep, "sweep", kReplays, "POLICY LOG...", "one value of a policy after another, in one pass",
R"(Decides the log by POLICY as it is and with each value in the place that --vary names (as --set
does), and shows what is traded for what: requests rejected, requests and keys (--who) that are
newly rejected. Each row is exactly what a replay with that --set says. Values of a limit share
the work for all keys on which they agree; other fields, queues, concurrency and all_or_nothing
are decided one by one, which takes longer and is said.)",
R"(weir sweep limits.yaml access.log.gz --vary search.rate=5/min,10/min,20/min,50/min
weir sweep limits.yaml access.log.gz --vary pro-plan.acme.burst=50,100,200 --format csv)",
        1, kAnyNumber, runSweep},
    VerbInfo {Verb::Rm, "rm", kReplays, "RUN...", "delete runs",
R"(Deletes the runs and gives their space back.)",
R"(weir rm 1 2)",
        1, kAnyNumber, runRm},
    VerbInfo {Verb::Lab, "lab", kItself, "[FIGURE]", "published figures of rate limiting, reproduced",
R"(Works out figures that articles on rate limiting print, by the algorithms that decide a replay, and
shows what is expected beside what is seen. Exit status 1 if one differs. Without FIGURE: all of
them. (The console's lab is another: one rule of yours against a pattern of requests.)

counter-against-log is no figure but an experiment: random requests of many sources (the nth busiest
has 1/n of what the busiest has) are counted in a sliding_window_counter and in a
sliding_window_log, and their decisions are compared. Cloudflare's figures stand beside it; they are
of other traffic, so nothing can differ. Memory: the requests of one window. Without options a
million requests; --requests 400000000 --sources 270000 takes minutes.

FIGURE is one of these, by number or name:)",
R"(weir lab
weir lab second-burst
weir lab counter-against-log --requests 10000000 --sources 100000 --rate 5000/s --limit 100/min)",
        0, 1, runLab, labHelp},
    VerbInfo {Verb::Version, "version", kItself, "", "which weir this is",
R"(Prints the version of the program.)",
R"(weir version --json)",
        0, 0, runVersion},
    VerbInfo {Verb::Help, "help", kItself, "[VERB]", "this list, or the help of one verb",
R"(Without VERB: all verbs, by group. With VERB: the same as `weir VERB --help`.)",
R"(weir help check)",
        0, 1, runHelp},
};
// clang-format on

} // namespace

std::span<const VerbInfo> allVerbs()
{
    return kVerbs;
}

const VerbInfo& verbInfo(Verb verb)
{
    for (const VerbInfo& info : kVerbs) {
        if (info.verb == verb) {
            return info;
        }
    }
    std::abort(); // a verb without a row is a bug; a test walks the table
}

const VerbInfo* verbNamed(std::string_view name)
{
    for (const VerbInfo& info : kVerbs) {
        if (info.name == name) {
            return &info;
        }
    }
    return nullptr;
}

std::vector<std::string> verbNames()
{
    std::vector<std::string> names;
    for (const VerbInfo& info : kVerbs) {
        names.emplace_back(info.name);
    }
    return names;
}

} // namespace app::cli

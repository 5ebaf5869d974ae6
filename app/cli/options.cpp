#include "app/cli/options.h"

#include <array>
#include <cstdlib>

namespace app::cli {
namespace {

constexpr VerbSet kAll = VerbSet::all();
constexpr VerbSet kReading
    = VerbSet::of(Verb::Check, Verb::Test, Verb::Diff, Verb::Set, Verb::Version, Verb::Inspect,
                  Verb::Replay, Verb::Runs, Verb::Show, Verb::Compare, Verb::Explain, Verb::Report,
                  Verb::Suggest, Verb::Sweep, Verb::Lab);
constexpr VerbSet kGenerating = VerbSet::of(Verb::Generate);
constexpr VerbSet kLab = VerbSet::of(Verb::Lab);
constexpr VerbSet kPolicyVerbs
    = VerbSet::of(Verb::Check, Verb::Test, Verb::Diff, Verb::Set, Verb::Export, Verb::Replay,
                  Verb::Compare, Verb::Suggest, Verb::Sweep);
constexpr VerbSet kAdjusting
    = VerbSet::of(Verb::Check, Verb::Test, Verb::Export, Verb::Replay, Verb::Compare, Verb::Sweep);
constexpr VerbSet kLogVerbs = VerbSet::of(Verb::New, Verb::Check, Verb::Inspect, Verb::Convert,
                                          Verb::Replay, Verb::Compare, Verb::Suggest, Verb::Sweep);
constexpr VerbSet kDeciding = VerbSet::of(Verb::Replay, Verb::Compare);
constexpr VerbSet kCounting = VerbSet::of(Verb::Replay, Verb::Compare, Verb::Suggest, Verb::Sweep);
constexpr VerbSet kPeriod = VerbSet::of(Verb::Convert, Verb::Replay, Verb::Show, Verb::Compare,
                                        Verb::Suggest, Verb::Sweep);
constexpr VerbSet kReadingAgain
    = VerbSet::of(Verb::Show, Verb::Compare, Verb::Explain, Verb::Report);

// clang-format off
constexpr std::array kOptions {
    OptionInfo {OptionId::Format, "--format", "", "FORMAT", "text (default; report: html) or json; check: github, sarif, junit; test: junit; diff: markdown; compare: markdown, github, csv; report: markdown, csv; suggest, sweep: csv", VerbSet::of(Verb::Check, Verb::Test, Verb::Diff, Verb::Compare, Verb::Report, Verb::Suggest, Verb::Sweep), Category::Verb},
    OptionInfo {OptionId::Strict, "--strict", "", "", "advice counts as an error", VerbSet::of(Verb::Check), Category::Verb},
    OptionInfo {OptionId::Remove, "--remove", "", "PART", "a rule, an override, an exemption, a tier; may be repeated", VerbSet::of(Verb::Set), Category::Verb, true},
    OptionInfo {OptionId::Rename, "--rename", "", "PART=NEW", "what refers to a rule follows; may be repeated", VerbSet::of(Verb::Set), Category::Verb, true},
    OptionInfo {OptionId::Add, "--add", "", "WHERE={...}", "a rule to a TIER, TIER:N as its Nth; RULE/ takes an override, exempt an exemption; `TIER=` is an empty tier", VerbSet::of(Verb::Set), Category::Verb, true},
    OptionInfo {OptionId::Duplicate, "--duplicate", "", "PART=NEW", "a copy under another name, right behind it; may be repeated", VerbSet::of(Verb::Set), Category::Verb, true},
    OptionInfo {OptionId::Move, "--move", "", "RULE=TIER[:N]", "to the end of a tier, or as its Nth; PART=N within its list", VerbSet::of(Verb::Set), Category::Verb, true},
    OptionInfo {OptionId::DryRun, "--dry-run", "", "", "show the difference and write nothing", VerbSet::of(Verb::Set), Category::Verb},
    OptionInfo {OptionId::Diff, "--diff", "", "", "show the difference", VerbSet::of(Verb::Set), Category::Verb},
    OptionInfo {OptionId::Update, "--update", "", "", "write the outcomes seen into NAME.cases.yaml, all else byte for byte", VerbSet::of(Verb::Test), Category::Verb},
    OptionInfo {OptionId::Output, "--output", "-o", "FILE", "write to FILE instead of stdout", VerbSet::of(Verb::Export, Verb::Convert, Verb::Generate, Verb::Report), Category::Verb},
    OptionInfo {OptionId::To, "--to", "", "TARGET", "the form to write: yaml (default)", VerbSet::of(Verb::Export), Category::Verb},
    OptionInfo {OptionId::NewFrom, "--from", "", "LOG", "start from what a log shows: its attributes, and rules in shadow at the largest peaks", VerbSet::of(Verb::New), Category::Verb},
    OptionInfo {OptionId::Key, "--key", "", "ATTR,...", "what to limit by (`[]`: everybody together); may be repeated, one key each", VerbSet::of(Verb::Suggest), Category::Verb, true},
    OptionInfo {OptionId::Window, "--window", "", "D,...", "windows to measure (default 1min and 1h, without --rate)", VerbSet::of(Verb::Suggest), Category::Verb, true},
    OptionInfo {OptionId::Rate, "--rate", "", "RATE,...", "rates to measure the burst of, like 10/s", VerbSet::of(Verb::Suggest), Category::Verb, true},
    OptionInfo {OptionId::Limit, "--limit", "", "N,...", "also say what these limits (of a rate: bursts) would do", VerbSet::of(Verb::Suggest), Category::Verb, true},
    OptionInfo {OptionId::Stop, "--stop", "", "MATCH", "whom a limit is to reject, like `client_ip=203.0.113.0/24`", VerbSet::of(Verb::Suggest), Category::Verb},
    OptionInfo {OptionId::Protect, "--protect", "", "MATCH", "whom it must not hit (default: all but those of --stop)", VerbSet::of(Verb::Suggest), Category::Verb},
    OptionInfo {OptionId::Deriving, "--policy", "", "POLICY", "its derived attributes are known, too", VerbSet::of(Verb::Suggest), Category::Verb},
    OptionInfo {OptionId::Vary, "--vary", "", "RULE.FIELD=V,...", "the place, and the values to try in it", VerbSet::of(Verb::Sweep), Category::Verb},

    OptionInfo {OptionId::TrafficRate, "--rate", "", "RATE", "mean rate of all keys together, like 100/s", kGenerating, Category::Verb},
    OptionInfo {OptionId::Factor, "--factor", "", "N", "how many times as many, or as slow, at its height", kGenerating, Category::Verb},
    OptionInfo {OptionId::AtOffset, "--at", "", "D", "how long after --start it begins", kGenerating, Category::Verb},
    OptionInfo {OptionId::Length, "--length", "", "D", "how long it lasts; burst, boundary: what a burst is spread over", kGenerating, Category::Verb},
    OptionInfo {OptionId::Burst, "--burst", "", "N", "requests of a key in one burst (boundary: on each side of an edge)", kGenerating, Category::Verb},
    OptionInfo {OptionId::Every, "--every", "", "D", "from one burst to the next", kGenerating, Category::Verb},
    OptionInfo {OptionId::EdgesOf, "--window", "", "D", "the windows of the clock whose edges are attacked", kGenerating, Category::Verb},
    OptionInfo {OptionId::Attempts, "--attempts", "", "N", "how often a request is sent at most", kGenerating, Category::Verb},
    OptionInfo {OptionId::Wait, "--wait", "", "D", "before the second attempt, then twice as long each time; half of it is random", kGenerating, Category::Verb},
    OptionInfo {OptionId::Keys, "--keys", "", "N", "API keys, each with an address of its own", kGenerating, Category::Verb},
    OptionInfo {OptionId::Tenants, "--tenants", "", "N", "tenants that the keys belong to, in turn (tenant_keys: one and N - 1 others)", kGenerating, Category::Verb},
    OptionInfo {OptionId::Latency, "--latency", "", "D", "mean time that a request takes", kGenerating, Category::Verb},
    OptionInfo {OptionId::Duration, "--duration", "", "D", "how long the log is", kGenerating, Category::Verb},
    OptionInfo {OptionId::Start, "--start", "", "TIME", "when it begins (default 2026-01-01T00:00:00Z)", kGenerating, Category::Verb},
    OptionInfo {OptionId::Count, "--count", "", "N", "stop after N requests; without --duration at nothing else", kGenerating, Category::Verb},
    OptionInfo {OptionId::Requests, "--requests", "", "N", "counter-against-log: how many (default 1000000)", kLab, Category::Verb},
    OptionInfo {OptionId::Sources, "--sources", "", "N", "counter-against-log: from so many sources (default 10000)", kLab, Category::Verb},
    OptionInfo {OptionId::SourcesRate, "--rate", "", "RATE", "counter-against-log: mean rate of all sources together (default 200/s)", kLab, Category::Verb},
    OptionInfo {OptionId::LimitRate, "--limit", "", "RATE", "counter-against-log: what each source may (default 100/min)", kLab, Category::Verb},

    OptionInfo {OptionId::LookupDir, "--lookup-dir", "", "DIR", "where lookup files are, beside the policy's own folder", kPolicyVerbs, Category::Policy},
    OptionInfo {OptionId::Set, "--set", "", "RULE.FIELD=V", "as if the policy said so; may be repeated", kAdjusting, Category::Policy, true},
    OptionInfo {OptionId::Mode, "--mode", "", "RULE=MODE", "enforce, shadow or off, for a rule or `all`; may be repeated", kAdjusting, Category::Policy, true},

    OptionInfo {OptionId::Log, "--log", "", "LOG", "compare: policies over this log in one pass; check: advice from what it shows; may be repeated", VerbSet::of(Verb::Check, Verb::Compare), Category::Verb, true},
    OptionInfo {OptionId::By, "--by", "", "ATTR,...", "count by these attributes, too (plan, tenant, method)", VerbSet::of(Verb::Show, Verb::Compare, Verb::Report), Category::Verb, true},
    OptionInfo {OptionId::Top, "--top", "", "N", "rows of each table of keys (default 10; csv: all)", VerbSet::of(Verb::Show, Verb::Compare, Verb::Report), Category::Verb},
    OptionInfo {OptionId::Cost, "--cost", "", "", "bytes of state by rule and key, and the time of a request, as measured", VerbSet::of(Verb::Show), Category::Verb},
    OptionInfo {OptionId::ShowKeys, "--show-keys", "", "", "keys as they are where markdown, github and html show pseudonyms", VerbSet::of(Verb::Compare, Verb::Report), Category::Verb},
    OptionInfo {OptionId::Keep, "--keep", "", "N", "delete all but the newest N runs", VerbSet::of(Verb::Runs), Category::Verb},
    OptionInfo {OptionId::Request, "--request", "", "N", "the request with this number", VerbSet::of(Verb::Explain), Category::Verb},
    OptionInfo {OptionId::Line, "--line", "", "FILE:LINE", "the request in this line of the log", VerbSet::of(Verb::Explain), Category::Verb},
    OptionInfo {OptionId::At, "--at", "", "TIME", "the first rejected request from this time on", VerbSet::of(Verb::Explain), Category::Verb},
    OptionInfo {OptionId::RuleKey, "--key", "", "RULE=VALUE", "a key's history in episodes, and the limits that would have admitted it", VerbSet::of(Verb::Explain), Category::Verb},
    OptionInfo {OptionId::Recording, "--recording", "", "FILE", "where the log of the run is now (of several: each in turn, or their folder)", kReadingAgain, Category::Verb, true},

    OptionInfo {OptionId::FilesFrom, "--files-from", "", "FILE", "more LOGs by name, one a line or NUL-separated (`-`: stdin); may be repeated", kLogVerbs, Category::Log, true},
    OptionInfo {OptionId::LogFormat, "--log-format", "", "FORMAT", "a format's name, or nginx log_format text in quotes", kLogVerbs, Category::Log},
    OptionInfo {OptionId::Map, "--map", "", "NAME=FIELD", "the attribute NAME is the log's FIELD; may be repeated", kLogVerbs, Category::Log, true},
    OptionInfo {OptionId::Tz, "--tz", "", "ZONE", "of stamps that name none: Europe/Berlin, +05:30 (default UTC)", kLogVerbs, Category::Log},
    OptionInfo {OptionId::TrustedProxies, "--trusted-proxies", "", "CIDR,...", "whose X-Forwarded-For says who the client is; may be repeated", kLogVerbs, Category::Log, true},
    OptionInfo {OptionId::Where, "--where", "", "EXPR", "only requests that match, like `path=/api/** and not method=OPTIONS`", VerbSet::of(Verb::Convert, Verb::Replay, Verb::Compare, Verb::Explain, Verb::Suggest, Verb::Sweep), Category::Log},
    OptionInfo {OptionId::TimeFrom, "--from", "", "T", "only requests that arrive at T or later (2026-11-28T12:00:00Z, or a day)", kPeriod, Category::Log},
    OptionInfo {OptionId::TimeTo, "--to", "", "T", "only requests that arrive before T", kPeriod, Category::Log},
    OptionInfo {OptionId::RecordedRejection, "--recorded-rejection", "", "EXPR", "what production rejected: nginx, nginx-dry-run, envoy, haproxy, or a match (default status=429, and what fields of nginx and Envoy say)", kCounting, Category::Log},
    OptionInfo {OptionId::RecordedRejected, "--recorded-rejected", "", "keep|drop", "whether what production rejected takes part (default keep)", kCounting, Category::Log},
    OptionInfo {OptionId::Sampled, "--sampled", "", "1/N", "the log has one request of N: warn at every figure", kCounting, Category::Log},
    OptionInfo {OptionId::Reorder, "--reorder", "", "auto|D", "how late a line may come (auto: any, read twice if need be)", kCounting, Category::Log},
    OptionInfo {OptionId::Spread, "--spread", "", "even|none|both", "where in its second a stamp of whole seconds lies (both: replay each)", VerbSet::of(Verb::Convert, Verb::Replay, Verb::Compare, Verb::Suggest, Verb::Sweep), Category::Log},
    OptionInfo {OptionId::Rejects, "--rejects", "", "FILE", "write the lines that could not be read to FILE", VerbSet::of(Verb::Inspect, Verb::Convert, Verb::Replay), Category::Log},
    OptionInfo {OptionId::Unsorted, "--unsorted", "", "", "in the order of the log, not of arrival", VerbSet::of(Verb::Convert), Category::Log},
    OptionInfo {OptionId::MaxRatio, "--max-ratio", "", "N|none", "how many times its size a packed log may hold, beyond 64 MiB (default 200)", kLogVerbs, Category::Log},
    OptionInfo {OptionId::MaxBytes, "--max-bytes", "", "SIZE|none", "how much text a packed log may hold, like 500G (default 1T)", kLogVerbs, Category::Log},
    OptionInfo {OptionId::For, "--for", "", "POLICY,...", "keep only what these policies use; what they derive of masked fields is kept as it was", VerbSet::of(Verb::Convert), Category::Log, true},
    OptionInfo {OptionId::Mask, "--mask", "", "ATTR,...", "stable pseudonyms in place of these (replay, compare: in the store); those of addresses keep their network prefixes", VerbSet::of(Verb::Convert, Verb::Replay, Verb::Compare), Category::Log, true},
    OptionInfo {OptionId::MaskKey, "--mask-key", "", "FILE", "16 bytes or more that make pseudonyms the same across days, and not guessable", VerbSet::of(Verb::Convert, Verb::Replay, Verb::Compare, Verb::Report), Category::Log},
    OptionInfo {OptionId::SampleBy, "--sample-by", "", "ATTR SHARE", "all requests of so many of its values (5%), and none of the others", VerbSet::of(Verb::Convert), Category::Log},
    OptionInfo {OptionId::Jobs, "--jobs", "-j", "N", "threads (default: one per processor); results do not depend on it", VerbSet::of(Verb::New, Verb::Check, Verb::Inspect, Verb::Convert, Verb::Replay, Verb::Show, Verb::Compare, Verb::Explain, Verb::Report, Verb::Suggest, Verb::Sweep), Category::Log},

    OptionInfo {OptionId::Name, "--name", "", "TEXT", "the run's name (default: the policy's)", kDeciding, Category::Replay},
    OptionInfo {OptionId::NoStore, "--no-store", "", "", "show the results and forget them", kDeciding, Category::Replay},
    OptionInfo {OptionId::Decisions, "--decisions", "", "FILE", "write every decision in full as JSON Lines", VerbSet::of(Verb::Replay), Category::Replay},
    OptionInfo {OptionId::Answers, "--answers", "", "", "with --decisions: what each client is told, as headers and body, too", VerbSet::of(Verb::Replay), Category::Replay},
    OptionInfo {OptionId::Headers, "--headers", "", "FORM", "how clients are told of limits: 10 (default) or 07 of the IETF draft; github, draft03, kong: X-RateLimit-*; none", VerbSet::of(Verb::Replay, Verb::Explain), Category::Replay},
    OptionInfo {OptionId::Who, "--who", "", "ATTR", "who is hit (default: api_key, user or client_ip)", kCounting, Category::Replay},
    OptionInfo {OptionId::Warmup, "--warmup", "", "D", "decide the first D of the log, but do not count it", VerbSet::of(Verb::Check, Verb::Replay, Verb::Compare, Verb::Sweep), Category::Replay},
    OptionInfo {OptionId::Nodes, "--nodes", "", "M|by:ATTR", "as if M servers shared the traffic, or those that the log's attribute ATTR names", kDeciding, Category::Replay},
    OptionInfo {OptionId::Balance, "--balance", "", "HOW", "which server gets a request: round_robin (default), random, by:ATTR", kDeciding, Category::Replay},
    OptionInfo {OptionId::State, "--state", "", "WHERE", "where servers count: shared (default), local, split, sync:D; of one tier: edge=local,gateway=sync:1s", kDeciding, Category::Replay, true},
    OptionInfo {OptionId::SimulateSkew, "--simulate-skew", "", "D", "the clock of each server is off by up to D", kDeciding, Category::Replay},
    OptionInfo {OptionId::StoreOutage, "--store-outage", "", "FROM..TO", "the store of the counts is away meanwhile: on_store_failure decides; may be repeated", kDeciding, Category::Replay, true},
    OptionInfo {OptionId::Clients, "--clients", "", "PROFILE", "who is rejected comes again: none, immediate, fixed, exponential, full_jitter, obey_exactly, obey_with_jitter, budgeted, or NAME.clients.yaml; check: advice about them", VerbSet::of(Verb::Check, Verb::Replay, Verb::Compare), Category::Replay},
    OptionInfo {OptionId::FailIf, "--fail-if", "", "EXPR", "exit 1 if so, like `rejected_share > 1%`", kDeciding, Category::Replay},

    OptionInfo {OptionId::Db, "--db", "", "FILE", "store of runs (default $XDG_DATA_HOME/weir/runs.db)", kAll, Category::Everywhere},
    OptionInfo {OptionId::Json, "--json", "", "", "results as one JSON document", kReading, Category::Everywhere},
    OptionInfo {OptionId::Quiet, "--quiet", "-q", "", "no progress and no warnings; errors and results stay", kAll, Category::Everywhere},
    OptionInfo {OptionId::NoColor, "--no-color", "", "", "no colours (so does NO_COLOR in the environment)", kAll, Category::Everywhere},
    OptionInfo {OptionId::NoProgress, "--no-progress", "", "", "no progress line", kAll, Category::Everywhere},
    OptionInfo {OptionId::Seed, "--seed", "", "N", "start of everything drawn at random (default 1)", kAll, Category::Everywhere},
    OptionInfo {OptionId::Help, "--help", "-h", "", "this text", kAll, Category::Everywhere},
};
// clang-format on

} // namespace

std::span<const OptionInfo> allOptions()
{
    return kOptions;
}

const OptionInfo& optionInfo(OptionId id)
{
    for (const OptionInfo& option : kOptions) {
        if (option.id == id) {
            return option;
        }
    }
    std::abort(); // an id without a row is a bug; a test walks the table
}

} // namespace app::cli

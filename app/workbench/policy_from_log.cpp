#include "app/workbench/policy_from_log.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/inspect.h"
#include "app/workbench/notes.h"
#include "app/workbench/suggest.h"
#include "app/workbench/text.h"
#include "policies/rates.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kMinuteNs = 60 * kSecondNs;

/// A rule that may be drafted, in policy order.
struct Draft {
    const char* name;
    const char* tier;
    const char* attribute; ///< its key; "": everybody together
    const char* many; ///< what its keys are
    std::int64_t windowNs;
};

constexpr std::array kDrafts {
    Draft {"per-address", "edge", "network", "addresses", kMinuteNs},
    Draft {"per-key", "gateway", "api_key", "API keys", kMinuteNs},
    Draft {"per-user", "gateway", "user", "users", kMinuteNs},
    Draft {"everybody", "tenant", "", "", kSecondNs},
};

/// An address, or of IPv6 the network that one client has.
engine::Derivation network()
{
    engine::Derivation derivation;
    derivation.name = "network";
    derivation.from = "client_ip";
    derivation.kind = engine::DerivationKind::Prefix;
    derivation.ipv6Bits = 64;
    return derivation;
}

SuggestRequest measuring(const PolicyFromLogRequest& request)
{
    SuggestRequest measure;
    measure.pass.logs = request.logs;
    measure.pass.jobs = request.jobs;
    measure.pass.stop = request.stop;
    measure.pass.progress = request.progress;
    measure.attributes = {network()};
    measure.windowsNs = {kSecondNs, kMinuteNs};
    for (const Draft& draft : kDrafts) {
        const std::string attribute = draft.attribute;
        measure.keys.push_back(attribute.empty() ? std::vector<std::string> {}
                                                 : std::vector<std::string> {attribute});
    }
    return measure;
}

/// In lines of a comment, at most 90 columns.
std::string commented(const std::vector<std::string>& words)
{
    constexpr std::size_t kWidth = 90;
    std::string text;
    std::string line = "#  ";
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = " " + words[i] + (i + 1 < words.size() ? "," : "");
        if (line.size() + word.size() > kWidth) {
            text += line + "\n";
            line = "#  ";
        }
        line += word;
    }
    return text + line + "\n";
}

/// Some drafted rule has it in its key.
bool isUsed(const std::string& attribute, const Suggestion& suggestion)
{
    return std::any_of(suggestion.keys.begin(), suggestion.keys.end(),
                       [&](const KeyMeasures& measures) {
                           return measures.requests > 0
                               && std::find(measures.key.begin(), measures.key.end(), attribute)
                               != measures.key.end();
                       });
}

std::string headOf(const Inspection& inspection, const Suggestion& suggestion)
{
    std::vector<std::string> files;
    for (const ReadLog& log : inspection.logs) {
        files.push_back(escaped(log.path));
    }
    std::vector<std::string> filled;
    const storage::LogReport& report = inspection.report;
    for (std::size_t i = 0; i < inspection.fields.size(); ++i) {
        if (report.filled[i] > 0) {
            filled.push_back(fmt::format("{} {}", escaped(inspection.fields[i]),
                                         percent(report.filled[i], report.requests)));
        }
    }
    return fmt::format(
               "# A rate limit policy drafted from {} requests, {} to {}, of\n{}"
               "# Every rule is in shadow, at the most that any of its keys did: it judges and "
               "counts, and of\n# these requests it would reject none. Lower a rate to what you "
               "want to allow, look at it with\n# `weir replay`, then take `mode: shadow` away. "
               "`weir suggest` says what other limits would do.\n"
               "weir: 1\nname: from-log\n\n"
               "# What the requests have, and how many of them:\n{}",
               grouped(suggestion.requests), timeText(report.firstNs.value_or(0)),
               timeText(report.lastNs.value_or(0)), commented(files), commented(filled))
        + (isUsed(network().name, suggestion)
               ? "attributes:\n"
                 "  # an address; of IPv6 the /64, which is what one client has\n"
                 "  network: { from: client_ip, prefix: { ipv6: 64 } }\n\n"
               : "");
}

std::string ruleOf(const Draft& draft, const KeyMeasures& measures, const Suggestion& suggestion)
{
    const std::size_t window = draft.windowNs == kSecondNs ? 0 : 1;
    const Measured& measured
        = measures.measured[engine::WindowNeeds::at(window, engine::WindowNeeds::kSliding)];
    const NeedShares& need = measured.keys;
    const std::string length = policies::textOfDuration(draft.windowNs);
    std::string text;
    if (*draft.attribute == '\0') {
        text = fmt::format(
            "    # All together: at most {} within {}; 999 of a thousand requests came "
            "with {} or less.\n",
            grouped(need.most), length, grouped(measured.requests.p999));
    } else {
        text = fmt::format("    # {} {}, {} of the requests. The most within {}: half of them {} "
                           "or less, 90 % {},\n"
                           "    # 99 % {}, 99.9 % {}, the largest {}.\n",
                           grouped(measures.keys), draft.many,
                           percent(measures.requests, suggestion.requests), length,
                           grouped(need.p50), grouped(need.p90), grouped(need.p99),
                           grouped(need.p999), grouped(need.most));
    }
    return text
        + fmt::format("    - name: {}\n      mode: shadow\n      key: [{}]\n"
                      "      algorithm: sliding_window_log\n      rate: {}\n",
                      draft.name, draft.attribute, policies::textOf({need.most, draft.windowNs}));
}

engine::Status checkReadable(const std::vector<LogChoice>& logs)
{
    for (const LogChoice& log : logs) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(log.path, ignored)
            && (log.path == "-" || std::filesystem::exists(log.path, ignored))) {
            return engine::fail("new.stream",
                                fmt::format("`{}` cannot be read twice", escaped(log.path)),
                                "write it to a file first: `weir convert - -o requests.jsonl`");
        }
    }
    return engine::Done {};
}

} // namespace

engine::Result<PolicyDraft> policyFromLog(const PolicyFromLogRequest& request)
{
    if (engine::Status readable = checkReadable(request.logs); !readable) {
        return engine::fail(readable.error());
    }
    InspectRequest looking;
    looking.logs = request.logs;
    looking.jobs = request.jobs;
    looking.stop = request.stop;
    looking.progress = request.progress;
    const engine::Result<Inspection> inspection = inspect(looking);
    if (!inspection) {
        return engine::fail(inspection.error());
    }
    const SuggestRequest measure = measuring(request);
    const engine::Result<Suggestion> suggestion = suggest(measure);
    if (!suggestion) {
        return engine::fail(suggestion.error());
    }
    if (suggestion->requests == 0) {
        return engine::fail("log.nothing-read", "the log has no request to start from",
                            "`weir inspect LOG` says what is in it");
    }
    std::string text = headOf(*inspection, *suggestion) + "tiers:\n";
    std::string tier;
    for (std::size_t i = 0; i < kDrafts.size(); ++i) {
        if (suggestion->keys[i].requests == 0) {
            continue;
        }
        if (tier != kDrafts[i].tier) {
            text += fmt::format("{}  {}:\n", tier.empty() ? "" : "\n", kDrafts[i].tier);
            tier = kDrafts[i].tier;
        }
        text += ruleOf(kDrafts[i], suggestion->keys[i], *suggestion);
    }
    ReplayRequest reading;
    reading.pass = measure.pass;
    return PolicyDraft {std::move(text), readingNotesOf(suggestion->pass, reading)};
}

} // namespace app

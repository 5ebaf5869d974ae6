#include "policies/client_profile.h"

#include "engine/result.h"
#include "policies/language/document.h"
#include "policies/language/fields.h"
#include "policies/language/numbers.h"

#include <array>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace policies {
namespace {

using engine::Behaviour;
using engine::Jitter;
using engine::RetryAfter;
using language::Fields;

constexpr std::array<std::string_view, 4> kTopFields {"clients", "client", "behaviours", "note"};
constexpr std::array<std::string_view, 8> kBehaviourFields {
    "name", "share", "attempts", "wait", "jitter", "retry_after", "budget", "note"};
constexpr std::string_view kVersion = "1";

constexpr std::array kJitters {
    std::pair<std::string_view, Jitter> {"full", Jitter::Full},
    std::pair<std::string_view, Jitter> {"none", Jitter::None},
    std::pair<std::string_view, Jitter> {"equal", Jitter::Equal},
    std::pair<std::string_view, Jitter> {"decorrelated", Jitter::Decorrelated}};
constexpr std::array kRetryAfters {
    std::pair<std::string_view, RetryAfter> {"at_least", RetryAfter::AtLeast},
    std::pair<std::string_view, RetryAfter> {"obey", RetryAfter::Obey},
    std::pair<std::string_view, RetryAfter> {"ignore", RetryAfter::Ignore}};

struct Wait {
    std::int64_t baseNs = 0;
    std::int64_t capNs = 0;
};

engine::Result<int> parsePercent(std::string_view text)
{
    const engine::Result<std::int64_t> value = text.ends_with('%')
        ? language::parseWhole(text.substr(0, text.size() - 1))
        : engine::Result<std::int64_t>(std::int64_t {-1});
    if (!value || *value < 0 || *value > 100) {
        return engine::fail("clients.percent", fmt::format("`{}` is not in 0% .. 100%", text),
                            "write whole per cent, as `20%`");
    }
    return static_cast<int>(*value);
}

engine::Result<int> parseAttempts(std::string_view text)
{
    const engine::Result<std::int64_t> value = language::parseWhole(text);
    if (!value || *value < 1 || *value > Behaviour::kMostAttempts) {
        return engine::fail("clients.range",
                            fmt::format("`{}` is not in 1 .. {}", text, Behaviour::kMostAttempts),
                            "write how often a request is tried in all, as `attempts: 4`");
    }
    return static_cast<int>(*value);
}

/// "none", "1s", "100ms..20s".
engine::Result<Wait> parseWait(std::string_view text)
{
    if (text == "none") {
        return Wait {};
    }
    const std::size_t dots = text.find("..");
    const engine::Result<std::int64_t> base = language::parseDuration(text.substr(0, dots));
    const engine::Result<std::int64_t> cap
        = dots == text.npos ? base : language::parseDuration(text.substr(dots + 2));
    if (!base || !cap || *base > *cap) {
        return engine::fail("clients.wait", fmt::format("`{}` is no wait", text),
                            "write `none`, a duration as `1s`, or BASE..CAP as `100ms..20s`");
    }
    return Wait {*base, *cap};
}

class Reader {
public:
    explicit Reader(language::Report& report)
        : m_report(report)
    {
    }

    engine::ClientProfile read(const yaml::Node& root)
    {
        engine::ClientProfile profile;
        const Fields fields(m_report, root, "the profile of clients", kTopFields);
        fields.require("clients", "write `clients: 1`");
        if (const yaml::Item* version = fields.scalar("clients", kVersion);
            version != nullptr && version->value.text != kVersion) {
            m_report.error("policy.version", version->value.at,
                           fmt::format("`clients: {}` is a version of the profile that is not "
                                       "known here",
                                       version->value.text),
                           "write `clients: 1`");
        }
        if (const auto client = fields.text("client")) {
            profile.attribute = client->value;
        }
        fields.require("behaviours", "write `behaviours:` and below it `- name: sdk`");
        const yaml::Item* list = fields.item("behaviours");
        if (list == nullptr) {
            return profile;
        }
        if (list->value.kind != yaml::Kind::Sequence) {
            language::reportType(m_report, list->value, "`behaviours`", "a list",
                                 "write `- name: sdk`");
            return profile;
        }
        readBehaviours(*list, profile);
        return profile;
    }

private:
    void readBehaviours(const yaml::Item& list, engine::ClientProfile& profile)
    {
        const bool isOnly = list.value.items.size() == 1;
        std::set<std::string> names;
        int shares = 0;
        bool allRead = true;
        for (const yaml::Item& item : list.value.items) {
            const Fields fields(m_report, item.value,
                                fmt::format("behaviour {}", profile.behaviours.size() + 1),
                                kBehaviourFields);
            profile.behaviours.push_back(behaviour(fields, isOnly));
            shares += profile.behaviours.back().share;
            allRead = allRead && fields.isMap() && (isOnly || fields.has("share"));
            if (!names.insert(profile.behaviours.back().name).second) {
                m_report.error(
                    "policy.duplicate-name", item.value.at,
                    fmt::format("two behaviours are named `{}`", profile.behaviours.back().name),
                    "give each a name of its own");
            }
        }
        if (list.value.items.empty()) {
            m_report.error("policy.empty-list", list.value.at, "`behaviours` is empty",
                           "write `- { name: sdk, attempts: 4, wait: 1s }`");
        } else if (allRead && shares != 100) {
            m_report.error("clients.shares", list.value.at,
                           fmt::format("the shares add up to {}%", shares),
                           "write shares that add up to 100%");
        }
    }

    Behaviour behaviour(const Fields& fields, bool isOnly)
    {
        Behaviour made;
        fields.require("name", "write `name: sdk`");
        fields.require("attempts", "write `attempts: N`, how often a request is tried in all");
        if (const auto name = fields.text("name")) {
            made.name = name->value;
            if (made.name.empty()) {
                m_report.error("policy.name", name->at, "`` cannot be the name of a behaviour",
                               "write a word, as `sdk`");
            }
        }
        if (!isOnly) {
            fields.require("share", "write `share: 50%`; the shares of all add up to 100%");
            made.share = 0;
        }
        if (const auto share = fields.parsed<int>("share", "50%", parsePercent)) {
            made.share = share->value;
        }
        if (const auto attempts = fields.parsed<int>("attempts", "4", parseAttempts)) {
            made.attempts = attempts->value;
        }
        if (const auto wait = fields.parsed<Wait>("wait", "100ms..20s", parseWait)) {
            made.baseNs = wait->value.baseNs;
            made.capNs = wait->value.capNs;
        }
        if (const auto jitter = fields.choice("jitter", kJitters)) {
            made.jitter = jitter->value;
        }
        if (const auto obeys = fields.choice("retry_after", kRetryAfters)) {
            made.retryAfter = obeys->value;
        }
        if (const auto budget = fields.parsed<int>("budget", "20%", parsePercent)) {
            made.budgetPercent = budget->value;
        }
        static_cast<void>(fields.text("note"));
        return made;
    }

    language::Report& m_report;
};

engine::Diagnostic advice(const Behaviour& behaviour, std::string message, std::string help)
{
    engine::Diagnostic made;
    made.code = "clients.no-recovery";
    made.message = fmt::format("clients that behave as `{}` {}", behaviour.name, message);
    made.help = std::move(help);
    made.severity = engine::Severity::Advice;
    return made;
}

} // namespace

CheckedClients readClientProfile(std::string fileName, std::string_view bytes)
{
    CheckedClients checked;
    engine::ClientProfile profile;
    checked.diagnostics = language::readDocument(
        fileName, bytes, "clients.", "begin with `clients: 1` and `behaviours:`",
        [&](language::Report& report, const yaml::Node& root) {
            profile = Reader(report).read(root);
        });
    if (checked.diagnostics.empty()) {
        profile.name = clientProfileName(fileName);
        checked.profile = std::move(profile);
    }
    return checked;
}

std::string clientProfileName(std::string_view fileName)
{
    const std::size_t slash = fileName.rfind('/');
    const std::string_view name = slash == fileName.npos ? fileName : fileName.substr(slash + 1);
    return std::string(name.substr(0, name.find('.')));
}

std::vector<engine::Diagnostic> adviseClients(const engine::ClientProfile& profile)
{
    std::vector<engine::Diagnostic> found;
    for (const Behaviour& behaviour : profile.behaviours) {
        const bool comesAgain = behaviour.attempts > 1;
        const bool waits = behaviour.capNs > 0 || behaviour.retryAfter != RetryAfter::Ignore;
        if (comesAgain && !waits) {
            found.push_back(advice(behaviour,
                                   fmt::format("come again at once, {} times: while a limit is "
                                               "reached they only add to what it turns away",
                                               behaviour.attempts - 1),
                                   "let them wait: `wait: 100ms..20s` with `jitter: full`"));
        } else if (comesAgain && behaviour.jitter == Jitter::None
                   && behaviour.retryAfter != RetryAfter::Ignore) {
            found.push_back(advice(behaviour,
                                   "all come again when Retry-After says: what was rejected "
                                   "together comes back together",
                                   "give them `jitter: full` and `retry_after: at_least`"));
        }
    }
    return found;
}

std::string behaviourWords(const Behaviour& behaviour)
{
    if (behaviour.attempts == 1) {
        return fmt::format("{} %: never come again", behaviour.share);
    }
    std::string text = fmt::format("{} %: up to {} attempts", behaviour.share, behaviour.attempts);
    if (behaviour.capNs == 0) {
        text += ", at once";
    } else if (behaviour.baseNs == behaviour.capNs) {
        text += fmt::format(", {} apart", language::durationText(behaviour.capNs));
    } else {
        text += fmt::format(", {} doubling up to {}", language::durationText(behaviour.baseNs),
                            language::durationText(behaviour.capNs));
    }
    if (behaviour.jitter != Jitter::None) {
        text += fmt::format(", {} jitter", engine::nameOf(behaviour.jitter));
    }
    if (behaviour.retryAfter != RetryAfter::Ignore) {
        text += behaviour.retryAfter == RetryAfter::Obey ? ", exactly Retry-After"
                                                         : ", at least Retry-After";
    }
    if (behaviour.budgetPercent) {
        text += fmt::format(", {} % budget", *behaviour.budgetPercent);
    }
    return text;
}

} // namespace policies

#include "app/console/replay/replay_words.h"

#include "app/console/frame/values.h"
#include "app/console/replay/log_collection.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/log_options.h"
#include "app/workbench/replay_options.h"

#include <algorithm>
#include <set>

namespace app::console {

namespace {

QString logsText(const std::vector<LogRow>& logs)
{
    std::uint64_t files = 0;
    std::uint64_t requests = 0;
    bool isCounted = true;
    std::string name;
    for (const LogRow& log : logs) {
        if (log.isChosen) {
            files += log.files;
            requests += log.figures ? log.figures->requests : 0;
            isCounted = isCounted && log.figures;
            name = log.name();
        }
    }
    const QString of = files == 1 ? shown(name, 80)
                                  : plural(files, QStringLiteral("log"), QStringLiteral("logs"));
    return isCounted
        ? QStringLiteral("%1 of %2")
              .arg(plural(requests, QStringLiteral("request"), QStringLiteral("requests")), of)
        : QStringLiteral("All requests of %1").arg(of);
}

} // namespace

QString whatWillHappen(const std::vector<LogRow>& logs, const engine::Plan& plan,
                       const GivenOptions& given, const engine::Conditions& conditions)
{
    std::set<engine::Tier> tiers;
    std::set<std::string> rules;
    for (const engine::PlanRule& rule : plan.rules) {
        tiers.insert(rule.tier);
        rules.insert(rule.rule);
    }
    QString text = QStringLiteral("%1 through %2 in %3.")
                       .arg(logsText(logs),
                            plural(rules.size(), QStringLiteral("rule"), QStringLiteral("rules")),
                            plural(tiers.size(), QStringLiteral("tier"), QStringLiteral("tiers")));
    if (given.has("from") || given.has("to") || given.has("where")) {
        text += QStringLiteral(" Only those within the period and the condition take part.");
    }
    if (const auto warmup = given.text("warmup")) {
        text += QStringLiteral(" The first %1 are decided, but not counted.")
                    .arg(shown(*warmup, 40));
    }
    if (given.text("spread") == "none") {
        text += QStringLiteral(" Requests stay where their stamps are.");
    }
    if (const QString asIf = asIfOf(conditionWords(conditions)); !asIf.isEmpty()) {
        text += QLatin1Char(' ') + asIf + QLatin1Char('.');
    }
    return text;
}

engine::Result<CheckedOptions> checkOptions(const GivenOptions& given, const LoadedPolicy* policy)
{
    if (const auto log = logChoiceOf(given, "", storage::Spread::Even); !log) {
        return engine::fail(log.error());
    }
    if (const auto format = given.text("log-format")) {
        if (const auto known = storage::logFormat(*format); !known) {
            return engine::fail(known.error());
        }
    }
    const auto request = replayRequestOf(given, {});
    if (!request) {
        return engine::fail(request.error());
    }
    const engine::Conditions& conditions = request->pass.conditions;
    if (const auto against
        = policy != nullptr ? engine::checkConditions(conditions, *policy->plan) : std::nullopt) {
        return engine::fail(*against);
    }
    CheckedOptions checked {conditions, request->advice};
    if (policy != nullptr) {
        const std::vector<engine::Diagnostic> met = retryAdvice(conditions, *policy->policy);
        checked.advice.insert(checked.advice.end(), met.begin(), met.end());
    }
    return checked;
}

QString optionOf(const engine::Diagnostic& diagnostic, const GivenOptions& given)
{
    for (const auto& [code, option] : {std::pair("conditions.nodes", "nodes"),
                                       {"conditions.state", "state"},
                                       {"conditions.outage", "store-outage"},
                                       {"conditions.clients", "clients"}}) {
        if (diagnostic.code == code) {
            return QString::fromLatin1(option);
        }
    }
    for (const storage::Option& option : given.inOrder()) {
        const std::string named = "--" + option.name;
        if (diagnostic.place.file == named || diagnostic.message.find(named) != std::string::npos) {
            return QString::fromStdString(option.name);
        }
    }
    for (const storage::Option& option : given.inOrder()) {
        if (diagnostic.place.file == option.value
            || diagnostic.message.find(option.value) != std::string::npos) {
            return QString::fromStdString(option.name);
        }
    }
    return {};
}

QString formatName(const std::string& format)
{
    if (format.find('$') != std::string::npos) {
        return QStringLiteral("nginx log_format");
    }
    return format.find('%') != std::string::npos ? QStringLiteral("Apache LogFormat")
                                                 : shown(format, 80);
}

} // namespace app::console

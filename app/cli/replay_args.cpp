#include "app/cli/replay_args.h"

#include "app/cli/process.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"
#include "app/workbench/version.h"
#include "app/workbench/where.h"
#include "engine/attributes.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace app::cli {
namespace {

/// Options that change what a run says, by the names under which runs keep them.
void addGiven(const LowArgs& args, std::vector<storage::Option>& options)
{
    struct Kept {
        OptionId id;
        const char* name;
    };

    for (const Kept& kept :
         {Kept {OptionId::Warmup, "warmup"}, Kept {OptionId::Who, "who"},
          Kept {OptionId::LogFormat, "log-format"}, Kept {OptionId::Map, "map"},
          Kept {OptionId::Tz, "tz"}, Kept {OptionId::TrustedProxies, "trusted-proxies"},
          Kept {OptionId::Reorder, "reorder"}, Kept {OptionId::Spread, "spread"},
          Kept {OptionId::Where, "where"}}) {
        for (const std::string& value : args.all(kept.id)) {
            options.push_back({kept.name, value});
        }
    }
}

/// Attributes that the lines of a log may have.
void addFieldsOf(const LogChoice& log, std::vector<std::string>& attributes)
{
    for (const storage::FieldMapping& mapping : log.mappings) {
        attributes.push_back(mapping.name);
    }
    std::vector<std::string> fields;
    // A stream cannot be looked at before it is read.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(log.path, ignored)) {
        if (const auto reader = openLog(log, &interrupted())) {
            fields = (*reader)->allFields();
        }
    } else if (const auto format
               = storage::logFormat(log.format.empty() ? "weir" : log.format, {log.mappings})) {
        fields = (*format)->fields();
    }
    attributes.insert(attributes.end(), fields.begin(), fields.end());
}

std::string valueText(const Ratio& ratio)
{
    return ratio.denominator == 1 ? grouped(ratio.numerator)
                                  : percent(ratio.numerator, ratio.denominator);
}

} // namespace

engine::Result<ReplayRequest> replayRequestOf(const Context& context,
                                              const std::vector<std::string>& logs)
{
    ReplayRequest request;
    engine::Result<std::vector<LogChoice>> choices
        = logChoicesOf(context, logs, storage::Spread::Even);
    if (!choices) {
        return engine::fail(choices.error());
    }
    request.pass.logs = std::move(*choices);
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return engine::fail(jobs.error());
    }
    request.pass.jobs = *jobs;
    if (const std::optional<std::string> who = context.args.text(OptionId::Who)) {
        request.pass.intake.who = {*who};
    }
    if (const std::optional<std::string> where = context.args.text(OptionId::Where)) {
        engine::Result<engine::Match> match = parseMatch(*where, "--where");
        if (!match) {
            return engine::fail(match.error());
        }
        request.pass.intake.where = std::move(*match);
        request.reading.push_back({"where", *where});
    }
    if (const std::optional<std::string> warmup = context.args.text(OptionId::Warmup)) {
        const engine::Result<std::int64_t> ns = parseDuration(*warmup);
        if (!ns) {
            return engine::fail("cli.usage", fmt::format("`--warmup {}` is no duration", *warmup),
                                "write a duration like `10min`");
        }
        request.pass.warmupNs = *ns;
    }
    addGiven(context.args, request.options);
    request.pass.stop = &interrupted();
    request.seed = context.common.seed;
    request.version = kVersion;
    request.startedNs = wallClockNs();
    request.clock = wallClockNs;
    return request;
}

ReplayPolicy replayPolicyOf(const LoadedPolicy& loaded, const policies::Adjustments& adjustments,
                            const std::optional<std::string>& name)
{
    ReplayPolicy policy;
    policy.plan = &*loaded.plan;
    policy.record.name = loaded.plan->name;
    policy.record.path = loaded.file;
    policy.record.text = loaded.policy->text;
    policy.record.fingerprint = loaded.fingerprint;
    for (const auto& [file, bytes] : loaded.lookups) {
        policy.record.lookups.push_back({file, bytes});
    }
    for (const std::string& set : adjustments.sets) {
        policy.options.push_back({"set", set});
    }
    for (const std::string& mode : adjustments.modes) {
        policy.options.push_back({"mode", mode});
    }
    policy.runName = name.value_or("");
    return policy;
}

KnownNames knownNames(const std::vector<const policies::Policy*>& policies,
                      const std::vector<const engine::Plan*>& plans,
                      const std::vector<LogChoice>& logs)
{
    KnownNames known;
    for (const policies::Policy* policy : policies) {
        for (const auto& tier : policy->tiers) {
            for (const policies::Rule& rule : tier) {
                known.rules.push_back(rule.name.value);
            }
        }
    }
    std::vector<std::string>& attributes = known.attributes;
    attributes.assign(engine::kBuiltInAttributes.begin(), engine::kBuiltInAttributes.end());
    for (const engine::Plan* plan : plans) {
        for (const engine::Derivation& derivation : plan->attributes) {
            attributes.push_back(derivation.name);
        }
        for (const engine::PlanRule& rule : plan->rules) {
            known.rules.push_back(rule.rule);
            attributes.insert(attributes.end(), rule.key.begin(), rule.key.end());
            for (const engine::Match* match : {&rule.match, &rule.overrideMatch}) {
                for (const engine::Matcher& entry : *match) {
                    attributes.push_back(entry.attribute);
                }
            }
        }
    }
    for (const LogChoice& log : logs) {
        addFieldsOf(log, attributes);
    }
    return known;
}

engine::Result<std::optional<Gate>> gateOf(const LowArgs& args, GateContext context,
                                           const KnownNames& known)
{
    const std::optional<std::string> text = args.text(OptionId::FailIf);
    if (!text) {
        return std::optional<Gate>();
    }
    engine::Result<Gate> gate = Gate::parse(*text, {context, known.rules, known.attributes});
    if (!gate) {
        return engine::fail(gate.error());
    }
    return std::optional<Gate>(std::move(*gate));
}

void writeGate(Context& context, const Gate& gate,
               const std::vector<std::pair<std::string, Ratio>>& values, bool saysNo)
{
    std::string figures;
    for (const auto& [name, ratio] : values) {
        figures += fmt::format("{}{} is {}", figures.empty() ? "" : ", ", name, valueText(ratio));
    }
    const std::string verdict = saysNo ? "fails" : "passes";
    context.out.write(
        painted(fmt::format("\nGate {}: {} ({})", verdict, escaped(gate.text()), escaped(figures)),
                saysNo ? Style::Bad : Style::Good, context.common.colour)
        + "\n");
}

void writeGateJson(Json& json, const Gate& gate,
                   const std::vector<std::pair<std::string, Ratio>>& values, bool saysNo)
{
    json.beginObject("gate");
    json.field("expression", gate.text());
    json.field("fails", saysNo);
    json.beginList("figures");
    for (const auto& [name, ratio] : values) {
        json.beginObject();
        json.field("figure", name);
        json.field("numerator", ratio.numerator);
        json.field("denominator", ratio.denominator);
        json.end();
    }
    json.end();
    json.end();
}

} // namespace app::cli

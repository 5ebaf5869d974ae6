#include "app/cli/replay_args.h"

#include "app/cli/mask_args.h"
#include "app/cli/process.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/recorded.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"
#include "app/workbench/version.h"
#include "app/workbench/where.h"
#include "engine/attributes.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

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
          Kept {OptionId::Where, "where"}, Kept {OptionId::TimeFrom, "from"},
          Kept {OptionId::TimeTo, "to"}, Kept {OptionId::RecordedRejection, "recorded-rejection"},
          Kept {OptionId::RecordedRejected, "recorded-rejected"},
          Kept {OptionId::Sampled, "sampled"}, Kept {OptionId::Mask, "mask"}}) {
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

/// What production did, and of which part of it the log tells.
engine::Status readProduction(const LowArgs& args, ReplayRequest& request)
{
    if (const std::optional<std::string> text = args.text(OptionId::RecordedRejection)) {
        if (engine::Status read = readRecorded(*text, request.pass.intake); !read) {
            return read;
        }
        request.pass.findRecorded = false;
        request.reading.push_back({"recorded-rejection", *text});
    }
    const std::string keep = args.text(OptionId::RecordedRejected).value_or("keep");
    const std::vector<std::string> ways {"keep", "drop"};
    if (keep != "keep" && keep != "drop") {
        return engine::fail("cli.usage",
                            fmt::format("`--recorded-rejected {}` is neither keep nor drop", keep),
                            suggest(keep, ways, "write " + choices(ways)));
    }
    if (keep == "drop") {
        request.pass.intake.dropRecorded = true;
        request.reading.push_back({"recorded-rejected", keep});
    }
    if (const std::optional<std::string> text = args.text(OptionId::Sampled)) {
        const std::optional<std::int64_t> n = text->starts_with("1/")
            ? parseWhole(std::string_view(*text).substr(2))
            : std::nullopt;
        if (!n || *n < 1) {
            return engine::fail("cli.usage", fmt::format("`--sampled {}` is no share", *text),
                                "write 1/N, like 1/100 where one request of a hundred is logged");
        }
        if (*n > 1) { // 1/1 is the whole log
            request.reading.push_back({"sampled", fmt::format("1/{}", *n)});
        }
    }
    return engine::Done {};
}

std::string valueText(const Ratio& ratio)
{
    return ratio.denominator == 1 ? grouped(ratio.numerator)
                                  : percent(ratio.numerator, ratio.denominator);
}

/// Each name once, where it stood first.
void dropRepeated(std::vector<std::string>& names)
{
    std::set<std::string> seen;
    std::erase_if(names, [&seen](const std::string& name) { return !seen.insert(name).second; });
}

engine::Status checkKnown(const std::vector<std::string>& attributes, const KnownNames& known,
                          std::string_view forWhat)
{
    for (const std::string& attribute : attributes) {
        if (std::find(known.attributes.begin(), known.attributes.end(), attribute)
            == known.attributes.end()) {
            return engine::fail("cli.usage",
                                fmt::format("there is no attribute `{}` {}", attribute, forWhat),
                                suggest(attribute, known.attributes,
                                        "write an attribute of the policy or the log"));
        }
    }
    return engine::Done {};
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
    const engine::Result<Period> period = readPeriod(context.args);
    if (!period) {
        return engine::fail(period.error());
    }
    request.pass.fromNs = period->fromNs;
    request.pass.toNs = period->toNs;
    if (engine::Status read = readProduction(context.args, request); !read) {
        return engine::fail(read.error());
    }
    if (const std::optional<std::string> warmup = context.args.text(OptionId::Warmup)) {
        const engine::Result<std::int64_t> ns = parseDuration(*warmup);
        if (!ns) {
            return engine::fail("cli.usage", fmt::format("`--warmup {}` is no duration", *warmup),
                                "write a duration like `10min`");
        }
        request.pass.warmupNs = *ns;
    }
    const engine::Result<MaskArgs> mask = maskArgsOf(context);
    if (!mask) {
        return engine::fail(mask.error());
    }
    request.mask = {{mask->attributes.begin(), mask->attributes.end()}, mask->key};
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
    dropRepeated(known.rules); // overrides are rules of the same name
    for (const LogChoice& log : logs) {
        addFieldsOf(log, attributes);
    }
    return known;
}

engine::Status checkAttributes(const std::vector<std::string>& attributes, const KnownNames& known)
{
    return checkKnown(attributes, known, "to count by");
}

engine::Status checkMask(const Masking& mask, const KnownNames& known)
{
    return checkKnown({mask.attributes.begin(), mask.attributes.end()}, known, "to mask");
}

engine::Result<Period> readPeriod(const LowArgs& args)
{
    Period period;
    for (const auto& [option, bound] :
         {std::pair(OptionId::TimeFrom, &period.fromNs), {OptionId::TimeTo, &period.toNs}}) {
        const engine::Result<std::optional<std::int64_t>> time = timeOf(args, option);
        if (!time) {
            return engine::fail(time.error());
        }
        *bound = *time;
    }
    if (period.fromNs && period.toNs && *period.fromNs >= *period.toNs) {
        return engine::fail("cli.usage", "--from is not before --to: no request is between them",
                            "give the earlier time to --from; --to itself is not included");
    }
    return period;
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

std::string gateText(const Gate& gate, const std::vector<std::pair<std::string, Ratio>>& values)
{
    std::string figures;
    for (const auto& [name, ratio] : values) {
        figures += fmt::format("{}{} is {}", figures.empty() ? "" : ", ", name, valueText(ratio));
    }
    return fmt::format("{} ({})", gate.text(), figures);
}

void writeGate(Context& context, const Gate& gate,
               const std::vector<std::pair<std::string, Ratio>>& values, bool saysNo,
               std::string_view of)
{
    const std::string verdict = saysNo ? "fails" : "passes";
    context.out.write(painted(fmt::format("\nGate {}{}{}: {}", verdict, of.empty() ? "" : ", ", of,
                                          escaped(gateText(gate, values))),
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

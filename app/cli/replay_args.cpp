#include "app/cli/replay_args.h"

#include "app/cli/mask_args.h"
#include "app/cli/process.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/files.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"
#include "app/workbench/where.h"
#include "engine/attributes.h"
#include "policies/client_profile.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace app::cli {
namespace {

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

engine::Result<ReadText> readClients(const Context& context)
{
    const std::optional<std::string> name = context.args.text(OptionId::Clients);
    std::string bytes;
    if (name && isClientFile(*name)) {
        engine::Result<std::string> text = readFile(*name, kMostClientBytes, &interrupted());
        if (!text) {
            return engine::fail(text.error());
        }
        const policies::CheckedClients checked = policies::readClientProfile(*name, *text);
        if (!checked.profile) {
            const std::vector<engine::Diagnostic>& found = checked.diagnostics;
            context.messages.show(std::span(found).first(found.size() - 1));
            return engine::fail(found.back());
        }
        bytes = std::move(*text);
    }
    return ReadText([bytes = std::move(bytes)](const std::string&) {
        return engine::Result<std::string>(bytes);
    });
}

engine::Result<ReplayRequest> replayRequestOf(const Context& context,
                                              const std::vector<std::string>& logs)
{
    const engine::Result<ReadText> clients = readClients(context);
    if (!clients) {
        return engine::fail(clients.error());
    }
    return replayRequestOf(context, logs, *clients);
}

engine::Result<ReplayRequest> replayRequestOf(const Context& context,
                                              const std::vector<std::string>& logs,
                                              const ReadText& clients)
{
    engine::Result<std::vector<LogChoice>> choices
        = logChoicesOf(context, logs, storage::Spread::Even);
    if (!choices) {
        return engine::fail(choices.error());
    }
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return engine::fail(jobs.error());
    }
    engine::Result<ReplayRequest> request = app::replayRequestOf(
        givenOf(context.args), std::move(*choices), context.common.seed, clients);
    if (!request) {
        return request;
    }
    const engine::Result<MaskArgs> mask = maskArgsOf(context);
    if (!mask) {
        return engine::fail(mask.error());
    }
    request->pass.jobs = *jobs;
    request->mask = {{mask->attributes.begin(), mask->attributes.end()}, mask->key};
    request->pass.stop = &interrupted();
    return request;
}

void showClientAdvice(const Context& context, const ReplayRequest& request,
                      const policies::Policy& policy)
{
    context.messages.show(request.advice);
    context.messages.show(retryAdvice(request.pass.conditions, policy));
}

engine::Result<GivenConditions> clientsOf(const Context& context, const ReadText& clients)
{
    return conditionsOf(givenOf(context.args), context.common.seed, clients);
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
                for (const policies::ShedClass& one : policies::classesOf(rule)) {
                    known.classes.push_back({rule.name.value, one.name.value});
                }
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
            if (rule.className) {
                known.classes.push_back({rule.rule, *rule.className});
            }
            attributes.insert(attributes.end(), rule.key.begin(), rule.key.end());
            for (const engine::Match* match :
                 {&rule.match, &rule.overrideMatch, &rule.classMatch}) {
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

engine::Result<std::optional<Gate>> gateOf(const LowArgs& args, GateContext context,
                                           const KnownNames& known)
{
    const std::optional<std::string> text = args.text(OptionId::FailIf);
    if (!text) {
        return std::optional<Gate>();
    }
    engine::Result<Gate> gate
        = Gate::parse(*text, {context, known.rules, known.attributes, known.classes});
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

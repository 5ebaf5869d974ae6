#include "app/cli/context.h"
#include "app/workbench/text.h"
#include "policies/diff_effects.h"

#include <fmt/format.h>
#include <functional>
#include <string_view>
#include <vector>

namespace app::cli {
namespace {

std::string_view nameOf(policies::DiffKind kind)
{
    switch (kind) {
    case policies::DiffKind::Added:
        return "added";
    case policies::DiffKind::Removed:
        return "removed";
    case policies::DiffKind::Renamed:
        return "renamed";
    case policies::DiffKind::Moved:
        return "moved";
    case policies::DiffKind::Changed:
        return "changed";
    }
    return "";
}

std::optional<std::string> unlessEmpty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

std::string_view nameOf(policies::EffectKind kind)
{
    switch (kind) {
    case policies::EffectKind::Rate:
        return "rate";
    case policies::EffectKind::WorstCase:
        return "worst_case";
    case policies::EffectKind::Covered:
        return "newly_covered";
    case policies::EffectKind::Uncovered:
        return "newly_uncovered";
    case policies::EffectKind::Counting:
        return "counting";
    case policies::EffectKind::Verdict:
        return "verdict";
    }
    return "";
}

/// What people read before the text of an effect.
std::string_view leadOf(policies::EffectKind kind)
{
    switch (kind) {
    case policies::EffectKind::WorstCase:
        return "at worst: ";
    case policies::EffectKind::Covered:
        return "newly covered: ";
    case policies::EffectKind::Uncovered:
        return "newly uncovered: ";
    case policies::EffectKind::Rate:
    case policies::EffectKind::Counting:
    case policies::EffectKind::Verdict:
        break;
    }
    return "";
}

/// The two policies, what differs, and what that amounts to.
struct Comparison {
    std::vector<policies::Difference> differences;
    std::vector<policies::Effect> effects;

    /// Calls `ofDifference` for all of one rule, override, ... , then `ofEffect` for all of its
    /// effects, then goes on to the next.
    void walk(const std::function<void(const policies::Difference&)>& ofDifference,
              const std::function<void(const policies::Effect&)>& ofEffect) const
    {
        std::size_t effect = 0;
        for (std::size_t i = 0; i < differences.size(); ++i) {
            const policies::Difference& one = differences[i];
            ofDifference(one);
            const bool isLast = i + 1 == differences.size() || !isOfSame(one, differences[i + 1]);
            while (isLast && effect < effects.size() && isOfSame(one, effects[effect])) {
                ofEffect(effects[effect++]);
            }
        }
    }

private:
    template <class Other> static bool isOfSame(const policies::Difference& one, const Other& other)
    {
        return one.what == other.what && one.name == other.name && one.partName == other.partName;
    }
};

void writeText(Output& out, const Comparison& comparison)
{
    comparison.walk(
        [&](const policies::Difference& difference) { out.write(escaped(difference.text) + '\n'); },
        [&](const policies::Effect& effect) {
            out.write(fmt::format("  {}{}\n", leadOf(effect.kind), escaped(effect.text)));
        });
}

void writeMarkdown(Context& context, const Comparison& comparison)
{
    context.out.write(fmt::format("### {} -> {}\n\n", markdownCode(context.args.arguments[0]),
                                  markdownCode(context.args.arguments[1])));
    comparison.walk(
        [&](const policies::Difference& difference) {
            context.out.write("- " + markdownCode(difference.text) + '\n');
        },
        [&](const policies::Effect& effect) {
            context.out.write(
                fmt::format("  - {}{}\n", leadOf(effect.kind), markdownCode(effect.text)));
        });
    if (comparison.differences.empty()) {
        context.out.write("The two policies say the same.\n");
    }
}

/// The override or the class of a rule that it is about.
template <class Of> void writePart(Json& json, const Of& one)
{
    const bool isClass = one.what == "class";
    json.field("override", unlessEmpty(isClass ? std::string() : one.partName));
    json.field("class", unlessEmpty(isClass ? one.partName : std::string()));
}

void writeJson(Context& context, const Comparison& comparison)
{
    Json json;
    json.beginObject();
    json.field("before", context.args.arguments[0]);
    json.field("after", context.args.arguments[1]);
    json.beginList("differences");
    for (const policies::Difference& difference : comparison.differences) {
        json.beginObject();
        json.field("kind", nameOf(difference.kind));
        json.field("what", difference.what);
        json.field("name", difference.name);
        writePart(json, difference);
        json.field("field", unlessEmpty(difference.field));
        json.field("before", unlessEmpty(difference.before));
        json.field("after", unlessEmpty(difference.after));
        json.field("text", difference.text);
        json.end();
    }
    json.end();
    json.beginList("effects");
    for (const policies::Effect& effect : comparison.effects) {
        json.beginObject();
        json.field("kind", nameOf(effect.kind));
        json.field("what", effect.what);
        json.field("name", effect.name);
        writePart(json, effect);
        json.field("text", effect.text);
        json.end();
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace

ExitCode runDiff(Context& context)
{
    const engine::Result<std::string> format = context.formatOf({"text", "json", "markdown"});
    if (!format) {
        return context.fail(format.error());
    }
    // Both are read before either stops the verb: all mistakes at once.
    const Context::Loaded before = context.load(context.args.arguments[0]);
    const Context::Loaded after = context.load(context.args.arguments[1]);
    if (!before.policy || !after.policy) {
        return before.policy ? after.code : before.code;
    }
    Comparison comparison;
    comparison.differences = policies::diff(*before.policy->policy, *after.policy->policy);
    comparison.effects
        = policies::effects(*before.policy->policy, *after.policy->policy, comparison.differences);
    if (*format == "json") {
        writeJson(context, comparison);
    } else if (*format == "markdown") {
        writeMarkdown(context, comparison);
    } else if (comparison.differences.empty()) {
        context.out.write("the two policies say the same\n");
    } else {
        writeText(context.out, comparison);
    }
    return ExitCode::Done;
}

} // namespace app::cli

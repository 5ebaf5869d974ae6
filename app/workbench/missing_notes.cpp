#include "app/workbench/missing_notes.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>

namespace app {
namespace {

/// No request has it, and it is none that is told otherwise.
bool isMissing(const engine::Intake& intake, std::size_t field)
{
    return intake.requests() > 0 && intake.filled(field) == 0
        && intake.fields()[field] != "duration";
}

storage::Note noteOf(std::string_view attribute, std::string_view whoAsks)
{
    return {"replay.attribute-missing",
            fmt::format("no line has `{}`, which {}", attribute, whoAsks)};
}

/// What the policy itself asks of a request, but for what it derives.
std::set<std::string> attributesAsked(const engine::Plan& plan)
{
    std::set<std::string> names;
    const auto addMatch = [&names](const engine::Match& match) {
        for (const engine::Matcher& entry : match) {
            names.insert(entry.attribute);
        }
    };
    for (const engine::PlanRule& rule : plan.rules) {
        addMatch(rule.match);
        addMatch(rule.overrideMatch);
        addMatch(rule.classMatch);
        names.insert(rule.key.begin(), rule.key.end());
        names.insert(rule.cost.attribute);
    }
    for (const engine::Exemption& exemption : plan.exempt) {
        addMatch(exemption.match);
    }
    for (const engine::Derivation& derivation : plan.attributes) {
        names.insert(derivation.from);
    }
    return names;
}

} // namespace

std::vector<storage::Note> missingNotesOf(const engine::Intake& intake, const engine::Match& match,
                                          std::string_view option)
{
    std::vector<storage::Note> notes;
    for (const engine::Matcher& entry : match) {
        const auto at = std::find(intake.fields().begin(), intake.fields().end(), entry.attribute);
        if (at != intake.fields().end()
            && isMissing(intake, static_cast<std::size_t>(at - intake.fields().begin()))) {
            notes.push_back(noteOf(entry.attribute, fmt::format("{} asks for", option)));
        }
    }
    return notes;
}

std::vector<storage::Note> missingNotesOf(const engine::Intake& intake, std::size_t plan)
{
    std::vector<storage::Note> notes;
    const std::set<std::string> asked = attributesAsked(*intake.plans()[plan]);
    for (std::size_t field = 0; field < intake.fields().size(); ++field) {
        const std::string& name = intake.fields()[field];
        if (isMissing(intake, field) && asked.contains(name)) {
            notes.push_back(noteOf(name, "the policy reads"));
        }
    }
    return notes;
}

std::vector<storage::Note> missingNotesOf(const engine::Intake& intake)
{
    std::vector<storage::Note> notes;
    std::set<std::string> said;
    for (std::size_t plan = 0; plan < intake.plans().size(); ++plan) {
        for (storage::Note& note : missingNotesOf(intake, plan)) {
            if (said.insert(note.text).second) {
                notes.push_back(std::move(note));
            }
        }
    }
    return notes;
}

} // namespace app

#include "app/workbench/edit_policy.h"

#include "app/workbench/figures_text.h"
#include "policies/edit_address.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace app {
namespace {

using policies::Address;
using policies::Part;

constexpr std::string_view kForms
    = "`weir set --help` shows what can be written; a rule is named as in the policy";

engine::Failure badForm(std::string_view form)
{
    return engine::fail("edit.form", fmt::format("this is not of the form {}", form),
                        std::string(kForms));
}

/// "a=b" at the first `=`.
struct Halves {
    std::string_view left;
    std::string_view right;
};

engine::Result<Halves> halvesOf(std::string_view written, std::string_view form)
{
    const std::size_t equals = written.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        return badForm(form);
    }
    return Halves {written.substr(0, equals), written.substr(equals + 1)};
}

/// A place in a list as people count: from 1. Nothing where there is none.
engine::Result<std::optional<std::size_t>> positionOf(std::string_view number)
{
    const std::optional<std::int64_t> place = parseWhole(number);
    if (!place || *place < 1) {
        return badForm("...:N, with N from 1");
    }
    return std::optional(static_cast<std::size_t>(*place - 1));
}

std::optional<engine::Tier> tierNamed(std::string_view name)
{
    for (std::size_t i = 0; i < engine::kTierCount; ++i) {
        if (engine::nameOf(static_cast<engine::Tier>(i)) == name) {
            return static_cast<engine::Tier>(i);
        }
    }
    return std::nullopt;
}

/// A part as a whole, without a field behind it.
engine::Result<Part> partAt(const std::string& text, std::string_view path)
{
    const engine::Result<Address> address = policies::addressOf(text, path);
    if (!address) {
        return engine::fail(address.error());
    }
    if (!address->field.empty() || address->part.kind == Part::Kind::Policy) {
        return engine::fail("edit.no-part",
                            fmt::format("`{}` is a field, not a rule or another part", path),
                            std::string(kForms));
    }
    return address->part;
}

engine::Result<policies::Edits> removed(const std::string& text, std::string_view written)
{
    const engine::Result<Part> part = partAt(text, written);
    return part ? policies::removePart(text, *part) : engine::fail(part.error());
}

engine::Result<policies::Edits> renamed(const std::string& text, std::string_view written)
{
    const engine::Result<Halves> halves = halvesOf(written, "OLD=NEW");
    const engine::Result<Part> part
        = halves ? partAt(text, halves->left) : engine::fail(halves.error());
    return part ? policies::renamePart(text, *part, halves->right) : engine::fail(part.error());
}

engine::Result<policies::Edits> copied(const std::string& text, std::string_view written)
{
    const engine::Result<Halves> halves = halvesOf(written, "RULE=NEW");
    const engine::Result<Part> part
        = halves ? partAt(text, halves->left) : engine::fail(halves.error());
    return part ? policies::duplicatePart(text, *part, halves->right) : engine::fail(part.error());
}

/// Whose list something is added to: `edge`, `search/`, `exempt`.
engine::Result<Part> ownerAt(const std::string& text, std::string_view place)
{
    if (place == "exempt") {
        return Part::ofPolicy();
    }
    if (place.ends_with('/')) {
        return partAt(text, place.substr(0, place.size() - 1));
    }
    if (const auto tier = tierNamed(place)) {
        return Part::ofTier(*tier);
    }
    return engine::fail(
        "edit.no-part", fmt::format("nothing can be added to `{}`", place),
        "write edge, gateway, endpoint, tenant, exempt, or `RULE/` for an override");
}

engine::Result<policies::Edits> added(const std::string& text, std::string_view written)
{
    const engine::Result<Halves> halves = halvesOf(written, "TIER={ name: NAME, ... }");
    if (!halves) {
        return engine::fail(halves.error());
    }
    const std::size_t colon = halves->left.rfind(':');
    std::string_view place = halves->left;
    std::optional<std::size_t> position;
    if (colon != std::string_view::npos && place.find_last_not_of("0123456789") == colon) {
        const auto given = positionOf(place.substr(colon + 1));
        if (!given) {
            return engine::fail(given.error());
        }
        position = *given;
        place = place.substr(0, colon);
    }
    const engine::Result<Part> owner = ownerAt(text, place);
    return owner ? policies::addPart(text, *owner, halves->right, position)
                 : engine::fail(owner.error());
}

engine::Result<policies::Edits> valued(const std::string& text, std::string_view written)
{
    const engine::Result<Halves> halves = halvesOf(written, "RULE.FIELD=VALUE");
    const engine::Result<Address> address
        = halves ? policies::addressOf(text, halves->left) : engine::fail(halves.error());
    if (!address) {
        return engine::fail(address.error());
    }
    if (address->field.empty()) {
        return badForm("RULE.FIELD=VALUE");
    }
    return halves->right.empty()
        ? policies::unsetValue(text, address->part, address->field)
        : policies::setValue(text, address->part, address->field, halves->right);
}

engine::Result<policies::Edits> moved(const std::string& text, std::string_view written)
{
    const engine::Result<Halves> halves = halvesOf(written, "RULE=TIER or RULE=TIER:N");
    const engine::Result<Part> part
        = halves ? partAt(text, halves->left) : engine::fail(halves.error());
    if (!part) {
        return engine::fail(part.error());
    }
    const std::size_t colon = std::min(halves->right.find(':'), halves->right.size());
    const std::string_view place = halves->right.substr(0, colon);
    const std::optional<engine::Tier> tier = tierNamed(place);
    const std::string_view number = tier ? halves->right.substr(colon) : halves->right;
    std::optional<std::size_t> position;
    if (!number.empty()) {
        const auto given = positionOf(tier ? number.substr(1) : number);
        if (!given) {
            return badForm("RULE=TIER, RULE=TIER:N or RULE=N");
        }
        position = *given;
    }
    if (!tier && !position) {
        return badForm("RULE=TIER, RULE=TIER:N or RULE=N");
    }
    return policies::movePart(text, *part, tier, position);
}

} // namespace

engine::Result<EditedPolicy> editPolicy(std::string text, const PolicyChanges& changes)
{
    using Change = engine::Result<policies::Edits> (*)(const std::string&, std::string_view);
    const std::array<std::pair<const std::vector<std::string>*, Change>, 6> steps {
        {{&changes.removals, removed},
         {&changes.renamings, renamed},
         {&changes.additions, added},
         {&changes.copies, copied},
         {&changes.values, valued},
         {&changes.moves, moved}}};
    EditedPolicy edited;
    for (const auto& [list, change] : steps) {
        for (const std::string& written : *list) {
            engine::Result<policies::Edits> edits = change(text, written);
            if (!edits) {
                engine::Diagnostic why = edits.error();
                why.message = fmt::format("`{}`: {}", written, why.message);
                return engine::fail(std::move(why));
            }
            text = policies::applied(std::move(text), *edits);
            edited.edits.insert(edited.edits.end(), edits->begin(), edits->end());
        }
    }
    edited.text = std::move(text);
    return edited;
}

} // namespace app

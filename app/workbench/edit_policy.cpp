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
engine::Result<Part> wholePart(const Address& address, std::string_view path)
{
    if (!address.field.empty() || address.part.kind == Part::Kind::Policy) {
        return engine::fail("edit.no-part",
                            fmt::format("`{}` is a field, not a rule or another part", path),
                            std::string(kForms));
    }
    return address.part;
}

engine::Result<Part> partAt(const std::string& text, std::string_view path)
{
    const engine::Result<Address> address = policies::addressOf(text, path);
    return address ? wholePart(*address, path) : engine::fail(address.error());
}

/// "PART=VALUE".
struct PartAndValue {
    Part part;
    std::string_view value;
};

engine::Result<PartAndValue> partAndValue(const std::string& text, std::string_view written,
                                          std::string_view form)
{
    if (const engine::Result<Halves> halves = halvesOf(written, form); !halves) {
        return engine::fail(halves.error());
    }
    const engine::Result<policies::Assignment> parted
        = policies::assignmentOf(text, written, false);
    if (!parted) {
        return engine::fail(parted.error());
    }
    const std::string_view path = written.substr(0, written.size() - parted->value.size() - 1);
    const engine::Result<Part> part = wholePart(parted->address, path);
    return part ? engine::Result<PartAndValue>({*part, parted->value}) : engine::fail(part.error());
}

engine::Result<policies::Edits> removed(const std::string& text, std::string_view written)
{
    const engine::Result<Part> part = partAt(text, written);
    return part ? policies::removePart(text, *part) : engine::fail(part.error());
}

engine::Result<policies::Edits> renamed(const std::string& text, std::string_view written)
{
    const engine::Result<PartAndValue> old = partAndValue(text, written, "OLD=NEW");
    return old ? policies::renamePart(text, old->part, old->value) : engine::fail(old.error());
}

engine::Result<policies::Edits> copied(const std::string& text, std::string_view written)
{
    const engine::Result<PartAndValue> old = partAndValue(text, written, "RULE=NEW");
    return old ? policies::duplicatePart(text, old->part, old->value) : engine::fail(old.error());
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

/// Where something is to be added: "PLACE" or "PLACE:N".
struct Spot {
    Part owner;
    std::optional<std::size_t> position;
};

engine::Result<Spot> spotAt(const std::string& text, std::string_view place)
{
    std::optional<std::size_t> position;
    const std::size_t colon = place.rfind(':');
    if (colon != std::string_view::npos && place.find_last_not_of("0123456789") == colon) {
        const auto given = positionOf(place.substr(colon + 1));
        if (!given) {
            return engine::fail(given.error());
        }
        position = *given;
        place = place.substr(0, colon);
    }
    const engine::Result<Part> owner = ownerAt(text, place);
    return owner ? engine::Result<Spot>({*owner, position}) : engine::fail(owner.error());
}

engine::Result<policies::Edits> added(const std::string& text, std::string_view written)
{
    const engine::Result<Halves> halves = halvesOf(written, "TIER={ name: NAME, ... }");
    if (!halves) {
        return engine::fail(halves.error());
    }
    engine::Result<Spot> spot = spotAt(text, halves->left);
    std::string_view value = halves->right;
    for (std::size_t at = value.find('='); !spot && at != std::string_view::npos;
         at = value.find('=', at + 1)) { // a rule whose name has a `=`
        const std::size_t equals = halves->left.size() + 1 + at;
        if (engine::Result<Spot> other = spotAt(text, written.substr(0, equals))) {
            spot = std::move(other);
            value = written.substr(equals + 1);
            break;
        }
    }
    return spot ? policies::addPart(text, spot->owner, value, spot->position)
                : engine::fail(spot.error());
}

engine::Result<policies::Edits> valued(const std::string& text, std::string_view written)
{
    if (const auto halves = halvesOf(written, "RULE.FIELD=VALUE"); !halves) {
        return engine::fail(halves.error());
    }
    const engine::Result<policies::Assignment> parted = policies::assignmentOf(text, written, true);
    if (!parted) {
        return engine::fail(parted.error());
    }
    const auto& [part, field] = parted->address;
    if (field.empty()) {
        return badForm("RULE.FIELD=VALUE");
    }
    return parted->value.empty() ? policies::unsetValue(text, part, field)
                                 : policies::setValue(text, part, field, parted->value);
}

engine::Result<policies::Edits> moved(const std::string& text, std::string_view written)
{
    const engine::Result<PartAndValue> parted
        = partAndValue(text, written, "RULE=TIER or RULE=TIER:N");
    if (!parted) {
        return engine::fail(parted.error());
    }
    const std::string_view to = parted->value;
    const std::size_t colon = std::min(to.find(':'), to.size());
    const std::optional<engine::Tier> tier = tierNamed(to.substr(0, colon));
    const std::string_view number = tier ? to.substr(colon) : to;
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
    return policies::movePart(text, parted->part, tier, position);
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
                if (why.place.line == 0) { // else it is the text that is wrong, not the change
                    why.message = fmt::format("`{}`: {}", written, why.message);
                }
                return engine::fail(std::move(why));
            }
            std::string after = policies::applied(text, *edits);
            if (list == &changes.values && !written.ends_with('=')) {
                for (std::string& comment : policies::commentsLost(text, after)) {
                    edited.replacedComments.push_back({written, std::move(comment)});
                }
            }
            text = std::move(after);
            edited.edits.insert(edited.edits.end(), edits->begin(), edits->end());
        }
    }
    edited.text = std::move(text);
    return edited;
}

} // namespace app

#pragma once
#include "engine/plan.h"
#include "engine/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Editing the text of a policy without loss: an operation changes the bytes that it is about, and
/// comments, order, blank lines, quotes and line ends of everything else stay as they are.
namespace policies {

/// One change of a text: from byte `begin` on, `before` gives way to `after`.
///
/// Example: {87, "10/min", "20/min"}.
struct Edit {
    std::size_t begin = 0;
    std::string before;
    std::string after;

    friend bool operator==(const Edit&, const Edit&) = default;
};

/// Changes in the order in which they are made: each counts its bytes in the text that the ones
/// before it left.
using Edits = std::vector<Edit>;

/// The text after the edits. Edits that are not of this text are a bug and end the process.
std::string applied(std::string text, const Edits& edits);

/// What takes the edits back: applied(applied(text, edits), inverse(edits)) == text.
Edits inverse(const Edits& edits);

/// Comments of one text that are no longer in another, in order of their bytes: `# agreed in May`.
/// None where one of them is no YAML. What an edit took along is not said by its bytes alone.
std::vector<std::string> commentsLost(std::string_view before, std::string_view after);

/// What an operation is about.
///
/// Example: Part::ofOverride("pro-plan", "acme"); Part::ofPolicy() is the document itself, whose
/// fields are `name`, `description`, `counting`, `attributes` and so on.
struct Part {
    enum class Kind : std::uint8_t { Policy, Tier, Rule, Override, Class, Exemption };

    Kind kind = Kind::Policy;
    std::string name; ///< of the tier, rule, override, class or exemption
    std::string rule {}; ///< of an override and a class: the rule that it belongs to

    static Part ofPolicy() { return {}; }

    static Part ofTier(engine::Tier tier)
    {
        return {Kind::Tier, std::string(engine::nameOf(tier))};
    }

    static Part ofRule(std::string name) { return {Kind::Rule, std::move(name)}; }

    static Part ofOverride(std::string rule, std::string name)
    {
        return {Kind::Override, std::move(name), std::move(rule)};
    }

    /// Of a load_shedder. New ones come with the list: setValue() of `classes`.
    static Part ofClass(std::string rule, std::string name)
    {
        return {Kind::Class, std::move(name), std::move(rule)};
    }

    static Part ofExemption(std::string name) { return {Kind::Exemption, std::move(name)}; }
};

/// A field of a part; more than one name leads into a map: {"match", "path"}.
using FieldPath = std::vector<std::string>;

// Each operation below gives the edits that do it, or one diagnostic that says why not; then
// nothing is to be changed. It looks at the text alone: whether the outcome is a good policy,
// read() says. Values are written as in a policy (`20/min`, `[GET, HEAD]`, `"a text: quoted"`).
// Pure; safe from any thread; time proportional to the text.
//
// Errors of all: edit.no-part (no such rule, override, exemption or tier), edit.layout (the text is
// laid out in a way that this cannot change safely), and the codes of read() where the text is no
// YAML.

/// Sets one field; one that is not there is added in the usual order. Setting `name` renames.
///
/// Example: setValue(text, Part::ofRule("search"), {"rate"}, "20/min").
/// Errors: edit.value (no value, no YAML, a comment in it), edit.no-field (the path leads into
/// something that is no map), and those of rename().
engine::Result<Edits> setValue(std::string_view text, const Part& part, const FieldPath& field,
                               std::string_view value);

/// Removes one field with the comments that belong to it.
/// Errors: edit.no-field (it is not there), edit.required (`name` of a rule and its like).
engine::Result<Edits> unsetValue(std::string_view text, const Part& part, const FieldPath& field);

/// Adds a part that `value` describes, as `{ name: x, key: [], ... }`: a rule to a tier, an
/// override to a rule, an exemption to the policy. At `position` (from 0), or behind the others. A
/// list or a tier that is not there is made; an empty value makes an empty tier. Errors:
/// edit.value, edit.name-taken, edit.position (beyond the end).
engine::Result<Edits> addPart(std::string_view text, const Part& owner, std::string_view value,
                              std::optional<std::size_t> position = std::nullopt);

/// Adds a copy of a rule, an override, a class or an exemption under another name, right behind it.
/// Errors: edit.name-taken, edit.value (an empty name).
engine::Result<Edits> duplicatePart(std::string_view text, const Part& part,
                                    std::string_view newName);

/// Removes a part with its comments. A list that is left empty stays, as `[]`.
engine::Result<Edits> removePart(std::string_view text, const Part& part);

/// Renames a part. What refers to a rule (`tighten`) follows.
/// Renaming the policy sets its `name`.
/// Errors: edit.name-taken, edit.value (an empty name; a tier of no such name).
engine::Result<Edits> renamePart(std::string_view text, const Part& part, std::string_view newName);

/// Moves a rule to a tier, to `position` (from 0) among the other rules there, or behind them.
/// Overrides, classes and exemptions move within their list, where `tier` says nothing.
/// Errors: edit.position, edit.no-part.
engine::Result<Edits> movePart(std::string_view text, const Part& part,
                               std::optional<engine::Tier> tier,
                               std::optional<std::size_t> position);

} // namespace policies

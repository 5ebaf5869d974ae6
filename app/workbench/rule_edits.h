#pragma once
#include "engine/plan.h"
#include "engine/result.h"
#include "policies/edit.h"
#include "policies/policy.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// What people do to rules as a whole, as edits of the text: each is one step, and leaves a policy
/// that was good a good one. Pure; any thread. Errors: those of policies/edit.h.
namespace app {

/// Edits that follow each other, each made in the text that those before it left.
class EditSteps {
public:
    explicit EditSteps(std::string text)
        : m_text(std::move(text))
    {
    }

    [[nodiscard]] const std::string& text() const { return m_text; }

    /// After a failure nothing more is taken in.
    EditSteps& add(const engine::Result<policies::Edits>& edits);
    [[nodiscard]] engine::Result<policies::Edits> take();

private:
    std::string m_text;
    policies::Edits m_edits;
    std::optional<engine::Diagnostic> m_failure;
};

/// `base`, or `base-2`, `base-3`, ...: the first that no rule has.
std::string freeRuleName(const policies::Policy& policy, const std::string& base);

/// A rule to begin with, by client address, 60 a minute: at the end of its tier, or at `position`.
engine::Result<policies::Edits> addRule(std::string_view text, engine::Tier tier,
                                        const std::string& name,
                                        std::optional<std::size_t> position = std::nullopt);

/// `enforce` is what a rule without a mode does: the field goes.
engine::Result<policies::Edits> setMode(std::string_view text, const policies::Rule& rule,
                                        engine::Mode mode);

/// Sets a field of a rule or an override; an empty value takes it away (no error where it is not
/// there).
engine::Result<policies::Edits> setField(std::string_view text, const policies::Part& part,
                                         const policies::FieldPath& field, std::string_view value);

/// Another algorithm: fields that it does not have go, in overrides too, those that it needs come,
/// as near to what was there as they can be.
///
/// Example: token_bucket 10/s with burst 21 to leaky_bucket: rate 10/s, queue 20.
engine::Result<policies::Edits> setAlgorithm(std::string_view text, const policies::Rule& rule,
                                             engine::Algorithm algorithm);

/// Where a rule comes to stand when it is dropped before the `before`-th card of a tier (its own
/// place there counts): a position for policies::movePart(). Nothing where it would stay.
std::optional<std::size_t> dropPosition(const policies::Policy& policy, const std::string& rule,
                                        engine::Tier tier, std::size_t before);

} // namespace app

#pragma once

#include "policies/policy.h"

#include <QWidget>

#include <optional>
#include <string>
#include <string_view>

namespace app::console {

/// What a form's field shows: the values that hold, whose they are, and what the limit amounts to.
struct FieldSource {
    const policies::Rule& rule;
    const policies::Values& values; ///< of the rule, or of the override that is looked at
    std::optional<std::int64_t> usualBurst; ///< where none is given
    bool isOverride = false; ///< what is not given is the rule's
};

/// One field of a rule as a widget: shows the value, and gives it as the policy has it.
class ValueEdit : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    virtual void show(const FieldSource& source) = 0;
    /// As in YAML; "" takes the field away. Nothing: not fit to be written yet.
    [[nodiscard]] virtual std::optional<std::string> written() const = 0;
    virtual void setWrong(bool isWrong) = 0;

Q_SIGNALS:
    void edited(); ///< by the user
};

/// The edit of a field, by the table of algorithms' fields: "rate", "burst", ..., and "cost",
/// "status", "on_store_failure", "note". A bug for any other.
ValueEdit* makeValueEdit(std::string_view field);

/// "Rate", "Store failure", ...
QString labelOf(std::string_view field);

/// Where a field's value stands in the policy's text; nothing where it is not given.
std::optional<policies::Span> spanOf(const policies::Rule& rule, const policies::Values& values,
                                     std::string_view field);

} // namespace app::console

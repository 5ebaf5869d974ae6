#pragma once

#include "app/console/session/document.h"

#include <QString>
#include <QStringList>

#include <memory>

namespace app::console {

/// What may come next in a line of a policy: values where a field is begun (`algorithm: t`), else
/// the fields that stand at that depth. From the language's own schema; names of attributes and
/// rules from the last text that could be read.
///
/// Example: "      algorithm: t" gives all algorithms, "      " the fields of rules and overrides.
QStringList completionsFor(const QString& lineBefore,
                           const std::shared_ptr<const CheckedText>& known);

} // namespace app::console

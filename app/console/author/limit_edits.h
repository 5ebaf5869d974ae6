#pragma once

#include "app/console/author/value_edits.h"

#include <functional>

/// The edits of a limit's numbers.
namespace app::console {

using CountField = policies::Given<std::int64_t> policies::Values::*;
using GetCount = std::function<std::optional<std::int64_t>(const FieldSource&)>;
using GetUsual = std::function<QString(const FieldSource&)>;
using GetTime = std::optional<std::int64_t> (*)(const FieldSource&);

ValueEdit* makeRateEdit(); ///< 100 per 1 second
ValueEdit* makeBurstEdit(); ///< requests, or so many times the rate per second
/// So many requests. `usual`: what holds where none is given; empty: it has to be.
ValueEdit* makeCountEdit(const QString& label, GetCount get, GetUsual usual);
ValueEdit* makeCountEdit(const QString& label, CountField field, const QString& usual);
/// A length of time that may be left out.
ValueEdit* makeDurationEdit(const QString& label, GetTime get, const QString& usual);

} // namespace app::console

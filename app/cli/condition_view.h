#pragma once
#include "app/workbench/json.h"
#include "app/workbench/key_names.h"
#include "storage/run_reader.h"

#include <cstddef>

namespace app::cli {

/// How much of them.
struct ConditionFields {
    std::size_t top = 10; ///< clients that never got through
    bool withSeconds = false; ///< learned limits and attempts, each second: 86,400 rows a day
};

/// The fields `conditions`, `limits`, `servers`, `most_admitted`, `outages` and `clients` of a
/// run's JSON document, into an open object; those that have nothing to tell are left out.
/// `names`: how values are shown; of a run that stands beside others, by what is secret in any of
/// them. Documented in app/README.md. Errors: the store's.
engine::Status writeConditionFields(Json& json, const storage::RunReader& reader,
                                    const storage::RunDetail& run, const KeyNames& names,
                                    const ConditionFields& fields);

/// The field `classes` into an open object, where the run's policy has any: what a load_shedder
/// judged, denied and rejected of each.
void writeClassFields(Json& json, const storage::RunDetail& run);

} // namespace app::cli

#pragma once
#include "app/workbench/by_attribute.h"
#include "storage/run_reader.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace app {

/// A stored run, narrowed to a period: as far as the store can say it exactly. Totals, tiers, rules
/// and the timeline come from its seconds, so both bounds lie on whole seconds; who and keys from
/// its rejections. What is kept for the whole run only (delays, skips, exemptions, late requests,
/// requests of a key or a who) stays zero and is not to be shown.
struct PeriodView {
    storage::RunDetail run;
    std::vector<std::pair<std::string, std::uint64_t>> whos; ///< rejected requests, most first

    struct Key {
        std::uint32_t rule = 0;
        std::uint32_t id = 0; ///< of the key's row
        std::vector<std::string> values;
        std::uint64_t rejected = 0;
    };

    std::vector<Key> keys; ///< of the rule that rejected, most first
};

/// Errors: period.seconds (a bound within a second), those of the store.
engine::Result<PeriodView> periodOf(const storage::RunReader& reader, storage::RunId run,
                                    const Period& period);

} // namespace app

#pragma once
#include "storage/run_reader.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Keys of a run over all of its rules or of one, sorted by any column and filtered by text, in
/// pages: the order is found once and kept as places, rows are read when they are looked at.
namespace storage {

enum class KeySort : std::uint8_t {
    Rule, ///< in policy order
    Key, ///< by bytes
    Judged,
    Denied,
    Share ///< denied of judged
};

/// Which keys there are to be, and in which order. Those that the order leaves equal follow by most
/// denied, most judged, rule, and which was first seen.
struct KeyQuery {
    std::vector<std::uint32_t> rules; ///< none: of all rules
    bool deniedOnly = true;
    KeySort sort = KeySort::Denied;
    bool descending = true;
    /// Part of the rule's full name ("search/acme", "shed[batch]") or of the key; letters a to z in
    /// any case. Raw bytes; "" lets all through.
    std::string filter;
    /// Rules whose keys are shown under other names: the filter looks at their names only.
    std::vector<std::uint32_t> veiled;
};

/// Where a key's row is.
struct KeyPlace {
    std::uint32_t rule = 0;
    std::uint32_t id = 0;
};

/// All that the query lets through, in its order; 8 bytes each. 200,000 of them take some tens of
/// ms. Example: {{}, true, Denied, true, "k_8"} is every denied key with "k_8" in it, or of a
/// rule with "k_8" in its name, most denied first.
/// Errors: store.unknown-run and those of RunStore::open().
engine::Result<std::vector<KeyPlace>> keyPlaces(RunStore& store, RunId run, const KeyQuery& query);

/// The rows of these places, in their order; one that is not there is left out. Errors: likewise.
engine::Result<std::vector<KeyRow>> keysAt(RunStore& store, RunId run,
                                           std::span<const KeyPlace> places);

} // namespace storage

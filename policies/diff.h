#pragma once
#include "policies/policy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace policies {

enum class DiffKind : std::uint8_t { Added, Removed, Renamed, Moved, Changed };

/// One thing that differs between two policies.
///
/// Example: {Changed, "rule", "search", "", "rate", "10/min", "20/min",
/// "rule search: rate 10/min -> 20/min"}. `before` or `after` is empty where there is none.
struct Difference {
    DiffKind kind = DiffKind::Changed;
    std::string what; ///< "policy", "rule", "override", "class", "exemption", "attribute"
    std::string name; ///< the rule's for an override and a class
    std::string partName; ///< of the override or class
    std::string field; ///< empty for Added, Removed, Renamed and a rule's Moved
    std::string before; ///< Renamed: the name that it had
    std::string after;
    std::string text; ///< one line for people
};

/// What changes from `before` to `after`, in the order of `after` (removed things first within
/// their kind). Values are compared by meaning: 60/min and 60/60s do not differ, nor does a default
/// that is written out. A rule that is gone and one in its tier that says the same are one that was
/// renamed. The classes of a load_shedder that is added or removed are told with it. Empty: the two
/// say the same. Pure; safe from any thread.
std::vector<Difference> diff(const Policy& before, const Policy& after);

} // namespace policies

#pragma once
#include "policies/policy.h"

#include <string>
#include <vector>

/// A policy as a list of things that can be added, removed, moved and changed field by field.
namespace policies::diffing {

/// A field and its value as people read it; empty: not given. Facts of one field that have a
/// meaning are the same if their meanings are, however they are written.
struct Fact {
    std::string field;
    std::string value;
    std::string meaning {};
    bool isPlain = false; ///< what holds anyway: not said of what is added or removed

    [[nodiscard]] bool isSame(const Fact& other) const
    {
        return value == other.value || (!meaning.empty() && meaning == other.meaning);
    }
};

/// In the order in which people read them.
using Facts = std::vector<Fact>;

struct Thing {
    std::string what;
    std::string name;
    std::string partName;
    std::string tier; ///< of a rule
    const Tighten* tighten = nullptr; ///< of a rule
    std::string group; ///< things of one group stand in an order that matters
    Facts facts;
    std::string summary; ///< for "added" and "removed"; of a rule with its classes
};

/// The policy itself, its exemptions, attributes and rules, each rule followed by its overrides and
/// classes. Borrows the policy.
std::vector<Thing> thingsOf(const Policy& policy);

/// "rule search", "override acme of rule pro-plan".
std::string titleOf(const Thing& thing);

} // namespace policies::diffing

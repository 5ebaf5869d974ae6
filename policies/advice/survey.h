#pragma once
#include "policies/advice.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace policies::advice {

/// One set of numbers that is judged: a rule, or one of its overrides. What is off is left out.
struct Part {
    const Override* override = nullptr; ///< nullptr: the rule, or the rest of it
    engine::Limit limit;
    engine::Mode mode = engine::Mode::Enforce;
    engine::Cost cost;
    const Field<engine::Rate>* rate = nullptr; ///< as it stands, of the override or else the rule

    [[nodiscard]] bool isEnforced() const { return mode == engine::Mode::Enforce; }

    /// The most cost that it can ever hold; of an adaptive limit what it can learn at most.
    [[nodiscard]] std::int64_t most() const;

    /// Nothing above a cost of 0 that it judges can ever pass.
    [[nodiscard]] bool deniesAll() const;

    /// Judges whatever matches and has the key: not so what holds slots and needs a duration.
    [[nodiscard]] bool judgesAll() const;

    [[nodiscard]] bool hasFixedCost() const { return cost.attribute.empty(); }
};

struct SurveyedRule {
    const Rule* rule = nullptr;
    std::size_t place = 0; ///< in policy order
    engine::Match match;
    std::vector<Part> parts; ///< overrides in order, then the rest; none: the rule is off

    [[nodiscard]] bool isOff() const { return parts.empty(); }

    /// Any part of it rejects.
    [[nodiscard]] bool isEnforced() const;

    /// The one part of a rule without overrides, if it is enforced.
    [[nodiscard]] const Part* alone() const;

    [[nodiscard]] engine::StoreFailure onStoreFailure() const;

    /// An override that has the numbers of the rest, about which they are said already.
    [[nodiscard]] bool isRepeated(const Part& part) const;

    [[nodiscard]] std::string named() const; ///< "rule `search`"
    [[nodiscard]] std::string named(const Part& part) const; ///< "override `acme` of rule `pro`"
};

/// What the policy knows about an attribute.
struct Origin {
    const Attribute* derived = nullptr; ///< nullptr: the log's own
    std::string root; ///< the field of the log that it comes from in the end
    std::vector<std::string> chain; ///< itself, then what it is derived from, down to the root
    bool isAlwaysThere = false; ///< every request has it
    bool isAfterResponse = false; ///< status, bytes, duration, or derived from them
    bool isOneToOne = true; ///< as many values as the root has (no lookup, no prefix)
};

/// A policy laid out for those who give advice: made once, read by all. Borrows the policy.
class Survey {
public:
    explicit Survey(const Policy& policy);

    const Policy& policy;
    std::vector<SurveyedRule> rules; ///< in policy order, those that are off too

    [[nodiscard]] const Origin& origin(std::string_view attribute) const;

    /// Missing wherever `other` is missing.
    [[nodiscard]] bool needs(std::string_view attribute, std::string_view other) const;

private:
    void addRule(const Rule& rule);
    [[nodiscard]] Origin originOf(const Attribute& attribute) const;

    mutable std::unordered_map<std::string, Origin> m_origins;
};

/// By attribute derived with a lookup: every value that it can have. Views into the plan.
using LookupValues = std::map<std::string, std::set<std::string_view>, std::less<>>;
LookupValues lookupValues(const engine::Plan* plan); ///< nullptr: none

bool isOnly(const engine::Matcher& entry, engine::TestKind kind); ///< no `not`, all of the kind

} // namespace policies::advice

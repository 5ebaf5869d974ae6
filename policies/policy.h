#pragma once
#include "engine/plan.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The document model of a policy: what a text says, value by value, and where it says so.
/// Made by read() and adjust(); plain values, safe to share between threads once made.
namespace policies {

/// Bytes of a text: [begin, end), and the 1-based line and column (in bytes) of begin.
/// `source` 0 is the policy's own text; k is the k-th adjustment (Policy::adjustments[k - 1]).
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::int64_t line = 0;
    std::int64_t column = 0;
    std::uint32_t source = 0;
};

/// One `key: value`: `rate: 60/min` is {value {60, 60 s}, key the bytes of "rate", at those of
/// "60/min"}. `quoted` says that the value stands in quotes.
template <class T> struct Field {
    T value {};
    Span key;
    Span at;
    bool quoted = false;
};

template <class T> using Given = std::optional<Field<T>>;

/// A text where it stands. `absent` without quotes means that an attribute is missing.
struct Word {
    std::string text;
    bool quoted = false;
    Span at;
};

/// `burst: 60` is {60, false}; `burst: 5x` is {5, true}: five times the rate per second.
struct Burst {
    std::int64_t number = 1;
    bool timesRate = false;
};

/// One entry of `match`, with what each of its values means: tests[i] belongs to values[i].
struct MatchEntry {
    Word attribute;
    bool negated = false;
    std::vector<Word> values;
    std::vector<engine::Test> tests;
    Span at;
};

struct MatchList {
    std::vector<MatchEntry> entries; ///< none: matches everything
    Span key;
    Span at;
};

/// `{ rule: shed, above: 80%, factor: 2 }`.
struct Tighten {
    Field<std::string> rule;
    Field<int> above; ///< per cent
    Field<std::int64_t> factor;
};

/// One entry of `classes`: `{ name: batch, match: { path: /export }, up_to: 50% }`.
struct ShedClass {
    Field<std::string> name;
    MatchList match;
    Field<int> upTo; ///< per cent
    Span at; ///< the whole item
};

/// The values that an override may put in place of its rule's (small print C21, C26).
struct Values {
    Given<engine::Rate> rate;
    Given<Burst> burst;
    Given<std::int64_t> toleranceNs;
    Given<std::int64_t> queue;
    Given<std::int64_t> delayAfter;
    Given<std::int64_t> inFlight;
    Given<std::int64_t> capacity;
    Given<engine::Cost> cost;
    Given<engine::Mode> mode;
};

struct Override {
    Field<std::string> name;
    MatchList match;
    Values values;
    Given<std::string> note;
    Span at; ///< the whole item
};

struct Rule {
    Field<std::string> name;
    engine::Tier tier = engine::Tier::Edge;
    std::optional<MatchList> match;
    Field<std::vector<Word>> key;
    Field<engine::Algorithm> algorithm;
    Values values;
    Given<bool> alignToFirstRequest;
    Given<std::int64_t> anchorNs;
    Given<bool> floorEstimate;
    Given<bool> countRejected;
    Given<std::int64_t> assumeDurationNs;
    Given<engine::Strategy> strategy;
    Given<std::int64_t> initial;
    Given<std::int64_t> minimum;
    Given<std::int64_t> maximum;
    Given<std::vector<ShedClass>> classes; ///< the first is the last to be shed
    Given<Tighten> tighten;
    std::vector<Override> overrides;
    Given<engine::StoreFailure> onStoreFailure;
    Given<int> status;
    Given<std::vector<Word>> allow;
    Given<std::string> note;
    Span at; ///< the whole item
};

/// The rule's classes; none where it has none.
inline const std::vector<ShedClass>& classesOf(const Rule& rule)
{
    static const std::vector<ShedClass> kNone;
    return rule.classes ? rule.classes->value : kNone;
}

/// `tenant: { from: host, pattern: "{tenant}.api.example.com" }`.
struct Attribute {
    Word name;
    Field<std::string> from;
    engine::DerivationKind kind = engine::DerivationKind::Copy;
    Given<std::string> pattern;
    Given<std::string> take; ///< as written
    std::string takes; ///< Pattern: the capture that is taken, written or not
    Given<int> ipv4Bits;
    Given<int> ipv6Bits;
    Given<std::string> lookup; ///< name of the CSV file
    Given<std::string> fallback;
    Given<std::string> param;
    Span at;
};

struct Exempt {
    Field<std::string> name;
    MatchList match;
    Given<std::string> note;
    Given<std::vector<Word>> allow;
    Span at;
};

namespace yaml {
struct Document;
}

/// A policy without errors.
///
/// `text` is the source, byte for byte: every Span with source 0 points into it. An adjusted policy
/// keeps the text that it was made from; `adjustments` names what was changed since.
struct Policy {
    std::string file; ///< as given to read(), for messages
    std::string text;
    std::vector<std::string> adjustments; ///< "--set search.rate=20/min"
    Field<std::string> name;
    Given<std::string> description;
    Given<engine::Counting> counting;
    std::vector<Exempt> exempt;
    std::vector<Attribute> attributes; ///< in the order in which they are derived
    std::array<std::vector<Rule>, engine::kTierCount> tiers;
    std::shared_ptr<const yaml::Document> document; ///< the tree with its comments; for this folder

    [[nodiscard]] const Rule* rule(std::string_view ruleName) const;
};

} // namespace policies

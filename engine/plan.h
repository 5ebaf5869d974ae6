#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// The compiled policy: plain data that the engine decides by. Made by policies (or by hand in a
/// test), never changed afterwards, so that any number of threads may read one.
///
/// Definition of every field: the specification's semantics, sections 3 to 14.
namespace engine {

/// The four tiers in the order in which a request passes them.
enum class Tier : std::uint8_t { Edge, Gateway, Endpoint, Tenant };
inline constexpr std::size_t kTierCount = 4;

enum class Algorithm : std::uint8_t {
    FixedWindow,
    SlidingWindowLog,
    SlidingWindowCounter,
    TokenBucket,
    LeakyBucket,
    Gcra,
    Concurrency,
    AdaptiveConcurrency,
    LoadShedder,
};

/// Does an admitted request hold slots for its duration?
constexpr bool holdsSlots(Algorithm algorithm)
{
    return algorithm == Algorithm::Concurrency || algorithm == Algorithm::AdaptiveConcurrency
        || algorithm == Algorithm::LoadShedder;
}

/// How adaptive_concurrency learns its limit (Vegas, Gradient2, Aimd), and what load_shedder goes
/// by (Fleet: a class's share of the capacity; Utilisation: how long the capacity has been used).
enum class Strategy : std::uint8_t { Vegas, Gradient2, Aimd, Fleet, Utilisation };

enum class Mode : std::uint8_t { Enforce, Shadow, Off };

enum class Counting : std::uint8_t { PerTier, AllOrNothing };

/// What a rule does while the store of its counts is away.
enum class StoreFailure : std::uint8_t { Open, Closed, Local };

/// `count` requests per `periodNs`: 7/3s is {7, 3000000000}. A count of 0 denies every cost above
/// 0.
struct Rate {
    std::int64_t count = 0;
    std::int64_t periodNs = 1;
};

/// The numbers of one rule. Fields that the algorithm does not have keep their defaults.
///
/// Ranges (checked by whoever makes a plan; see checkLimit): rate.count >= 0, periodNs >= 1, burst
/// >= 1, queue and inFlight >= 0; for the buckets the time that the whole capacity takes to refill
/// (burst * T, (queue + 1) * T, tolerance) is at most 2^62 ns.
struct Limit {
    Algorithm algorithm = Algorithm::FixedWindow;
    Rate rate;
    std::int64_t burst = 1; ///< token_bucket; gcra where toleranceNs is not given
    std::optional<std::int64_t> toleranceNs; ///< gcra
    std::int64_t queue = 0; ///< leaky_bucket
    std::int64_t delayAfter = 0; ///< leaky_bucket: so many requests wait not at all
    bool alignToFirstRequest = false; ///< fixed_window
    std::int64_t anchorNs = 0; ///< windows: 0 <= anchorNs < periodNs
    bool floorEstimate = false; ///< sliding_window_counter, `rounding: floor`
    bool countRejected = false; ///< window algorithms
    std::int64_t inFlight = 0; ///< concurrency; load_shedder: its capacity
    std::optional<std::int64_t> assumeDurationNs; ///< those that hold slots
    Strategy strategy = Strategy::Vegas; ///< adaptive_concurrency, load_shedder
    std::int64_t initial = 20; ///< adaptive_concurrency: 1 <= minimum <= initial <= maximum
    std::int64_t minimum = 1;
    std::int64_t maximum = 1000;
    int upTo = 100; ///< load_shedder, Fleet: per cent of the capacity that the class may fill
    /// load_shedder, Utilisation: so many classes are shed before this one; nothing: it never is.
    std::optional<int> shedAfter;
};

/// Slots that a class of a load_shedder may fill together with all others:
/// floor(capacity * up_to / 100). Example: 80 % of 12 are 9.
std::int64_t slotsOf(const Limit& limit);

/// Why a limit cannot be counted exactly; nullptr if it can.
/// Example: burst 10^9 at 1/day would take 2.7 million years to refill: "burst * period / rate is
/// above 2^62 ns".
const char* checkLimit(const Limit& limit);

/// The most that can be admitted at one instant from rest: N, B, Q + 1, floor((tau + T) / T),
/// in_flight, initial, a class's slots.
std::int64_t capacityOf(const Limit& limit);

/// A whole number, or the value of an attribute in units of `per`, rounded up, at least 1.
struct Cost {
    std::int64_t fixed = 1;
    std::string attribute; ///< empty: `fixed` holds
    std::int64_t per = 1;
};

/// One alternative of a match entry.
enum class TestKind : std::uint8_t {
    Absent, ///< the attribute is missing
    Equals, ///< text, byte for byte, after normalisation
    Glob, ///< `*` any run, `?` one code point
    Path, ///< a path pattern (small print C2)
    Network, ///< an address block: text is `192.0.2.0/24`
    Range, ///< low <= number <= high
};

struct Test {
    TestKind kind = TestKind::Equals;
    std::string text;
    std::int64_t low = 0; ///< Range: included
    std::int64_t high = 0; ///< Range: included
};

/// One entry of `match`: the attribute has one of the values; or, negated, it is there and has
/// none. A negated test for Absent means that the attribute is there (small print C20, C28).
struct Matcher {
    std::string attribute;
    bool negated = false;
    std::vector<Test> anyOf;
};

using Match = std::vector<Matcher>; ///< all must hold; none matches everything

/// Rows of a lookup file by normalised key.
using LookupTable = std::unordered_map<std::string, std::string>;

enum class DerivationKind : std::uint8_t { Copy, Pattern, Prefix, Lookup, Param };

/// An attribute that the policy computes from another one.
struct Derivation {
    std::string name;
    std::string from;
    DerivationKind kind = DerivationKind::Copy;
    std::string pattern; ///< Pattern: by segment for path, by label for host, else literal text
                         ///< around one {name}
    std::string take; ///< Pattern: the capture whose value is taken; never empty for Pattern
    int ipv4Bits = 32; ///< Prefix
    int ipv6Bits = 128; ///< Prefix
    std::shared_ptr<const LookupTable> table; ///< Lookup
    std::optional<std::string> fallback; ///< Lookup: for keys that are not in the table
    std::string param; ///< Param: name of the query parameter
};

/// While another rule is nearly full, a request counts for more: factor times its cost while the
/// other's in flight is at least `above` per cent of its limit.
struct Tighten {
    std::uint32_t rule = 0; ///< in Plan::rules: holds slots, with an empty key
    int above = 100; ///< per cent
    std::int64_t factor = 2;
};

struct Exemption {
    std::string name;
    Match match;
};

/// A rule, or one override of a rule, or the rest of a rule that has overrides: each is judged by
/// itself and has its own state; and of a load_shedder each class, and the rest that is in none:
/// these share one state. Its index in Plan::rules is how everything else names it.
struct PlanRule {
    std::string rule; ///< the rule's name in the policy
    std::optional<std::string> overrideName; ///< set for an override
    std::optional<std::string> className; ///< set for a class of a load_shedder
    /// How many rules before this one the rule stands whose state it shares; 0: it has its own.
    std::uint32_t stateBefore = 0;
    Tier tier = Tier::Edge;
    Mode mode = Mode::Enforce;
    Match match; ///< the rule's own entries
    Match overrideMatch; ///< for an override: its entries as well
    Match classMatch; ///< for a class: its entries as well
    std::vector<Match> unless; ///< earlier overrides and classes: none of these may hold
    std::vector<std::string> key; ///< attribute names; empty: one bucket
    Limit limit;
    Cost cost;
    std::optional<Tighten> tighten;
    int status = 429;
    StoreFailure onStoreFailure = StoreFailure::Open;
};

/// A whole policy, ready to decide. Rules stand in policy order: by tier, then as written, a rule's
/// overrides in their order before its rest; rules that are off are left out.
struct Plan {
    std::string name;
    Counting counting = Counting::PerTier;
    std::vector<Derivation> attributes;
    std::vector<Exemption> exempt;
    std::vector<PlanRule> rules;
};

std::string_view nameOf(Tier tier); ///< "edge"
std::string_view nameOf(Algorithm algorithm); ///< "sliding_window_counter"
std::string_view nameOf(Mode mode); ///< "enforce"
std::string_view nameOf(Strategy strategy); ///< "gradient2"
std::optional<Tier> tierNamed(std::string_view name);
std::optional<Algorithm> algorithmNamed(std::string_view name);
std::optional<Mode> modeNamed(std::string_view name);
std::optional<Strategy> strategyNamed(std::string_view name);

} // namespace engine

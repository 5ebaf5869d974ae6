#pragma once
#include "engine/arrival.h"
#include "engine/attributes/attribute_tests.h"
#include "engine/attributes/normal_form.h"
#include "engine/attributes/segment_pattern.h"
#include "engine/attributes/text_hash.h"
#include "engine/intake.h"
#include "engine/plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// What an intake works by: the attributes of all plans and options, each definition once.
namespace engine::intake {

/// Where the value of a slot comes from.
enum class SlotKind : std::uint8_t {
    Field, ///< the log
    Duration, ///< Request::durationNs
    Copy,
    Capture, ///< a segment of the source, cut by a pattern
    Around, ///< what stands between two literal texts
    Prefix,
    Lookup,
    Param
};

/// A segment that the pattern of a derived attribute takes.
struct Capture {
    attributes::SegmentPattern pattern;
    char separator = '/';
    std::size_t name = 0;
};

/// How one plan names groups of paths: by the first of these that matches.
struct Grouping {
    struct Named {
        std::string text;
        std::uint64_t hash = 0;
        std::optional<attributes::SegmentPattern> pattern; ///< nothing: the text itself
    };

    std::uint32_t slot = 0; ///< of the path
    std::vector<Named> patterns;
};

using LookupIndex
    = std::unordered_map<std::string_view, std::string_view, attributes::TextHash, std::equal_to<>>;

/// One attribute by one definition, whatever it is called and by how many plans.
///
/// What is found out about a value ("facts") is a row of 64-bit words: the bits of its tests, two
/// words for each grouping (which pattern or how long a prefix; hash), one for each capture
/// (offset and length).
struct Slot {
    SlotKind kind = SlotKind::Field;
    attributes::NormalForm form = attributes::NormalForm::AsIs;
    std::uint32_t source = 0; ///< index of the field, or of a slot before this one
    std::uint32_t resolved = kNoId; ///< field that has the value already, where it has one
    std::uint32_t capture = 0; ///< Capture: index among the source's captures
    std::string before; ///< Around
    std::string after;
    std::string param; ///< Param
    int ipv4Bits = 32; ///< Prefix
    int ipv6Bits = 128;
    std::shared_ptr<const LookupTable> rows; ///< Lookup: keeps the texts of `table` alive
    std::shared_ptr<const LookupIndex> table;
    std::optional<std::string> fallback;

    attributes::AttributeTests tests;
    std::vector<std::uint32_t> groupings;
    std::vector<Capture> captures;
    bool needsText = false; ///< Duration: somebody wants the digits
    std::uint32_t presence = kNoId; ///< bit that says whether there is a value, in the last words
    std::size_t firstWord = 0; ///< of the tests' bits, among the words of a request

    [[nodiscard]] std::size_t groupingAt(std::size_t i) const { return tests.wordCount() + 2 * i; }

    [[nodiscard]] std::size_t captureAt(std::size_t i) const
    {
        return groupingAt(groupings.size()) + i;
    }

    [[nodiscard]] std::size_t factWords() const { return captureAt(captures.size()); }

    [[nodiscard]] bool worthCaching() const
    {
        return !groupings.empty() || !captures.empty() || tests.costlyTests() > 0;
    }
};

/// One bit of a request's words: an entry of a match.
struct BitRef {
    std::uint32_t slot = 0;
    std::uint32_t entry = 0;
};

using BitMatch = std::vector<BitRef>; ///< all must be set

struct SchemaRule {
    bool off = false;
    BitMatch match; ///< the rule's and the override's
    std::vector<BitMatch> unless;
    std::vector<std::uint32_t> key; ///< slots
    bool needsDuration = false;
    std::size_t tuple = 0;
    std::size_t cost = Intake::kFixedCost;
};

struct SchemaPlan {
    std::vector<BitMatch> exempt;
    std::vector<SchemaRule> rules;
    std::vector<std::size_t> facets; ///< tuples
    std::size_t grouping = 0;
};

struct SchemaCost {
    std::uint32_t slot = 0;
    std::int64_t per = 1;
};

/// The words of a request are the bits of all tests, slot by slot, and then the presence bits: all
/// that which rules apply depends on.
struct Schema {
    std::vector<std::string> fields;
    std::vector<std::uint32_t> fieldSlots;
    std::vector<Slot> slots;
    std::vector<std::vector<std::uint32_t>> tuples; ///< slots of each key tuple
    std::vector<bool> facetTuples; ///< that every request needs
    std::vector<SchemaCost> costs;
    std::vector<Grouping> groupings;
    std::vector<SchemaPlan> plans;
    std::vector<std::uint32_t> who; ///< slots of the candidates
    BitMatch where;
    BitMatch mark;
    bool markAsked = false;
    std::vector<BitMatch> recordedRejections; ///< any of them
    std::vector<std::uint32_t> recordedBy; ///< slots of which one that is there is enough to know
    bool dropRecorded = false;
    std::vector<std::uint32_t> recordedNeeds; ///< slots that must be there to know
    bool recordedAsked = false;
    std::uint32_t durationSlot = kNoId;
    std::size_t presenceWord = 0;
    std::size_t wordCount = 0;

    [[nodiscard]] bool holds(const std::uint64_t* words, const BitMatch& match) const;
    [[nodiscard]] bool isPresent(const std::uint64_t* words, std::uint32_t slot) const;
};

Schema makeSchema(const std::vector<const Plan*>& plans, const IntakeOptions& options);

} // namespace engine::intake

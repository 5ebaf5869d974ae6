#pragma once
#include "storage/logs/json_keys.h"
#include "storage/logs/stamps.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace storage::logs {

/// A value of a JSON object as it stands in the line.
struct JsonValue {
    enum class Kind : std::uint8_t {
        Missing, ///< not there, or null
        Text, ///< inside of the quotes, escapes as written
        Whole,
        Fraction, ///< a number with a point
        Exponent, ///< a number with an exponent
        Word, ///< true, false
        List, ///< with its brackets
        Object ///< it is there, `text` is empty
    };

    std::string_view text;
    Kind kind = Kind::Missing;
    bool hasEscapes = false;
};

/// Which slots may have a value: no slot beside these has one.
struct JsonPresence {
    static constexpr std::uint32_t kExact = 256; ///< beyond it `beyond` is all that is said
    std::array<std::uint64_t, kExact / 64> bits {};
    bool beyond = false;

    void add(std::uint32_t slot)
    {
        if (slot < kExact) {
            bits[slot / 64] |= std::uint64_t {1} << slot % 64;
        } else {
            beyond = true;
        }
    }

    [[nodiscard]] bool has(std::uint32_t slot) const
    {
        return slot < kExact ? (bits[slot / 64] >> slot % 64 & 1) != 0 : beyond;
    }

    [[nodiscard]] bool meets(const JsonPresence& other) const
    {
        bool any = beyond && other.beyond;
        for (std::size_t i = 0; i < bits.size(); ++i) {
            any = any || (bits[i] & other.bits[i]) != 0;
        }
        return any;
    }
};

/// The shape of the line before: everything in it but its values. Lines of one log mostly share
/// it, so that each bit between two values costs one compare, and no key is looked up.
struct JsonMemory {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::size_t kMostSteps = 160;
    static constexpr std::size_t kGlueBytes = 6144;
    static constexpr std::size_t kGluePadding = 16;

    /// A value, and the bytes before it back to the value before: `,"status":`.
    struct Step {
        std::uint32_t glue = 0; ///< where it begins
        std::uint32_t glueSize = 0;
        std::uint32_t slot = JsonKeys::kNoSlot;
        bool isText = false; ///< the glue has its opening quote
        const JsonKeys::Entry* entry = nullptr;
        std::uint32_t frame = 0; ///< the object that it is in
        std::uint32_t frameCount = 0; ///< objects opened so far
    };

    /// An open object of the line.
    struct Frame {
        const JsonKeys* keys = nullptr;
        std::uint32_t parent = kNone;
        std::uint32_t depth = 1;
    };

    /// A slot that a step wrote.
    struct Written {
        std::uint32_t slot = 0;
        std::uint32_t step = 0;
    };

    /// A key of the outermost object, in the glue; for finding the same key twice.
    struct Key {
        std::uint32_t glue = 0;
        std::uint32_t size = 0;
        std::uint32_t step = 0;
    };

    /// Which of an attribute's slots is the first that this shape has.
    struct First {
        std::uint64_t shape = 0;
        std::uint32_t index = 0;
        std::uint32_t slot = JsonKeys::kNoSlot; ///< that one; none: it has none of them
    };

    std::uint64_t owner = 0; ///< JsonKeys::id()
    std::uint64_t shape = 0; ///< another number for another shape
    bool isWhole = false; ///< the steps and the tail are all of a line
    std::vector<Step> entries;
    std::vector<Frame> frames;
    std::vector<Written> written;
    std::vector<Key> keys;
    std::vector<First> firsts; ///< by JsonSlots::id
    std::vector<std::uint32_t> slots; ///< for a moment
    std::uint32_t glueSize = 0; ///< up to the last step
    std::uint32_t tailSize = 0; ///< behind it, what follows the last value
    std::array<char, kGlueBytes + kGluePadding> glue {};

    /// The last stamp that was read. Its bytes mean it where their kind is the same.
    static constexpr std::size_t kLongestStamp = 40;
    std::array<char, kLongestStamp + kGluePadding> stampText {};
    std::size_t stampSize = 0;
    JsonValue::Kind stampKind = JsonValue::Kind::Missing;
    bool stampHasEscapes = false;
    Stamp stamp;
};

} // namespace storage::logs

#pragma once
#include "engine/intake/schema.h"

#include <cstdint>
#include <vector>

namespace engine::intake {

/// A field of the log (or the duration) with all that is derived from it: what one text says of
/// its slots, every equal text says too, so that a batch looks at each distinct text once.
struct Family {
    enum class Kind : std::uint8_t {
        Idle, ///< nobody asks; only counted
        Presence, ///< only whether there is a text matters
        Text, ///< the text decides
        Request ///< each request by itself: the duration, and values that the log has resolved
    };

    /// A tuple of one network (SlotKind::Prefix) of `who` that nobody asks for anything but its id.
    /// Its text is made once for each who, by intern(), and not once for each batch.
    struct Following {
        std::size_t tuple = 0;
        std::uint32_t slot = 0; ///< not among `slots`
    };

    /// Words of a request that are this family's own.
    struct Span {
        std::size_t first = 0;
        std::size_t count = 0;
    };

    Kind kind = Kind::Idle;
    std::uint32_t field = kNoId; ///< kNoId: the duration
    std::vector<std::uint32_t> slots; ///< ascending, the field's own first
    std::vector<Span> spans;
    std::size_t wordCount = 0; ///< of the spans, and of presence behind them
    std::vector<std::size_t> tuples; ///< whose slots are all in here
    std::vector<Following> followers; ///< the family is of `who`
    std::vector<std::size_t> shared; ///< index among the slots that tuples across families need
    std::vector<std::size_t> groupings;
    std::vector<std::size_t> costs;
};

/// All families of a schema, and what tuples need of them.
struct Families {
    /// For the tuples of the schema, and one more if extraTuple has any slots.
    Families(const Schema& schema, std::uint32_t who, std::vector<std::uint32_t> extraTuple);

    struct Shared {
        std::uint32_t slot = 0;
        std::size_t family = 0;
    };

    /// The slots of a tuple.
    [[nodiscard]] const std::vector<std::uint32_t>& slotsOf(const Schema& schema,
                                                            std::size_t tuple) const
    {
        return tuple < schema.tuples.size() ? schema.tuples[tuple] : extra;
    }

    std::vector<Family> all;
    std::vector<std::uint32_t> extra; ///< slots of the tuple that the schema does not have
    std::vector<Shared> shared; ///< slots of tuples across families
    std::vector<std::vector<std::size_t>> across; ///< by tuple: indexes in shared, if it is one

private:
    void letFollow(const Schema& schema, Family& family, std::uint32_t who);
};

} // namespace engine::intake

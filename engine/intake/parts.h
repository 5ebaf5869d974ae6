#pragma once
#include "engine/attributes/interner.h"
#include "engine/intake.h"
#include "engine/intake/families.h"
#include "engine/intake/prepared.h"
#include "engine/intake/profiles.h"
#include "engine/intake/schema.h"
#include "engine/intake/workspace.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// What an intake is made of. Its serial stage is in interning.cpp.
class Intake::Parts {
public:
    Parts(std::vector<const Plan*> givenPlans, const IntakeOptions& options)
        : plans(std::move(givenPlans))
        , whoNames(options.who)
        , schema(intake::makeSchema(plans, options))
        , pool(schema)
        , profiles(schema, plans)
        , keys(schema.tuples.size() + 1)
        , groups(schema.groupings.size())
        , filled(schema.fields.size())
        , costMissing(plans.size())
        , networkIds(schema.tuples.size())
    {
        layout.planCount = plans.size();
        layout.tupleCount = schema.tuples.size();
        layout.costCount = schema.costs.size();
        stride = (layout.size() + 7) / 8 * 8;
        for (std::size_t tuple = 0; tuple < schema.tuples.size(); ++tuple) {
            if (schema.tuples[tuple].empty()) {
                keys[tuple].intern(0, ""); // one bucket for all
            }
        }
        selectWho(0);
    }

    void selectWho(std::size_t candidate)
    {
        chosenWho = candidate;
        whoSlots = {schema.who[candidate]};
        const auto shared = std::find(schema.tuples.begin(), schema.tuples.end(), whoSlots);
        whoTuple = static_cast<std::size_t>(shared - schema.tuples.begin());
        const bool isExtra = whoTuple == schema.tuples.size();
        families.emplace(schema, whoSlots.front(),
                         isExtra ? whoSlots : std::vector<std::uint32_t> {});
    }

    /// Tuples that are prepared and interned: those of the layout, and `who` where it is none of
    /// them.
    [[nodiscard]] std::size_t tupleCount() const
    {
        return std::max(schema.tuples.size(), whoTuple + 1);
    }

    [[nodiscard]] const std::vector<std::uint32_t>& tupleSlots(std::size_t tuple) const
    {
        return tuple < schema.tuples.size() ? schema.tuples[tuple] : whoSlots;
    }

    /// Where the ids of a tuple or grouping are found for a request of the batch at hand.
    struct IdColumn {
        const std::uint32_t* which = nullptr; ///< by request; nullptr: one bucket for all
        const std::uint32_t* ids = nullptr; ///< by distinct key
        const std::uint8_t* needed = nullptr; ///< by row of the batch; of tuples only
    };

    Interned intern(const Prepared& prepared);
    void findRows(const Prepared& prepared);
    void findIdColumns(const Prepared& prepared);
    void internTuple(const Prepared& prepared, std::size_t tuple);
    void internFollowing(const Prepared& prepared, const intake::Family::Following& following);
    void internGroups(const Prepared& prepared, std::size_t grouping);
    void choose(const Prepared& prepared);
    void emitHeads(const Prepared& prepared);
    void emitIds(const Prepared& prepared, const IdColumn& column, std::size_t at);
    void emitProfiles(const Prepared& prepared, std::size_t plan);
    void emitCosts(const Prepared& prepared, std::size_t cost);
    void countMissing(const Prepared& prepared, std::size_t cost, std::uint32_t request);

    [[nodiscard]] Arrival& arrival(std::size_t i)
    {
        return *reinterpret_cast<Arrival*>(reinterpret_cast<std::byte*>(arrivals.data())
                                           + i * stride);
    }

    std::vector<const Plan*> plans;
    std::vector<std::string> whoNames;
    intake::Schema schema;
    ArrivalLayout layout;
    std::size_t stride = 0; ///< bytes from one arrival to the next
    std::optional<intake::Families> families;
    mutable intake::WorkspacePool pool;
    intake::Profiles profiles;
    std::deque<attributes::Interner> keys; ///< by tuple; the last one for a `who` that no tuple is
    std::deque<attributes::Interner> groups; ///< by grouping
    std::size_t chosenWho = 0;
    std::vector<std::uint32_t> whoSlots;
    std::size_t whoTuple = 0;
    std::uint64_t requests = 0;
    std::uint64_t leftOut = 0;
    std::uint64_t dropped = 0;
    std::vector<std::uint64_t> filled;
    std::vector<std::vector<std::uint64_t>> costMissing; ///< by plan: profile * costs + cost

    std::vector<std::vector<std::uint32_t>> networkIds; ///< by tuple that follows `who`: by its id

    // Scratch of intern().
    std::vector<std::uint32_t> rows; ///< by row of the batch: row of the profiles
    std::vector<std::uint8_t> needed; ///< by tuple, then row of the batch
    std::vector<std::vector<std::uint32_t>> ids; ///< by tuple, then grouping: of each distinct key
    std::vector<IdColumn> idColumns; ///< by tuple, then grouping
    std::vector<attributes::Interner::HashedKey> asked; ///< keys of a tuple that need an id
    std::vector<std::uint32_t> askedAt; ///< which distinct key of the batch each of them is
    std::vector<std::uint32_t> answers;
    attributes::TextArena networks; ///< one text
    std::vector<std::uint32_t> taken; ///< requests of the batch that are let through
    std::vector<std::uint64_t> arrivals; ///< of them
    std::vector<std::uint32_t> profileOf; ///< by row of the batch
};

} // namespace engine

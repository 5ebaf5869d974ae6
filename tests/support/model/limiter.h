#pragma once
#include "engine/algorithms/figures.h"
#include "engine/plan.h"
#include "tests/support/model/wide.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace tests::model {

/// The least whole d >= 0 for which `holds` is true, found by halving; nothing if it is false even
/// after 2^65 ns. `holds` must stay true once it is.
std::optional<Wide> leastWait(const std::function<bool(const Wide& wait)>& holds);

struct Shedder; ///< what the classes of a load_shedder have in common

/// What is in flight, and the limit for it.
struct Fill {
    Wide inFlight;
    Wide limit;
};

/// One rule's state for one key, written as the specification defines it and not as one would
/// compute it: nothing is forgotten, nothing is solved, waits are searched for.
///
/// Questions about a later time answer what would be if no other request came until then.
/// Order of calls for one request at t: judge(t), then admits(t, cost), delay(t), then perhaps
/// count(...), then figures(...).
class Limiter {
public:
    static std::unique_ptr<Limiter> make(const engine::Limit& limit);
    /// The same for the classes of one load_shedder: `shared` is theirs together, made by the
    /// first. `classes`: how many of them can be shed.
    static std::unique_ptr<Limiter> makeClass(const engine::Limit& limit, int classes,
                                              std::shared_ptr<Shedder>& shared);

    Limiter() = default;
    Limiter(const Limiter&) = delete;
    Limiter& operator=(const Limiter&) = delete;
    virtual ~Limiter() = default;

    /// `draw`, of 2^53: what utilisation sheds by.
    virtual void judge(const Wide& /*t*/, std::uint64_t /*draw*/ = 0) { }

    /// Of those that hold slots: how full it will be, changing nothing.
    [[nodiscard]] virtual Fill look(const Wide& /*t*/) const { return {0, 1}; }

    [[nodiscard]] virtual bool admits(const Wide& t, const Wide& cost) const = 0;
    /// `request` names the entry for giveBack(); `duration` is used where slots are held.
    virtual void count(const Wide& t, const Wide& cost, std::uint64_t request, const Wide& duration)
        = 0;

    /// A slot that has ended before stays what it was.
    virtual void giveBack(const Wide& /*t*/, std::uint64_t /*request*/) { }

    [[nodiscard]] virtual Wide delay(const Wide& /*t*/) const { return 0; }

    /// Does a wait exist after which what is denied now is surely admitted?
    [[nodiscard]] virtual bool waitsHelp() const { return true; }

    /// As it stands now.
    [[nodiscard]] virtual Wide capacity() const = 0;
    [[nodiscard]] virtual Wide remaining(const Wide& t) const = 0;

    /// Right after the decision: a slot that lasts no time is still held (small print A12).
    [[nodiscard]] virtual Wide remainingNow(const Wide& t) const { return remaining(t); }

    /// Nothing is used.
    [[nodiscard]] virtual bool full(const Wide& t) const = 0;

    [[nodiscard]] engine::Figures figures(const Wide& t, const Wide& cost, bool admitted) const;
};

} // namespace tests::model

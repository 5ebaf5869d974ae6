#pragma once
#include "engine/algorithms/figures.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

/// What the holdings of one key are: slots that admitted requests hold for their duration. Three
/// algorithms count by them.
///
/// Example: take(1, 0 s, 5 s) and take(2, 1 s, 5 s): 3 in flight; at 5 s the first has ended.
/// Definition: semantics section 10; small print A12, A27.
class Slots {
public:
    /// Names one holding, for giveBack(). Never 0 twice for different holdings of one key.
    using Ticket = std::uint64_t;

    [[nodiscard]] std::int64_t inFlight() const { return m_inFlight; }

    /// Ends the holdings whose end is at or before nowNs, in order of (end, when they were taken).
    /// `ended(place)` is called for each while it still counts.
    template <class Ended> void releaseUntil(std::int64_t nowNs, Ended ended)
    {
        while (!m_heap.empty() && m_heap.front().endNs <= nowNs) {
            const Name name = m_heap.front().name;
            std::pop_heap(m_heap.begin(), m_heap.end(), endsLater);
            m_heap.pop_back();
            if (holds(name)) {
                ended(name.place);
                endLease(name);
            } else {
                --m_leavings;
            }
        }
    }

    /// Takes `cost` slots (>= 1) from nowNs until nowNs + durationNs (>= 0; the end may lie beyond
    /// 2^63 - 1, where nothing ends them any more). Allocates only if more are held than ever
    /// before.
    Ticket take(std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs);

    /// Ends a holding before its end; one that has ended already is no error. Was it still held?
    bool giveBack(Ticket ticket);

    /// Where releaseUntil() will find the holding; another one may have the place after it.
    static std::uint32_t placeOf(Ticket ticket) { return static_cast<std::uint32_t>(ticket); }

    /// By the known ends, with a limit of so many slots, after releaseUntil(nowNs).
    [[nodiscard]] Figures figures(std::int64_t slots, std::int64_t cost, bool admitted,
                                  std::int64_t nowNs) const;

    /// What it takes on the heap.
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    /// What a ticket names: place among the leases, and how often that place was used before.
    struct Name {
        std::uint32_t place;
        std::uint32_t use;
    };

    struct Holding {
        std::int64_t endNs;
        std::uint64_t order; ///< of being taken
        Name name;
    };

    /// A holding whose end is no time any more: only giving it back ends it.
    struct Endless {
        std::uint64_t beyondNs; ///< how far its end lies beyond 2^63 - 1
        Name name;
    };

    struct Lease {
        std::uint32_t use = 0;
        std::uint32_t nextFree = 0;
        std::int64_t cost = 0; ///< 0: free
    };

    /// Orders a heap so that the first end is at its front.
    static bool endsLater(const Holding& a, const Holding& b)
    {
        return a.endNs != b.endNs ? a.endNs > b.endNs : a.order > b.order;
    }

    [[nodiscard]] bool holds(Name name) const
    {
        return name.place < m_leases.size() && m_leases[name.place].use == name.use
            && m_leases[name.place].cost > 0;
    }

    Name beginLease(std::int64_t cost);
    void endLease(Name name);
    void leave(Name name);
    [[nodiscard]] std::int64_t untilGivenBack(std::int64_t cost, std::int64_t nowNs) const;

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    // A holding that is given back leaves the leases at once and the heap when its end comes, or
    // when more than half of the heap is such leavings.
    std::int64_t m_inFlight = 0;
    std::uint64_t m_taken = 0;
    std::vector<Holding> m_heap;
    std::vector<Lease> m_leases;
    std::uint32_t m_firstFree = kNone;
    std::size_t m_leavings = 0;
    std::vector<Endless> m_endless;
};

} // namespace engine

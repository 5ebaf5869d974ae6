#pragma once
#include <cstddef>
#include <cstdint>

namespace engine {

/// No id: the attribute is missing, or the key tuple incomplete (or no rule that keys on it
/// applies).
inline constexpr std::uint32_t kNoId = 0xFFFFFFFF;

enum ArrivalFlag : std::uint32_t {
    kArrivalLate = 1, ///< came later than the horizon; timeNs is when it is decided
    kArrivalRecordedRejected = 2, ///< production rejected it
    kArrivalRecordedKnown = 4, ///< the log says what production did
    kArrivalMarked = 8, ///< IntakeOptions::mark holds for it
};

/// A request on its way to the replay loop: numbers and ids instead of texts, so that it can wait
/// in order, in memory or in a file, as plain bytes of one fixed size per intake.
///
/// Behind the fixed part stand layout.idCount ids (uint32) and layout.costCount costs (int64).
/// A record starts at an address that is a multiple of 8.
struct Arrival {
    std::int64_t timeNs = 0; ///< arrival, or for a late request the time at which it is decided
    std::int64_t arrivedNs = 0; ///< arrival, also of a late request
    std::int64_t durationNs = 0;
    std::uint64_t n = 0; ///< 1-based number of the request in input order
    std::uint64_t line = 0; ///< 1-based, in its file
    std::uint32_t file = 0;
    std::uint32_t flags = 0;

    [[nodiscard]] const std::uint32_t* ids() const
    {
        return reinterpret_cast<const std::uint32_t*>(this + 1);
    }

    [[nodiscard]] std::uint32_t* ids() { return reinterpret_cast<std::uint32_t*>(this + 1); }
};

/// Where things are behind the fixed part of an Arrival.
///
/// ids: [who][for each plan: profile, path group][key tuples], then the costs, 8-byte aligned.
struct ArrivalLayout {
    std::size_t planCount = 0;
    std::size_t tupleCount = 0;
    std::size_t costCount = 0;

    static constexpr std::size_t kWho = 0;

    [[nodiscard]] std::size_t profileAt(std::size_t plan) const { return 1 + 2 * plan; }

    [[nodiscard]] std::size_t pathGroupAt(std::size_t plan) const { return 2 + 2 * plan; }

    [[nodiscard]] std::size_t tupleAt(std::size_t tuple) const { return 1 + 2 * planCount + tuple; }

    [[nodiscard]] std::size_t idCount() const { return 1 + 2 * planCount + tupleCount; }

    [[nodiscard]] std::size_t costsOffset() const
    {
        return sizeof(Arrival) + (idCount() * sizeof(std::uint32_t) + 7) / 8 * 8;
    }

    [[nodiscard]] std::size_t size() const
    {
        return costsOffset() + costCount * sizeof(std::int64_t);
    }

    [[nodiscard]] std::int64_t cost(const Arrival& arrival, std::size_t index) const
    {
        const auto* bytes = reinterpret_cast<const std::byte*>(&arrival) + costsOffset();
        return reinterpret_cast<const std::int64_t*>(bytes)[index];
    }
};

} // namespace engine

#pragma once
#include <cstddef>
#include <cstdint>

/// What goes up and down during a replay beside the counts of the timeline, second by second.
namespace engine {

/// What a rule that learns had as its limit in one second in which it was asked: over all of its
/// keys, and all servers. Of a load_shedder that goes by utilisation: how many classes were shed,
/// in thousandths.
struct LimitSecond {
    std::uint32_t rule = 0; ///< index in Plan::rules
    std::int64_t second = 0; ///< floor(time of judging / 1 s)
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    std::int64_t last = 0;
};

/// Attempts of clients that come again, in one second that had some.
struct AttemptSecond {
    std::int64_t second = 0;
    std::uint64_t attempts = 0; ///< first ones, and retries
    std::uint64_t retries = 0;
    std::uint64_t admitted = 0;
};

/// Receives them in order of time, plan by plan where several decide. Nothing of the warm-up.
class SeriesSink {
public:
    SeriesSink() = default;
    SeriesSink(const SeriesSink&) = delete;
    SeriesSink& operator=(const SeriesSink&) = delete;
    virtual ~SeriesSink() = default;
    virtual void limits(std::size_t plan, const LimitSecond& second) = 0;
    virtual void attempts(std::size_t plan, const AttemptSecond& second) = 0;
};

} // namespace engine

#pragma once
#include "app/workbench/by_attribute.h"
#include "app/workbench/progress.h"
#include "storage/run_reader.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

/// When a run was at its worst. All times are whole seconds or minutes of the clock, UTC. Errors of
/// all functions: run.interrupted (the flag was set), those of the store.
namespace app {

/// The second in which most requests were rejected; the first of several.
/// Example: {1700000000, 212, 320} is 212 of the 320 requests of that second.
struct WorstSecond {
    std::int64_t second = 0;
    std::uint64_t rejected = 0;
    std::uint64_t requests = 0;
};

/// Nothing where nothing was rejected. Reads the whole timeline, a day at a time.
engine::Result<std::optional<WorstSecond>> worstSecond(const storage::RunReader& reader,
                                                       const storage::RunDetail& run,
                                                       const StopFlag* stop = nullptr);

/// The minute with the most of something; the first of several.
struct WorstMinute {
    std::int64_t second = 0; ///< in which it begins
    std::uint64_t count = 0; ///< 0: there is none
};

/// Of each rule of the run, by its index, the minute in which it denied most, within
/// fromSecond <= s < toSecond: of a minute that a bound cuts, only what lies within.
engine::Result<std::vector<WorstMinute>> worstMinutes(const storage::RunReader& reader,
                                                      const storage::RunDetail& run,
                                                      std::int64_t fromSecond = INT64_MIN,
                                                      std::int64_t toSecond = INT64_MAX);

/// Counts more in a minute: `now` is the minute at hand, minutes come in order.
void countMinute(WorstMinute& now, WorstMinute& worst, std::int64_t minute,
                 std::uint64_t count = 1);

/// When one key was rejected.
struct KeyMoment {
    std::int64_t firstNs = 0;
    WorstMinute worst;
};

/// The moments of all keys that a run rejected. Example: at(2, 17) has firstNs and {minute, 438} of
/// key 17 of rule 2.
///
/// A rejected request has a row for the rule that rejected it only, one that a shadow rule denied
/// for the first that did and only if it was admitted: a key that was denied beside others has
/// fewer here than its row says. 40 bytes a key.
class KeyMoments {
public:
    void add(std::uint32_t rule, std::uint32_t key, std::int64_t timeNs);
    [[nodiscard]] const KeyMoment* at(std::uint32_t rule, std::uint32_t key) const;

private:
    struct State {
        KeyMoment moment;
        WorstMinute now; ///< the minute that is counted
    };

    std::unordered_map<std::uint64_t, State> m_keys; ///< by rule and key
};

/// Walks all rejections of the run, and counts those of the period: about 0.1 s for 5 million
/// requests.
engine::Result<KeyMoments> keyMoments(const storage::RunReader& reader, storage::RunId run,
                                      const Period& period = {}, const StopFlag* stop = nullptr);

/// The minute of the clock that a time lies in, as the second in which it begins: -1 s lies in the
/// minute that begins at -60.
std::int64_t minuteOf(std::int64_t timeNs);

} // namespace app

#pragma once
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace engine {

inline constexpr std::int64_t kUnknownDuration = -1;

/// One recorded request, but for its attributes. Times are nanoseconds since the Unix epoch, UTC.
///
/// Example: nginx logged [12:00:01] with request_time 0.250 as line 7: stampNs 12:00:01.0,
/// timeNs 12:00:00.75, durationNs 250000000, resolutionNs 1000000000, line 7.
struct Request {
    std::int64_t timeNs = 0; ///< arrival, before any spreading
    std::int64_t stampNs = 0; ///< the stamp as the log has it
    std::int64_t durationNs = kUnknownDuration;
    std::uint64_t line = 0; ///< 1-based, in its file
    std::uint64_t originalLine
        = 0; ///< neutral logs: the line of the log they were made from; else 0
    std::uint32_t file = 0; ///< index of the LOG, from 0
    std::uint32_t originalFile = 0; ///< neutral logs: likewise
    std::int32_t resolutionNs = 0; ///< 1000000000 where the stamp has whole seconds only; 0: exact
};

/// Requests cut out of one block of a log, with the texts of the attributes that were asked for.
///
/// values holds requests.size() * fieldCount views: request i has its field f at
/// values[i * fieldCount + f]. A missing attribute is a view whose data() is nullptr; an empty text
/// never occurs. Views point into memory that the owner of the batch keeps alive.
struct RequestBatch {
    std::size_t fieldCount = 0;
    std::vector<Request> requests;
    std::vector<std::string_view> values;

    [[nodiscard]] const std::string_view* valuesOf(std::size_t request) const
    {
        return values.data() + request * fieldCount;
    }

    void clear()
    {
        requests.clear();
        values.clear();
    }
};

} // namespace engine

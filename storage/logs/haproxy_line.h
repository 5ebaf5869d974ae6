#pragma once
#include "storage/logs/line_parser.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// A line of HAProxy's httplog, cut into its fields.
namespace storage::logs::haproxy {

inline constexpr std::size_t kMostCaptures = 16; ///< of each side; more are not told apart

enum Field : std::size_t {
    kSyslogTime, ///< of the head before the line, if it has one
    kClient,
    kClientPort,
    kTime,
    kFrontend,
    kScheme, ///< "https" where the frontend is marked with `~`
    kBackend,
    kServer,
    kTimers, ///< five of them
    kStatus = kTimers + 5,
    kBytes,
    kRequestCookie,
    kResponseCookie,
    kTermination,
    kConnections,
    kQueues,
    kRequest,
    kRequestCapture,
    kResponseCapture = kRequestCapture + kMostCaptures,
    kFields = kResponseCapture + kMostCaptures
};

/// "client_ip", ..., "request_capture_1", ..., "response_capture_16".
std::vector<std::string> fieldNames();

struct LineCut {
    LineOutcome outcome = LineOutcome::NoMatch;
    std::size_t whole = 0; ///< values[0 .. whole) are complete
    bool isExact = false;
};

/// Cuts a line with or without a syslog head before it. A request without its closing quote was cut
/// by its writer and counts as complete. `values` has kFields empty places.
LineCut cutLine(std::string_view line, bool isCut, std::string_view* values);

/// "06/Feb/2009:12:14:14.655" as if it were UTC, isLocal; with or without digits behind a point.
bool readTime(std::string_view text, StampCache& cache, Stamp& stamp);

/// RFC 3164 ("Feb  6 12:14:14": the year is the one that brings it nearest to `near`, a time in
/// brackets; isLocal) or ISO.
bool readSyslogTime(std::string_view text, std::string_view near, StampCache& cache, Stamp& stamp);

/// What syslog's time must be later than bracket time and duration together. More than the greatest
/// is no wait between requests of a connection, but another clock or zone.
inline constexpr std::int64_t kLeastGapNs = kSecondNs;
inline constexpr std::int64_t kMostGapNs = 600 * kSecondNs;

} // namespace storage::logs::haproxy

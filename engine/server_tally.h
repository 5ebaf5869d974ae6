#pragma once
#include <cstdint>
#include <vector>

/// What several servers, skewed clocks and outages of the store let through.
namespace engine {

/// The most that one key was admitted by all servers together.
struct MostAdmitted {
    std::int64_t cost = 0; ///< 0: nothing was
    std::uint32_t key = 0; ///< id in the rule's tuple
    std::int64_t fromNs = 0; ///< begin of the window or second
};

/// Of one rule, over the whole run. What a shadow rule would have admitted counts likewise.
///
/// Example: 100/min with `local` states on ten servers: inWindow.cost up to 1,000, ten times the
/// limit.
struct ServerTally {
    /// In one period of the rate, as windows are cut from 1970 on (or its anchor); for rules that
    /// hold slots, in flight at one time; under skewed clocks nothing of these.
    MostAdmitted inWindow;
    MostAdmitted inSecond; ///< rules with a rate only
};

/// What one rule did while the store was away.
struct OutageTally {
    std::uint64_t letIn = 0; ///< open: passed unjudged
    std::uint64_t turnedAway = 0; ///< closed: denied
    std::uint64_t judgedLocally = 0; ///< local
    std::uint64_t deniedLocally = 0;
};

/// Requests by server.
struct ServerLoad {
    std::uint64_t requests = 0; ///< attempts: retries too
    std::uint64_t admitted = 0;
    std::int64_t clockNs = 0; ///< how far its clock is ahead
};

/// What the states of one rule take, as measured.
struct StateMemory {
    std::uint64_t keys = 0; ///< that it has judged
    std::uint64_t bytes = 0; ///< their cells, and what they have on the heap now
};

} // namespace engine

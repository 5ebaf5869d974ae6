#pragma once
#include "app/workbench/stored_run.h"
#include "storage/run_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What became of a request that somebody looks for.
enum class FoundOutcome : std::uint8_t { Rejected, WouldReject, Admitted };

/// Which requests of a run are looked for; what is empty or not given holds for all.
struct RequestQuery {
    std::string who; ///< a part of it, as it is shown
    std::optional<std::int64_t> fromNs; ///< arrivals from then on
    std::optional<std::int64_t> toNs; ///< and before then
    std::string path; ///< a part of the path, grouped as the run has it
    std::string rule; ///< RULE or RULE/OVERRIDE that rejected or would have
    std::string requestId; ///< the whole of it
    std::optional<std::uint64_t> n; ///< the one with this number
    std::optional<FoundOutcome> outcome = FoundOutcome::Rejected; ///< nothing: any
};

/// A request as a list shows it. Texts are raw bytes, values as they may be shown.
struct FoundRequest {
    std::uint64_t n = 0;
    std::int64_t timeNs = 0; ///< arrival
    std::string who;
    std::string path; ///< grouped by the patterns of the policy
    std::string rule; ///< full name of the one that rejected or would have; empty: none
    FoundOutcome outcome = FoundOutcome::Rejected;
};

/// The first of them in order of arrival, and how many there are besides.
struct FoundRequests {
    std::vector<FoundRequest> requests;
    std::uint64_t more = 0;
    bool isReread = false; ///< the recording was read again: the store could not say
};

inline constexpr std::size_t kMostFound = 1000;

/// Rejected requests, and those that shadow rules would have, come from the store; admitted ones
/// and request ids from the recording, which is read again.
///
/// Example: {who "k-free", path "/search"} in a run that rejected 1,016 such requests gives the
/// first 1,000 and more 16. Errors: recording.* (only where it is read), those of the store and of
/// runPass().
engine::Result<FoundRequests> findRequests(storage::RunStore& store, storage::RunId run,
                                           const RequestQuery& query, const ReadAgain& again,
                                           std::size_t most = kMostFound);

/// A key of a rule, its values as the store has them.
struct StoredKey {
    std::uint32_t rule = 0; ///< index in Plan::rules
    std::vector<std::string> values;
};

/// Numbers of the rejected requests before and behind one in order of arrival.
struct RejectedBeside {
    std::optional<std::uint64_t> previous;
    std::optional<std::uint64_t> next;
};

/// Of the request that arrived at `timeNs` with number `n`; with `key` only those that its rule
/// rejected. A run that rejected nothing: those that its shadow rules would have.
engine::Result<RejectedBeside> rejectedBeside(const storage::RunReader& reader, storage::RunId run,
                                              std::int64_t timeNs, std::uint64_t n,
                                              const std::optional<StoredKey>& key = {});

} // namespace app

#pragma once
#include "engine/series.h"
#include "storage/run_store.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace storage {

/// How fine a timeline is: one point for each second, minute or hour that had requests.
enum class TimelineLevel : std::int32_t { Second = 1, Minute = 60, Hour = 3600 };

enum class KeyOrder : std::uint8_t {
    Denied, ///< most denied first, then most judged
    Judged, ///< most judged first
    Key
}; ///< by bytes
enum class WhoOrder : std::uint8_t { Rejected, WouldReject, RecordedRejected, Requests, Who };

struct Page {
    std::size_t offset = 0;
    std::size_t count = 100;
};

/// The texts behind the ids of one run's rejection rows. Owns them; views live as long as it does.
/// An id without a row (beyond the row limit) and kNoId give "".
class RunNames {
public:
    RunNames();
    ~RunNames();
    RunNames(RunNames&&) noexcept;
    RunNames& operator=(RunNames&&) noexcept;

    [[nodiscard]] std::string_view who(std::uint32_t id) const;
    [[nodiscard]] std::string_view pathGroup(std::uint32_t id) const;
    /// In the order of the rule's key.
    [[nodiscard]] std::vector<std::string_view> key(std::uint32_t rule, std::uint32_t id) const;
    /// The rule's name in the policy, whatever the override.
    [[nodiscard]] std::string_view rule(std::uint32_t rule) const;

    class Parts;

private:
    friend class RunReader;
    std::unique_ptr<Parts> m_parts;
};

/// Walks the verdicts of a run in order of arrival, block by block. Reuse one block: it keeps its
/// memory. Two runs of one recording have the same blocks, so they are compared place by place.
class VerdictCursor {
public:
    ~VerdictCursor();
    VerdictCursor(VerdictCursor&&) noexcept;
    VerdictCursor& operator=(VerdictCursor&&) noexcept;

    /// False at the end. Errors: store.damaged and those of RunStore::open().
    engine::Result<bool> next(VerdictBlock& block);

private:
    friend class RunReader;
    class Parts;
    explicit VerdictCursor(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

/// Likewise for what production did.
class RecordedCursor {
public:
    ~RecordedCursor();
    RecordedCursor(RecordedCursor&&) noexcept;
    RecordedCursor& operator=(RecordedCursor&&) noexcept;

    engine::Result<bool> next(RecordedBlock& block);

private:
    friend class RunReader;
    class Parts;
    explicit RecordedCursor(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

/// Reads results. Borrows the store. All errors: store.unknown-run and those of RunStore::open().
class RunReader {
public:
    explicit RunReader(RunStore& store);

    /// All runs, oldest first. A `running` run whose process is gone is shown as interrupted.
    [[nodiscard]] engine::Result<std::vector<RunSummary>> list() const;
    [[nodiscard]] engine::Result<RunDetail> detail(RunId run) const;

    /// Keys of one rule that have a row. keyRows() counts them.
    [[nodiscard]] engine::Result<std::vector<KeyRow>> keys(RunId run, std::uint32_t rule,
                                                           KeyOrder order, Page page) const;
    [[nodiscard]] engine::Result<std::uint64_t> keyRows(RunId run, std::uint32_t rule) const;
    [[nodiscard]] engine::Result<std::vector<WhoRow>> whos(RunId run, WhoOrder order,
                                                           Page page) const;
    [[nodiscard]] engine::Result<std::uint64_t> whoRows(RunId run) const;
    /// Those of them that were rejected at least once.
    [[nodiscard]] engine::Result<std::uint64_t> rejectedWhoRows(RunId run) const;

    /// Points that had requests, with fromSecond <= start < toSecond; `second` of a point is its
    /// start. At Minute and Hour a point is the sum of its seconds.
    [[nodiscard]] engine::Result<std::vector<engine::SecondTally>>
    timeline(RunId run, std::int64_t fromSecond, std::int64_t toSecond, TimelineLevel level) const;

    /// Attempts of clients that come again, with fromSecond <= second < toSecond; nothing of a run
    /// without them.
    [[nodiscard]] engine::Result<std::vector<engine::AttemptSecond>>
    attempts(RunId run, std::int64_t fromSecond, std::int64_t toSecond) const;
    /// Likewise what a rule that learns had as its limit; nothing of other rules.
    [[nodiscard]] engine::Result<std::vector<engine::LimitSecond>>
    limits(RunId run, std::uint32_t rule, std::int64_t fromSecond, std::int64_t toSecond) const;

    [[nodiscard]] engine::Result<RunNames> names(RunId run) const;
    /// `withNumbers`: fill VerdictBlock::numbers, which takes about as long as all the rest.
    [[nodiscard]] engine::Result<VerdictCursor> verdicts(RunId run, bool withNumbers = false) const;
    [[nodiscard]] engine::Result<RecordedCursor> recorded(RunId run) const;

    /// The block that holds the request at `position` of the order of arrival, from 0; nothing
    /// behind the end.
    [[nodiscard]] engine::Result<std::optional<VerdictBlock>> blockAt(RunId run,
                                                                      std::uint64_t position) const;

    /// May the two be compared? Errors: compare.differs (names the option and both values),
    /// compare.incomplete (a run that is not complete).
    [[nodiscard]] engine::Status comparable(RunId a, RunId b) const;

private:
    [[nodiscard]] engine::Status find(RunId run) const;
    [[nodiscard]] engine::Result<std::uint64_t> counted(const char* sql, RunId run) const;

    RunStore& m_store;
};

} // namespace storage

#pragma once
#include "app/workbench/log_choice.h"
#include "app/workbench/read_log.h"
#include "engine/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace app {

/// A block on its way, and the LOG that it is of. With `ends` the block is empty: the LOG has no
/// more.
struct FeedBlock {
    storage::LogBlock block;
    std::uint32_t log = 0;
    bool ends = false;
};

struct LogFeedOptions {
    std::size_t blockBytes = std::size_t {1} << 20; ///< less where there are many LOGs
    const StopFlag* stop = nullptr;
    /// Called for each LOG when it is opened for the first time, before a block is read. May select
    /// fields and parse the head.
    std::function<engine::Status(std::size_t log, storage::LogReader& reader)> opened;
};

/// The reading stage of a pass over one or several LOGs, block by block.
///
///     auto feed = LogFeed::open(logs, options);
///     feed->selectFields(fields);
///     feed->start(LogFeed::Order::ByTime);
///     while (feed->read(block)) { feed->parse(block); feed->note(block); }
///
/// ByLog gives all of the first LOG, then all of the second. ByTime always gives the LOG that is
/// furthest behind in time, so that LOGs that lie side by side come in together and a LOG that
/// begins later is not touched before; which one depends on their lines and the size of blocks,
/// never on threads. With one LOG both are the same.
///
/// Of more than kMostOpen regular LOGs only those that are being read are open; one that is not the
/// same file any more when its turn comes is log.changed. read() is for one thread at a time;
/// parse() for any thread; note() for one at a time, in the order of read(); all else for before or
/// after.
class LogFeed {
public:
    enum class Order : std::uint8_t { ByLog, ByTime };
    static constexpr std::size_t kMostOpen = 8;

    /// Errors: those of openLog(), log.stream-twice (a stream given twice),
    /// log.too-many-open, and `opened`'s own.
    static engine::Result<std::unique_ptr<LogFeed>> open(std::vector<LogChoice> logs,
                                                         LogFeedOptions options);
    ~LogFeed();
    LogFeed(const LogFeed&) = delete;
    LogFeed& operator=(const LogFeed&) = delete;

    void selectFields(const std::vector<std::string>& fields);

    /// From line 1 of all, also again after a first pass. `horizonNs`: how late lines may come.
    /// Errors: log.stream (a second pass over a stream).
    engine::Status start(Order order, std::int64_t horizonNs = 60'000'000'000);

    /// False: no more blocks, or somebody asked to stop, or failure().
    bool read(FeedBlock& block);
    void parse(FeedBlock& block) const;
    /// Adds the block to its LOG's report.
    void note(const FeedBlock& block);

    [[nodiscard]] bool stopAsked() const;

    [[nodiscard]] const std::optional<engine::Diagnostic>& failure() const { return m_failure; }

    [[nodiscard]] std::size_t size() const;

    [[nodiscard]] bool isRegular() const; ///< all of them: start() works again
    /// The arrival of the first request, if the first lines have one.
    [[nodiscard]] std::optional<std::int64_t> firstNs(std::size_t log) const;
    /// In the order given; complete for those whose end was noted.
    [[nodiscard]] std::vector<ReadLog> logs() const;
    [[nodiscard]] ProgressState progress() const; ///< of what was noted

private:
    struct Input;
    LogFeed(std::vector<LogChoice> logs, LogFeedOptions options);
    engine::Status openFirst(std::size_t log);
    engine::Status openAgain(Input& input);
    Input* next();
    void learn(Input& input, const storage::LogBlock& block);

    LogFeedOptions m_options;
    std::vector<Input> m_inputs;
    std::unordered_set<std::string> m_streams; ///< paths
    std::vector<std::string> m_fields;
    Order m_order = Order::ByLog;
    std::int64_t m_horizonNs = 0;
    std::optional<engine::Diagnostic> m_failure;
    std::uint64_t m_lines = 0; ///< noted
};

} // namespace app

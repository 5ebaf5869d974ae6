#pragma once
#include "app/workbench/lanes.h"
#include "app/workbench/log_feed.h"
#include "app/workbench/pass.h"
#include "app/workbench/who_sample.h"

#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace app {

/// One attempt at a pass: all logs, once. What it is made from outlives it; the feed is opened and
/// its fields are selected.
class Attempt final : public LaneSink {
public:
    Attempt(Pass& pass, LogFeed& feed, const WhoSample& sample, const PassOptions& options,
            PassListener& listener, bool fullSort);

    /// True: done. False: a log is not in order and all must be sorted as a whole.
    engine::Result<bool> run();

private:
    /// A block on its way through the stages.
    struct Slot {
        FeedBlock block;
        engine::Intake::PreparedPtr prepared;
    };

    engine::Status startFeed();
    engine::Status readHead();
    void readAll();
    bool consume(Slot& slot);
    void take(const FeedBlock& block, const engine::Intake::Prepared& prepared);
    void push(const FeedBlock& block, const engine::Intake::Interned& interned, std::size_t from,
              std::size_t end);
    void finish();
    void placed(const storage::Sequenced& record) override;
    void deliver(std::span<std::byte> payload) override;
    void deliverPlaced(std::span<const storage::Sequenced> records) override;
    bool isInRange(const engine::Arrival& arrival);
    void note(const engine::Result<Lanes::Answer>& answer);
    void note(const engine::Status& status);

    Pass& m_pass;
    LogFeed& m_feed;
    const WhoSample& m_sample;
    const PassOptions& m_options;
    PassListener& m_listener;
    bool m_fullSort;
    Lanes m_lanes;
    std::vector<std::uint64_t> m_requests; ///< read so far, by LOG
    std::deque<Slot> m_head; ///< the blocks that settled who, before all others
    std::deque<Slot> m_slots;
    std::vector<storage::SequencerItem> m_items; ///< of the arrivals at hand
    std::uint64_t m_batches = 0;
    std::vector<const engine::Arrival*> m_due; ///< on their way to the replay
    std::optional<engine::Diagnostic> m_failure; ///< of the serial stage
    bool m_needsFullSort = false;
    bool m_readAll = false;
    bool m_ended = false; ///< the listener had enough
};

} // namespace app

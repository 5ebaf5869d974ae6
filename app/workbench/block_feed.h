#pragma once
#include "app/workbench/progress.h"
#include "engine/diagnostic.h"
#include "storage/log_reader.h"

#include <optional>

namespace app {

/// The reading stage of a pass over a log: block after block, until the log ends, somebody asks to
/// stop, or reading fails. read() is for one thread at a time; failure() for after the last read().
class BlockFeed {
public:
    /// Borrows both; `stop` may be nullptr.
    BlockFeed(storage::LogReader& reader, const StopFlag* stop)
        : m_reader(reader)
        , m_stop(stop)
    {
    }

    /// False: no more blocks.
    bool read(storage::LogBlock& block)
    {
        if (stopAsked()) {
            return false;
        }
        const engine::Result<bool> more = m_reader.readBlock(block);
        if (!more) {
            m_failure = more.error();
            return false;
        }
        return *more;
    }

    [[nodiscard]] bool stopAsked() const
    {
        return m_stop != nullptr && m_stop->load(std::memory_order_relaxed);
    }

    [[nodiscard]] const std::optional<engine::Diagnostic>& failure() const { return m_failure; }

private:
    storage::LogReader& m_reader;
    const StopFlag* m_stop;
    std::optional<engine::Diagnostic> m_failure;
};

} // namespace app

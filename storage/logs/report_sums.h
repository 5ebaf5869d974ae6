#pragma once
#include "storage/log_reader.h"

#include <cstddef>
#include <cstdint>

namespace storage::logs {

struct BlockBytes;

/// The report on the blocks of a log, added in their order.
class ReportSums {
public:
    void restart(std::size_t fieldCount);
    void add(const LogBlock& block, const BlockBytes& bytes);

    [[nodiscard]] const LogReport& report() const { return m_report; }

private:
    LogReport m_report;
    std::int64_t m_previousNs = INT64_MIN;
};

} // namespace storage::logs

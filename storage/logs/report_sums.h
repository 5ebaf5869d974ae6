#pragma once
#include "storage/log_reader.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace storage::logs {

struct BlockBytes;

/// The report on the blocks of a log, added in their order.
class ReportSums {
public:
    /// `formats`: LogFormat::parts().
    void restart(std::size_t fieldCount, const std::vector<std::string>& formats);
    void add(const LogBlock& block, const BlockBytes& bytes);

    [[nodiscard]] const LogReport& report() const { return m_report; }

private:
    LogReport m_report;
    std::int64_t m_previousNs = INT64_MIN;
};

} // namespace storage::logs

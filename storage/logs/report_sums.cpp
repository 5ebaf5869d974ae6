#include "storage/logs/report_sums.h"

#include "storage/logs/block_bytes.h"

#include <algorithm>

namespace storage::logs {

void ReportSums::restart(std::size_t fieldCount, const std::vector<std::string>& formats)
{
    m_report = {};
    for (const std::string& format : formats) {
        m_report.byFormat.emplace_back(format, 0);
    }
    m_report.filled.assign(fieldCount, 0);
    m_previousNs = INT64_MIN;
}

void ReportSums::add(const LogBlock& block, const BlockBytes& bytes)
{
    m_report.lines += block.lineCount;
    m_report.requests += block.batch.requests.size();
    m_report.rejected += block.rejects.size();
    m_report.blankLines += block.blankLines;
    m_report.directiveLines += block.directiveLines;
    m_report.linesBehindNuls += bytes.linesBehindNuls;
    for (const LineReject& rejected : block.rejects) {
        auto& reason = m_report.reasons[std::string(rejected.reason)];
        ++reason.count;
        if (reason.examples.size() < LogReport::kExamples) {
            reason.examples.push_back(rejected);
        }
    }
    for (std::size_t i = 0; i < block.filled.size(); ++i) {
        m_report.filled[i] += block.filled[i];
    }
    if (block.batch.requests.empty()) {
        return;
    }
    for (std::size_t i = 0; i < m_report.byFormat.size(); ++i) {
        m_report.byFormat[i].second += bytes.byFormat[i];
    }
    m_report.outerTimes += bytes.outerTimes;
    m_report.withDuration += bytes.withDuration;
    m_report.coarse += bytes.coarse;
    m_report.forwarded += bytes.forwarded;
    m_report.unusableLists += bytes.unusableLists;
    m_report.localTimes += bytes.scratch.localTimes.all;
    m_report.ambiguousTimes += bytes.scratch.localTimes.ambiguous;
    m_report.skippedTimes += bytes.scratch.localTimes.skipped;
    m_report.stepsBack
        += bytes.stepsBack + (block.batch.requests.front().timeNs < m_previousNs ? 1U : 0U);
    m_previousNs = block.batch.requests.back().timeNs;
    m_report.firstNs = std::min(m_report.firstNs.value_or(bytes.firstNs), bytes.firstNs);
    m_report.lastNs = std::max(m_report.lastNs.value_or(bytes.lastNs), bytes.lastNs);
}

} // namespace storage::logs

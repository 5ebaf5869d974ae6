#include "app/workbench/read_log.h"

#include <algorithm>

namespace app {
namespace {

void addTo(std::vector<std::pair<std::string, std::uint64_t>>& sums, const std::string& name,
           std::uint64_t count)
{
    const auto found = std::find_if(sums.begin(), sums.end(),
                                    [&name](const auto& sum) { return sum.first == name; });
    if (found == sums.end()) {
        sums.emplace_back(name, count);
    } else {
        found->second += count;
    }
}

} // namespace

ReadLog readLogOf(const storage::LogReader& reader, const LogChoice& choice)
{
    const storage::LogSource& source = reader.source();
    ReadLog log;
    log.path = source.path();
    log.isRegular = source.isRegular();
    log.format = reader.format().name();
    log.isTold = !choice.format.empty();
    log.detection = reader.detection();
    log.report = reader.report();
    log.fingerprint = source.fingerprint().toText();
    log.bytes = source.bytesRead();
    log.isPartial = source.isPartial();
    log.warnings = source.warnings();
    return log;
}

storage::LogReport totalOf(const std::vector<ReadLog>& logs, std::size_t fieldCount)
{
    storage::LogReport total;
    total.filled.resize(fieldCount);
    for (const ReadLog& log : logs) {
        const storage::LogReport& one = log.report;
        total.lines += one.lines;
        total.requests += one.requests;
        total.rejected += one.rejected;
        total.blankLines += one.blankLines;
        total.directiveLines += one.directiveLines;
        for (const auto& [format, requests] : one.byFormat) {
            addTo(total.byFormat, format, requests);
        }
        for (const auto& [code, found] : one.reasons) {
            auto& reason = total.reasons[code];
            reason.count += found.count;
            const std::size_t room = storage::LogReport::kExamples - reason.examples.size();
            const std::size_t more = std::min(room, found.examples.size());
            reason.examples.insert(reason.examples.end(), found.examples.begin(),
                                   found.examples.begin() + static_cast<std::ptrdiff_t>(more));
        }
        // A LOG whose turn never came may have figures of other fields, which are zeros.
        for (std::size_t field = 0; field < std::min(fieldCount, one.filled.size()); ++field) {
            total.filled[field] += one.filled[field];
        }
        total.outerTimes += one.outerTimes;
        total.linesBehindNuls += one.linesBehindNuls;
        total.withDuration += one.withDuration;
        total.coarse += one.coarse;
        total.localTimes += one.localTimes;
        total.ambiguousTimes += one.ambiguousTimes;
        total.skippedTimes += one.skippedTimes;
        total.forwarded += one.forwarded;
        total.unusableLists += one.unusableLists;
        total.stepsBack += one.stepsBack;
        if (one.firstNs) {
            total.firstNs = std::min(total.firstNs.value_or(*one.firstNs), *one.firstNs);
            total.lastNs = std::max(total.lastNs.value_or(*one.lastNs), *one.lastNs);
        }
    }
    return total;
}

} // namespace app

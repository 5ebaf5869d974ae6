#include "app/workbench/recording.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/log_reading.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace app {
namespace {

std::string spreadText(storage::Spread spread)
{
    return spread == storage::Spread::Even ? "even" : "none";
}

/// Of the content of all logs together, in their order.
std::string fingerprintOf(const std::vector<ReadLog>& logs)
{
    if (logs.size() == 1) {
        return logs.front().fingerprint;
    }
    std::string all;
    for (const ReadLog& log : logs) {
        all += log.fingerprint;
    }
    return storage::fingerprintOf(all).toText();
}

/// "nginx-combined", or of each log where they differ: "nginx-combined\nalb".
std::string formatsOf(const std::vector<ReadLog>& logs)
{
    const bool isOne = std::all_of(logs.begin(), logs.end(), [&logs](const ReadLog& log) {
        return log.format == logs.front().format;
    });
    std::string text = logs.front().format;
    for (std::size_t log = 1; log < logs.size() && !isOne; ++log) {
        text += "\n" + logs[log].format;
    }
    return text;
}

} // namespace

storage::RecordingRecord recordingOf(const Pass& pass, const ReplayRequest& request)
{
    const storage::LogReport& report = pass.report;
    storage::RecordingRecord record;
    record.fingerprint = fingerprintOf(pass.logs);
    record.partial = pass.interrupted;
    for (const ReadLog& log : pass.logs) {
        record.streamed = record.streamed || !log.isRegular;
        record.partial = record.partial || log.isPartial;
        record.files.push_back({log.path, log.isRegular ? log.fingerprint : std::string(),
                                log.bytes, log.report.lines});
    }
    record.reading = request.reading;
    if (request.pass.fromNs) {
        record.reading.push_back({"from", rfc3339(*request.pass.fromNs)});
    }
    if (request.pass.toNs) {
        record.reading.push_back({"to", rfc3339(*request.pass.toNs)});
    }
    record.reading.push_back({"format", formatsOf(pass.logs)});
    for (storage::Option& option : readingOf(request.pass.logs)) {
        record.reading.push_back(std::move(option));
    }
    record.reading.push_back({"spread", spreadText(request.pass.logs.front().spread)});
    record.reading.push_back({"reorder",
                              request.pass.logs.front().reorderNs
                                  ? fmt::format("{}ns", *request.pass.logs.front().reorderNs)
                                  : std::string("auto")});
    record.reading.push_back({"who", pass.intake->who()});
    if (pass.sortedWhole) {
        record.reading.push_back({"sorted", "whole"}); // what explain must know, no option
    }
    if (!pass.numbers.areNumbers()) {
        record.reading.push_back(
            {std::string(storage::RequestNumbers::kOption), pass.numbers.toText()});
    }
    record.firstNs = report.firstNs;
    record.lastNs = report.lastNs;
    record.lines = report.lines;
    record.directives = report.directiveLines;
    record.requests = report.requests;
    record.leftOut = pass.intake->leftOut() + pass.intake->dropped() + pass.outOfRange;
    record.badLines = report.rejected;
    return record;
}

std::vector<storage::BadLines> badLinesOf(const std::vector<ReadLog>& logs)
{
    std::map<std::string, storage::BadLines> reasons;
    for (std::size_t file = 0; file < logs.size(); ++file) {
        for (const auto& [reason, found] : logs[file].report.reasons) {
            storage::BadLines& bad = reasons[reason];
            bad.reason = reason;
            bad.count += found.count;
            for (const storage::LineReject& example : found.examples) {
                if (bad.examples.size() < storage::LogReport::kExamples) {
                    bad.examples.push_back(
                        {static_cast<std::uint32_t>(file), example.line, example.text});
                }
            }
        }
    }
    std::vector<storage::BadLines> lines;
    for (auto& [reason, bad] : reasons) {
        lines.push_back(std::move(bad));
    }
    return lines;
}

} // namespace app

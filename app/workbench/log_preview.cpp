#include "app/workbench/log_preview.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace app {
namespace {

constexpr std::size_t kPreviewBlock = std::size_t {1} << 18;

void addRequests(const storage::LogBlock& block, LogPreview& preview)
{
    const engine::RequestBatch& batch = block.batch;
    std::vector<LogPreview::Attribute> attributes;
    for (const std::string& field : preview.fields) {
        attributes.push_back({field, 0, {}});
    }
    for (std::size_t i = 0; i < batch.requests.size(); ++i) {
        const std::string_view* const values = batch.valuesOf(i);
        const bool isKept = i < kPreviewRequests;
        if (isKept) {
            preview.first.push_back({0, batch.requests[i], {}});
        }
        for (std::size_t f = 0; f < preview.fields.size(); ++f) {
            if (values[f].data() == nullptr) {
                continue;
            }
            LogPreview::Attribute& attribute = attributes[f];
            if (attribute.filled++ == 0) {
                attribute.example = preview.secrets.shown(attribute.name, values[f]);
            }
            if (isKept) {
                preview.first.back().fields.emplace_back(
                    attribute.name, preview.secrets.shown(attribute.name, values[f]));
            }
        }
    }
    std::erase_if(attributes, [](const auto& attribute) { return attribute.filled == 0; });
    std::stable_sort(attributes.begin(), attributes.end(),
                     [](const auto& a, const auto& b) { return a.filled > b.filled; });
    preview.attributes = std::move(attributes);
}

void addRejects(const storage::LogBlock& block, LogPreview& preview)
{
    std::map<std::string_view, LogPreview::Reason> reasons;
    for (const storage::LineReject& reject : block.rejects) {
        LogPreview::Reason& reason = reasons[reject.reason];
        if (reason.count++ == 0) {
            reason.code = std::string(reject.reason);
            reason.firstLine = reject.line;
            reason.example = preview.secrets.shownLine(reject.text, preview.fields);
        }
    }
    for (auto& [code, reason] : reasons) {
        preview.reasons.push_back(std::move(reason));
    }
    std::stable_sort(preview.reasons.begin(), preview.reasons.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
}

/// What these lines say of the log; its other figures need all of it.
void sumUp(const storage::LogBlock& block, storage::LogReport& report)
{
    report = {};
    report.requests = block.batch.requests.size();
    report.rejected = block.rejects.size();
    report.blankLines = block.blankLines;
    report.directiveLines = block.directiveLines;
    report.lines = report.requests + report.rejected + report.blankLines + report.directiveLines;
    for (const engine::Request& request : block.batch.requests) {
        report.firstNs = std::min(report.firstNs.value_or(request.timeNs), request.timeNs);
        report.lastNs = std::max(report.lastNs.value_or(request.timeNs), request.timeNs);
    }
}

} // namespace

engine::Result<LogPreview> previewLog(const LogChoice& choice, const StopFlag* stop)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(choice.path, ignored)
        && std::filesystem::exists(choice.path, ignored)
        && !std::filesystem::is_regular_file(choice.path, ignored)) {
        return engine::fail(
            "log.stream", fmt::format("`{}` is a stream, which can be read once only", choice.path),
            "replay it to see what is in it");
    }
    const auto reader = openLog(choice, stop, kPreviewBlock);
    if (!reader) {
        return engine::fail(reader.error());
    }
    LogPreview preview;
    preview.fields = (*reader)->allFields();
    preview.secrets.add({choice});
    (*reader)->selectFields(preview.fields);
    storage::LogBlock block;
    (*reader)->parseHead(block);
    addRequests(block, preview);
    addRejects(block, preview);
    preview.log = readLogOf(**reader, choice);
    sumUp(block, preview.log.report);
    preview.storedBytes = (*reader)->source().bytesTotal();
    preview.remarks = (*reader)->format().remarks();
    for (const std::string& note : preview.log.detection.notes) {
        preview.remarks.push_back(note);
    }
    const std::uint64_t lines = block.lineCount;
    const engine::Result<bool> first = (*reader)->readBlock(block);
    if (!first) {
        return engine::fail(first.error());
    }
    if (*first && block.lineCount <= lines) {
        storage::LogBlock next;
        const engine::Result<bool> more = (*reader)->readBlock(next);
        preview.isWhole = more && !*more;
    }
    return preview;
}

std::vector<std::string> firstLinesOf(const std::string& path, std::size_t count)
{
    const auto source = storage::LogSource::open(path);
    std::string text(std::size_t {1} << 16, '\0');
    const engine::Result<std::size_t> read
        = source ? (*source)->read(text.data(), text.size()) : engine::Result<std::size_t>(0);
    text.resize(read ? *read : 0);
    const SecretAttributes secrets;
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size() && lines.size() < count;) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(secrets.shownLine(
            text.substr(begin, std::min(end - begin, storage::LineReject::kMostBytes))));
        begin = end + 1;
    }
    return lines;
}

std::string rejectText(std::string_view code)
{
    namespace reject = storage::reject;
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kTexts {
        {{reject::kLineTooLong, "longer than 64 KiB"},
         {reject::kTruncated, "cut off before what matters is complete"},
         {reject::kPartialJoined, "a piece of a line that is counted at its last piece"},
         {reject::kNoMatch, "not of the log's format"},
         {reject::kBadTime, "no time, or none from 1970 to 2200"},
         {reject::kNoClient, "free text where the client's address belongs"},
         {reject::kBlankLine, "blank"},
         {reject::kErrorLog, "a line of a server's error log, which has no requests"},
         {reject::kSeveral, "several records in one line"},
         {reject::kNotHttp, "a record of another protocol"},
         {reject::kWideHeader, "the header above it names more than 1,024 columns"},
         {reject::kNotJson, "not a JSON object, or something behind it"}}};
    for (const auto& [known, text] : kTexts) {
        if (code == known) {
            return std::string(text);
        }
    }
    return std::string(code);
}

} // namespace app

#include "storage/logs/block_parser.h"

#include <algorithm>

namespace storage::logs {
namespace {

constexpr std::size_t kShownBytes = 200;

std::string_view reasonOf(LineOutcome outcome)
{
    switch (outcome) {
    case LineOutcome::BadTime:
        return reject::kBadTime;
    case LineOutcome::NoClient:
        return reject::kNoClient;
    case LineOutcome::NotJson:
        return reject::kNotJson;
    case LineOutcome::NotHttp:
        return reject::kNotHttp;
    case LineOutcome::Truncated:
        return reject::kTruncated;
    default:
        return reject::kNoMatch;
    }
}

/// A log that was truncated under its writer begins with zeros.
std::string_view withoutLeadingZeros(std::string_view line)
{
    while (!line.empty() && line.front() == '\0') {
        line.remove_prefix(1);
    }
    return line;
}

} // namespace

LineReject makeReject(std::uint64_t line, std::string_view reason, std::string_view text)
{
    return {line, reason, std::string(text.substr(0, kShownBytes))};
}

BlockParser::BlockParser(const LogFormat& format, std::vector<std::string> fields,
                         std::uint32_t file)
    : m_parser(format.parser(fields))
    , m_fields(std::move(fields))
    , m_file(file)
{
}

void BlockParser::noteRequest(LogBlock& block, BlockBytes& bytes,
                              const engine::Request& request) const
{
    const bool first = block.batch.requests.empty();
    bytes.withDuration += request.durationNs >= 0 ? 1U : 0U;
    bytes.coarse += request.resolutionNs > 0 ? 1U : 0U;
    bytes.stepsBack += !first && request.timeNs < block.batch.requests.back().timeNs ? 1U : 0U;
    bytes.firstNs = first ? request.timeNs : std::min(bytes.firstNs, request.timeNs);
    bytes.lastNs = first ? request.timeNs : std::max(bytes.lastNs, request.timeNs);
    const std::string_view* const values
        = block.batch.values.data() + block.batch.requests.size() * m_fields.size();
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        block.filled[i] += values[i].data() != nullptr ? 1U : 0U;
    }
    block.batch.requests.push_back(request);
}

void BlockParser::parseLine(std::string_view line, bool isCut, std::uint64_t number,
                            LogBlock& block, BlockBytes& bytes) const
{
    if (line.size() > kLongestLine) {
        block.rejects.push_back(makeReject(number, reject::kLineTooLong, line));
        return;
    }
    line = withoutLeadingZeros(withoutReturn(line));
    if (line.empty() || (isBlank(line.front()) && trimmed(line).empty())) {
        if (m_parser->rejectsBlankLines()) {
            block.rejects.push_back(makeReject(number, reject::kBlankLine, line));
        } else {
            ++block.blankLines;
        }
        return;
    }
    ParsedLine parsed;
    parsed.values = block.batch.values.data() + block.batch.requests.size() * m_fields.size();
    const LineOutcome outcome = m_parser->parse(line, isCut, bytes.scratch, parsed);
    if (outcome == LineOutcome::Request) {
        parsed.request.line = number;
        parsed.request.file = m_file;
        noteRequest(block, bytes, parsed.request);
    } else if (outcome == LineOutcome::Directive) {
        ++block.directiveLines;
    } else {
        block.rejects.push_back(makeReject(number, reasonOf(outcome), line));
    }
}

void BlockParser::clear(LogBlock& block, BlockBytes& bytes) const
{
    bytes.arena.clear();
    bytes.scratch.arena = &bytes.arena;
    bytes.scratch.keys.entries.clear();
    bytes.scratch.header = bytes.header;
    bytes.withDuration = 0;
    bytes.coarse = 0;
    bytes.stepsBack = 0;
    bytes.scratch.localTimes = {};
    block.rejects.clear();
    block.blankLines = 0;
    block.directiveLines = 0;
    block.filled.assign(m_fields.size(), 0);
    block.batch.clear();
    block.batch.fieldCount = m_fields.size();
    block.batch.requests.reserve(block.lineCount);
    block.batch.values.resize(block.lineCount * m_fields.size());
}

void BlockParser::parse(LogBlock& block, BlockBytes& bytes) const
{
    clear(block, bytes);
    const char* at = bytes.lines.data();
    const char* const end = at + bytes.lines.size();
    for (std::uint64_t number = block.firstLine; at < end; ++number) {
        const char* const stop = findByte(at, end, '\n');
        parseLine({at, static_cast<std::size_t>(stop - at)}, stop == end && bytes.endsCut, number,
                  block, bytes);
        at = stop + 1;
    }
    block.batch.values.resize(block.batch.requests.size() * m_fields.size());
    if (bytes.tooLong) {
        block.rejects.push_back(*bytes.tooLong);
    }
}

} // namespace storage::logs

#include "storage/logs/block_parser.h"

#include <algorithm>
#include <iterator>
#include <span>

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
    case LineOutcome::ErrorLog:
        return reject::kErrorLog;
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

/// As far as time goes.
std::int64_t shifted(std::int64_t timeNs, std::int64_t byNs)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(timeNs, byNs, &sum) ? (byNs < 0 ? INT64_MIN : INT64_MAX) : sum;
}

} // namespace

LineReject makeReject(std::uint64_t line, std::string_view reason, std::string_view text)
{
    return {line, reason, std::string(text.substr(0, kShownBytes))};
}

BlockParser::BlockParser(const LogFormat& format, std::vector<std::string> fields,
                         BlockOptions options)
    : m_fields(std::move(fields))
    , m_options(std::move(options))
{
    std::vector<std::string> read = m_fields;
    const auto client = std::find(m_fields.begin(), m_fields.end(), "client_ip");
    if (!m_options.trustedProxies.empty() && client != m_fields.end()) {
        m_client = static_cast<std::size_t>(client - m_fields.begin());
        m_chooser.emplace(m_options.trustedProxies, m_options.allFields);
        read.insert(read.end(), m_chooser->lists().begin(), m_chooser->lists().end());
    }
    m_readFields = read.size();
    m_parser = format.parser(read);
}

/// From what the parser put into bytes.values to `values`, with the client that is meant.
void BlockParser::chooseClient(std::string_view* values, BlockBytes& bytes) const
{
    const std::span<const std::string_view> read(bytes.values);
    std::copy_n(read.begin(), m_fields.size(), values);
    const auto choice = m_chooser->choose(read[m_client], read.subspan(m_fields.size()));
    values[m_client] = choice.client;
    bytes.forwarded += choice.from == ClientChooser::From::List ? 1U : 0U;
    bytes.unusableLists += choice.from == ClientChooser::From::UnusableList ? 1U : 0U;
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
    std::string_view* const values
        = block.batch.values.data() + block.batch.requests.size() * m_fields.size();
    parsed.values = values;
    if (m_chooser) {
        bytes.values.assign(m_readFields, {});
        parsed.values = bytes.values.data();
    }
    const LineOutcome outcome = m_parser->parse(line, isCut, bytes.scratch, parsed);
    if (outcome == LineOutcome::Request) {
        parsed.request.line = number;
        parsed.request.file = m_options.file;
        if (m_chooser) {
            chooseClient(values, bytes);
        }
        if (m_options.clockNs != 0) {
            parsed.request.timeNs = shifted(parsed.request.timeNs, m_options.clockNs);
        }
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
    bytes.forwarded = 0;
    bytes.unusableLists = 0;
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

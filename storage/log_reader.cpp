#include "storage/log_reader.h"

#include "storage/logs/block_bytes.h"
#include "storage/logs/line_cutter.h"
#include "storage/logs/line_parser.h"

#include <algorithm>

namespace storage {
namespace {

constexpr std::size_t kShownBytes = 200;

std::string_view reasonOf(logs::LineOutcome outcome)
{
    switch (outcome) {
    case logs::LineOutcome::BadTime:
        return reject::kBadTime;
    case logs::LineOutcome::NoClient:
        return reject::kNoClient;
    case logs::LineOutcome::NotJson:
        return reject::kNotJson;
    case logs::LineOutcome::NotHttp:
        return reject::kNotHttp;
    case logs::LineOutcome::Truncated:
        return reject::kTruncated;
    default:
        return reject::kNoMatch;
    }
}

LineReject makeReject(std::uint64_t line, std::string_view reason, std::string_view text)
{
    return {line, reason, std::string(text.substr(0, kShownBytes))};
}

std::string_view withoutReturn(std::string_view line)
{
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return line;
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

LogBlock::LogBlock()
    : m_bytes(std::make_unique<Bytes>())
{
}

LogBlock::~LogBlock() = default;
LogBlock::LogBlock(LogBlock&&) noexcept = default;
LogBlock& LogBlock::operator=(LogBlock&&) noexcept = default;

class LogReader::Parts {
public:
    std::unique_ptr<LogSource> source;
    LogOptions options;
    logs::LineCutter cutter;
    Detection detection;
    std::vector<std::string> allFields;
    std::vector<std::string> fields;
    bool coarse = false;
    std::unique_ptr<logs::LineParser> parser;
    std::uint64_t nextLine = 1;
    LogReport report;
    std::int64_t previousNs = INT64_MIN;
    std::vector<std::string> marks; ///< of header lines
    std::vector<std::string> headers; ///< the last line of each mark, or the first line of all

    engine::Status start();
    engine::Status settleFormat();
    void collect(std::string_view lines);
    void restart();
    void settleHeaders();
    void noteHeaders(std::string_view lines);
    [[nodiscard]] std::string header() const;
    /// Reads all lines of a block, as `Block` and the bytes that it owns.
    template <class Bytes> void parseLines(LogBlock& block, Bytes& bytes) const;
    template <class Bytes>
    void noteRequest(LogBlock& block, Bytes& bytes, const engine::Request& request) const;
};

template <class Bytes>
void LogReader::Parts::noteRequest(LogBlock& block, Bytes& bytes,
                                   const engine::Request& request) const
{
    const bool first = block.batch.requests.empty();
    bytes.withDuration += request.durationNs >= 0 ? 1U : 0U;
    bytes.coarse += request.resolutionNs > 0 ? 1U : 0U;
    bytes.stepsBack += !first && request.timeNs < block.batch.requests.back().timeNs ? 1U : 0U;
    bytes.firstNs = first ? request.timeNs : std::min(bytes.firstNs, request.timeNs);
    bytes.lastNs = first ? request.timeNs : std::max(bytes.lastNs, request.timeNs);
    const std::string_view* const values
        = block.batch.values.data() + block.batch.requests.size() * fields.size();
    for (std::size_t i = 0; i < fields.size(); ++i) {
        block.filled[i] += values[i].data() != nullptr ? 1U : 0U;
    }
    block.batch.requests.push_back(request);
}

template <class Bytes> void LogReader::Parts::parseLines(LogBlock& block, Bytes& bytes) const
{
    bytes.scratch.header = bytes.header;
    const char* at = bytes.lines.data();
    const char* const end = at + bytes.lines.size();
    std::uint64_t number = block.firstLine;
    for (; at < end; ++number) {
        const char* const stop = logs::findByte(at, end, '\n');
        std::string_view line(at, static_cast<std::size_t>(stop - at));
        const bool isCut = stop == end && bytes.endsCut;
        at = stop + 1;
        if (line.size() > logs::kLongestLine) {
            block.rejects.push_back(makeReject(number, reject::kLineTooLong, line));
            continue;
        }
        line = withoutLeadingZeros(withoutReturn(line));
        if (line.empty() || (logs::isBlank(line.front()) && logs::trimmed(line).empty())) {
            if (parser->rejectsBlankLines()) {
                block.rejects.push_back(makeReject(number, reject::kBlankLine, line));
            } else {
                ++block.blankLines;
            }
            continue;
        }
        logs::ParsedLine parsed;
        parsed.values = block.batch.values.data() + block.batch.requests.size() * fields.size();
        const logs::LineOutcome outcome = parser->parse(line, isCut, bytes.scratch, parsed);
        if (outcome == logs::LineOutcome::Request) {
            parsed.request.line = number;
            parsed.request.file = options.file;
            noteRequest(block, bytes, parsed.request);
        } else if (outcome == logs::LineOutcome::Directive) {
            ++block.directiveLines;
        } else {
            block.rejects.push_back(makeReject(number, reasonOf(outcome), line));
        }
    }
}

/// Keeps the last header line of each mark, for the blocks behind these lines.
void LogReader::Parts::noteHeaders(std::string_view lines)
{
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const std::string wanted = "\n" + marks[i];
        std::size_t at = lines.rfind(wanted);
        if (at != std::string_view::npos || lines.starts_with(marks[i])) {
            at = at == std::string_view::npos ? 0 : at + 1;
            headers[i] = withoutReturn(lines.substr(at, lines.find('\n', at) - at));
        }
    }
}

std::string LogReader::Parts::header() const
{
    std::string all;
    for (const std::string& line : headers) {
        all += (all.empty() || line.empty() ? "" : "\n") + line;
    }
    return all;
}

/// Which lines say what others mean, once the format is known.
void LogReader::Parts::settleHeaders()
{
    marks = detection.format->headerMarks();
    headers.assign(marks.size() + 1, {});
    if (detection.format->hasHeaderLine()) {
        const std::string_view head = cutter.head();
        headers.back() = withoutReturn(head.substr(0, head.find('\n')));
    }
}

void LogReader::Parts::restart()
{
    nextLine = 1;
    report = {};
    report.filled.assign(fields.size(), 0);
    previousNs = INT64_MIN;
}

engine::Status LogReader::Parts::settleFormat()
{
    if (!options.format.empty()) {
        auto format = logFormat(options.format, options.reading);
        if (!format) {
            return engine::fail(format.error());
        }
        detection.format = *format;
        return engine::Done {};
    }
    auto found = detectLogFormat(cutter.head(), options.reading);
    if (!found) {
        engine::Diagnostic diagnostic = found.error();
        diagnostic.place.file = source->path();
        if (source->isPartial() && !source->warnings().empty()) {
            diagnostic.message += "; " + source->warnings().back().message;
        }
        return engine::fail(std::move(diagnostic));
    }
    detection = *found;
    return engine::Done {};
}

void LogReader::Parts::collect(std::string_view lines)
{
    if (!detection.format->isOpenEnded()) {
        return;
    }
    if (detection.format->hasHeaderLine()) {
        detection.format->collectFields(headers.back(), allFields);
        return;
    }
    while (!lines.empty()) {
        const auto end = lines.find('\n');
        const std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        if (line.size() <= logs::kLongestLine) {
            detection.format->collectFields(
                logs::trimmed(line.substr(0, line.find_last_not_of('\r') + 1)), allFields);
        }
    }
}

engine::Status LogReader::Parts::start()
{
    if (auto done = cutter.start(*source, kDetectionLines); !done) {
        return done;
    }
    restart();
    return engine::Done {};
}

LogReader::LogReader(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

LogReader::~LogReader() = default;

engine::Result<std::unique_ptr<LogReader>> LogReader::open(const std::string& path,
                                                           const LogOptions& options)
{
    if (!options.format.empty()) { // before anything waits for a pipe
        if (auto format = logFormat(options.format, options.reading); !format) {
            return engine::fail(format.error());
        }
    }
    auto source = LogSource::open(path, {options.limits, options.storedBytes, options.stop});
    if (!source) {
        return engine::fail(source.error());
    }
    auto parts = std::make_unique<Parts>();
    parts->source = std::move(*source);
    parts->options = options;
    parts->options.blockBytes = std::max<std::size_t>(options.blockBytes, 1);
    if (auto done = parts->start(); !done) {
        return engine::fail(done.error());
    }
    if (auto done = parts->settleFormat(); !done) {
        return engine::fail(done.error());
    }
    parts->settleHeaders();
    parts->allFields = parts->detection.format->fields();
    std::unique_ptr<LogReader> reader(new LogReader(std::move(parts)));
    reader->lookAtHead();
    return reader;
}

/// Which fields the first lines have, and whether their stamps are coarse.
void LogReader::lookAtHead()
{
    const std::string_view head = m_parts->cutter.head();
    std::size_t end = 0;
    for (std::size_t i = 0; i < kDetectionLines && end < head.size(); ++i) {
        end = std::min(head.find('\n', end), head.size() - 1) + 1;
    }
    const std::string_view lines = head.substr(0, end);
    m_parts->collect(lines);
    selectFields({});
    LogBlock block;
    block.lineCount = logs::countNewlines(lines.data(), lines.size()) + 1;
    block.m_bytes->lines.assign(lines.data(), lines.size());
    block.m_bytes->header = m_parts->header();
    parse(block);
    m_parts->coarse = block.m_bytes->coarse > 0;
}

const LogFormat& LogReader::format() const
{
    return *m_parts->detection.format;
}

const Detection& LogReader::detection() const
{
    return m_parts->detection;
}

const std::vector<std::string>& LogReader::allFields() const
{
    return m_parts->allFields;
}

bool LogReader::hasCoarseStamps() const
{
    return m_parts->coarse;
}

void LogReader::selectFields(std::vector<std::string> fields)
{
    m_parts->parser = m_parts->detection.format->parser(fields);
    m_parts->fields = std::move(fields);
    m_parts->report.filled.assign(m_parts->fields.size(), 0);
}

const std::vector<std::string>& LogReader::selectedFields() const
{
    return m_parts->fields;
}

engine::Result<bool> LogReader::readBlock(LogBlock& block)
{
    auto& bytes = *block.m_bytes;
    auto cut = m_parts->cutter.next(*m_parts->source, m_parts->options.blockBytes, bytes.lines);
    if (!cut) {
        return engine::fail(cut.error());
    }
    block.firstLine = m_parts->nextLine;
    block.lineCount = 0;
    bytes.tooLong.reset();
    bytes.endsCut = cut->endsCut;
    if (!cut->any) {
        bytes.lines.setSize(0);
        return false;
    }
    if (cut->tooLong) {
        bytes.tooLong = makeReject(block.firstLine, reject::kLineTooLong,
                                   {bytes.lines.data(), bytes.lines.size()});
        bytes.lines.setSize(0);
        block.lineCount = 1;
    } else {
        block.lineCount
            = logs::countNewlines(bytes.lines.data(), bytes.lines.size()) + (cut->endsCut ? 1 : 0);
    }
    bytes.header = m_parts->header();
    if (!m_parts->marks.empty()) {
        m_parts->noteHeaders({bytes.lines.data(), bytes.lines.size()});
    }
    m_parts->nextLine += block.lineCount;
    block.sourceBytes = m_parts->source->bytesRead();
    return true;
}

void LogReader::parse(LogBlock& block) const
{
    auto& bytes = *block.m_bytes;
    const std::size_t fieldCount = m_parts->fields.size();
    bytes.arena.clear();
    bytes.scratch.arena = &bytes.arena;
    bytes.scratch.keys.entries.clear();
    bytes.withDuration = 0;
    bytes.coarse = 0;
    bytes.stepsBack = 0;
    bytes.scratch.localTimes = {};
    block.rejects.clear();
    block.blankLines = 0;
    block.directiveLines = 0;
    block.filled.assign(fieldCount, 0);
    block.batch.clear();
    block.batch.fieldCount = fieldCount;
    block.batch.requests.reserve(block.lineCount);
    block.batch.values.resize(block.lineCount * fieldCount);
    m_parts->parseLines(block, bytes);
    block.batch.values.resize(block.batch.requests.size() * fieldCount);
    if (bytes.tooLong) {
        block.rejects.push_back(*bytes.tooLong);
    }
}

void LogReader::note(const LogBlock& block)
{
    LogReport& report = m_parts->report;
    const auto& bytes = *block.m_bytes;
    report.lines += block.lineCount;
    report.requests += block.batch.requests.size();
    report.rejected += block.rejects.size();
    report.blankLines += block.blankLines;
    report.directiveLines += block.directiveLines;
    for (const LineReject& rejected : block.rejects) {
        auto& reason = report.reasons[std::string(rejected.reason)];
        ++reason.count;
        if (reason.examples.size() < LogReport::kExamples) {
            reason.examples.push_back(rejected);
        }
    }
    for (std::size_t i = 0; i < block.filled.size(); ++i) {
        report.filled[i] += block.filled[i];
    }
    if (block.batch.requests.empty()) {
        return;
    }
    report.withDuration += bytes.withDuration;
    report.coarse += bytes.coarse;
    report.localTimes += bytes.scratch.localTimes.all;
    report.ambiguousTimes += bytes.scratch.localTimes.ambiguous;
    report.skippedTimes += bytes.scratch.localTimes.skipped;
    report.stepsBack
        += bytes.stepsBack + (block.batch.requests.front().timeNs < m_parts->previousNs ? 1U : 0U);
    m_parts->previousNs = block.batch.requests.back().timeNs;
    report.firstNs = std::min(report.firstNs.value_or(bytes.firstNs), bytes.firstNs);
    report.lastNs = std::max(report.lastNs.value_or(bytes.lastNs), bytes.lastNs);
}

const LogReport& LogReader::report() const
{
    return m_parts->report;
}

engine::Status LogReader::reopen()
{
    if (auto done = m_parts->source->rewind(); !done) {
        return done;
    }
    if (auto done = m_parts->start(); !done) {
        return done;
    }
    m_parts->settleHeaders();
    return engine::Done {};
}

bool LogReader::isRegular() const
{
    return m_parts->source->isRegular();
}

engine::Status LogReader::discoverFields()
{
    if (!isRegular() || !format().isOpenEnded()) {
        return engine::Done {};
    }
    LogBlock block;
    for (;;) {
        auto more = readBlock(block);
        if (!more) {
            return engine::fail(more.error());
        }
        const std::atomic<bool>* const stop = m_parts->options.stop;
        if (!*more || (stop != nullptr && stop->load(std::memory_order_relaxed))) {
            return reopen();
        }
        m_parts->collect({block.m_bytes->lines.data(), block.m_bytes->lines.size()});
    }
}

const LogSource& LogReader::source() const
{
    return *m_parts->source;
}

} // namespace storage

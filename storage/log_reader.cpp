#include "storage/log_reader.h"

#include "storage/logs/block_bytes.h"
#include "storage/logs/block_parser.h"
#include "storage/logs/detection.h"
#include "storage/logs/head_lines.h"
#include "storage/logs/header_lines.h"
#include "storage/logs/line_cutter.h"
#include "storage/logs/line_marks.h"
#include "storage/logs/report_sums.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>

namespace storage {

LogBlock::LogBlock()
    : m_bytes(std::make_unique<logs::BlockBytes>())
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
    FieldNames allFields;
    bool coarse = false;
    std::unique_ptr<logs::BlockParser> parser; ///< once the format is known
    logs::WrapperRules wrappers;
    std::int64_t notAfterNs = -1; ///< see logs::OuterLine
    logs::PartialTracker partials;
    std::uint64_t nextLine = 1;
    logs::HeaderLines headers;
    logs::ReportSums sums;

    engine::Status start();
    engine::Status settleFormat();
    void collect(std::string_view lines);
    void restart();
};

void LogReader::Parts::restart()
{
    nextLine = 1;
    sums.restart(parser ? parser->fields().size() : 0, detection.format->parts());
    partials.restart(wrappers);
    headers = logs::HeaderLines(*detection.format, wrappers, cutter.head());
}

engine::Status LogReader::Parts::settleFormat()
{
    if (!options.format.empty()) {
        auto format = logFormat(options.format, options.reading);
        if (!format) {
            return engine::fail(format.error());
        }
        auto reading = logs::readHead(cutter.head(), std::move(*format), notAfterNs);
        detection = std::move(reading.detection);
        wrappers = reading.wrappers;
        const std::string help = detection.format->missingTime();
        return help.empty() || wrappers.isWrapped || cutter.head().empty()
            ? engine::Status(engine::Done {})
            : engine::fail("log.format", "the format has no time, and no wrapper gives one", help);
    }
    auto found = logs::readHead(cutter.head(), options.reading, notAfterNs);
    const bool isStopped = options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
    if (isStopped && (!found || found->detection.lines == 0)) {
        return engine::fail(
            "log.stopped",
            fmt::format("stopped before `{}` gave a line that tells its format", source->path()));
    }
    if (!found) {
        engine::Diagnostic diagnostic = found.error();
        if (diagnostic.place.file.empty()) {
            diagnostic.place.file = source->path();
        }
        if (source->isPartial() && !source->warnings().empty()) {
            diagnostic.message += "; " + source->warnings().back().message;
        }
        return engine::fail(std::move(diagnostic));
    }
    detection = std::move(found->detection);
    wrappers = found->wrappers;
    return engine::Done {};
}

void LogReader::Parts::collect(std::string_view lines)
{
    if (!detection.format->isOpenEnded()) {
        return;
    }
    // A line that is a copy gets the padding that lines of a block have.
    std::string copy;
    const auto padded = [&copy](std::string_view line) {
        copy.assign(line);
        copy.append(logs::kPadding, '\0');
        return std::string_view(copy).substr(0, line.size());
    };
    if (detection.format->hasHeaderLine()) {
        detection.format->collectFields(padded(headers.firstLine()), allFields);
        return;
    }
    while (!lines.empty()) {
        const auto end = lines.find('\n');
        const std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        if (logs::isTooLong(line)) {
            continue;
        }
        if (wrappers.isWrapped) {
            const std::string text = logs::innermostText(line, wrappers);
            detection.format->collectFields(logs::trimmed(padded(text)), allFields);
        } else {
            detection.format->collectFields(logs::trimmed(logs::lineText(line)), allFields);
        }
    }
}

engine::Status LogReader::Parts::start()
{
    if (auto done = cutter.start(*source, kDetectionLines); !done) {
        return done;
    }

    struct stat found { };

    if (source->isRegular() && ::stat(source->path().c_str(), &found) == 0) {
        notAfterNs = found.st_mtim.tv_sec * logs::kSecondNs + found.st_mtim.tv_nsec;
    }
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
    parts->restart();
    parts->allFields = FieldNames(parts->detection.format->fields());
    std::unique_ptr<LogReader> reader(new LogReader(std::move(parts)));
    reader->lookAtHead();
    return reader;
}

/// Which fields the first lines have, and whether their stamps are coarse.
void LogReader::lookAtHead()
{
    m_parts->collect(logs::firstLines(m_parts->cutter.head()));
    selectFields({});
    LogBlock block;
    parseHead(block);
    m_parts->coarse = block.m_bytes->coarse > 0;
}

void LogReader::parseHead(LogBlock& block) const
{
    const std::string_view lines = logs::firstLines(m_parts->cutter.head());
    block.firstLine = 1 + m_parts->cutter.blankLinesBefore();
    block.lineCount = logs::countNewlines(lines.data(), lines.size()) + 1;
    block.m_bytes->lines.assign(lines.data(), lines.size());
    block.m_bytes->header = m_parts->headers.text();
    block.m_bytes->tooLong.reset();
    block.m_bytes->endsCut = !lines.empty() && lines.back() != '\n';
    parse(block);
}

std::vector<std::int64_t> LogReader::lastArrivals(const LogBlock& block, std::size_t most) const
{
    const logs::ByteBuffer& all = block.m_bytes->lines;
    const std::string_view lines(all.data(), all.size());
    std::size_t begin = lines.size();
    std::uint64_t count = 0;
    while (begin > 0 && count < most) {
        const std::size_t newline
            = begin < 2 ? std::string_view::npos : lines.rfind('\n', begin - 2);
        begin = newline == std::string_view::npos ? 0 : newline + 1;
        ++count;
    }
    LogBlock tail;
    tail.firstLine = block.firstLine + (block.lineCount - std::min(block.lineCount, count));
    tail.lineCount = count;
    tail.m_bytes->lines.assign(lines.data() + begin, lines.size() - begin);
    tail.m_bytes->header = block.m_bytes->header;
    tail.m_bytes->endsCut = block.m_bytes->endsCut;
    parse(tail);
    std::vector<std::int64_t> arrivals;
    for (const engine::Request& request : tail.batch.requests) {
        arrivals.push_back(request.timeNs);
    }
    std::reverse(arrivals.begin(), arrivals.end());
    return arrivals;
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
    return m_parts->allFields.list();
}

std::uint64_t LogReader::fieldsLeftOut() const
{
    return m_parts->allFields.leftOut();
}

std::string LogReader::fieldsNote() const
{
    const std::uint64_t count = fieldsLeftOut();
    return count == 0 ? std::string()
                      : fmt::format("the lines have more fields than the {} that are listed: {} "
                                    "values are of others, which are read where they are named",
                                    FieldNames::kMost, count);
}

bool LogReader::hasCoarseStamps() const
{
    return m_parts->coarse;
}

void LogReader::selectFields(std::vector<std::string> fields)
{
    const LogOptions& options = m_parts->options;
    m_parts->parser = std::make_unique<logs::BlockParser>(
        *m_parts->detection.format, std::move(fields),
        logs::BlockOptions {m_parts->wrappers, m_parts->notAfterNs, options.file, options.clockNs,
                            options.trustedProxies, m_parts->allFields.list()});
    m_parts->sums.restart(m_parts->parser->fields().size(), m_parts->detection.format->parts());
}

const std::vector<std::string>& LogReader::selectedFields() const
{
    return m_parts->parser->fields();
}

namespace {

/// With many fields, fewer bytes, so that what is read from a block stays about as large.
std::size_t blockBytesFor(std::size_t bytes, std::size_t fields)
{
    constexpr std::size_t kUsualFields = 64;
    constexpr std::size_t kLeastBytes = std::size_t {64} << 10;
    return fields <= kUsualFields
        ? bytes
        : std::max(std::min(bytes, kLeastBytes), bytes * kUsualFields / fields);
}

} // namespace

engine::Result<bool> LogReader::readBlock(LogBlock& block)
{
    auto& bytes = *block.m_bytes;
    bytes.partials = m_parts->partials.state();
    const std::size_t size
        = blockBytesFor(m_parts->options.blockBytes, m_parts->parser->fields().size());
    auto cut = m_parts->cutter.next(*m_parts->source, size, m_parts->partials, bytes.lines);
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
        bytes.tooLong
            = logs::makeReject(block.firstLine, reject::kLineTooLong,
                               logs::withoutZeros({bytes.lines.data(), bytes.lines.size()}));
        bytes.lines.setSize(0);
        block.lineCount = 1;
    } else {
        block.lineCount
            = logs::countNewlines(bytes.lines.data(), bytes.lines.size()) + (cut->endsCut ? 1 : 0);
    }
    bytes.header = m_parts->headers.text();
    m_parts->headers.note({bytes.lines.data(), bytes.lines.size()});
    m_parts->nextLine += block.lineCount;
    block.sourceBytes = m_parts->source->bytesRead();
    return true;
}

void LogReader::parse(LogBlock& block) const
{
    m_parts->parser->parse(block, *block.m_bytes);
}

void LogReader::note(const LogBlock& block)
{
    m_parts->sums.add(block, *block.m_bytes);
}

const LogReport& LogReader::report() const
{
    return m_parts->sums.report();
}

engine::Status LogReader::reopen()
{
    if (auto done = m_parts->source->rewind(); !done) {
        return done;
    }
    if (auto done = m_parts->start(); !done) {
        return done;
    }
    m_parts->restart();
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
    m_parts->allFields.recount();
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

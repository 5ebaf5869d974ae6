#include "storage/logs/block_parser.h"

#include "storage/logs/block_sums.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace storage::logs {
namespace {

constexpr std::size_t kFirstValues = std::size_t {1} << 18;

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
    case LineOutcome::Several:
        return reject::kSeveral;
    case LineOutcome::NotHttp:
        return reject::kNotHttp;
    case LineOutcome::WideHeader:
        return reject::kWideHeader;
    case LineOutcome::Truncated:
        return reject::kTruncated;
    default:
        return reject::kNoMatch;
    }
}

} // namespace

LineReject makeReject(std::uint64_t line, std::string_view reason, std::string_view text)
{
    return {line, reason, std::string(text.substr(0, LineReject::kMostBytes))};
}

/// One block on its way through the parser.
class BlockParser::Run {
public:
    Run(const BlockParser& parser, LogBlock& block, BlockBytes& bytes)
        : m_of(parser)
        , m_parser(*parser.m_parser)
        , m_block(block)
        , m_bytes(bytes)
        , m_partials(bytes.partials)
    {
    }

    void readLines();

private:
    struct Line {
        std::string_view text;
        std::uint64_t number = 0;
        bool isCut = false;
    };

    void chooseClient(std::string_view clients, std::string_view* values);
    std::string_view* roomForOne();
    LineOutcome attempt(std::string_view text, const Line& line);
    void noteRequest(ParsedLine& parsed, std::uint64_t number);
    void noteBlank(const Line& line);
    void note(LineOutcome outcome, const Line& line);
    void reject(const LinePiece& piece, std::string_view reason);

    bool readPlain(std::string_view line, std::uint64_t number);
    void readLine(const Line& line);
    void readWrapped(const Line& line, std::size_t offset);
    bool join(const Line& line, std::size_t offset, Wrapped& wrapped);
    LineOutcome readInner(const InnerLines& inner, const Line& line);
    void readIncomplete(std::size_t stream);
    void readIncomplete(const std::array<bool, kStreams>& given);

    const BlockParser& m_of;
    const LineParser& m_parser;
    LogBlock& m_block;
    BlockBytes& m_bytes;
    PartialJoiner m_partials;
    bool m_joined = false; ///< rejects may be out of order
};

void BlockParser::Run::noteRequest(ParsedLine& parsed, std::uint64_t number)
{
    parsed.request.line = number;
    parsed.request.file = m_of.m_options.file;
    if (!m_bytes.byFormat.empty()) {
        ++m_bytes.byFormat[parsed.format];
    }
    m_block.batch.requests.push_back(parsed.request);
}

/// From what the parser put into bytes.values to `values`, with the client that is meant.
void BlockParser::Run::chooseClient(std::string_view clients, std::string_view* values)
{
    const std::span<const std::string_view> read(m_bytes.values);
    const std::size_t count = m_of.m_fields.size();
    std::copy_n(read.begin(), count, values);
    const auto choice = clients.empty()
        ? m_of.m_chooser->choose(read[m_of.m_client], read.subspan(count))
        : m_of.m_chooser->chooseOf(clients);
    values[m_of.m_client] = choice.client;
    m_bytes.forwarded += choice.from == ClientChooser::From::List ? 1U : 0U;
    m_bytes.unusableLists += choice.from == ClientChooser::From::UnusableList ? 1U : 0U;
}

/// Where the values of the next request go. Room is made as it is needed: most lines of a log that
/// is none give no request.
std::string_view* BlockParser::Run::roomForOne()
{
    engine::RequestBatch& batch = m_block.batch;
    const std::size_t used = batch.requests.size() * m_of.m_fields.size();
    if (batch.values.size() < used + m_of.m_fields.size()) {
        batch.values.resize(2 * used + m_of.m_fields.size());
    }
    return batch.values.data() + used;
}

/// Reads a text as the line; a request is noted.
LineOutcome BlockParser::Run::attempt(std::string_view text, const Line& line)
{
    std::string_view* const values = roomForOne();
    ParsedLine parsed;
    parsed.values = values;
    if (m_of.m_chooser) {
        m_bytes.values.assign(m_of.m_readFields, {});
        parsed.values = m_bytes.values.data();
    }
    const LocalTimes before = m_bytes.scratch.localTimes;
    m_bytes.scratch.outer.isUsed = false;
    const LineOutcome outcome = m_parser.parse(text, line.isCut, m_bytes.scratch, parsed);
    if (outcome == LineOutcome::Request) {
        if (m_of.m_chooser) {
            chooseClient(parsed.clients, values);
        }
        noteRequest(parsed, line.number);
        m_bytes.outerTimes += m_bytes.scratch.outer.isUsed ? 1U : 0U;
    } else if (outcome != LineOutcome::Directive) {
        m_bytes.scratch.localTimes = before; // the line may be tried again
        std::fill_n(values, m_of.m_fields.size(), std::string_view {});
    }
    return outcome;
}

void BlockParser::Run::reject(const LinePiece& piece, std::string_view reason)
{
    m_block.rejects.push_back(makeReject(piece.number, reason, piece.line));
}

void BlockParser::Run::noteBlank(const Line& line)
{
    if (m_parser.rejectsBlankLines()) {
        reject({line.number, line.text}, reject::kBlankLine);
    } else {
        ++m_block.blankLines;
    }
}

void BlockParser::Run::note(LineOutcome outcome, const Line& line)
{
    if (outcome == LineOutcome::Directive) {
        ++m_block.directiveLines;
    } else if (outcome != LineOutcome::Request) {
        reject({line.number, line.text}, reasonOf(outcome));
    }
}

/// Reads a line the quick way (LineParser::parsePlain), if it is one for that.
inline bool BlockParser::Run::readPlain(std::string_view line, std::uint64_t number)
{
    const LineMarks& marks = m_bytes.scratch.marks;
    if (!marks.isPlain() || marks.mayHoldReturn() || line.empty()
        || static_cast<signed char>(line.front()) <= ' ') {
        return false;
    }
    std::string_view* const values = roomForOne();
    engine::Request& request = m_block.batch.requests.emplace_back();
    request.line = number;
    request.file = m_of.m_options.file;
    if (!m_parser.parsePlain(withoutReturn(line), m_bytes.scratch, request, values)) {
        m_block.batch.requests.pop_back();
        return false;
    }
    return true;
}

/// A line of a log that is not wrapped: only what cannot be read as it stands is unwrapped.
void BlockParser::Run::readLine(const Line& line)
{
    const LineOutcome outcome = attempt(line.text, line);
    if (outcome == LineOutcome::Request) {
        return;
    }
    Wrapped wrapped;
    if (outcome != LineOutcome::Directive
        && unwrap(line.text, m_of.m_options.wrappers, m_bytes.wrappers, wrapped)) {
        const InnerLines lines = innerLines(wrapped, m_bytes.wrappers);
        const LineOutcome inner = readInner(lines, line);
        if (inner == LineOutcome::Request || inner == LineOutcome::Directive || lines.isSure) {
            note(inner, line);
            return;
        }
    }
    note(outcome, line);
}

/// The first of what a line may be inside of its wrappers; if none is, the outcome of the
/// innermost.
LineOutcome BlockParser::Run::readInner(const InnerLines& inner, const Line& line)
{
    LineOutcome first = LineOutcome::NoMatch;
    m_bytes.scratch.isMarked = false; // what is in it may have been written anew
    m_bytes.scratch.outer.time = inner.time;
    for (std::size_t i = 0; i < inner.count; ++i) {
        if (isBlankText(inner.lines[i])) {
            continue;
        }
        const LineOutcome outcome = attempt(inner.lines[i], line);
        if (outcome == LineOutcome::Request || outcome == LineOutcome::Directive) {
            first = outcome;
            break;
        }
        first = i == 0 ? outcome : first;
    }
    m_bytes.scratch.outer.time = {};
    return first;
}

/// A stream was given up: what there is of its line counts if nothing that matters is missing.
void BlockParser::Run::readIncomplete(std::size_t stream)
{
    const std::vector<LinePiece>& pieces = m_partials.pieces(stream);
    const Line line {pieces.back().line, pieces.back().number, true};
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        reject(pieces[i], reject::kPartialJoined);
    }
    const Wrapped wrapped = m_partials.incomplete(stream, m_bytes.arena);
    const LineOutcome outcome = readInner(innerLines(wrapped, m_bytes.wrappers), line);
    if (outcome != LineOutcome::Request) {
        reject(pieces.back(), reject::kTruncated);
    }
    m_joined = true;
}

void BlockParser::Run::readIncomplete(const std::array<bool, kStreams>& given)
{
    for (std::size_t stream = 0; stream < kStreams; ++stream) {
        if (given[stream]) {
            readIncomplete(stream);
        }
    }
}

/// Takes a piece of a partial line; true if `wrapped` has a whole one now.
bool BlockParser::Run::join(const Line& line, std::size_t offset, Wrapped& wrapped)
{
    const LinePiece piece {line.number, line.text};
    const auto step = m_partials.add(piece, offset, m_bytes.arena, wrapped);
    switch (step) {
    case PartialState::Step::Begins:
    case PartialState::Step::GoesOn:
        return false;
    case PartialState::Step::Lost:
        reject(piece, reject::kTruncated);
        return false;
    case PartialState::Step::Ends:
    case PartialState::Step::TooLong:
        for (const LinePiece& before : m_partials.pieces(wrapped.stream)) {
            reject(before, reject::kPartialJoined);
        }
        m_joined = true;
        if (step == PartialState::Step::TooLong) {
            reject(piece, reject::kLineTooLong);
        }
        return step == PartialState::Step::Ends;
    case PartialState::Step::Whole:
        break;
    }
    return true;
}

/// A line of a log with wrappers. Some may stand there without.
void BlockParser::Run::readWrapped(const Line& line, std::size_t offset)
{
    Wrapped wrapped;
    if (!unwrap(line.text, m_of.m_options.wrappers, m_bytes.wrappers, wrapped)) {
        note(attempt(line.text, line), line);
        return;
    }
    if (wrapped.isPiece() && !join(line, offset, wrapped)) {
        return;
    }
    if (isBlankText(wrapped.text) && wrapped.isPiece()) {
        noteBlank(line);
        return;
    }
    const InnerLines inner = innerLines(wrapped, m_bytes.wrappers);
    LineOutcome outcome = readInner(inner, line);
    if (outcome != LineOutcome::Request && outcome != LineOutcome::Directive) {
        const LineOutcome whole = attempt(line.text, line);
        const bool reads = whole == LineOutcome::Request || whole == LineOutcome::Directive;
        outcome = reads || !inner.isSure ? whole : outcome;
    }
    note(outcome, line);
}

void BlockParser::Run::readLines()
{
    const char* const begin = m_bytes.lines.data();
    const char* const end = begin + m_bytes.lines.size();
    const bool isWrapped = m_of.m_options.wrappers.isWrapped;
    const bool mayBePlain = !isWrapped && !m_of.m_chooser && m_bytes.byFormat.empty();
    std::uint64_t number = m_block.firstLine;
    m_bytes.scratch.marks.restart({begin, m_bytes.lines.size()});
    for (const char* at = begin; at < end; ++number) {
        const char* const stop = m_bytes.scratch.marks.goTo(at);
        m_bytes.scratch.isMarked = true;
        const std::string_view raw(at, static_cast<std::size_t>(stop - at));
        const auto offset = static_cast<std::size_t>(at - begin);
        at = stop + 1;
        if (mayBePlain && stop != end && readPlain(raw, number)) {
            continue;
        }
        if (isWrapped) {
            readIncomplete(m_partials.giveUp(offset));
        }
        if (isTooLong(raw)) {
            readIncomplete(m_partials.giveUpAll());
            reject({number, withoutZeros(raw)}, reject::kLineTooLong);
            continue;
        }
        const Line line {lineText(raw), number, stop == end && m_bytes.endsCut};
        m_bytes.linesBehindNuls += raw.starts_with('\0') ? 1U : 0U;
        if (isBlankText(line.text)) {
            noteBlank(line);
        } else if (isWrapped) {
            readWrapped(line, offset);
        } else {
            readLine(line);
        }
    }
    readIncomplete(m_partials.giveUpAll());
    settleTimes(m_of.m_options.clockNs, m_block.batch.requests, m_bytes);
    countFilled(m_block.batch, m_block.filled);
    if (m_joined) {
        std::stable_sort(m_block.rejects.begin(), m_block.rejects.end(),
                         [](const LineReject& a, const LineReject& b) { return a.line < b.line; });
    }
}

BlockParser::BlockParser(const LogFormat& format, std::vector<std::string> fields,
                         BlockOptions options)
    : m_formatCount(format.parts().size())
    , m_fields(std::move(fields))
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

void BlockParser::clear(LogBlock& block, BlockBytes& bytes) const
{
    bytes.arena.clear();
    bytes.scratch.arena = &bytes.arena;
    bytes.scratch.header.set(bytes.header);
    bytes.scratch.localTimes = {};
    bytes.scratch.outer = {{}, m_options.notAfterNs, false};
    bytes.wrappers.arena = &bytes.arena;
    bytes.wrappers.keys.entries.clear();
    bytes.scratch.parts.clear();
    bytes.byFormat.assign(m_formatCount, 0);
    bytes.outerTimes = 0;
    bytes.linesBehindNuls = 0;
    bytes.withDuration = 0;
    bytes.coarse = 0;
    bytes.stepsBack = 0;
    bytes.forwarded = 0;
    bytes.unusableLists = 0;
    block.rejects.clear();
    block.blankLines = 0;
    block.directiveLines = 0;
    block.filled.assign(m_fields.size(), 0);
    block.batch.clear();
    block.batch.fieldCount = m_fields.size();
    block.batch.requests.reserve(block.lineCount);
    block.batch.values.resize(std::min(block.lineCount * m_fields.size(), kFirstValues));
}

void BlockParser::parse(LogBlock& block, BlockBytes& bytes) const
{
    clear(block, bytes);
    Run(*this, block, bytes).readLines();
    block.batch.values.resize(block.batch.requests.size() * m_fields.size());
    if (bytes.tooLong) {
        block.rejects.push_back(*bytes.tooLong);
    }
}

} // namespace storage::logs

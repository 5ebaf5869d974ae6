#include "app/workbench/log_feed.h"

#include "app/workbench/open_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <sys/stat.h>

namespace app {
namespace {

constexpr std::int64_t kEarliest = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t kBlocksOfAll = std::size_t {16} << 20;
constexpr std::size_t kLeastBlock = std::size_t {64} << 10;
/// So many lines at the end of a block say how far its LOG has come.
constexpr std::size_t kLookedBack = 16;

std::int64_t minus(std::int64_t a, std::int64_t b)
{
    std::int64_t difference = 0;
    return __builtin_sub_overflow(a, b, &difference) ? kEarliest : difference;
}

/// Which file a path leads to.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

std::optional<FileIdentity> identityOf(const std::string& path)
{
    struct stat found { };

    if (::stat(path.c_str(), &found) != 0) {
        return std::nullopt;
    }
    return FileIdentity {found.st_dev, found.st_ino};
}

} // namespace

struct LogFeed::Input {
    LogChoice choice;
    std::uint32_t log = 0;
    std::unique_ptr<storage::LogReader> reader; ///< closed while there are many
    ReadLog known; ///< as of the last closing
    std::optional<FileIdentity> identity;
    std::optional<std::int64_t> firstNs;
    bool isFresh = false; ///< the reader stands at line 1
    bool isEnded = false;
    std::uint64_t bytesTotal = 0;
    std::uint64_t bytesRead = 0; ///< noted

    /// There is nothing in it, so that it need not be open to be read.
    [[nodiscard]] bool isEmptyFile() const { return known.isRegular && bytesTotal == 0; }

    /// Arrivals that the LOG may still give are not before this, as far as its lines tell.
    std::int64_t behindNs = kEarliest;
    std::int64_t lastNs = kEarliest; ///< arrival in its last line that was read
};

LogFeed::LogFeed(std::vector<LogChoice> logs, LogFeedOptions options)
    : m_options(std::move(options))
    , m_inputs(logs.size())
{
    for (std::size_t i = 0; i < logs.size(); ++i) {
        m_inputs[i].choice = std::move(logs[i]);
        m_inputs[i].log = static_cast<std::uint32_t>(i);
    }
    m_options.blockBytes
        = std::min(m_options.blockBytes,
                   std::max(kBlocksOfAll / std::max<std::size_t>(m_inputs.size(), 1), kLeastBlock));
}

LogFeed::~LogFeed() = default;

engine::Result<std::unique_ptr<LogFeed>> LogFeed::open(std::vector<LogChoice> logs,
                                                       LogFeedOptions options)
{
    std::unique_ptr<LogFeed> feed(new LogFeed(std::move(logs), std::move(options)));
    for (std::size_t log = 0; log < feed->m_inputs.size(); ++log) {
        if (engine::Status opened = feed->openFirst(log); !opened) {
            return engine::fail(orTooManyOpen(opened.error()));
        }
    }
    return feed;
}

engine::Status LogFeed::openFirst(std::size_t log)
{
    Input& input = m_inputs[log];
    if (m_streams.contains(input.choice.path)) {
        return engine::fail("log.stream-twice",
                            fmt::format("`{}` is a stream and is given twice", input.choice.path),
                            "a stream can be read once");
    }
    input.identity = identityOf(input.choice.path);
    auto reader = openLog(input.choice, m_options.stop, m_options.blockBytes, input.log);
    if (!reader) {
        return engine::fail(reader.error());
    }
    input.reader = std::move(*reader);
    input.isFresh = true;
    input.bytesTotal = input.reader->source().bytesTotal();
    if (m_inputs.size() > 1) {
        storage::LogBlock head;
        input.reader->parseHead(head);
        if (!head.batch.requests.empty()) {
            input.firstNs = head.batch.requests.front().timeNs;
        }
    }
    if (m_options.opened) {
        if (engine::Status told = m_options.opened(log, *input.reader); !told) {
            return told;
        }
    }
    input.known = readLogOf(*input.reader, input.choice);
    input.known.bytes = 0;
    if (!input.known.isRegular) {
        m_streams.insert(input.choice.path);
    }
    if (m_inputs.size() > kMostOpen && input.known.isRegular) {
        input.reader.reset();
    }
    return engine::Done {};
}

/// Opens a LOG whose reader was let go, as it was: what was written to it since is not read.
engine::Status LogFeed::openAgain(Input& input)
{
    LogChoice choice = input.choice;
    if (choice.storedBytes == 0) {
        choice.storedBytes = input.bytesTotal;
    }
    auto reader = openLog(choice, m_options.stop, m_options.blockBytes, input.log);
    if (!reader) {
        return engine::fail(reader.error());
    }
    if (identityOf(choice.path) != input.identity
        || (*reader)->format().name() != input.known.format) {
        return engine::fail(
            "log.changed",
            fmt::format("`{}` is not the file that it was a moment ago", choice.path),
            "it was rotated or written anew: start again");
    }
    input.reader = std::move(*reader);
    input.reader->selectFields(m_fields);
    input.isFresh = true;
    return engine::Done {};
}

void LogFeed::selectFields(const std::vector<std::string>& fields)
{
    m_fields = fields;
    for (Input& input : m_inputs) {
        if (input.reader) {
            input.reader->selectFields(fields);
        }
    }
}

engine::Status LogFeed::start(Order order, std::int64_t horizonNs)
{
    m_order = order;
    m_horizonNs = horizonNs;
    m_lines = 0;
    for (Input& input : m_inputs) {
        input.isEnded = false;
        input.bytesRead = 0;
        input.lastNs = kEarliest;
        input.behindNs = input.firstNs ? minus(*input.firstNs, horizonNs) : kEarliest;
        if (input.reader && !input.isFresh) {
            if (engine::Status again = input.reader->reopen(); !again) {
                return again;
            }
            input.isFresh = true;
        }
    }
    return engine::Done {};
}

/// The LOG whose turn it is; nullptr: all have ended.
LogFeed::Input* LogFeed::next()
{
    Input* chosen = nullptr;
    for (Input& input : m_inputs) {
        if (input.isEnded) {
            continue;
        }
        if (m_order == Order::ByLog) {
            return &input;
        }
        if (chosen == nullptr || input.behindNs < chosen->behindNs) {
            chosen = &input;
        }
    }
    return chosen;
}

bool LogFeed::read(FeedBlock& block)
{
    if (m_failure || stopAsked()) {
        return false;
    }
    Input* const input = next();
    if (input == nullptr) {
        return false;
    }
    block.log = input->log;
    if (!input->reader && input->isEmptyFile()) {
        block.block = {};
        block.ends = true;
        input->isEnded = true;
        return true;
    }
    if (!input->reader) {
        if (engine::Status opened = openAgain(*input); !opened) {
            m_failure = opened.error();
            return false;
        }
    }
    const engine::Result<bool> more = input->reader->readBlock(block.block);
    if (!more) {
        m_failure = more.error();
        return false;
    }
    input->isFresh = false;
    block.ends = !*more;
    input->isEnded = block.ends;
    if (!block.ends && m_order == Order::ByTime && m_inputs.size() > 1) {
        learn(*input, block.block);
    }
    return true;
}

/// How far the LOG has come with this block. A line's second is complete, and its order settled,
/// when a line two horizons later was read, and all that comes is at most a horizon earlier.
void LogFeed::learn(Input& input, const storage::LogBlock& block)
{
    const std::vector<std::int64_t> last = input.reader->lastArrivals(block, kLookedBack);
    if (last.empty()) {
        return;
    }
    const std::int64_t newest = std::max(input.lastNs, last.front());
    const std::int64_t settled = minus(minus(newest, m_horizonNs), m_horizonNs);
    const auto found = std::find_if(last.begin(), last.end(),
                                    [settled](std::int64_t ns) { return ns <= settled; });
    std::int64_t reached = settled; // many lines within the two horizons
    if (found != last.end()) {
        reached = *found;
    } else if (block.lineCount <= kLookedBack) {
        reached = input.lastNs <= settled ? input.lastNs : kEarliest;
    }
    input.behindNs = std::max(input.behindNs, minus(reached, m_horizonNs));
    input.lastNs = newest;
}

void LogFeed::parse(FeedBlock& block) const
{
    if (const Input& input = m_inputs[block.log]; input.reader) {
        input.reader->parse(block.block);
    }
}

void LogFeed::note(const FeedBlock& block)
{
    Input& input = m_inputs[block.log];
    if (!block.ends) {
        input.reader->note(block.block);
        m_lines += block.block.lineCount;
        input.bytesRead = block.block.sourceBytes;
    } else if (m_inputs.size() > kMostOpen && input.reader) {
        input.known = readLogOf(*input.reader, input.choice);
        input.reader.reset();
    }
}

bool LogFeed::stopAsked() const
{
    return m_options.stop != nullptr && m_options.stop->load(std::memory_order_relaxed);
}

std::size_t LogFeed::size() const
{
    return m_inputs.size();
}

bool LogFeed::isRegular() const
{
    return std::all_of(m_inputs.begin(), m_inputs.end(),
                       [](const Input& input) { return input.known.isRegular; });
}

std::optional<std::int64_t> LogFeed::firstNs(std::size_t log) const
{
    return m_inputs[log].firstNs;
}

std::vector<ReadLog> LogFeed::logs() const
{
    std::vector<ReadLog> logs;
    logs.reserve(m_inputs.size());
    for (const Input& input : m_inputs) {
        logs.push_back(input.reader && !input.isFresh ? readLogOf(*input.reader, input.choice)
                                                      : input.known);
    }
    return logs;
}

ProgressState LogFeed::progress() const
{
    ProgressState state;
    state.lines = m_lines;
    bool isKnown = true;
    for (const Input& input : m_inputs) {
        state.bytesRead += input.bytesRead;
        state.bytesTotal += input.bytesTotal;
        isKnown = isKnown && input.bytesTotal > 0;
    }
    state.bytesTotal = isKnown ? state.bytesTotal : 0;
    return state;
}

} // namespace app

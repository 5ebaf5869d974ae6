#include "storage/log_source.h"

#include "storage/logs/inflater.h"
#include "storage/logs/raw_input.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <xxhash.h>

namespace storage {
namespace {

constexpr std::size_t kStoredBytes = std::size_t {256} << 10;
constexpr std::size_t kMagicBytes = 10;
constexpr std::string_view kGzipMagic("\x1f\x8b", 2);

struct Packing {
    std::string_view magic;
    std::string_view name;
};

constexpr std::array<Packing, 6> kOtherPackings {{
    {std::string_view("\x28\xb5\x2f\xfd", 4), "zstd"},
    {std::string_view("\xfd\x37\x7a\x58\x5a\x00", 6), "xz"},
    {std::string_view("PK\x03\x04", 4), "zip"},
    {std::string_view("\x04\x22\x4d\x18", 4), "lz4"},
    {std::string_view("BZh91AY&SY", 10), "bzip2"},
    {std::string_view("7z\xbc\xaf\x27\x1c", 6), "7z"},
}};

struct HashFree {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

} // namespace

std::string Fingerprint::toText() const
{
    return fmt::format("{:016x}{:016x}", high, low);
}

class LogSource::Parts {
public:
    logs::RawInput input;
    SourceLimits limits;
    std::unique_ptr<XXH3_state_t, HashFree> hash {XXH3_createState()};
    std::vector<char> stored; ///< bytes taken from the input, not handed on yet: [begin, end)
    std::size_t begin = 0;
    std::size_t end = 0;
    bool ended = false;
    std::optional<logs::Inflater> inflater;
    std::uint64_t textBytes = 0;
    bool partial = false;
    std::vector<engine::Diagnostic> warnings;

    engine::Status start();
    engine::Status fill();
    engine::Result<std::size_t> readPlain(char* into, std::size_t room);
    engine::Result<std::size_t> readInflated(char* into, std::size_t room);
    engine::Result<bool> toNextMember();
    engine::Status checkLimits();
    engine::Result<std::size_t> takeInput(char* into, std::size_t room);
    void warn(std::string code, std::string message);
};

void LogSource::Parts::warn(std::string code, std::string message)
{
    engine::Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.place.file = input.path();
    diagnostic.severity = engine::Severity::Advice;
    warnings.push_back(std::move(diagnostic));
}

engine::Result<std::size_t> LogSource::Parts::takeInput(char* into, std::size_t room)
{
    auto got = input.read(into, room);
    if (got && *got > 0) {
        XXH3_128bits_update(hash.get(), into, *got);
    } else if (got && room > 0) {
        if (!ended && input.hasShrunk()) {
            partial = true;
            warn("log.shrunk",
                 fmt::format("{} became shorter while it was read: {} of {} bytes were there",
                             input.path(), input.offset(), input.total()));
        }
        ended = true;
    }
    return got;
}

engine::Status LogSource::Parts::fill()
{
    begin = 0;
    end = 0;
    auto got = takeInput(stored.data(), stored.size());
    if (!got) {
        return engine::fail(got.error());
    }
    end = *got;
    return engine::Done {};
}

engine::Status LogSource::Parts::start()
{
    XXH3_128bits_reset(hash.get());
    stored.resize(kStoredBytes);
    begin = 0;
    end = 0;
    ended = false;
    textBytes = 0;
    partial = false;
    warnings.clear();
    inflater.reset();
    while (end < kMagicBytes && !ended) {
        auto got = takeInput(stored.data() + end, stored.size() - end);
        if (!got) {
            return engine::fail(got.error());
        }
        end += *got;
    }
    const std::string_view head(stored.data(), end);
    if (head.starts_with(kGzipMagic)) {
        inflater.emplace();
        return engine::Done {};
    }
    for (const auto& packing : kOtherPackings) {
        if (head.starts_with(packing.magic)) {
            return engine::fail(
                "log.compression",
                fmt::format("{} is compressed with {}, which this version does not read",
                            input.path(), packing.name),
                "decompress it into a pipe: ... | weir ... -");
        }
    }
    return engine::Done {};
}

engine::Result<std::size_t> LogSource::Parts::readPlain(char* into, std::size_t room)
{
    if (begin < end) {
        const std::size_t count = std::min(room, end - begin);
        std::memcpy(into, stored.data() + begin, count);
        begin += count;
        return count;
    }
    return ended ? engine::Result<std::size_t>(std::size_t {0}) : takeInput(into, room);
}

/// After a member: skips zero padding; true if another member begins.
engine::Result<bool> LogSource::Parts::toNextMember()
{
    bool half = false; // a 1f that may begin the next member
    for (;;) {
        while (begin < end) {
            const char byte = stored[begin];
            if (half && byte == kGzipMagic[1]) {
                inflater->nextMember();
                inflater->give(kGzipMagic.data(), kGzipMagic.size());
                char nothing = 0;
                inflater->take(&nothing, 0);
                ++begin;
                return true;
            }
            if (half || (byte != 0 && byte != kGzipMagic[0])) {
                warn("log.trailing-bytes",
                     fmt::format("{} has bytes behind its compressed data; they were left out",
                                 input.path()));
                while (!ended) { // the fingerprint is of all stored bytes
                    if (auto done = fill(); !done) {
                        return engine::fail(done.error());
                    }
                }
                begin = end;
                return false;
            }
            half = byte == kGzipMagic[0];
            ++begin;
        }
        if (ended) {
            return false;
        }
        if (auto done = fill(); !done) {
            return engine::fail(done.error());
        }
    }
}

engine::Status LogSource::Parts::checkLimits()
{
    const std::uint64_t taken = std::max<std::uint64_t>(input.offset(), 1);
    if (textBytes > limits.freeBytes && textBytes / taken >= limits.maxRatio) {
        return engine::fail(
            "log.bomb",
            fmt::format(
                "{} grows to more than {} times its size ({} bytes out of {}); that is no log",
                input.path(), limits.maxRatio, textBytes, taken),
            "if it is one, decompress it into a pipe: gzip -dc ... | weir ... -");
    }
    if (textBytes > limits.maxBytes) {
        return engine::fail(
            "log.bomb",
            fmt::format("{} holds more than {} bytes of text", input.path(), limits.maxBytes),
            "split it");
    }
    return engine::Done {};
}

engine::Result<std::size_t> LogSource::Parts::readInflated(char* into, std::size_t room)
{
    using State = logs::Inflater::State;
    for (;;) {
        if (inflater->state() == State::Damaged) {
            return std::size_t {0};
        }
        if (inflater->state() == State::BetweenMembers) {
            auto more = toNextMember();
            if (!more) {
                return engine::fail(more.error());
            }
            if (!*more) {
                return std::size_t {0};
            }
        }
        if (begin == end && !ended) {
            if (auto done = fill(); !done) {
                return engine::fail(done.error());
            }
        }
        inflater->give(stored.data() + begin, end - begin);
        const std::size_t got = inflater->take(into, room);
        begin = end - inflater->pending();
        textBytes += got;
        if (auto done = checkLimits(); !done) {
            return engine::fail(done.error());
        }
        const bool starved
            = inflater->state() == State::Running && got == 0 && begin == end && ended;
        if (!partial && !input.wasStopped() && (inflater->state() == State::Damaged || starved)) {
            partial = true;
            warn("log.damaged",
                 fmt::format(
                     "{} is damaged at its end ({}); the {} bytes of text before that were read",
                     input.path(), starved ? "it is cut" : inflater->fault(), textBytes));
            while (!ended) {
                if (auto done = fill(); !done) {
                    return engine::fail(done.error());
                }
            }
        }
        if (got > 0 || starved) {
            return got;
        }
    }
}

LogSource::LogSource(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

LogSource::~LogSource() = default;

engine::Result<std::unique_ptr<LogSource>> LogSource::open(const std::string& path,
                                                           const SourceOptions& options)
{
    auto input = logs::RawInput::open(path, {options.storedBytes, options.stop});
    if (!input) {
        return engine::fail(input.error());
    }
    auto parts = std::make_unique<Parts>();
    parts->input = std::move(*input);
    parts->limits = options.limits;
    if (auto done = parts->start(); !done) {
        return engine::fail(done.error());
    }
    return std::unique_ptr<LogSource>(new LogSource(std::move(parts)));
}

engine::Result<std::size_t> LogSource::read(char* into, std::size_t room)
{
    return m_parts->inflater ? m_parts->readInflated(into, room) : m_parts->readPlain(into, room);
}

engine::Status LogSource::rewind()
{
    if (!isRegular()) {
        return engine::fail("log.stream", fmt::format("{} can be read only once", path()),
                            "save it to a file first");
    }
    m_parts->input.rewind();
    return m_parts->start();
}

const std::string& LogSource::path() const
{
    return m_parts->input.path();
}

bool LogSource::isRegular() const
{
    return m_parts->input.isRegular();
}

bool LogSource::isCompressed() const
{
    return m_parts->inflater.has_value();
}

bool LogSource::isPartial() const
{
    return m_parts->partial;
}

std::uint64_t LogSource::bytesRead() const
{
    return m_parts->input.offset();
}

std::uint64_t LogSource::bytesTotal() const
{
    return m_parts->input.total();
}

Fingerprint LogSource::fingerprint() const
{
    const XXH128_hash_t hash = XXH3_128bits_digest(m_parts->hash.get());
    return {hash.high64, hash.low64};
}

const std::vector<engine::Diagnostic>& LogSource::warnings() const
{
    return m_parts->warnings;
}

engine::Result<StoredBytes> fingerprintFile(const std::string& path, std::uint64_t bytes)
{
    engine::Result<logs::RawInput> input = logs::RawInput::open(path, {bytes, nullptr});
    if (!input) {
        return engine::fail(input.error());
    }
    if (!input->isRegular()) {
        return engine::fail("log.stream", fmt::format("{} is not a regular file", path),
                            "give the log as a file");
    }
    if (input->fileBytes() < bytes) {
        return engine::fail("log.short",
                            fmt::format("{} has {} bytes, fewer than the {} that were read before",
                                        path, input->fileBytes(), bytes),
                            "give the log as it was, or replay what there is as a new run");
    }
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(),
                                                                               XXH3_freeState);
    XXH3_128bits_reset(hash.get());
    std::vector<char> room(std::size_t {1} << 20);
    for (;;) {
        const engine::Result<std::size_t> got = input->read(room.data(), room.size());
        if (!got) {
            return engine::fail(got.error());
        }
        if (*got == 0) {
            break;
        }
        XXH3_128bits_update(hash.get(), room.data(), *got);
    }
    const XXH128_hash_t digest = XXH3_128bits_digest(hash.get());
    return StoredBytes {{digest.high64, digest.low64},
                        bytes == 0 ? input->offset() : input->fileBytes()};
}

} // namespace storage

#include "storage/log_source.h"

#include "storage/logs/hashed_input.h"
#include "storage/logs/packing.h"

#include <fmt/format.h>
#include <utility>

namespace storage {
namespace {

/// "gzip -dc a.gz | weir ... -"
std::string asPipe(std::string_view unpack, const std::string& path)
{
    return fmt::format("{} | weir ... -", logs::unpackCommand(unpack, path));
}

} // namespace

std::string Fingerprint::toText() const
{
    return fmt::format("{:016x}{:016x}", high, low);
}

class LogSource::Parts {
public:
    Parts(logs::RawInput input, const SourceLimits& sourceLimits)
        : bytes(std::move(input))
        , limits(sourceLimits)
    {
    }

    logs::HashedInput bytes;
    SourceLimits limits;
    const logs::Packing* packing = nullptr;
    std::unique_ptr<logs::Decoder> decoder; ///< none: the bytes are the text
    std::string first; ///< text that was looked at when the log was opened
    std::size_t firstUsed = 0;
    std::uint64_t textBytes = 0;
    bool partial = false;
    std::vector<engine::Diagnostic> warnings;

    engine::Status start();
    engine::Result<std::size_t> read(char* into, std::size_t room);

private:
    [[nodiscard]] const std::string& path() const { return bytes.input().path(); }

    void warn(std::string code, std::string message);
    void noteEnd();
    engine::Status refuse() const;
    engine::Status lookInside();
    engine::Result<std::size_t> readPlain(char* into, std::size_t room);
    engine::Result<std::size_t> readDecoded(char* into, std::size_t room);
    engine::Result<bool> toNextPart();
    engine::Status checkLimits() const;
    engine::Status noteDamage(const std::string& fault);

    bool m_endNoted = false;
};

void LogSource::Parts::warn(std::string code, std::string message)
{
    engine::Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.place.file = path();
    diagnostic.severity = engine::Severity::Advice;
    warnings.push_back(std::move(diagnostic));
}

void LogSource::Parts::noteEnd()
{
    const logs::RawInput& input = bytes.input();
    if (!m_endNoted && bytes.hasEnded() && input.hasShrunk()) {
        partial = true;
        warn("log.shrunk",
             fmt::format("{} became shorter while it was read: {} of {} bytes were there", path(),
                         input.offset(), input.total()));
    }
    m_endNoted = bytes.hasEnded();
}

engine::Status LogSource::Parts::start()
{
    m_endNoted = false;
    textBytes = 0;
    partial = false;
    warnings.clear();
    decoder.reset();
    first.clear();
    firstUsed = 0;
    if (auto done = bytes.need(logs::kPackingBytes); !done) {
        return done;
    }
    noteEnd();
    packing = &logs::packingOf(bytes.view());
    if (packing->name.empty()) {
        return engine::Done {};
    }
    if (packing->decoder == nullptr) {
        return engine::fail(
            "log.compression",
            fmt::format("{} is packed with {}, which is not read", path(), packing->name),
            fmt::format("unpack it into a pipe: {}", asPipe(packing->unpack, path())));
    }
    decoder = packing->decoder();
    return lookInside();
}

/// What is packed once more would be read as a log without one good line.
engine::Status LogSource::Parts::lookInside()
{
    std::string text(logs::kPackingBytes, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        auto got = readDecoded(text.data() + size, text.size() - size);
        if (!got) {
            return engine::fail(got.error());
        }
        if (*got == 0) {
            break;
        }
        size += *got;
    }
    text.resize(size);
    first = std::move(text);
    const logs::Packing& inner = logs::packingOf(first);
    if (inner.name.empty()) {
        return engine::Done {};
    }
    std::string help = asPipe(packing->unpack, path());
    if (inner.decoder == nullptr) {
        help = fmt::format("{} | {}", logs::unpackCommand(packing->unpack, path()),
                           asPipe(inner.unpack, "-"));
    }
    return engine::fail(
        "log.compression",
        fmt::format("{} is packed twice: {} inside of {}", path(), inner.name, packing->name),
        fmt::format("unpack it once, into a pipe: {}", help));
}

engine::Result<std::size_t> LogSource::Parts::read(char* into, std::size_t room)
{
    if (firstUsed < first.size()) {
        const std::size_t count = first.copy(into, room, firstUsed);
        firstUsed += count;
        return count;
    }
    return decoder ? readDecoded(into, room) : readPlain(into, room);
}

engine::Result<std::size_t> LogSource::Parts::readPlain(char* into, std::size_t room)
{
    auto got = bytes.read(into, room);
    noteEnd();
    return got;
}

/// Behind a part: skips zeros; true if another part begins.
engine::Result<bool> LogSource::Parts::toNextPart()
{
    for (bool onlyZeros = true; onlyZeros;) {
        if (auto done = bytes.need(logs::Decoder::kHeadBytes); !done) {
            return engine::fail(done.error());
        }
        const std::string_view view = bytes.view();
        const std::size_t zeros = std::min(view.find_first_not_of('\0'), view.size());
        bytes.use(zeros);
        onlyZeros = zeros == view.size() && !bytes.hasEnded();
    }
    if (auto done = bytes.need(logs::Decoder::kHeadBytes); !done) {
        return engine::fail(done.error());
    }
    noteEnd();
    if (decoder->beginsPart(bytes.view())) {
        decoder->nextPart();
        return true;
    }
    auto behind = bytes.drain(); // the fingerprint is of all stored bytes
    if (!behind) {
        return engine::fail(behind.error());
    }
    noteEnd();
    if (*behind > 0 && !bytes.input().wasStopped()) {
        partial = true; // they may be more of the log
        warn("log.trailing-bytes",
             fmt::format("{} has {} bytes behind its compressed data; they were left out", path(),
                         *behind));
    }
    return false;
}

engine::Status LogSource::Parts::checkLimits() const
{
    const std::uint64_t stored = std::max<std::uint64_t>(bytes.used(), 1);
    if (textBytes > limits.freeBytes && textBytes / stored >= limits.maxRatio) {
        return engine::fail(
            "log.bomb",
            fmt::format("{} unpacks to {} bytes out of {}, more than {} to 1: it was made to "
                        "exhaust a reader, or says the same all the time",
                        path(), textBytes, stored, limits.maxRatio),
            "if it is a log, allow any ratio: --max-ratio none (--max-bytes still holds)");
    }
    if (textBytes > limits.maxBytes) {
        return engine::fail(
            "log.bomb",
            fmt::format("{} unpacks to more than {} bytes of text", path(), limits.maxBytes),
            "if it is a log, allow more: --max-bytes SIZE");
    }
    return engine::Done {};
}

engine::Status LogSource::Parts::refuse() const
{
    return engine::fail(
        "log.compression", fmt::format("{} is not unpacked: {}", path(), decoder->fault()),
        fmt::format("unpack it into a pipe: {}", asPipe(decoder->otherWay(), path())));
}

engine::Status LogSource::Parts::noteDamage(const std::string& fault)
{
    partial = true;
    warn("log.damaged",
         fmt::format("{} is damaged at its end ({}); the {} bytes of text before that were read",
                     path(), fault, textBytes));
    auto drained = bytes.drain();
    noteEnd();
    return drained ? engine::Status(engine::Done {}) : engine::fail(drained.error());
}

engine::Result<std::size_t> LogSource::Parts::readDecoded(char* into, std::size_t room)
{
    using State = logs::Decoder::State;
    while (decoder->state() != State::Damaged) {
        if (decoder->state() == State::BetweenParts) {
            auto more = toNextPart();
            if (!more) {
                return engine::fail(more.error());
            }
            if (!*more) {
                break;
            }
        }
        if (auto done = bytes.need(1); !done) {
            return engine::fail(done.error());
        }
        noteEnd();
        const logs::Decoder::Step step = decoder->step(bytes.view(), into, room);
        bytes.use(step.used);
        textBytes += step.given;
        if (auto done = decoder->state() == State::Refused ? refuse() : checkLimits(); !done) {
            return engine::fail(done.error());
        }
        const bool isCut = decoder->state() == State::Running && step.given == 0
            && bytes.view().empty() && bytes.hasEnded();
        const bool isDamaged = decoder->state() == State::Damaged || isCut;
        if (isDamaged && !partial && !bytes.input().wasStopped()) {
            if (auto done = noteDamage(isCut ? "it is cut" : decoder->fault()); !done) {
                return engine::fail(done.error());
            }
        }
        if (step.given > 0 || isCut) {
            return step.given;
        }
    }
    return std::size_t {0};
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
    auto parts = std::make_unique<Parts>(std::move(*input), options.limits);
    if (auto done = parts->start(); !done) {
        return engine::fail(done.error());
    }
    return std::unique_ptr<LogSource>(new LogSource(std::move(parts)));
}

engine::Result<std::size_t> LogSource::read(char* into, std::size_t room)
{
    return m_parts->read(into, room);
}

engine::Status LogSource::rewind()
{
    if (!isRegular()) {
        return engine::fail("log.stream", fmt::format("{} can be read only once", path()),
                            "save it to a file first");
    }
    m_parts->bytes.rewind();
    return m_parts->start();
}

const std::string& LogSource::path() const
{
    return m_parts->bytes.input().path();
}

bool LogSource::isRegular() const
{
    return m_parts->bytes.input().isRegular();
}

bool LogSource::isCompressed() const
{
    return m_parts->decoder != nullptr;
}

bool LogSource::isPartial() const
{
    return m_parts->partial;
}

std::uint64_t LogSource::bytesRead() const
{
    return m_parts->bytes.input().offset();
}

std::uint64_t LogSource::bytesTotal() const
{
    return m_parts->bytes.input().total();
}

Fingerprint LogSource::fingerprint() const
{
    return m_parts->bytes.fingerprint();
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
    logs::HashedInput hashed(std::move(*input));
    if (auto drained = hashed.drain(); !drained) {
        return engine::fail(drained.error());
    }
    return StoredBytes {hashed.fingerprint(),
                        bytes == 0 ? hashed.used() : hashed.input().fileBytes()};
}

} // namespace storage

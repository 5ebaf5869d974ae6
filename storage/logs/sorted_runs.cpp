#include "storage/logs/sorted_runs.h"

#include <algorithm>

namespace storage::logs {
namespace {

constexpr std::size_t kBufferBytes = std::size_t {128} << 10;
constexpr std::size_t kMostRuns = 64;

} // namespace

/// One run: written through a buffer once, then read through a buffer once.
class SortedRuns::Run {
public:
    explicit Run(ScratchFile file)
        : m_file(std::move(file))
        , m_buffer(kBufferBytes / sizeof(std::uint64_t))
    {
    }

    engine::Status append(WaitingRecord& record)
    {
        const std::size_t bytes = record.bytes();
        if (m_end + bytes > capacity()) {
            if (auto done = flush(); !done) {
                return done;
            }
            grow(bytes);
        }
        std::memcpy(base() + m_end, &record, bytes);
        m_end += bytes;
        return engine::Done {};
    }

    engine::Status flush()
    {
        auto done = m_file.writeAt(m_size, base(), m_end);
        m_size += m_end;
        m_end = 0;
        return done;
    }

    /// To the first record.
    engine::Status begin()
    {
        m_begin = 0;
        m_end = 0;
        m_offset = 0;
        return load();
    }

    engine::Status advance()
    {
        m_begin += head()->bytes();
        return load();
    }

    [[nodiscard]] bool isDone() const { return m_begin == m_end; }

    [[nodiscard]] WaitingRecord* head()
    {
        return reinterpret_cast<WaitingRecord*>(base() + m_begin);
    }

    [[nodiscard]] std::uint64_t size() const { return m_size; }

private:
    /// Sees to it that a whole record stands at m_begin, unless the run is used up.
    engine::Status load()
    {
        std::size_t held = m_end - m_begin;
        if (held >= sizeof(WaitingRecord) && held >= head()->bytes()) {
            return engine::Done {};
        }
        std::memmove(base(), base() + m_begin, held);
        m_begin = 0;
        m_end = held;
        for (std::size_t need = sizeof(WaitingRecord);;) {
            grow(need);
            const auto more = static_cast<std::size_t>(
                std::min<std::uint64_t>(capacity() - m_end, m_size - m_offset));
            if (auto done = m_file.readAt(m_offset, base() + m_end, more); !done) {
                return done;
            }
            m_offset += more;
            m_end += more;
            if (m_end < sizeof(WaitingRecord) || m_end >= head()->bytes()) {
                return engine::Done {};
            }
            need = head()->bytes();
        }
    }

    void grow(std::size_t bytes)
    {
        if (bytes > capacity()) {
            m_buffer.resize(bytes / sizeof(std::uint64_t));
        }
    }

    [[nodiscard]] std::size_t capacity() const { return m_buffer.size() * sizeof(std::uint64_t); }

    [[nodiscard]] std::byte* base() { return reinterpret_cast<std::byte*>(m_buffer.data()); }

    ScratchFile m_file;
    std::vector<std::uint64_t> m_buffer; ///< of words, for its alignment
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    std::uint64_t m_offset = 0; ///< read up to here
    std::uint64_t m_size = 0;
};

SortedRuns::SortedRuns(Less less, std::string folder)
    : m_less(less)
    , m_folder(std::move(folder))
{
}

SortedRuns::~SortedRuns() = default;

bool SortedRuns::later(const Run* a, const Run* b) const
{
    return m_less(const_cast<Run*>(b)->head(),
                  const_cast<Run*>(a)->head()); // NOLINT: head() only looks
}

void SortedRuns::push(std::unique_ptr<Run> run)
{
    if (run->isDone()) {
        return;
    }
    m_heap.push_back(std::move(run));
    std::push_heap(m_heap.begin(), m_heap.end(),
                   [this](const auto& a, const auto& b) { return later(a.get(), b.get()); });
}

std::unique_ptr<SortedRuns::Run> SortedRuns::takeTop()
{
    std::pop_heap(m_heap.begin(), m_heap.end(),
                  [this](const auto& a, const auto& b) { return later(a.get(), b.get()); });
    auto run = std::move(m_heap.back());
    m_heap.pop_back();
    return run;
}

engine::Result<std::unique_ptr<SortedRuns::Run>>
SortedRuns::write(const std::function<engine::Result<WaitingRecord*>()>& next)
{
    auto file = ScratchFile::make(m_folder);
    if (!file) {
        return engine::fail(file.error());
    }
    auto run = std::make_unique<Run>(std::move(*file));
    for (;;) {
        auto record = next();
        if (!record) {
            return engine::fail(record.error());
        }
        if (*record == nullptr) {
            break;
        }
        if (auto done = run->append(**record); !done) {
            return engine::fail(done.error());
        }
    }
    if (auto done = run->flush(); !done) {
        return engine::fail(done.error());
    }
    m_writtenBytes += run->size();
    if (auto done = run->begin(); !done) {
        return engine::fail(done.error());
    }
    return run;
}

engine::Status SortedRuns::add(const std::function<WaitingRecord*()>& next)
{
    if (m_heap.size() >= kMostRuns) {
        if (auto done = mergeSmallest(); !done) {
            return done;
        }
    }
    auto run = write([&next]() -> engine::Result<WaitingRecord*> { return next(); });
    if (!run) {
        return engine::fail(run.error());
    }
    push(std::move(*run));
    return engine::Done {};
}

/// Makes one run of the smaller half, so that files and buffers stay few and no record is written
/// more often than the runs can double.
engine::Status SortedRuns::mergeSmallest()
{
    std::sort(m_heap.begin(), m_heap.end(),
              [](const auto& a, const auto& b) { return a->size() > b->size(); });
    SortedRuns half(m_less, m_folder);
    while (m_heap.size() > kMostRuns / 2) {
        half.push(std::move(m_heap.back()));
        m_heap.pop_back();
    }
    std::make_heap(m_heap.begin(), m_heap.end(),
                   [this](const auto& a, const auto& b) { return later(a.get(), b.get()); });
    bool first = true;
    auto merged = half.write([&]() -> engine::Result<WaitingRecord*> {
        if (!first) {
            if (auto done = half.pop(); !done) {
                return engine::fail(done.error());
            }
        }
        first = false;
        return half.least();
    });
    if (!merged) {
        return engine::fail(merged.error());
    }
    m_writtenBytes += half.m_writtenBytes;
    push(std::move(*merged));
    return engine::Done {};
}

WaitingRecord* SortedRuns::least() const
{
    return m_heap.empty() ? nullptr : m_heap.front()->head();
}

engine::Status SortedRuns::pop()
{
    auto run = takeTop();
    auto done = run->advance();
    if (done) {
        push(std::move(run));
    }
    return done;
}

} // namespace storage::logs

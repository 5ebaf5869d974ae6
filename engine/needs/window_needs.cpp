#include "engine/algorithms/window_start.h"
#include "engine/large_memory.h"
#include "engine/needs.h"
#include "engine/needs/lanes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>

namespace engine {
namespace {

/// One window length of one key.
struct Window {
    std::int64_t startNs = wide::kLastNs; ///< of the fixed window that is counted
    std::uint32_t count = 0; ///< in it
    std::uint32_t fixedPeak = 0;
    std::uint32_t slidingPeak = 0;
    std::uint32_t oldest = 0; ///< number of the oldest request that still holds its lane
    needs::Lanes lanes;
};

/// The requests of a key that still hold a lane in some window, in a ring: for each its time (two
/// words) and its lane in each window.
class Ring {
public:
    /// Makes room for the next request; those from `oldest` on are still needed.
    void makeRoom(std::uint32_t oldest, std::size_t stride)
    {
        if (next - oldest < m_room) [[likely]] {
            return;
        }
        Ring larger;
        larger.m_room = std::max(kFirstRoom, 2 * m_room);
        larger.m_words.resize(larger.m_room * stride);
        for (std::uint32_t i = oldest; i != next; ++i) {
            std::copy_n(entry(i, stride), stride, larger.entry(i, stride));
        }
        larger.next = next;
        *this = std::move(larger);
    }

    [[nodiscard]] std::int64_t timeOf(std::uint32_t request, std::size_t stride)
    {
        std::int64_t timeNs = 0;
        std::memcpy(&timeNs, entry(request, stride), sizeof timeNs);
        return timeNs;
    }

    void setTime(std::uint32_t request, std::size_t stride, std::int64_t timeNs)
    {
        std::memcpy(entry(request, stride), &timeNs, sizeof timeNs);
    }

    std::uint32_t* lanesOf(std::uint32_t request, std::size_t stride)
    {
        return entry(request, stride) + kTimeWords;
    }

    /// Asks the processor for a request's place.
    void prefetch(std::uint32_t request, std::size_t stride)
    {
        if (m_room > 0) {
            __builtin_prefetch(entry(request, stride), 1);
        }
    }

    std::uint32_t next = 0; ///< number of the key's next request

    static constexpr std::size_t kTimeWords = 2;

private:
    static constexpr std::uint32_t kFirstRoom = 4;

    std::uint32_t* entry(std::uint32_t request, std::size_t stride)
    {
        return m_words.data() + (request & (m_room - 1)) * stride;
    }

    std::uint32_t m_room = 0; ///< 0, or a power of two
    std::vector<std::uint32_t> m_words;
};

} // namespace

class WindowNeeds::Parts {
public:
    explicit Parts(const std::vector<std::int64_t>& lengths)
        : needs(2 * lengths.size())
        , m_longest(static_cast<std::size_t>(std::max_element(lengths.begin(), lengths.end())
                                             - lengths.begin()))
        , m_stride(Ring::kTimeWords + lengths.size())
        , m_rowBytes(sizeof(Ring) + lengths.size() * sizeof(Window))
    {
        m_expected.fill(std::numeric_limits<std::uint32_t>::max());
        for (const std::int64_t length : lengths) {
            m_limits.emplace_back().rate = {0, length};
        }
    }

    ~Parts()
    {
        for (std::byte* const chunk : m_chunks) {
            for (std::uint32_t key = 0; key < kChunk; ++key) {
                const Row row = rowIn(chunk, key);
                std::destroy_n(row.windows, m_limits.size());
                std::destroy_at(row.ring);
            }
        }
    }

    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    void add(std::uint32_t key, std::int64_t timeNs)
    {
        while (key / kChunk >= m_chunks.size()) {
            makeChunk();
        }
        keyCount = std::max(keyCount, key + 1);
        const auto [ring, windows] = rowOf(key);
        for (std::size_t i = 0; i < m_limits.size(); ++i) {
            release(windows[i], i, *ring, timeNs);
        }
        ring->makeRoom(windows[m_longest].oldest, m_stride);
        ring->setTime(ring->next, m_stride, timeNs);
        std::uint32_t* const lanes = ring->lanesOf(ring->next, m_stride);
        ++ring->next;
        for (std::size_t i = 0; i < m_limits.size(); ++i) {
            Window& window = windows[i];
            lanes[i] = window.lanes.take();
            window.slidingPeak = std::max(window.slidingPeak, lanes[i] + 1);
            needs[at(i, kFixed)] = placeInWindow(window, m_limits[i], timeNs);
            needs[at(i, kSliding)] = lanes[i] + 1;
        }
    }

    /// Asks for the row of the key, and for what the row of an earlier one, which is there by now,
    /// points at.
    void expect(std::uint32_t key)
    {
        if (key >= keyCount) {
            return;
        }
        const Row row = rowOf(key);
        const std::byte* const begin = reinterpret_cast<const std::byte*>(row.ring);
        for (std::size_t at = 0; at < m_rowBytes; at += kLineBytes) {
            __builtin_prefetch(begin + at, 1);
        }
        std::swap(key, m_expected[m_nextExpected]);
        m_nextExpected = (m_nextExpected + 1) % m_expected.size();
        if (key < keyCount) {
            const Row earlier = rowOf(key);
            earlier.ring->prefetch(earlier.ring->next, m_stride);
            earlier.ring->prefetch(earlier.windows[m_longest].oldest, m_stride);
        }
    }

    [[nodiscard]] std::uint32_t peak(std::uint32_t key, std::size_t which) const
    {
        if (key >= keyCount) {
            return 0;
        }
        const Window& window = rowOf(key).windows[which / 2];
        return which % 2 == kFixed ? window.fixedPeak : window.slidingPeak;
    }

    std::uint32_t keyCount = 0;
    std::vector<std::uint32_t> needs; ///< of the request at hand

private:
    static constexpr std::uint32_t kChunk = 256; ///< keys
    static constexpr std::size_t kLineBytes = 64; ///< of a cache line

    /// All of one key: its ring, behind it a window for each length.
    struct Row {
        Ring* ring;
        Window* windows;
    };

    [[nodiscard]] Row rowIn(std::byte* chunk, std::uint32_t key) const
    {
        std::byte* const row = chunk + key * m_rowBytes;
        return {reinterpret_cast<Ring*>(row), reinterpret_cast<Window*>(row + sizeof(Ring))};
    }

    [[nodiscard]] Row rowOf(std::uint32_t key) const
    {
        return rowIn(m_chunks[key / kChunk], key % kChunk);
    }

    /// Rows never move.
    void makeChunk()
    {
        std::byte* const chunk = m_memory.take(kChunk * m_rowBytes);
        for (std::uint32_t key = 0; key < kChunk; ++key) {
            const Row row = rowIn(chunk, key);
            std::uninitialized_default_construct_n(row.windows, m_limits.size());
            std::construct_at(row.ring);
        }
        m_chunks.push_back(chunk);
    }

    /// Requests that are a whole length old hold their lane no more.
    void release(Window& window, std::size_t which, Ring& ring, std::int64_t timeNs) const
    {
        const auto length = static_cast<std::uint64_t>(m_limits[which].rate.periodNs);
        while (window.oldest != ring.next
               && wide::between(ring.timeOf(window.oldest, m_stride), timeNs) >= length) {
            window.lanes.giveBack(ring.lanesOf(window.oldest, m_stride)[which]);
            ++window.oldest;
        }
    }

    static std::uint32_t placeInWindow(Window& window, const Limit& limit, std::int64_t timeNs)
    {
        // Only the window with the first time of all may begin before its startNs.
        const bool isSame = timeNs >= window.startNs
            && (window.startNs == wide::kFirstNs
                    ? timeNs - window_start::exactOf(limit, wide::kFirstNs) < limit.rate.periodNs
                    : wide::between(window.startNs, timeNs)
                        < static_cast<std::uint64_t>(limit.rate.periodNs));
        if (!isSame) {
            window.startNs = window_start::of(limit, timeNs);
            window.count = 0;
        }
        ++window.count;
        window.fixedPeak = std::max(window.fixedPeak, window.count);
        return window.count;
    }

    std::vector<Limit> m_limits; ///< of which only the period counts
    std::size_t m_longest;
    std::size_t m_stride; ///< words of an entry of a ring
    std::size_t m_rowBytes;
    LargeBlocks m_memory;
    std::vector<std::byte*> m_chunks; ///< of rows
    std::array<std::uint32_t, 8> m_expected; ///< keys whose rows have been asked for
    std::size_t m_nextExpected = 0;
};

WindowNeeds::WindowNeeds(const std::vector<std::int64_t>& periodsNs)
    : m_parts(std::make_unique<Parts>(periodsNs))
{
}

WindowNeeds::~WindowNeeds() = default;
WindowNeeds::WindowNeeds(WindowNeeds&&) noexcept = default;

std::size_t WindowNeeds::size() const
{
    return m_parts->needs.size();
}

std::span<const std::uint32_t> WindowNeeds::add(std::uint32_t key, std::int64_t timeNs)
{
    m_parts->add(key, timeNs);
    return m_parts->needs;
}

void WindowNeeds::expect(std::uint32_t key) const
{
    m_parts->expect(key);
}

std::uint32_t WindowNeeds::keyCount() const
{
    return m_parts->keyCount;
}

std::uint32_t WindowNeeds::peak(std::uint32_t key, std::size_t which) const
{
    return m_parts->peak(key, which);
}

} // namespace engine

#include "engine/algorithms/wide.h"
#include "engine/needs.h"

#include <algorithm>
#include <array>

namespace engine {
namespace {

/// A key's buckets. Backlogs are in 1/N ns, of which a request costs P and a nanosecond drains N.
struct Buckets {
    std::int64_t lastNs = 0;
    wide::Int128 backlog = 0; ///< of the bucket that admits everything
    wide::Int128 most = 0; ///< the largest that it was, 0: no request yet
    std::vector<wide::Int128> strict; ///< of the candidates that have rejected something
};

wide::Int128 drained(wide::Int128 backlog, wide::Int128 drain)
{
    return backlog > drain ? backlog - drain : 0;
}

} // namespace

class BurstNeeds::Parts {
public:
    Parts(Rate rate, std::vector<std::int64_t> bursts)
        : candidates(std::move(bursts))
        , m_rate(rate)
    {
    }

    std::uint64_t add(std::uint32_t key, std::int64_t timeNs)
    {
        keyCount = std::max(keyCount, key + 1);
        while (key / kChunk >= m_chunks.size()) {
            m_chunks.push_back(std::make_unique<Chunk>());
        }
        Buckets& of = (*m_chunks[key / kChunk])[key % kChunk];
        const wide::Int128 drain = drainOf(wide::between(of.lastNs, timeNs));
        of.lastNs = timeNs;
        of.backlog = drained(of.backlog, drain);
        std::uint64_t rejecting = 0;
        for (std::size_t i = 0; i < of.strict.size(); ++i) {
            wide::Int128& backlog = of.strict[i];
            backlog = drained(backlog, drain);
            if (backlog + m_rate.periodNs <= capacity(i)) {
                backlog += m_rate.periodNs;
            } else {
                rejecting |= std::uint64_t {1} << i;
            }
        }
        // Until a candidate rejects something its bucket is that of the one that admits all. The
        // smallest candidate is the first to reject.
        while (of.strict.size() < candidates.size()
               && of.backlog + m_rate.periodNs > capacity(of.strict.size())) {
            rejecting |= std::uint64_t {1} << of.strict.size();
            of.strict.push_back(of.backlog);
        }
        of.backlog += m_rate.periodNs;
        of.most = std::max(of.most, of.backlog);
        return rejecting;
    }

    [[nodiscard]] const Buckets* find(std::uint32_t key) const
    {
        return key < keyCount ? &(*m_chunks[key / kChunk])[key % kChunk] : nullptr;
    }

    /// The least burst that holds a backlog.
    [[nodiscard]] std::int64_t burstOf(wide::Int128 backlog) const
    {
        return static_cast<std::int64_t>(wide::ceilDivide(backlog, m_rate.periodNs));
    }

    std::uint32_t keyCount = 0;
    std::vector<std::int64_t> candidates;

private:
    static constexpr std::uint32_t kChunk = 256;
    using Chunk = std::array<Buckets, kChunk>; ///< keys, which never move

    [[nodiscard]] wide::Int128 capacity(std::size_t candidate) const
    {
        return wide::Int128 {candidates[candidate]} * m_rate.periodNs;
    }

    [[nodiscard]] wide::Int128 drainOf(std::uint64_t elapsedNs) const
    {
        return static_cast<wide::Int128>(wide::Uint128 {elapsedNs}
                                         * static_cast<std::uint64_t>(m_rate.count));
    }

    Rate m_rate;
    std::vector<std::unique_ptr<Chunk>> m_chunks;
};

BurstNeeds::BurstNeeds(Rate rate, std::vector<std::int64_t> candidates)
    : m_parts(std::make_unique<Parts>(rate, std::move(candidates)))
{
}

BurstNeeds::~BurstNeeds() = default;
BurstNeeds::BurstNeeds(BurstNeeds&&) noexcept = default;

std::uint64_t BurstNeeds::add(std::uint32_t key, std::int64_t timeNs)
{
    return m_parts->add(key, timeNs);
}

void BurstNeeds::expect(std::uint32_t key) const
{
    if (const Buckets* const of = m_parts->find(key)) {
        __builtin_prefetch(of, 1);
    }
}

std::uint32_t BurstNeeds::keyCount() const
{
    return m_parts->keyCount;
}

std::int64_t BurstNeeds::needed(std::uint32_t key) const
{
    const Buckets* const of = m_parts->find(key);
    return of == nullptr ? 0 : m_parts->burstOf(of->most);
}

std::int64_t BurstNeeds::neededByLast(std::uint32_t key) const
{
    const Buckets* const of = m_parts->find(key);
    return of == nullptr ? 0 : m_parts->burstOf(of->backlog);
}

const std::vector<std::int64_t>& BurstNeeds::candidates() const
{
    return m_parts->candidates;
}

} // namespace engine

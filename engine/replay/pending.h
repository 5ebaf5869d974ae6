#pragma once
#include "engine/verdict.h"

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

namespace engine {

/// Requests that arrived while an earlier one is still delayed, in order of arrival.
///
/// A request costs its arrival and a verdict for each plan, about 100 bytes; the few that were
/// denied or delayed keep their lists aside. Records never move.
class PendingQueue {
public:
    struct Lists {
        std::vector<std::vector<std::uint32_t>> denied; ///< by plan
        std::vector<std::vector<RuleDelay>> delays;
    };

    PendingQueue(std::size_t arrivalSize, std::size_t planCount)
        : m_arrivalSize(arrivalSize)
        , m_planCount(planCount)
        , m_headerWords(1 + (arrivalSize + 7) / 8)
        , m_stride(m_headerWords + (planCount * sizeof(Verdict) + 7) / 8)
    {
    }

    [[nodiscard]] bool empty() const { return m_size == 0; }

    /// `order` follows that of the last one.
    const Arrival& push(const Arrival& arrival, std::uint64_t order)
    {
        if (m_size == 0) {
            m_firstOrder = order;
            m_offset = 0;
        }
        if (m_offset + m_size == m_chunks.size() * kChunk) {
            m_chunks.push_back(std::make_unique<std::uint64_t[]>(m_stride * kChunk));
        }
        ++m_size;
        std::uint64_t* record = at(order);
        record[0] = 0;
        std::memcpy(record + 1, &arrival, m_arrivalSize);
        new (record + m_headerWords) Verdict[m_planCount];
        return arrivalOf(order);
    }

    [[nodiscard]] std::uint64_t& undecided(std::uint64_t order) { return at(order)[0]; }

    [[nodiscard]] const Arrival& arrivalOf(std::uint64_t order)
    {
        return *reinterpret_cast<const Arrival*>(at(order) + 1);
    }

    [[nodiscard]] Verdict* verdictsOf(std::uint64_t order)
    {
        return reinterpret_cast<Verdict*>(at(order) + m_headerWords);
    }

    /// Made when first asked for.
    Lists& listsOf(std::uint64_t order)
    {
        Lists& lists = m_lists[order];
        lists.denied.resize(m_planCount);
        lists.delays.resize(m_planCount);
        return lists;
    }

    [[nodiscard]] const Lists* findLists(std::uint64_t order) const
    {
        const auto found = m_lists.find(order);
        return found == m_lists.end() ? nullptr : &found->second;
    }

    [[nodiscard]] std::uint64_t front() const { return m_firstOrder; }

    void pop()
    {
        m_lists.erase(m_firstOrder);
        ++m_firstOrder;
        --m_size;
        if (++m_offset == kChunk) {
            m_chunks.push_back(std::move(m_chunks.front()));
            m_chunks.pop_front();
            m_offset = 0;
            while (m_chunks.size() > m_size / kChunk + 2) {
                m_chunks.pop_back();
            }
        }
    }

private:
    std::uint64_t* at(std::uint64_t order)
    {
        const std::size_t index = m_offset + static_cast<std::size_t>(order - m_firstOrder);
        return m_chunks[index / kChunk].get() + index % kChunk * m_stride;
    }

    static constexpr std::size_t kChunk = 1024;
    std::size_t m_arrivalSize;
    std::size_t m_planCount;
    std::size_t m_headerWords;
    std::size_t m_stride; ///< words of a record: undecided, arrival, verdicts
    std::deque<std::unique_ptr<std::uint64_t[]>> m_chunks;
    std::size_t m_offset = 0; ///< of the first record in the first chunk
    std::size_t m_size = 0;
    std::uint64_t m_firstOrder = 0;
    std::unordered_map<std::uint64_t, Lists> m_lists;
};

} // namespace engine

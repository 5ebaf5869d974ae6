// token_bucket, gcra and leaky_bucket against a backlog in exact fractions: the same admissions,
// and a wait that is enough where one nanosecond less is not.
#include "engine/algorithms.h"
#include "engine/plan.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

__extension__ using Wide = __int128;

// Takes numbers off the front of the input; 0 when it is used up.
class Numbers {
public:
    Numbers(const std::uint8_t* data, std::size_t size)
        : m_data(data)
        , m_size(size)
    {
    }

    [[nodiscard]] bool isEmpty() const { return m_size == 0; }

    std::uint64_t take(std::size_t bytes)
    {
        std::uint64_t value = 0;
        const std::size_t count = std::min(bytes, m_size);
        if (count > 0) { // an empty input may have no address
            std::memcpy(&value, m_data, count);
        }
        m_data += count;
        m_size -= count;
        return value;
    }

    // Small and large numbers alike: the first byte says how many bytes follow.
    std::int64_t takeAnySize()
    {
        const std::size_t bytes = take(1) % 9;
        return static_cast<std::int64_t>(take(bytes) & 0x7fffffffffffffff);
    }

private:
    const std::uint8_t* m_data;
    std::size_t m_size;
};

// The backlog in units of 1/N ns; T is P of them.
struct Exact {
    Wide rateCount;
    Wide period;
    Wide capacity;
    Wide backlog = 0;

    void pass(std::uint64_t ns)
    {
        const Wide drained = Wide(ns) * rateCount;
        backlog = drained >= backlog ? 0 : backlog - drained;
    }

    [[nodiscard]] bool admits(std::int64_t cost) const
    {
        return cost == 0
            || (cost <= capacity / period && backlog + Wide(cost) * period <= capacity);
    }
};

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

engine::Limit limitOf(Numbers& numbers)
{
    engine::Limit limit;
    const std::uint64_t kind = numbers.take(1) % 3;
    limit.algorithm = kind == 0 ? engine::Algorithm::TokenBucket
        : kind == 1             ? engine::Algorithm::Gcra
                                : engine::Algorithm::LeakyBucket;
    limit.rate = {numbers.takeAnySize() % 3'000'000'000 + 1, numbers.takeAnySize() + 1};
    const std::int64_t units = numbers.takeAnySize() % 1'000'000'000 + 1;
    limit.burst = units;
    limit.queue = limit.algorithm == engine::Algorithm::LeakyBucket ? units - 1 : 0;
    return limit;
}

bool admitsAfter(const engine::meter::Spec& spec, engine::meter::State state, std::int64_t nowNs,
                 std::int64_t waitNs, std::int64_t cost)
{
    engine::meter::advance(spec, state, nowNs + waitNs);
    return engine::meter::admits(spec, state, cost);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Numbers numbers(data, size);
    const engine::Limit limit = limitOf(numbers);
    if (limit.rate.periodNs < 1 || engine::checkLimit(limit) != nullptr) {
        return 0;
    }
    const auto spec = engine::meter::specOf(limit);
    engine::meter::State state;
    Exact exact {limit.rate.count, limit.rate.periodNs,
                 Wide(limit.rate.periodNs) * engine::capacityOf(limit)};
    std::int64_t nowNs = 0;
    while (!numbers.isEmpty()) {
        const std::int64_t step = numbers.takeAnySize() / 8;
        const std::int64_t cost = static_cast<std::int64_t>(numbers.take(1) % 4);
        if (nowNs > INT64_MAX / 2 - step) {
            return 0;
        }
        nowNs += step;
        engine::meter::advance(spec, state, nowNs);
        exact.pass(static_cast<std::uint64_t>(step));
        const bool admitted = engine::meter::admits(spec, state, cost);
        require(admitted == exact.admits(cost));
        if (admitted && cost > 0) {
            engine::meter::count(spec, state, cost);
            exact.backlog += Wide(cost) * exact.period;
        }
        const auto figures = engine::meter::figures(spec, state, cost, admitted);
        require(figures.remaining
                == static_cast<std::int64_t>((exact.capacity - exact.backlog) / exact.period));
        require(admitted == (figures.retryAfterNs == 0));
        const std::int64_t waitNs = figures.retryAfterNs.value_or(0);
        if (waitNs > 0 && waitNs < INT64_MAX - nowNs) {
            require(admitsAfter(spec, state, nowNs, waitNs, cost));
            require(!admitsAfter(spec, state, nowNs, waitNs - 1, cost));
        }
    }
    return 0;
}

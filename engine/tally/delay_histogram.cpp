#include "engine/tally.h"

#include <algorithm>
#include <bit>

namespace engine {
namespace {

constexpr int kOctaveBits = 7; // 128 buckets to an octave: a bucket is at most 1/128 wide

std::size_t bucketOf(std::int64_t delayNs)
{
    const auto value = static_cast<std::uint64_t>(delayNs);
    const auto width = static_cast<int>(std::bit_width(value));
    if (width <= kOctaveBits + 1) {
        return static_cast<std::size_t>(value);
    }
    const int shift = width - kOctaveBits - 1;
    const std::uint64_t mantissa = value >> shift; // 128 .. 255
    return (static_cast<std::size_t>(shift) << kOctaveBits) + static_cast<std::size_t>(mantissa);
}

/// The greatest value that falls into the bucket.
std::int64_t upperBound(std::size_t bucket)
{
    if (bucket < (std::size_t {2} << kOctaveBits)) {
        return static_cast<std::int64_t>(bucket);
    }
    const std::size_t shift = (bucket >> kOctaveBits) - 1;
    const std::uint64_t mantissa = bucket - (shift << kOctaveBits);
    return static_cast<std::int64_t>(((mantissa + 1) << shift) - 1);
}

} // namespace

void DelayHistogram::add(std::int64_t delayNs)
{
    const std::size_t bucket = bucketOf(delayNs);
    if (bucket >= m_buckets.size()) {
        m_buckets.resize(bucket + 1);
    }
    ++m_buckets[bucket];
    ++m_count;
    m_maximumNs = std::max(m_maximumNs, delayNs);
    m_sumNs += static_cast<std::uint64_t>(delayNs);
}

std::int64_t DelayHistogram::meanNs() const
{
    // A mean of int64 values fits in one.
    return m_count == 0 ? 0 : static_cast<std::int64_t>(m_sumNs / m_count);
}

std::int64_t DelayHistogram::percentileNs(int perMille) const
{
    if (m_count == 0) {
        return 0;
    }
    __extension__ using Wide = unsigned __int128;
    const auto needed = static_cast<std::uint64_t>(
        (Wide {m_count} * static_cast<unsigned>(perMille) + 999) / 1000);
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket) {
        seen += m_buckets[bucket];
        if (seen >= std::max<std::uint64_t>(needed, 1)) {
            return std::min(upperBound(bucket), m_maximumNs);
        }
    }
    return m_maximumNs;
}

} // namespace engine

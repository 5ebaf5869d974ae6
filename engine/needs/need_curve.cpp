#include "engine/needs.h"

#include <limits>

namespace engine {

std::uint64_t NeedCurve::above(std::int64_t limit) const
{
    std::uint64_t sum = 0;
    for (std::size_t need = m_counts.size();
         need-- > 0 && static_cast<std::int64_t>(need) > limit;) {
        sum += m_counts[need];
    }
    return sum;
}

std::uint32_t NeedCurve::atShare(unsigned perMille) const
{
    constexpr std::uint64_t kWhole = 1000;
    // At least this many: total * perMille / 1000, rounded up, without a product that overflows.
    const std::uint64_t enough
        = m_total / kWhole * perMille + (m_total % kWhole * perMille + kWhole - 1) / kWhole;
    std::uint64_t sum = 0;
    std::uint32_t need = 0;
    for (std::uint32_t at = 0; at < m_counts.size() && sum < enough; ++at) {
        sum += m_counts[at];
        need = at;
    }
    return need;
}

std::uint32_t NeedCurve::largest() const
{
    return largestUpTo(std::numeric_limits<std::int64_t>::max());
}

std::uint32_t NeedCurve::largestUpTo(std::int64_t limit) const
{
    std::size_t need = m_counts.size();
    while (need > 0 && (m_counts[need - 1] == 0 || static_cast<std::int64_t>(need - 1) > limit)) {
        --need;
    }
    return need == 0 ? 0 : static_cast<std::uint32_t>(need - 1);
}

std::optional<NeedCurve::Knee> NeedCurve::knee(unsigned perMille) const
{
    constexpr std::uint64_t kWhole = 1000;
    std::optional<Knee> widest;
    std::uint64_t over = 0; // those at `above` or more
    std::uint32_t above = 0; // the need that was met last, from the top
    for (std::uint32_t need = largest(); need > 0; --need) {
        if (m_counts[need] == 0) {
            continue;
        }
        const bool isFew
            = over <= m_total / kWhole * perMille + m_total % kWhole * perMille / kWhole;
        if (!isFew) {
            break;
        }
        if (above >= 2 * std::uint64_t {need}
            && (!widest
                || std::uint64_t {above} * widest->below > std::uint64_t {widest->above} * need)) {
            widest = Knee {need, above};
        }
        above = need;
        over += m_counts[need];
    }
    return widest;
}

} // namespace engine

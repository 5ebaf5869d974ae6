#include "tests/app/nginx_limit_req.h"

#include <algorithm>

namespace tests {
namespace {

/// What the state counts in.
std::int64_t thousandth(const LimitReqZone& zone)
{
    return 1000 * zone.seconds;
}

std::int64_t requests(const LimitReqZone& zone, std::int64_t count)
{
    return count * 1000 * thousandth(zone);
}

} // namespace

LimitReq::LimitReq(std::vector<LimitReqZone> zones, LimitReqTraits traits)
    : m_zones(std::move(zones))
    , m_traits(traits)
    , m_states(m_zones.size())
{
}

LimitReq::State LimitReq::after(std::size_t zone, const std::string& key, std::int64_t nowMs) const
{
    const auto known = m_states[zone].find(key);
    if (known == m_states[zone].end()) {
        return {0, nowMs};
    }
    const LimitReqZone& limit = m_zones[zone];
    const std::int64_t perMs
        = m_traits.cutsRate ? limit.thousandthsPerSecond() * limit.seconds : limit.requests * 1000;
    std::int64_t drained = perMs * (nowMs - known->second.lastMs);
    if (m_traits.cutsSteps) {
        drained -= drained % thousandth(limit);
    }
    return {std::max<std::int64_t>(0, known->second.excess - drained + requests(limit, 1)), nowMs};
}

std::int64_t LimitReq::delayMs(const LimitReqZone& zone, std::int64_t excess) const
{
    const std::int64_t waiting = (excess - requests(zone, zone.delayAfter)) / thousandth(zone);
    return std::max<std::int64_t>(0, waiting) * 1000 / zone.thousandthsPerSecond();
}

LimitReq::Answer LimitReq::decide(std::int64_t nowMs, const std::vector<std::string>& keys)
{
    Answer answer;
    std::vector<Asked> passed;
    for (std::size_t zone = 0; zone < m_zones.size(); ++zone) {
        const LimitReqZone& limit = m_zones[zone];
        const State asked = after(zone, keys[zone], nowMs);
        answer.excess.push_back(asked.excess / thousandth(limit));
        if (asked.excess <= requests(limit, limit.burst)) {
            passed.push_back({zone, asked});
            answer.delayMs = std::max(answer.delayMs, delayMs(limit, asked.excess));
            continue;
        }
        answer.rejectedBy = answer.rejectedBy.value_or(zone);
        if (m_traits.countsTogether) {
            passed.clear();
            break;
        }
    }
    for (const Asked& one : passed) {
        m_states[one.zone][keys[one.zone]] = one.after;
    }
    answer.delayMs = answer.rejectedBy ? 0 : answer.delayMs;
    return answer;
}

} // namespace tests

#include "engine/quota_lease.h"

#include <algorithm>

namespace engine {

bool QuotaLease::take(const std::string& node, std::int64_t cost)
{
    std::int64_t& held = m_held[node];
    while (held < cost && m_left > 0 && m_batch > 0) {
        const std::int64_t lease = std::min(m_batch, m_left);
        m_left -= lease;
        held += lease;
    }
    if (held < cost) {
        return false;
    }
    held -= cost;
    return true;
}

std::int64_t QuotaLease::heldBy(const std::string& node) const
{
    const auto found = m_held.find(node);
    return found == m_held.end() ? 0 : found->second;
}

} // namespace engine

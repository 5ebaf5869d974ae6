#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>

namespace engine {

/// One quota that several nodes draw on in batches, so that most decisions ask nobody: a node whose
/// own units do not suffice leases batches from what is left centrally. Never more than the limit
/// is let through; up to (batch - 1) units a node are stranded where others would need them.
///
/// Example: limit 10, batch 4: a and b take one unit each and hold 3; c gets the last 2, spends
/// one, and is refused a cost of 2 though a and b hold 6. Source: notes-clients-and-nodes.md
/// section 6.
class QuotaLease {
public:
    /// Both at least 0; without a batch no node ever leases.
    QuotaLease(std::int64_t limit, std::int64_t batch)
        : m_left(limit)
        , m_batch(batch)
    {
    }

    /// May the node let a cost (>= 0) through? What it leased for a cost that it refuses it keeps.
    bool take(const std::string& node, std::int64_t cost);

    [[nodiscard]] std::int64_t left() const { return m_left; } ///< leased to nobody

    [[nodiscard]] std::int64_t heldBy(const std::string& node) const;

private:
    std::int64_t m_left;
    std::int64_t m_batch;
    std::unordered_map<std::string, std::int64_t> m_held;
};

} // namespace engine

#pragma once
#include "engine/plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

/// What limits recorded traffic would have needed: exact, in one pass, for requests that cost 1.
///
/// Keys are numbers from 0 on, as an intake gives them. Of one key times never go back. Not thread
/// safe. Definition of the algorithms: semantics section 5.
namespace engine {

/// Windows of several lengths, each as fixed_window and as sliding_window_log.
///
/// The *need* of a request is the least N with which `rate: N/P` admits it: every smaller N rejects
/// it, this one and every larger N admits it, with all that each of them had rejected before. So
/// one number a request says what each N rejects. In a fixed window it is the request's place in
/// its window. In a sliding log it is the lowest lane that is free, where each request holds its
/// lane for P: the lanes 1 to N are what a limit of N has, and a request in a lane above is one
/// that it rejects.
///
/// Example: 10 s, requests of one key at 0, 4, 5 and 11 s: fixed 1, 2, 3, 1; sliding 1, 2, 3, 1
/// (the lane of 0 s is free again at 10 s). With N = 2 the request at 5 s is rejected.
class WindowNeeds {
public:
    /// At least one length, each 1 ns to 2^62 ns; windows begin at the epoch (no anchor).
    explicit WindowNeeds(const std::vector<std::int64_t>& periodsNs);
    ~WindowNeeds();
    WindowNeeds(WindowNeeds&&) noexcept;
    WindowNeeds& operator=(WindowNeeds&&) = delete;
    WindowNeeds(const WindowNeeds&) = delete;
    WindowNeeds& operator=(const WindowNeeds&) = delete;

    /// How many needs a request has: two for each length.
    [[nodiscard]] std::size_t size() const;
    static constexpr std::size_t kFixed = 0;
    static constexpr std::size_t kSliding = 1;

    /// Where the need of a length (by its place in the constructor's list) stands.
    static constexpr std::size_t at(std::size_t period, std::size_t kind)
    {
        return 2 * period + kind;
    }

    /// The needs of the next request; valid until the next call.
    std::span<const std::uint32_t> add(std::uint32_t key, std::int64_t timeNs);
    /// A hint, and no more: the key will be added to soon.
    void expect(std::uint32_t key) const;

    /// One more than the greatest key that was added.
    [[nodiscard]] std::uint32_t keyCount() const;
    /// The largest need of a key's requests, 0 if it had none: the least N that admits all of them.
    [[nodiscard]] std::uint32_t peak(std::uint32_t key, std::size_t which) const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

/// Buckets that are refilled at one rate (token_bucket and gcra with `burst: B`).
///
/// A request that one burst admits may be rejected by a larger one (which has let more pass
/// before), so that what a burst rejects is played for a list of candidates; a key costs one state,
/// and one more for each candidate that has rejected something of it.
///
/// Example: 1/s, three requests of a key at 0 s, one at 1 s. The key needs a burst of 3; of the
/// candidates 1 and 2, 1 rejects two requests (bits 0 of what add() gives), 2 rejects one.
class BurstNeeds {
public:
    static constexpr std::size_t kMostCandidates = 64;

    /// Rate above 0 and in the ranges of checkLimit; candidates ascending, 1 or more, at most
    /// kMostCandidates.
    BurstNeeds(Rate rate, std::vector<std::int64_t> candidates);
    ~BurstNeeds();
    BurstNeeds(BurstNeeds&&) noexcept;
    BurstNeeds& operator=(BurstNeeds&&) = delete;
    BurstNeeds(const BurstNeeds&) = delete;
    BurstNeeds& operator=(const BurstNeeds&) = delete;

    /// Which candidates reject the next request, a bit each.
    std::uint64_t add(std::uint32_t key, std::int64_t timeNs);
    void expect(std::uint32_t key) const;

    [[nodiscard]] std::uint32_t keyCount() const;
    /// The least burst that admits all of a key's requests; 0 if it had none. A smaller one rejects
    /// at least one of them.
    [[nodiscard]] std::int64_t needed(std::uint32_t key) const;
    /// The least burst that admits the key's last request behind all that came before it: this one
    /// and every larger one admits it. 0 if it had none.
    [[nodiscard]] std::int64_t neededByLast(std::uint32_t key) const;

    [[nodiscard]] const std::vector<std::int64_t>& candidates() const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

/// How many of something (requests, keys) have which need.
///
/// Example: needs 1, 1, 1 and 7: above(1) is 1, atShare(750) is 1, atShare(751) is 7.
class NeedCurve {
public:
    void add(std::uint32_t need, std::uint64_t times = 1)
    {
        if (need >= m_counts.size()) {
            m_counts.resize(need + std::size_t {1});
        }
        m_counts[need] += times;
        m_total += times;
    }

    [[nodiscard]] std::uint64_t total() const { return m_total; }

    /// Those with a need above `limit`: what it would hit.
    [[nodiscard]] std::uint64_t above(std::int64_t limit) const;
    /// The least need that at least `perMille` of all do not exceed; 0 of nothing.
    [[nodiscard]] std::uint32_t atShare(unsigned perMille) const;
    [[nodiscard]] std::uint32_t largest() const;
    /// The largest need that is at most `limit`; 0 if there is none.
    [[nodiscard]] std::uint32_t largestUpTo(std::int64_t limit) const;

    /// Where the curve has its knee: the widest gap, in proportion, between two needs of which the
    /// upper is at least twice the lower, with at most `perMille` of all above it. Of equal gaps
    /// the upper one. Nothing if there is no such gap.
    struct Knee {
        std::uint32_t below = 0; ///< the largest need under the gap
        std::uint32_t above = 0; ///< the least need over it
    };

    [[nodiscard]] std::optional<Knee> knee(unsigned perMille) const;

private:
    std::vector<std::uint64_t> m_counts; ///< by need
    std::uint64_t m_total = 0;
};

} // namespace engine

#pragma once
#include "app/workbench/suggest.h"

#include <array>
#include <deque>

namespace app {

/// What one kind of limit needs, counted for all requests, those to stop, those to protect.
struct WindowCurves {
    engine::NeedCurve all;
    engine::NeedCurve stop;
    engine::NeedCurve protect;
    std::vector<std::uint32_t> customers; ///< by who + 1 (0: nobody known): largest protected need
};

/// What each candidate of a rate rejects.
struct BurstCounts {
    static constexpr std::size_t kMost = engine::BurstNeeds::kMostCandidates;
    std::array<std::uint64_t, kMost> all {};
    std::array<std::uint64_t, kMost> stop {};
    std::array<std::uint64_t, kMost> protect {};

    /// By who + 1 (0: nobody known).
    struct Customer {
        std::uint64_t hitBy = 0; ///< a bit for each candidate that rejects a protected request
        std::uint32_t need = 0; ///< the largest of its protected requests
    };

    std::vector<Customer> customers;
};

/// One key at work.
struct KeyMeter {
    std::size_t idAt = 0; ///< of its id behind an Arrival
    std::uint64_t requests = 0;
    std::uint64_t without = 0;
    std::optional<engine::WindowNeeds> windows;
    std::vector<WindowCurves> curves; ///< by need of `windows`
    std::deque<engine::BurstNeeds> bursts;
    std::vector<BurstCounts> counts; ///< by rate
};

/// The plan that gives a pass the keys and matches of a request: rules that nobody decides by.
/// Those of the keys come first, then `stop` and `protect`, as far as they are given.
engine::Plan measuringPlan(const SuggestRequest& request);

/// Measures while a pass that decides nothing goes by.
class SuggestListener final : public PassListener {
public:
    SuggestListener(const SuggestRequest& request, std::vector<std::vector<std::int64_t>> bursts)
        : m_request(request)
        , m_bursts(std::move(bursts))
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay& replay) override;
    void settle(const engine::Settled& settled) override;
    void expect(std::span<const engine::Arrival* const> arrivals) override;

    [[nodiscard]] const std::vector<KeyMeter>& meters() const { return m_meters; }

    [[nodiscard]] std::uint64_t requests() const { return m_requests; }

    [[nodiscard]] std::uint64_t withWho() const { return m_withWho; }

    [[nodiscard]] std::uint64_t recordedRejected() const { return m_recordedRejected; }

    [[nodiscard]] std::uint64_t toStop() const { return m_toStop; }

    [[nodiscard]] std::uint64_t both() const { return m_both; }

    [[nodiscard]] std::uint64_t toProtect() const { return m_toProtect; }

    [[nodiscard]] std::uint64_t customers() const { return m_customers; }

private:
    struct Kind {
        bool isKnown = false;
        bool stop = false;
        bool protect = false;
        bool both = false; ///< named by --stop and by --protect: to be stopped
    };

    Kind kindOf(std::uint32_t profile);
    void measure(KeyMeter& meter, std::uint32_t key, std::int64_t timeNs, Kind kind,
                 std::size_t customer) const;

    const SuggestRequest& m_request;
    std::vector<std::vector<std::int64_t>> m_bursts; ///< candidates, by rate
    const engine::Intake* m_intake = nullptr;
    std::vector<Kind> m_kinds; ///< by profile
    std::vector<KeyMeter> m_meters;
    std::vector<bool> m_isCustomer; ///< by who + 1
    std::uint64_t m_requests = 0;
    std::uint64_t m_withWho = 0;
    std::uint64_t m_recordedRejected = 0;
    std::uint64_t m_toStop = 0;
    std::uint64_t m_both = 0;
    std::uint64_t m_toProtect = 0;
    std::uint64_t m_customers = 0;
};

} // namespace app

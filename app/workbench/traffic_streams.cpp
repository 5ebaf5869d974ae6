#include "app/workbench/traffic_streams.h"

#include "app/workbench/traffic_arrivals.h"
#include "app/workbench/traffic_random.h"

#include <queue>

#include <algorithm>

namespace app {
namespace {

constexpr std::uint64_t kFailsOneIn = 1000; ///< 500
constexpr std::uint64_t kGoneOneIn = 50; ///< 404, of what names an item
constexpr std::uint64_t kItems = 10'000;
constexpr std::uint64_t kOtherOneIn = 10; ///< tenant_keys: requests of the other tenants
constexpr std::uint64_t kKeysOfOther = 5; ///< tenant_keys: keys of each of them
constexpr std::uint64_t kDetails = 0x5bf0'3635'16dc'1d4a; ///< makes the second generator another

/// What all streams do alike: who asks for what, and what comes of it.
class Dressed : public TrafficStream {
public:
    Dressed(const TrafficSettings& settings, std::uint64_t seed)
        : m_settings(settings)
        , m_times(seed)
        , m_details(seed ^ kDetails)
    {
    }

protected:
    /// All of a request but its time and key.
    void dress(TrafficRequest& request)
    {
        request.tenant = request.key % static_cast<std::uint64_t>(m_settings.tenants);
        request.attempt = 1;
        const auto share = static_cast<int>(m_details.below(100));
        int sum = 0;
        request.route = 0;
        for (const TrafficRoute& route : trafficRoutes()) {
            sum += route.percent;
            if (share < sum) {
                break;
            }
            ++request.route;
        }
        request.item = static_cast<std::uint32_t>(1 + m_details.below(kItems));
        answer(request, m_settings.latencyNs);
    }

    /// Status and duration; the mean duration is latencyNs, half of it certain.
    void answer(TrafficRequest& request, std::int64_t latencyNs)
    {
        const TrafficRoute& route = trafficRoutes()[request.route];
        request.status = m_details.oneIn(kFailsOneIn)                  ? 500
            : route.path.ends_with('/') && m_details.oneIn(kGoneOneIn) ? 404
                                                                       : route.status;
        request.durationNs = latencyNs / 2
            + partOf(latencyNs - latencyNs / 2, static_cast<std::int64_t>(m_details.exponential()),
                     std::int64_t {1} << 32);
    }

    [[nodiscard]] std::uint64_t keys() const { return static_cast<std::uint64_t>(m_settings.keys); }

    const TrafficSettings m_settings;
    TrafficRandom m_times;
    TrafficRandom m_details;
};

/// Random arrivals of keys that are equally busy.
class Random : public Dressed {
public:
    Random(const TrafficSettings& settings, std::uint64_t seed, PoissonTimes::RateAt rateAt)
        : Dressed(settings, seed)
        , m_arrivals(settings, rateAt)
    {
    }

    bool next(TrafficRequest& request) override
    {
        const std::optional<std::int64_t> at = m_arrivals.next(m_times);
        if (!at) {
            return false;
        }
        request.atNs = *at;
        request.key = m_details.below(keys());
        dress(request);
        return true;
    }

private:
    PoissonTimes m_arrivals;
};

class ManyKeys final : public Random {
public:
    ManyKeys(const TrafficSettings& settings, std::uint64_t seed)
        : Random(settings, seed, evenRate)
    {
    }

    bool next(TrafficRequest& request) override
    {
        if (!Random::next(request)) {
            return false;
        }
        request.key = m_details.zipf(keys());
        request.tenant = request.key % static_cast<std::uint64_t>(m_settings.tenants);
        return true;
    }
};

class TenantKeys final : public Random {
public:
    TenantKeys(const TrafficSettings& settings, std::uint64_t seed)
        : Random(settings, seed, evenRate)
    {
    }

    bool next(TrafficRequest& request) override
    {
        if (!Random::next(request)) {
            return false;
        }
        const auto others = static_cast<std::uint64_t>(m_settings.tenants - 1);
        if (others > 0 && m_details.oneIn(kOtherOneIn)) {
            const std::uint64_t other = m_details.below(others);
            request.tenant = 1 + other;
            request.key = keys() + other * kKeysOfOther + m_details.below(kKeysOfOther);
        } else {
            request.tenant = 0;
            request.key = m_turn;
            m_turn = (m_turn + 1) % keys();
        }
        return true;
    }

private:
    std::uint64_t m_turn = 0;
};

class SlowEndpoint final : public Random {
public:
    SlowEndpoint(const TrafficSettings& settings, std::uint64_t seed)
        : Random(settings, seed, evenRate)
    {
    }

    bool next(TrafficRequest& request) override
    {
        if (!Random::next(request)) {
            return false;
        }
        const std::int64_t intoNs = request.atNs - m_settings.startNs - m_settings.atNs;
        if (request.route == kSlowRoute && intoNs >= 0 && intoNs < m_settings.lengthNs) {
            const std::int64_t more = m_settings.latencyNs * (m_settings.factor - 1);
            answer(request,
                   m_settings.latencyNs
                       + partOf(more, 2 * std::min(intoNs, m_settings.lengthNs - intoNs),
                                m_settings.lengthNs));
        }
        return true;
    }
};

class Steady final : public Dressed {
public:
    using Dressed::Dressed;

    bool next(TrafficRequest& request) override
    {
        request.atNs
            = m_settings.startNs + partOf(m_settings.rate.periodNs, m_made, m_settings.rate.count);
        if (request.atNs >= endOf(m_settings)) {
            return false;
        }
        request.key = static_cast<std::uint64_t>(m_made) % keys();
        ++m_made;
        dress(request);
        return true;
    }

private:
    std::int64_t m_made = 0;
};

/// Trains of `burst` requests of every key, spread evenly over lengthNs.
class Trains : public Dressed {
public:
    using Dressed::Dressed;

    bool next(TrafficRequest& request) override
    {
        if (m_i == m_settings.burst) {
            m_i = 0;
            ++m_train;
        }
        const std::optional<std::int64_t> beginNs = beginOf(m_train);
        if (!beginNs) {
            return false;
        }
        request.atNs = *beginNs + partOf(m_settings.lengthNs, m_i, m_settings.burst);
        request.key = m_key;
        m_key = (m_key + 1) % keys();
        m_i += m_key == 0 ? 1 : 0;
        dress(request);
        return true;
    }

private:
    /// When a train begins; nothing: there is none.
    [[nodiscard]] virtual std::optional<std::int64_t> beginOf(std::int64_t train) const = 0;

    std::int64_t m_train = 0;
    std::int64_t m_i = 0;
    std::uint64_t m_key = 0;
};

class Bursts final : public Trains {
public:
    using Trains::Trains;

private:
    [[nodiscard]] std::optional<std::int64_t> beginOf(std::int64_t train) const override
    {
        const std::int64_t beginNs = m_settings.startNs + train * m_settings.everyNs;
        return beginNs < endOf(m_settings) ? std::optional(beginNs) : std::nullopt;
    }
};

/// Of each edge that lies far enough from start and end two trains: one that ends at it and one
/// that begins at it.
class Boundary final : public Trains {
public:
    Boundary(const TrafficSettings& settings, std::uint64_t seed)
        : Trains(settings, seed)
        , m_firstNs((settings.startNs + settings.lengthNs + settings.windowNs - 1)
                    / settings.windowNs * settings.windowNs)
    {
    }

private:
    [[nodiscard]] std::optional<std::int64_t> beginOf(std::int64_t train) const override
    {
        const std::int64_t edgeNs = m_firstNs + train / 2 * m_settings.windowNs;
        if (edgeNs + m_settings.lengthNs > endOf(m_settings)) {
            return std::nullopt;
        }
        return train % 2 == 0 ? edgeNs - m_settings.lengthNs : edgeNs;
    }

    std::int64_t m_firstNs;
};

/// Random arrivals; from atNs for lengthNs everything fails, and who failed comes again.
class RetryStorm final : public Dressed {
public:
    RetryStorm(const TrafficSettings& settings, std::uint64_t seed)
        : Dressed(settings, seed)
        , m_arrivals(settings, evenRate)
        , m_first(m_arrivals.next(m_times))
    {
    }

    bool next(TrafficRequest& request) override
    {
        if (!m_waiting.empty() && (!m_first || m_waiting.top().request.atNs <= *m_first)) {
            request = m_waiting.top().request;
            m_waiting.pop();
            answer(request, m_settings.latencyNs);
        } else if (m_first) {
            request.atNs = *m_first;
            request.key = m_details.below(keys());
            dress(request);
            m_first = m_arrivals.next(m_times);
        } else {
            return false;
        }
        const std::int64_t intoNs = request.atNs - m_settings.startNs - m_settings.atNs;
        if (intoNs >= 0 && intoNs < m_settings.lengthNs) {
            request.status = 503;
            comeAgain(request);
        }
        return true;
    }

private:
    struct Waiting {
        TrafficRequest request;
        std::uint64_t number = 0; ///< which of two at one time goes first must not be the library's
    };

    struct Later {
        bool operator()(const Waiting& a, const Waiting& b) const
        {
            return a.request.atNs != b.request.atNs ? a.request.atNs > b.request.atNs
                                                    : a.number > b.number;
        }
    };

    /// Half of the wait is certain, half is drawn.
    void comeAgain(const TrafficRequest& failed)
    {
        if (static_cast<std::int64_t>(failed.attempt) >= m_settings.attempts) {
            return;
        }
        const std::int64_t waitNs = m_settings.waitNs << (failed.attempt - 1);
        TrafficRequest again = failed;
        ++again.attempt;
        again.atNs += failed.durationNs + waitNs / 2
            + static_cast<std::int64_t>(
                          m_details.below(static_cast<std::uint64_t>(waitNs - waitNs / 2 + 1)));
        if (again.atNs < endOf(m_settings)) {
            m_waiting.push({again, ++m_numbers});
        }
    }

    PoissonTimes m_arrivals;
    std::optional<std::int64_t> m_first; ///< when the next first attempt comes
    std::priority_queue<Waiting, std::vector<Waiting>, Later> m_waiting;
    std::uint64_t m_numbers = 0;
};

template <class Stream, PoissonTimes::RateAt... rateAt>
std::unique_ptr<TrafficStream> make(const TrafficSettings& settings, std::uint64_t seed)
{
    return std::make_unique<Stream>(settings, seed, rateAt...);
}

} // namespace

constinit const TrafficMaker kMakePoisson = make<Random, evenRate>;
constinit const TrafficMaker kMakeDiurnal = make<Random, diurnalRate>;
constinit const TrafficMaker kMakeSpike = make<Random, spikeRate>;
constinit const TrafficMaker kMakeSteady = make<Steady>;
constinit const TrafficMaker kMakeBurst = make<Bursts>;
constinit const TrafficMaker kMakeBoundary = make<Boundary>;
constinit const TrafficMaker kMakeManyKeys = make<ManyKeys>;
constinit const TrafficMaker kMakeTenantKeys = make<TenantKeys>;
constinit const TrafficMaker kMakeRetryStorm = make<RetryStorm>;
constinit const TrafficMaker kMakeSlowEndpoint = make<SlowEndpoint>;

} // namespace app

#pragma once
#include <array>
#include <cstdint>

/// How many retries widespread clients allow themselves. As backoff.h, these decide nothing in a
/// replay, whose budget is a share of the first attempts (clients.h).
///
/// Source: notes-clients-and-nodes.md section 5, which names each client's own source.
namespace engine::budgets {

/// botocore: a retry takes from a quota (5, after a timeout 10), and a success puts back: what the
/// last retry took if there was one, else 1.
/// Example: 500; two retries of 5 leave 490; a success after the second makes it 495.
class AwsQuota {
public:
    explicit AwsQuota(std::int64_t capacity)
        : m_capacity(capacity)
        , m_available(capacity)
    {
    }

    /// false, and nothing is taken, if there is less than that.
    bool acquire(std::int64_t amount);
    /// Never above the capacity.
    void release(std::int64_t amount);

    [[nodiscard]] std::int64_t available() const { return m_available; }

private:
    std::int64_t m_capacity;
    std::int64_t m_available;
};

/// Envoy: how many retries may be under way, `percent` of the requests that are active or pending,
/// rounded down, at least `least`. Example: 20 %, 100 active, 25 pending: 25.
std::int64_t envoyMostRetries(double percent, std::int64_t least, std::int64_t active,
                              std::int64_t pending);

/// gRPC's retry throttling: a failure takes a token, a success gives `ratio` of one, and a retry
/// is made only while there are more than half of `most`. Kept in thousandths, as gRPC does.
/// Example: most 10, ratio 0.1: the fifth failure leaves 5 tokens, and there are no retries until
/// a success.
class GrpcThrottle {
public:
    /// Full. Thousandths of a token.
    GrpcThrottle(std::int64_t mostMilli, std::int64_t ratioMilli)
        : m_mostMilli(mostMilli)
        , m_ratioMilli(ratioMilli)
        , m_milli(mostMilli)
    {
    }

    void failed();
    void succeeded();

    [[nodiscard]] bool allowsRetry() const { return m_milli > m_mostMilli / 2; }

    [[nodiscard]] std::int64_t milliTokens() const { return m_milli; }

private:
    std::int64_t m_mostMilli;
    std::int64_t m_ratioMilli;
    std::int64_t m_milli;
};

/// Finagle: each request deposits, each retry withdraws 1 / percent as much; a deposit (and a
/// withdrawal) is forgotten after `ttl`, cut into ten slices; a reserve is always there, for so
/// many retries a second over the ttl.
/// Example: 20 %, 10 s, reserve 0: five requests allow one retry, for 9 to 10 s.
class FinagleBudget {
public:
    /// percentMilli: thousandths, 200 for 20 %; above 0.
    FinagleBudget(std::int64_t ttlNs, std::int64_t retriesPerSecond, std::int64_t percentMilli);

    /// Times never go back.
    void deposit(std::int64_t nowNs);
    /// false, and nothing is taken, if there is too little.
    bool withdraw(std::int64_t nowNs);
    /// How many retries it would allow now.
    [[nodiscard]] std::int64_t balance(std::int64_t nowNs);

private:
    static constexpr std::int64_t kDeposit = 1000;
    static constexpr std::int64_t kSlices = 10;

    void moveTo(std::int64_t nowNs);
    [[nodiscard]] std::int64_t sum() const;

    std::int64_t m_sliceNs;
    std::int64_t m_withdrawal;
    std::int64_t m_reserve;
    std::array<std::int64_t, kSlices> m_slices {}; ///< by slice modulo their number
    std::int64_t m_slice = 0; ///< since the first call
    std::int64_t m_beganNs = 0;
    bool m_hasBegun = false;
};

} // namespace engine::budgets

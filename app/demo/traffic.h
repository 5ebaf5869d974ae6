// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/demo/random.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app::demo {

/// An API key and what its owner sends with it.
struct Key {
    std::string name; ///< "key-acme-1"
    std::string plan; ///< "free", "pro", "enterprise"
    std::string host; ///< "acme.api.example.com"
    std::string agent;
    std::vector<std::string> addresses;
};

/// One request before it is answered.
struct Call {
    std::int64_t startMs = 0;
    std::int64_t durationMs = 0;
    int status = 200;
    std::int64_t bytes = 0;
    std::string address;
    std::string user = "-";
    std::string request; ///< "GET /search?q=a HTTP/2.0", escaped as nginx does
    std::string referer = "-";
    std::string agent;
    std::string key = "-";
    std::string host;
};

struct Line {
    std::int64_t endMs = 0;
    std::string text;
};

/// A day of requests, 2026-03-17 UTC, and the server that answers them. Each member adds one kind
/// of traffic; answered() is called once, last.
class Traffic {
public:
    explicit Traffic(std::uint64_t seed);

    void ordinaryDay(); ///< sessions of all keys, and of people without one, with the day's swing
    void healthChecks(); ///< kube-probe, from 192.0.2.0/28
    void nightlyBatch(); ///< 02:00, an enterprise tenant, twenty keys at once
    void launchSpike(); ///< 09:30, a pro tenant behind one address
    void noisyNeighbour(); ///< 10:20 to 11:05, one free key that hammers /search
    void scraper(); ///< 03:00 to 04:10, three free keys of one owner walk all repositories
    void loginAttack(); ///< 14:12 to 14:40, five addresses guess passwords
    void exports(); ///< long requests of pro and enterprise keys
    void textMessages(); ///< POST /sms/send, in small waves
    void brokenClients(); ///< what is no HTTP, and connections that say nothing

    [[nodiscard]] const std::vector<Key>& keys() const { return m_keys; }

    /// The lines in order of completion. Production had one crude limit, for each address alone:
    /// nginx limit_req, 5 r/s, burst 20, nodelay, answered with 429.
    std::vector<Line> answered();

private:
    void makeKeys();
    void session(const Key& key, std::int64_t startMs);
    void visitor(std::int64_t startMs);
    Call callOf(const Key& key, std::int64_t startMs);
    void answer(Call& call, std::int64_t medianMs, std::int64_t medianBytes);
    std::string oneOf(const std::vector<std::string>& texts);
    std::int64_t timeOfDay();
    std::string mobileAddress();
    std::string requestId();

    Random m_random;
    std::vector<Key> m_keys;
    std::vector<Call> m_calls;
};

} // namespace app::demo

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/traffic.h"
#include "app/demo/vocabulary.h"

#include <algorithm>
#include <iterator>

namespace app::demo {

void Traffic::nightlyBatch()
{
    for (std::size_t k = 0; k < 20; ++k) {
        std::int64_t startMs = at(2, 0) + m_random.below(900);
        for (int i = 0; i < 60; ++i) {
            Call call = callOf(m_keys[k], startMs);
            call.request = "PUT /items/" + number(20'000 + static_cast<std::int64_t>(k) * 60 + i)
                + " HTTP/1.1";
            call.status = m_random.oneIn(40) ? 409 : 200;
            answer(call, 70, 220);
            startMs += call.durationMs + m_random.between(200, 1200);
            m_calls.push_back(call);
        }
    }
}

void Traffic::launchSpike()
{
    for (const Key& key : m_keys) {
        if (key.host != "lattice.api.example.com") {
            continue;
        }
        std::int64_t startMs = at(9, 30) + m_random.below(4000);
        for (int i = 0; i < 70; ++i) {
            Call call = callOf(key, startMs);
            call.address = key.addresses.front();
            call.request = i % 7 == 0
                ? "GET /search?q=" + oneOf(kWords) + " HTTP/2.0"
                : "GET /items/" + number(m_random.between(1, 400)) + " HTTP/2.0";
            answer(call, 45, 1900);
            startMs += m_random.between(300, 2600);
            m_calls.push_back(call);
        }
    }
}

void Traffic::noisyNeighbour()
{
    const auto key = std::find_if(m_keys.begin(), m_keys.end(),
                                  [](const Key& one) { return one.name == "key-finch-3"; });
    std::int64_t startMs = at(10, 20);
    for (int page = 1; startMs < at(11, 5); ++page) {
        Call call = callOf(*key, startMs);
        call.address = "203.0.113.200";
        call.request
            = "GET /search?q=" + oneOf(kWords) + "&page=" + number(page % 40) + " HTTP/1.1";
        answer(call, 160, 5200);
        // Bursts of six a second, then a look at what came back.
        startMs += page % 40 == 0 ? m_random.between(20'000, 45'000) : m_random.between(60, 260);
        m_calls.push_back(call);
    }
}

void Traffic::scraper()
{
    std::vector<Key> keys;
    std::copy_if(m_keys.begin(), m_keys.end(), std::back_inserter(keys), [](const Key& key) {
        return key.host == "magpie.api.example.com" && key.name < "key-magpie-4";
    });
    std::int64_t startMs = at(3, 0);
    int step = 0;
    for (const std::string& owner : kOwners) {
        for (const std::string& repo : kRepos) {
            for (int page = 0; page < 18; ++page) {
                Call call = callOf(keys[static_cast<std::size_t>(step++ / 40 % 3)], startMs);
                call.address = "203.0.113.77";
                const std::string base = "GET /repos/" + owner + "/" + repo;
                call.request
                    = (page == 0 ? base : base + "/contents/src/file" + number(page) + ".cc")
                    + " HTTP/1.1";
                answer(call, 40, 9000);
                startMs += call.durationMs + m_random.between(300, 3200);
                m_calls.push_back(call);
            }
        }
    }
}

void Traffic::loginAttack()
{
    const std::vector<std::string> addresses {"203.0.113.40", "203.0.113.41", "203.0.113.44",
                                              "2001:db8:bad::1", "2001:db8:bad::2"};
    for (const std::string& address : addresses) {
        std::int64_t startMs = at(14, 12) + m_random.below(9000);
        while (startMs < at(14, 40)) {
            Call call;
            call.startMs = startMs;
            call.address = address;
            call.agent = "Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1)";
            call.host = "northwind.api.example.com";
            call.request = "POST /login HTTP/1.1";
            call.status = 401;
            answer(call, 180, 75);
            startMs += m_random.between(1500, 11'000);
            m_calls.push_back(call);
        }
    }
}

void Traffic::exports()
{
    for (int i = 0; i < 130; ++i) {
        const Key& key = m_keys[static_cast<std::size_t>(m_random.below(80))];
        Call call = callOf(key, timeOfDay());
        call.request = "GET /exports/" + number(m_random.between(100, 999)) + ".csv HTTP/1.1";
        call.durationMs = m_random.between(8000, 42'000);
        call.bytes = call.durationMs * m_random.between(900, 1600);
        m_calls.push_back(call);
    }
    for (int i = 0; i < 48; ++i) {
        Call call;
        call.startMs = kMidnightMs + i * 30 * kMinuteMs + 17'250;
        call.address = "10.0.3.4";
        call.user = "metrics";
        call.agent = "Prometheus/2.53.0";
        call.host = "10.0.3.20";
        call.request = "GET /metrics HTTP/1.1";
        answer(call, 12, 48'000);
        m_calls.push_back(call);
    }
}

void Traffic::textMessages()
{
    for (int wave = 0; wave < 14; ++wave) {
        const Key& key = m_keys[static_cast<std::size_t>(m_random.below(100))];
        std::int64_t startMs = timeOfDay();
        const std::int64_t messages = m_random.between(8, 45);
        for (std::int64_t i = 0; i < messages; ++i) {
            Call call = callOf(key, startMs);
            call.request = "POST /sms/send HTTP/1.1";
            call.status = 202;
            answer(call, 110, 96);
            startMs += m_random.between(5, 90);
            m_calls.push_back(call);
        }
    }
}

void Traffic::brokenClients()
{
    for (int i = 0; i < 26; ++i) {
        Call call;
        call.startMs = timeOfDay();
        call.address = "203.0.113." + number(m_random.between(100, 180));
        call.agent = "-";
        call.host = "api.example.com";
        call.status = 400;
        call.bytes = 150;
        switch (i % 4) {
        case 0:
            call.request = R"(\x16\x03\x01\x00\xEE\x01\x00\x00\xEA\x03\x03)";
            break;
        case 1:
            call.request = "-"; // a connection that was closed without a word
            call.bytes = 0;
            break;
        case 2:
            call.request = R"(GET /a\x22b\x5C HTTP/1.1)";
            call.status = 404;
            call.agent = "zgrab/0.x";
            break;
        default:
            call.request = R"(\x03\x00\x00/*\xE0\x00\x00\x00\x00\x00Cookie: mstshash=Administr)";
        }
        m_calls.push_back(call);
    }
}

} // namespace app::demo

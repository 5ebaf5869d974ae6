// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/traffic.h"

#include "app/demo/server.h"
#include "app/demo/vocabulary.h"

#include <algorithm>
#include <array>

namespace app::demo {

namespace {

// Requests by the hour of the day, the busiest being 100; straight lines between full hours.
constexpr std::array<std::int64_t, 25> kSwing {30, 24, 20,  18, 18, 22, 34, 56, 80, 95, 100, 97, 88,
                                               92, 99, 100, 95, 84, 70, 62, 57, 52, 45, 37,  30};

struct Tenant {
    const char* name;
    const char* plan;
    int keys;
    const char* agent;
};

constexpr std::array<Tenant, 24> kTenants {{
    {"meridian", "enterprise", 20, "meridian-sync/4.2.1"},
    {"northwind", "enterprise", 20, "Apache-HttpClient/5.3.1 (Java/17.0.10)"},
    {"harbour", "enterprise", 18, "okhttp/4.12.0"},
    {"acme", "pro", 12, R"(acme-sync/2.1 (build \x22nightly\x22))"},
    {"lattice", "pro", 12, "axios/1.7.7"},
    {"borealis", "pro", 10, "Go-http-client/2.0"},
    {"cobalt", "pro", 10, "python-requests/2.32.3"},
    {"delphi", "pro", 10, "Ruby"},
    {"ember", "pro", 8, "GuzzleHttp/7"},
    {"fathom", "pro", 8, "node-fetch/3.3.2"},
    {"garnet", "pro", 8, "okhttp/4.11.0"},
    {"finch", "free", 5, "python-httpx/0.27.0"},
    {"isobar", "free", 5, "curl/8.5.0"},
    {"juniper", "free", 5, "axios/1.6.8"},
    {"krill", "free", 5, "PostmanRuntime/7.42.0"},
    {"magpie", "free", 5, "python-requests/2.31.0"},
    {"nimbus", "free", 5, "Go-http-client/1.1"},
    {"osprey", "free", 5, "curl/7.88.1"},
    {"pinyon", "free", 5, "okhttp/3.14.9"},
    {"quarry", "free", 5, "axios/1.7.2"},
    {"rookery", "free", 5, "python-requests/2.32.3"},
    {"sorrel", "free", 5, "Java/11.0.22"},
    {"tamarack", "free", 4, "Wget/1.21.3"},
    {"umber", "free", 4, "insomnia/9.3.2"},
}};

const std::vector<std::string> kBrowsers {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/133.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.3 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/18.3 Mobile/15E148 Safari/604.1"};

} // namespace

Traffic::Traffic(std::uint64_t seed)
    : m_random(seed)
{
    makeKeys();
}

std::string Traffic::oneOf(const std::vector<std::string>& texts)
{
    return texts[static_cast<std::size_t>(m_random.below(static_cast<std::int64_t>(texts.size())))];
}

std::string Traffic::requestId()
{
    return inOrder({hex(m_random.next(), 16), hex(m_random.next(), 16)});
}

// Shared address space, as mobile networks use it.
std::string Traffic::mobileAddress()
{
    return inOrder({"100.", number(m_random.between(64, 127)), ".", number(m_random.below(256)),
                    ".", number(m_random.between(1, 254))});
}

// Paying customers call from a few servers of their own; free keys from wherever their owner is.
void Traffic::makeKeys()
{
    for (std::size_t t = 0; t < kTenants.size(); ++t) {
        const Tenant& tenant = kTenants[t];
        const std::string office = "198.51.100." + number(static_cast<std::int64_t>(10 * t + 1));
        for (int n = 1; n <= tenant.keys; ++n) {
            Key key {std::string("key-") + tenant.name + "-" + number(n),
                     tenant.plan,
                     std::string(tenant.name) + ".api.example.com",
                     tenant.agent,
                     {}};
            if (key.plan == "free") {
                key.addresses = {mobileAddress()};
                if (m_random.oneIn(2)) {
                    key.addresses.push_back(inOrder(
                        {"2001:db8:", hex(m_random.next() | 0x1000, 4), ":",
                         hex(m_random.next() | 0x1000, 4),
                         "::", hex(static_cast<std::uint64_t>(m_random.between(0x10, 0xff)), 2)}));
                }
            } else {
                key.addresses
                    = {office,
                       "198.51.100."
                           + number(static_cast<std::int64_t>(10 * t) + m_random.between(2, 9))};
                if (m_random.oneIn(3)) {
                    key.addresses.push_back("2001:db8:" + hex(0x1000 + t, 4)
                                            + "::" + hex(static_cast<std::uint64_t>(0x10 + n), 2));
                }
            }
            m_keys.push_back(key);
        }
    }
}

std::int64_t Traffic::timeOfDay()
{
    for (;;) {
        const std::int64_t ms = m_random.below(kDayMs);
        const auto hour = static_cast<std::size_t>(ms / kHourMs);
        const std::int64_t weight
            = kSwing[hour] * kHourMs + (kSwing[hour + 1] - kSwing[hour]) * (ms % kHourMs);
        if (m_random.below(100 * kHourMs) < weight) {
            return kMidnightMs + ms;
        }
    }
}

// Most answers take about the median, a few many times as long.
void Traffic::answer(Call& call, std::int64_t medianMs, std::int64_t medianBytes)
{
    static constexpr std::array<std::int64_t, 16> kPercent {45,  55,  65,  75,  85,  90,  95,  100,
                                                            105, 115, 130, 150, 190, 260, 420, 900};
    const std::int64_t percent = kPercent[static_cast<std::size_t>(m_random.below(16))];
    call.durationMs = medianMs * percent * m_random.between(80, 120) / 10'000;
    call.bytes = call.status == 204 || call.status == 304
        ? 0
        : medianBytes * m_random.between(40, 220) / 100;
    if (call.status >= 400) {
        call.bytes = medianBytes == 0 ? 0 : call.status == 401 ? 75 : 64;
    }
    const std::int64_t luck = call.status < 400 ? m_random.below(1000) : 999;
    if (luck < 3) {
        static constexpr std::array<int, 4> kFaults {500, 502, 503, 504};
        call.status = kFaults[static_cast<std::size_t>(m_random.below(4))];
        call.durationMs = call.status == 504 ? 10'000 + m_random.below(5) : call.durationMs;
        call.bytes = call.status == 500 ? 61 : 157;
    } else if (luck < 6) {
        call.status = 499;
        call.bytes = 0;
    }
}

Call Traffic::callOf(const Key& key, std::int64_t startMs)
{
    Call call;
    call.startMs = startMs;
    call.address = oneOf(key.addresses);
    call.agent = key.agent;
    call.key = key.name;
    call.host = key.host;
    return call;
}

void Traffic::session(const Key& key, std::int64_t startMs)
{
    const std::string protocol
        = key.agent.starts_with("curl") || key.agent.starts_with("python") || key.agent == "Ruby"
        ? " HTTP/1.1"
        : " HTTP/2.0";
    const std::int64_t more = m_random.below(m_random.oneIn(6) ? 14 : 4);
    const std::int64_t requests = more + m_random.between(1, 5);
    for (std::int64_t i = 0; i < requests; ++i) {
        Call call = callOf(key, startMs);
        const std::string id = number(m_random.between(1000, 9999));
        const std::string repo = inOrder({"/repos/", oneOf(kOwners), "/", oneOf(kRepos)});
        switch (m_random.below(20)) {
        case 0:
        case 1:
            call.request = "GET /search?q=" + oneOf(kWords) + protocol;
            answer(call, 140, 5200);
            break;
        case 2:
            call.request = "POST /orders" + protocol;
            call.status = m_random.oneIn(15) ? 422 : 201;
            answer(call, 85, 420);
            break;
        case 3:
            call.request = "PATCH /orders/" + id + protocol;
            answer(call, 60, 380);
            break;
        case 4:
            call.request = "DELETE /carts/" + id + protocol;
            call.status = 204;
            answer(call, 25, 0);
            break;
        case 5:
        case 6:
        case 7:
            call.request = "GET " + repo + "/issues?state=open" + protocol;
            answer(call, 48, 7400);
            break;
        case 8:
        case 9:
            call.request = "GET " + repo + protocol;
            call.status = m_random.oneIn(3) ? 304 : 200;
            answer(call, 22, 2100);
            break;
        case 10:
        case 11:
            call.request = "GET /users/" + id + protocol;
            call.status = m_random.oneIn(12) ? 404 : 200;
            answer(call, 14, 640);
            break;
        case 12:
            call.request = "HEAD /orders/" + id + protocol;
            answer(call, 9, 0);
            break;
        default:
            call.request = "GET /orders/" + id + protocol;
            call.status = m_random.oneIn(25) ? 404 : 200;
            answer(call, 31, 1500);
        }
        const std::int64_t pause = m_random.between(40, 400);
        startMs += pause * m_random.between(1, 12);
        m_calls.push_back(call);
    }
}

// Somebody with a browser and without a key: documentation, and a login that may go wrong.
void Traffic::visitor(std::int64_t startMs)
{
    Call call;
    call.address = m_random.oneIn(4) ? inOrder({"2001:db8:", hex(m_random.next() | 0x2000, 4),
                                                "::", hex(m_random.next() | 0x1000, 4)})
                                     : mobileAddress();
    call.agent = oneOf(kBrowsers);
    call.host
        = m_keys[static_cast<std::size_t>(m_random.below(static_cast<std::int64_t>(m_keys.size())))]
              .host;
    call.startMs = startMs;
    call.request = "GET /docs/ HTTP/2.0";
    answer(call, 6, 14'000);
    m_calls.push_back(call);
    call.referer = "https://" + call.host + "/docs/";
    const std::int64_t tries = m_random.between(0, 2);
    for (std::int64_t i = 0; i < tries; ++i) {
        call.startMs += m_random.between(4000, 30'000);
        call.status = i + 1 == tries && !m_random.oneIn(5) ? 200 : 401;
        call.request = "POST /login HTTP/2.0";
        answer(call, 190, call.status == 401 ? 75 : 310);
        m_calls.push_back(call);
    }
}

void Traffic::ordinaryDay()
{
    for (int i = 0; i < 2050; ++i) {
        // Half of the sessions belong to the larger customers, who stand first.
        const auto count = static_cast<std::int64_t>(m_keys.size());
        const std::int64_t which
            = m_random.oneIn(2) ? m_random.below(count) : m_random.below(count / 2);
        session(m_keys[static_cast<std::size_t>(which)], timeOfDay());
    }
    for (int i = 0; i < 330; ++i) {
        visitor(timeOfDay());
    }
}

void Traffic::healthChecks()
{
    for (std::int64_t ms = 0; ms < kDayMs; ms += kMinuteMs) {
        for (const int node : {3, 7}) {
            Call call;
            call.startMs = kMidnightMs + ms + node * 4'100 + m_random.below(12);
            call.address = "192.0.2." + number(node);
            call.agent = "kube-probe/1.29";
            call.host = "10.0.3." + number(16 + node);
            call.request = "GET /healthz HTTP/1.1";
            call.durationMs = m_random.below(3);
            call.bytes = 2;
            m_calls.push_back(call);
        }
    }
}

std::vector<Line> Traffic::answered()
{
    std::stable_sort(m_calls.begin(), m_calls.end(),
                     [](const Call& a, const Call& b) { return a.startMs < b.startMs; });
    OldLimit limit;
    std::vector<Line> lines;
    for (Call& call : m_calls) {
        if (call.status != 400 && !limit.admits(call.address, call.startMs)) {
            call.status = 429;
            call.durationMs = 0;
            call.bytes = call.request.starts_with("HEAD") ? 0 : 162;
        }
        if (call.request.starts_with("HEAD")) {
            call.bytes = 0;
        }
        lines.push_back({call.startMs + call.durationMs, lineOf(call, requestId())});
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Line& a, const Line& b) { return a.endMs < b.endMs; });
    return lines;
}

} // namespace app::demo

// Writes an access log for measuring, in order of completion: nginx combined + $request_time, or
// the same as JSON lines. Its requests fill so many seconds, a day unless said otherwise.
//
// usage: make_access_log LINES CLIENTS SEED [combined|json [SECONDS]] > access.log
//
// Clients and paths follow a power law; traffic swings by day, with spikes that a few clients
// drive; one line in five thousand is what broken clients send. About 190 bytes a line.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kDay = 86'400;

enum class Shape { Combined, Json };

// Draws indexes with given weights by their running sum.
class Weighted {
public:
    explicit Weighted(const std::vector<double>& weights)
    {
        double sum = 0;
        for (const double weight : weights) {
            m_upTo.push_back(sum += weight);
        }
    }

    template <typename Random> std::size_t draw(Random& random) const
    {
        const double at = std::uniform_real_distribution<double>(0, m_upTo.back())(random);
        const auto found = std::upper_bound(m_upTo.begin(), m_upTo.end(), at);
        return static_cast<std::size_t>(std::min(found, m_upTo.end() - 1) - m_upTo.begin());
    }

private:
    std::vector<double> m_upTo;
};

std::vector<double> powerLaw(std::size_t count, double exponent)
{
    std::vector<double> weights(count);
    for (std::size_t i = 0; i < count; ++i) {
        weights[i] = std::pow(static_cast<double>(i + 1), -exponent);
    }
    return weights;
}

struct Client {
    std::string address;
    std::string user = "-";
    const char* agent = "";
};

class Day {
public:
    Day(std::size_t clients, std::uint64_t seed, Shape shape, int seconds)
        : m_shape(shape)
        , m_seconds(seconds)
        , m_random(seed)
        , m_whichClient(powerLaw(clients, 1.05))
        , m_whichPath(powerLaw(kPaths, 0.9))
    {
        for (std::size_t i = 0; i < clients; ++i) {
            m_clients.push_back(client(i));
        }
        for (std::size_t i = 0; i < kPaths; ++i) {
            m_paths.push_back(path(i));
        }
        makeSwing();
    }

    void write(std::uint64_t lines)
    {
        std::uint64_t left = lines;
        double weightLeft = 0;
        for (const double weight : m_weight) {
            weightLeft += weight;
        }
        for (int second = 0; second < m_seconds; ++second) {
            const double mean = static_cast<double>(left) * m_weight[at(second)] / weightLeft;
            std::uint64_t count
                = mean > 0 ? std::poisson_distribution<std::uint64_t>(mean)(m_random) : 0;
            count = second + 1 == m_seconds ? left : std::min(count, left);
            for (std::uint64_t i = 0; i < count; ++i) {
                writeLine(second);
            }
            left -= count;
            weightLeft -= m_weight[at(second)];
        }
    }

private:
    static constexpr std::size_t kPaths = 300;
    static constexpr std::array<const char*, 8> kAgents {
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/133.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        "Version/18.3 Safari/605.1.15",
        "Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
        "Gecko) Version/18.3 Mobile/15E148 Safari/604.1",
        "okhttp/4.12.0",
        "python-requests/2.32.3",
        "Go-http-client/2.0",
        "-"};

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }

    std::uint32_t below(std::uint32_t bound)
    {
        return static_cast<std::uint32_t>((m_random() >> 32) * bound >> 32);
    }

    Client client(std::size_t index)
    {
        Client made;
        std::array<char, 64> text {};
        if (below(10) == 0) {
            std::snprintf(text.data(), text.size(), "2001:db8:%x:%x::%x", 1 + below(65'535),
                          1 + below(65'535), 1 + below(65'535));
        } else {
            std::snprintf(text.data(), text.size(), "%u.%u.%u.%u", 1 + below(223), below(256),
                          below(256), 1 + below(254));
        }
        made.address = text.data();
        if (below(25) == 0) {
            made.user = "user" + std::to_string(index);
        }
        made.agent = kAgents[below(kAgents.size())];
        return made;
    }

    std::string path(std::size_t index)
    {
        static constexpr std::array<const char*, 10> kNames {
            "users", "orders",  "items",   "search", "login",
            "cart",  "reports", "billing", "events", "sessions"};
        const std::string name = kNames[below(kNames.size())];
        switch (index % 4) {
        case 0:
            return "/api/v1/" + name + "/" + std::to_string(below(100'000));
        case 1:
            return "/api/v2/" + name;
        case 2:
            return "/static/" + name + "/app." + std::to_string(below(1'000'000'000)) + ".js";
        default:
            return "/" + name + "/" + std::to_string(index) + "/index.html";
        }
    }

    void makeSwing()
    {
        for (int second = 0; second < m_seconds; ++second) {
            m_weight.push_back(1 + 0.6 * std::sin(6.283185307179586 * (second - 32'400) / kDay));
            m_spike.push_back(0);
        }
        m_attackers.resize(25);
        if (m_seconds < kDay) {
            return; // spikes are those of a day
        }
        for (std::size_t spike = 1; spike <= 24; ++spike) {
            const std::uint32_t start = below(kDay - 400);
            const std::uint32_t length = 20 + below(280);
            for (std::uint32_t i = 0; i <= below(6); ++i) {
                m_attackers[spike].push_back(below(
                    static_cast<std::uint32_t>(std::min<std::size_t>(m_clients.size(), 5000))));
            }
            for (std::uint32_t second = start; second < start + length; ++second) {
                m_weight[second] *= 3 + below(6);
                m_spike[second] = spike;
            }
        }
    }

    std::string request()
    {
        static constexpr std::array<const char*, 10> kMethods {
            "GET", "GET", "GET", "GET", "GET", "GET", "GET", "POST", "PUT", "DELETE"};
        if (below(5000) == 0) {
            return below(2) == 0 ? R"(\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03)"
                                 : R"(GET /a\x22b\x5C HTTP/1.1)";
        }
        std::string text = std::string(kMethods[below(kMethods.size())]) + " "
            + m_paths[m_whichPath.draw(m_random)];
        if (below(100) < 22) {
            text += "?page=" + std::to_string(below(50)) + "&q=" + std::to_string(below(1 << 20));
        }
        return text + (below(10) < 6 ? " HTTP/2.0" : " HTTP/1.1");
    }

    void writeLine(int second)
    {
        static constexpr std::array<int, 12> kStatus {200, 200, 200, 200, 200, 200,
                                                      200, 304, 201, 404, 200, 429};
        const std::size_t spike = m_spike[at(second)];
        const Client& client = spike != 0 && below(100) < 55
            ? m_clients[m_attackers[spike]
                                   [below(static_cast<std::uint32_t>(m_attackers[spike].size()))]]
            : m_clients[m_whichClient.draw(m_random)];
        const double duration
            = std::min(std::lognormal_distribution<double>(-4.2, 1.1)(m_random), 60.0);
        const std::string text = request();
        const int status = kStatus[below(kStatus.size())];
        const std::uint32_t size = below(20'000);
        const char* const referer = below(2) == 0 ? "-" : "https://www.example.com/";
        const int hour = second / 3600;
        const int minute = second / 60 % 60;
        if (m_shape == Shape::Combined) {
            std::printf(
                "%s - %s [17/Mar/2026:%02d:%02d:%02d +0000] \"%s\" %d %u \"%s\" \"%s\" %.3f\n",
                client.address.c_str(), client.user.c_str(), hour, minute, second % 60,
                text.c_str(), status, size, referer, client.agent, duration);
            return;
        }
        std::printf("{\"time\":\"2026-03-17T%02d:%02d:%02d+00:00\",\"remote_addr\":\"%s\","
                    "\"remote_user\":\"%s\",\"request\":\"%s\",\"status\":%d,"
                    "\"body_bytes_sent\":%u,\"referer\":\"%s\",\"user_agent\":\"%s\","
                    "\"request_time\":%.3f}\n",
                    hour, minute, second % 60, client.address.c_str(), client.user.c_str(),
                    escaped(text).c_str(), status, size, referer, client.agent, duration);
    }

    static std::string escaped(const std::string& text)
    {
        std::string out;
        for (const char c : text) {
            out += c == '\\' ? "\\\\" : std::string(1, c);
        }
        return out;
    }

    Shape m_shape;
    int m_seconds;
    std::mt19937_64 m_random;
    Weighted m_whichClient;
    Weighted m_whichPath;
    std::vector<Client> m_clients;
    std::vector<std::string> m_paths;
    std::vector<double> m_weight;
    std::vector<std::size_t> m_spike;
    std::vector<std::vector<std::uint32_t>> m_attackers;
};

} // namespace

int main(int argc, char** argv)
{
    const std::string shape = argc > 4 ? argv[4] : "combined";
    const int seconds = argc > 5 ? std::atoi(argv[5]) : kDay;
    const std::uint64_t lines = argc > 3 ? std::strtoull(argv[1], nullptr, 10) : 0;
    const std::size_t clients = argc > 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
    if (argc > 6 || lines == 0 || clients == 0 || seconds < 1 || seconds > kDay
        || (shape != "combined" && shape != "json")) {
        std::fputs("usage: make_access_log LINES CLIENTS SEED [combined|json [SECONDS]]\n", stderr);
        return 2;
    }
    Day(clients, std::strtoull(argv[3], nullptr, 10),
        shape == "json" ? Shape::Json : Shape::Combined, seconds)
        .write(lines);
    return std::fflush(stdout) == 0 ? 0 : 1;
}

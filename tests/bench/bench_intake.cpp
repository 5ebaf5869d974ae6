// Times the two halves of the intake on made-up requests and prints JSON: CPU ns a request, one
// thread.
//
// usage: bench_intake [REQUESTS] [CLIENTS]
#include "engine/intake.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kBatch = 4096;

// SplitMix64: the same requests on every machine.
class Random {
public:
    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

private:
    std::uint64_t m_state = 1;
};

engine::PlanRule rule(const char* name, engine::Tier tier, std::vector<std::string> key)
{
    engine::PlanRule made;
    made.rule = name;
    made.tier = tier;
    made.key = std::move(key);
    return made;
}

engine::Plan fourTiers()
{
    engine::Plan plan;
    engine::Derivation network;
    network.name = "network";
    network.from = "client_ip";
    network.kind = engine::DerivationKind::Prefix;
    network.ipv4Bits = 24;
    network.ipv6Bits = 64;
    plan.attributes = {network};
    plan.rules = {rule("edge", engine::Tier::Edge, {"client_ip"}),
                  rule("gateway", engine::Tier::Gateway, {"client_ip"}),
                  rule("endpoint", engine::Tier::Endpoint, {"client_ip"}),
                  rule("tenant", engine::Tier::Tenant, {"network"})};
    plan.rules[2].match = {{"path", false, {{engine::TestKind::Path, "/api/v1/**", 0, 0}}}};
    return plan;
}

// Three tuples beside who: by address, by network, by (address, path).
engine::Plan threeTuples()
{
    engine::Plan plan = fourTiers();
    plan.rules[2].match.clear();
    plan.rules[2].key = {"client_ip", "method"};
    return plan;
}

struct Texts {
    std::vector<std::string> addresses;
    std::vector<std::string> paths;
};

Texts makeTexts(std::size_t clients, Random& random)
{
    Texts texts;
    for (std::size_t i = 0; i < clients; ++i) {
        std::array<char, 64> text {};
        if (i % 10 == 0) {
            std::snprintf(text.data(), text.size(), "2001:db8:%x:%x::%x",
                          1U + static_cast<unsigned>(random.below(65535)),
                          1U + static_cast<unsigned>(random.below(65535)),
                          1U + static_cast<unsigned>(random.below(65535)));
        } else {
            std::snprintf(text.data(), text.size(), "%u.%u.%u.%u",
                          1U + static_cast<unsigned>(random.below(223)),
                          static_cast<unsigned>(random.below(256)),
                          static_cast<unsigned>(random.below(256)),
                          1U + static_cast<unsigned>(random.below(254)));
        }
        texts.addresses.emplace_back(text.data());
    }
    for (std::size_t i = 0; i < 300; ++i) {
        texts.paths.push_back((i % 3 == 0 ? "/api/v1/orders/" : "/static/img/page-")
                              + std::to_string(i));
    }
    return texts;
}

// A batch as the log reader leaves it: its texts side by side in one block.
struct Batch {
    engine::RequestBatch requests;
    std::string block;
};

void moveIntoBlock(Batch& batch)
{
    std::size_t size = 0;
    for (const std::string_view value : batch.requests.values) {
        size += value.size() + 8;
    }
    batch.block.reserve(size);
    for (std::string_view& value : batch.requests.values) {
        const std::size_t at = batch.block.size();
        batch.block.append(value).append(8, ' ');
        if (value.data() != nullptr) {
            value = std::string_view(batch.block.data() + at, value.size());
        }
    }
}

std::vector<Batch> makeBatches(const engine::Intake& intake, const Texts& texts, std::size_t count,
                               Random& random)
{
    const std::array<std::string_view, 4> methods {"GET", "GET", "GET", "POST"};
    std::vector<Batch> batches;
    batches.reserve(count / kBatch + 1);
    for (std::size_t i = 0; i < count; ++i) {
        if (i % kBatch == 0) {
            batches.emplace_back().requests.fieldCount = intake.fields().size();
        }
        engine::Request request;
        request.timeNs = static_cast<std::int64_t>(i) * 1000;
        request.line = i + 1;
        request.durationNs = 1000000;
        batches.back().requests.requests.push_back(request);
        for (const std::string& field : intake.fields()) {
            std::string_view value;
            if (field == "client_ip") { // half the traffic from a hundredth of the clients
                const std::size_t most = texts.addresses.size();
                value = texts.addresses[random.below(i % 2 == 0 ? most : most / 100 + 1)];
            } else if (field == "path") {
                value = texts.paths[random.below(texts.paths.size())];
            } else if (field == "method") {
                value = methods[random.below(methods.size())];
            } else if (field == "status") {
                value = "200";
            }
            batches.back().requests.values.push_back(value);
        }
    }
    for (Batch& batch : batches) {
        moveIntoBlock(batch);
    }
    return batches;
}

// CPU time of the process, so that other work on the machine does not count.
double cpuNs()
{
    timespec now {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

struct Times {
    double prepareNs = 0;
    double internNs = 0;
    std::size_t keys = 0;
};

Times measure(const engine::Plan& plan, const Texts& texts, std::size_t count)
{
    Random random;
    Times best {1e9, 1e9, 0};
    std::uint64_t sum = 0; // used, so that nothing is optimised away
    for (int round = 0; round < 3; ++round) {
        auto intake = engine::Intake::make({&plan}, {}).value().release();
        const std::unique_ptr<engine::Intake> owner(intake);
        const auto batches = makeBatches(*intake, texts, count, random);
        intake->chooseWho(batches.front().requests);
        auto prepared = intake->makePrepared();
        double prepareNs = 0;
        double internNs = 0;
        for (const Batch& batch : batches) {
            const double start = cpuNs();
            intake->prepare(batch.requests, *prepared);
            const double middle = cpuNs();
            const engine::Intake::Interned interned = intake->internAll(*prepared);
            for (std::size_t i = 0; i < interned.size(); ++i) {
                sum += interned.arrival(i).ids()[0];
            }
            prepareNs += middle - start;
            internNs += cpuNs() - middle;
        }
        best.prepareNs = std::min(best.prepareNs, prepareNs / static_cast<double>(count));
        best.internNs = std::min(best.internNs, internNs / static_cast<double>(count));
        best.keys = intake->whoCount();
    }
    if (sum == 0) {
        std::abort();
    }
    return best;
}

void print(const char* name, const Times& times, const char* end)
{
    std::printf("  \"%s\": {\"prepare_ns\": %.1f, \"intern_ns\": %.1f, \"keys\": %zu}%s\n", name,
                times.prepareNs, times.internNs, times.keys, end);
}

// 2,000 rules with tests of every kind.
engine::Plan manyRules()
{
    engine::Plan plan;
    for (int i = 0; i < 2000; ++i) {
        engine::PlanRule made = rule("r", engine::Tier::Edge, {"client_ip"});
        const std::string number = std::to_string(i);
        made.match
            = {{"path", false, {{engine::TestKind::Path, "/**/p" + number + "/*/x*y/**", 0, 0}}},
               {"user_agent", false, {{engine::TestKind::Glob, "*bot*" + number + "*", 0, 0}}},
               {"client_ip",
                true,
                {{engine::TestKind::Network, "10." + std::to_string(i % 250) + ".0.0/16", 0, 0}}}};
        plan.rules.push_back(made);
    }
    return plan;
}

} // namespace

int main(int argc, char** argv)
{
    const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000000;
    const std::size_t clients = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 200000;
    Random random;
    const Texts texts = makeTexts(std::max<std::size_t>(clients, 1), random);
    std::printf("{\n");
    print("four_tiers", measure(fourTiers(), texts, count), ",");
    print("three_tuples", measure(threeTuples(), texts, count), ",");
    print("rules_2000", measure(manyRules(), texts, std::max<std::size_t>(1, count / 100)), "");
    std::printf("}\n");
    return 0;
}

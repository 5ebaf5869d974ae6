#include "engine/clients.h"

#include "engine/algorithms/wide.h"
#include "engine/draws.h"

#include <algorithm>
#include <array>

namespace engine {
namespace {

using wide::Uint128;

constexpr std::int64_t kSecond = 1'000'000'000;

/// floor(length * draw / 2^64), for length >= 0.
std::int64_t partOf(std::int64_t length, std::uint64_t draw)
{
    return static_cast<std::int64_t>(Uint128 {static_cast<std::uint64_t>(length)} * draw >> 64);
}

/// min(cap, base * 2^doublings).
std::int64_t grown(const Behaviour& behaviour, int doublings)
{
    std::int64_t wait = behaviour.baseNs;
    for (int i = 0; i < doublings && wait < behaviour.capNs; ++i) {
        wait = wide::addSaturating(wait, wait);
    }
    return std::min(wait, behaviour.capNs);
}

std::int64_t ownWait(const Behaviour& behaviour, int attempt, std::int64_t previousNs,
                     std::uint64_t draw)
{
    const std::int64_t wait = grown(behaviour, attempt - 1);
    switch (behaviour.jitter) {
    case Jitter::None:
        return wait;
    case Jitter::Full:
        return partOf(wait, draw);
    case Jitter::Equal:
        return wait / 2 + partOf(wait - wait / 2, draw);
    case Jitter::Decorrelated: {
        const std::int64_t before = attempt == 1 ? behaviour.baseNs : previousNs;
        const std::int64_t most = wide::addSaturating(before, wide::addSaturating(before, before));
        const std::int64_t span = std::max<std::int64_t>(0, most - behaviour.baseNs);
        return std::min(behaviour.capNs, wide::addSaturating(behaviour.baseNs, partOf(span, draw)));
    }
    }
    return wait;
}

Behaviour behaviour(std::string name, int attempts, std::int64_t baseNs, std::int64_t capNs)
{
    Behaviour made;
    made.name = std::move(name);
    made.attempts = attempts;
    made.baseNs = baseNs;
    made.capNs = capNs;
    return made;
}

std::vector<ClientProfile> makePresets()
{
    constexpr std::int64_t kTenth = kSecond / 10;
    std::vector<Behaviour> made;
    made.push_back(behaviour("none", 1, 0, 0));
    made.push_back(behaviour("immediate", 3, 0, 0));
    made.push_back(behaviour("fixed", 4, kSecond, kSecond));
    made.push_back(behaviour("exponential", 5, kTenth, 20 * kSecond));
    made.push_back(behaviour("full_jitter", 5, kTenth, 20 * kSecond));
    made.back().jitter = Jitter::Full;
    made.push_back(behaviour("obey_exactly", 5, kSecond, 20 * kSecond));
    made.back().retryAfter = RetryAfter::Obey;
    made.push_back(behaviour("obey_with_jitter", 8, 60 * kSecond, 600 * kSecond));
    made.back().jitter = Jitter::Full;
    made.back().retryAfter = RetryAfter::AtLeast;
    made.push_back(behaviour("budgeted", 4, kTenth, 20 * kSecond));
    made.back().jitter = Jitter::Full;
    made.back().budgetPercent = 20;
    std::vector<ClientProfile> presets;
    for (Behaviour& one : made) {
        ClientProfile& profile = presets.emplace_back();
        profile.name = one.name;
        profile.behaviours.push_back(std::move(one));
    }
    return presets;
}

} // namespace

const std::vector<ClientProfile>& clientPresets()
{
    static const std::vector<ClientProfile> kPresets = makePresets();
    return kPresets;
}

const char* checkBehaviour(const Behaviour& behaviour)
{
    if (behaviour.share < 0 || behaviour.share > 100) {
        return "share is not in 0 .. 100 %";
    }
    if (behaviour.attempts < 1 || behaviour.attempts > Behaviour::kMostAttempts) {
        return "attempts is not in 1 .. 1000";
    }
    if (behaviour.baseNs < 0 || behaviour.capNs < behaviour.baseNs) {
        return "wait is not 0 <= BASE <= CAP";
    }
    if (behaviour.budgetPercent && (*behaviour.budgetPercent < 0)) {
        return "budget is below 0 %";
    }
    return nullptr;
}

std::int64_t waitAfter(const Behaviour& behaviour, int attempt, std::int64_t previousNs,
                       std::optional<std::int64_t> toldSeconds, std::uint64_t draw)
{
    const std::int64_t own = ownWait(behaviour, attempt, previousNs, draw);
    if (!toldSeconds || behaviour.retryAfter == RetryAfter::Ignore) {
        return own;
    }
    const std::int64_t told
        = *toldSeconds > wide::kLastNs / kSecond ? wide::kLastNs : *toldSeconds * kSecond;
    if (behaviour.retryAfter == RetryAfter::Obey) {
        return told;
    }
    return behaviour.jitter == Jitter::None ? std::max(own, told) : wide::addSaturating(told, own);
}

bool budgetAllows(const Behaviour& behaviour, std::uint64_t firstAttempts, std::uint64_t retries)
{
    if (!behaviour.budgetPercent) {
        return true;
    }
    // retries + 1 <= ceil(budget * first / 100)
    const auto percent = static_cast<std::uint64_t>(*behaviour.budgetPercent);
    return Uint128 {retries} * Uint128 {100} < Uint128 {firstAttempts} * Uint128 {percent};
}

std::size_t behaviourOf(const ClientProfile& profile, std::string_view client, std::uint64_t seed)
{
    const std::uint64_t draw = draws::of(seed, draws::For::Behaviour, client);
    const std::int64_t percent = partOf(100, draw);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < profile.behaviours.size(); ++i) {
        sum += profile.behaviours[i].share;
        if (percent < sum) {
            return i;
        }
    }
    return profile.behaviours.size() - 1;
}

std::string_view nameOf(Jitter jitter)
{
    constexpr std::array<std::string_view, 4> kNames {"none", "full", "equal", "decorrelated"};
    return kNames.at(static_cast<std::size_t>(jitter));
}

std::string_view nameOf(RetryAfter retryAfter)
{
    constexpr std::array<std::string_view, 3> kNames {"ignore", "obey", "at_least"};
    return kNames.at(static_cast<std::size_t>(retryAfter));
}

} // namespace engine

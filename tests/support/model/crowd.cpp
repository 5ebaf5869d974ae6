#include "tests/support/model/crowd.h"

#include "engine/draws.h"
#include "tests/support/model/wide.h"

#include <algorithm>

namespace tests::model {

using engine::Behaviour;
using engine::Jitter;
using engine::RetryAfter;

namespace {

Wide partOf(const Wide& whole, std::uint64_t draw)
{
    return floorDiv(whole * Wide::of(0, draw), Wide::powerOfTwo(64));
}

/// The client's own wait, whatever it was told.
Wide ownWait(const Behaviour& behaviour, const Crowd::Attempt& attempt, std::uint64_t draw)
{
    const Wide base = behaviour.baseNs;
    const Wide cap = behaviour.capNs;
    Wide wait = base;
    for (int i = 1; i < attempt.number && wait < cap; ++i) {
        wait = wait * 2;
    }
    wait = min(wait, cap);
    if (behaviour.jitter == Jitter::Full) {
        return partOf(wait, draw);
    }
    if (behaviour.jitter == Jitter::Equal) {
        const Wide half = floorDiv(wait, 2);
        return half + partOf(wait - half, draw);
    }
    if (behaviour.jitter == Jitter::Decorrelated) {
        const Wide before = attempt.number == 1 ? base : Wide(attempt.previousWaitNs);
        return min(cap, base + partOf(max(before * 3 - base, 0), draw));
    }
    return wait;
}

/// A share of the hundred for each behaviour, in their order.
std::size_t behaviourOf(const engine::ClientProfile& profile, const std::string& client,
                        std::uint64_t seed)
{
    const std::uint64_t draw
        = engine::draws::of(seed, engine::draws::For::Behaviour, std::string_view(client));
    Wide percent = partOf(100, draw);
    std::size_t index = 0;
    while (percent >= Wide(profile.behaviours[index].share)) {
        percent = percent - profile.behaviours[index].share;
        ++index;
    }
    return index;
}

} // namespace

Crowd::Crowd(const engine::ClientProfile& profile, std::string who, std::uint64_t seed)
    : m_profile(profile)
    , m_who(std::move(who))
    , m_seed(seed)
    , m_outcomes(profile.behaviours.size())
{
}

std::optional<std::int64_t> Crowd::decided(const Request& request, const Attempt& attempt,
                                           bool isAdmitted,
                                           std::optional<std::int64_t> retryAfterNs)
{
    const auto name = request.attributes.find(m_who);
    if (name == request.attributes.end()) {
        return std::nullopt; // nobody who could come again
    }
    const bool isKnown = m_clients.contains(name->second);
    Client& client = m_clients[name->second];
    if (!isKnown) {
        client.behaviour = behaviourOf(m_profile, name->second, m_seed);
    }
    const Behaviour& behaviour = m_profile.behaviours[client.behaviour];
    Outcomes& outcomes = m_outcomes[client.behaviour];
    const bool isFirst = attempt.number == 1;
    outcomes.clients += isKnown ? 0 : 1;
    client.first += isFirst ? 1 : 0;
    ++(isFirst ? outcomes.first : outcomes.retries);
    if (isAdmitted) {
        ++(isFirst ? outcomes.admittedAtOnce : outcomes.admittedLater);
        return std::nullopt;
    }
    const bool hasBudget = !behaviour.budgetPercent
        || Wide(static_cast<std::int64_t>(client.retries) + 1) <= ceilDiv(
               Wide(*behaviour.budgetPercent) * static_cast<std::int64_t>(client.first), 100);
    if (attempt.number >= behaviour.attempts || !hasBudget) {
        ++outcomes.gaveUp;
        outcomes.outOfBudget += attempt.number < behaviour.attempts ? 1 : 0;
        return std::nullopt;
    }
    ++client.retries;
    const std::uint64_t draw = engine::draws::of(m_seed, engine::draws::For::Wait, attempt.n,
                                                 static_cast<std::uint64_t>(attempt.number));
    Wide wait = ownWait(behaviour, attempt, draw);
    if (retryAfterNs && behaviour.retryAfter != RetryAfter::Ignore) {
        const Wide told = min(max(ceilDiv(*retryAfterNs, 1000000000), 1) * 1000000000, INT64_MAX);
        const Wide both
            = behaviour.jitter == Jitter::None ? max(wait, told) : min(told + wait, INT64_MAX);
        wait = behaviour.retryAfter == RetryAfter::Obey ? told : both;
    }
    return wait.toInt64();
}

} // namespace tests::model

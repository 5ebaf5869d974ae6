#include "engine/replay/retries.h"

#include "engine/algorithms/wide.h"
#include "engine/answer.h"
#include "engine/draws.h"

#include <algorithm>
#include <cstring>

namespace engine {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kTenth = kSecond / 10;
constexpr std::size_t kLongest = 100;
constexpr std::uint64_t kLockedOut = 2; ///< requests given up

} // namespace

BehaviourTally ClientTally::all() const
{
    BehaviourTally sum;
    for (const BehaviourTally& one : behaviours) {
        sum.clients += one.clients;
        sum.first += one.first;
        sum.retries += one.retries;
        sum.admittedAtOnce += one.admittedAtOnce;
        sum.admittedLater += one.admittedLater;
        sum.gaveUp += one.gaveUp;
        sum.outOfBudget += one.outOfBudget;
    }
    return sum;
}

Retries::Retries(const Intake& intake, std::size_t plan, const Conditions& conditions,
                 SeriesSink* series)
    : m_intake(intake)
    , m_plan(plan)
    , m_conditions(conditions)
    , m_series(series)
    , m_isWho(conditions.clients->attribute.empty())
{
    const ClientProfile& profile = *conditions.clients;
    m_idAt = m_isWho ? ArrivalLayout::kWho
                     : intake.layout().tupleAt(intake.facetTuple(plan, profile.facet));
    m_tally.behaviours.resize(profile.behaviours.size());
    for (const Behaviour& behaviour : profile.behaviours) {
        m_needsRetryAfter = m_needsRetryAfter || behaviour.retryAfter != RetryAfter::Ignore;
    }
}

std::uint32_t Retries::clientOf(const Arrival& arrival) const
{
    return arrival.ids()[m_idAt];
}

Retries::Client& Retries::client(std::uint32_t id)
{
    Client& client = m_clients.at(id);
    if (client.behaviour == 0) {
        const std::string name(
            m_isWho ? m_intake.whoText(id)
                    : m_intake.keyText(m_intake.facetTuple(m_plan, m_conditions.clients->facet), id)
                          .front());
        client.behaviour = 1
            + static_cast<std::uint32_t>(
                               behaviourOf(*m_conditions.clients, name, m_conditions.seed));
        m_clientEnd = std::max(m_clientEnd, id + 1);
    }
    return client;
}

void Retries::closeSecond()
{
    if (!m_isOpen) {
        return;
    }
    if (m_second.attempts > m_tally.peakAttempts) {
        m_tally.peakAttempts = m_second.attempts;
        m_tally.peakSecond = m_second.second;
    }
    if (m_series != nullptr) {
        m_series->attempts(m_plan, m_second);
    }
    m_isOpen = false;
}

/// Makes the second of a time the one at hand.
void Retries::second(std::int64_t timeNs)
{
    const std::int64_t now = wide::floored(timeNs, kSecond);
    if (m_isOpen && m_second.second != now) {
        closeSecond();
    }
    if (!m_isOpen) {
        m_second = {now, 0, 0, 0};
        m_isOpen = true;
    }
}

void Retries::began(const Flight& flight)
{
    if (flight.verdict.warmup || clientOf(*flight.arrival) == kNoId) {
        return;
    }
    second(flight.nowNs);
    ++m_second.attempts;
    if (flight.attempt == 1) {
        return;
    }
    ++m_second.retries;
    const std::int64_t tenth = wide::floored(flight.nowNs, kTenth);
    m_inTenth = tenth == m_tenth ? m_inTenth + 1 : 1;
    m_tenth = tenth;
    if (m_inTenth > m_tally.herd) {
        m_tally.herd = m_inTenth;
        m_tally.herdNs = wide::startOf(flight.nowNs, kTenth);
    }
}

/// Keeps the request until its client comes again.
void Retries::comeAgain(Flight& flight, const Behaviour& behaviour)
{
    std::shared_ptr<Comeback> comeback = std::move(flight.comeback);
    if (!comeback) {
        comeback = std::make_shared<Comeback>();
        const std::size_t size = m_intake.layout().size();
        comeback->bytes.resize((size + 7) / 8);
        std::memcpy(comeback->bytes.data(), flight.arrival, size);
        comeback->firstNs = flight.arrival->timeNs;
    }
    const std::optional<std::int64_t> told
        = flight.retryAfterNs ? std::optional(headerSeconds(*flight.retryAfterNs)) : std::nullopt;
    const std::uint64_t draw = draws::of(m_conditions.seed, draws::For::Wait, flight.arrival->n,
                                         static_cast<std::uint64_t>(flight.attempt));
    comeback->waitedNs = waitAfter(behaviour, flight.attempt, comeback->waitedNs, told, draw);
    const std::int64_t timeNs = wide::later(flight.decidedNs, comeback->waitedNs);
    m_waiting.push_back(
        {timeNs, flight.order, flight.attempt + 1, flight.verdict.warmup, std::move(comeback)});
    std::push_heap(m_waiting.begin(), m_waiting.end(), Later {});
}

ClientMove Retries::decided(Flight& flight)
{
    const bool counts = !flight.verdict.warmup;
    const bool isAdmitted = flight.verdict.outcome == Outcome::Admitted;
    const std::uint32_t id = clientOf(*flight.arrival);
    if (id == kNoId) {
        m_tally.nameless += counts ? 1 : 0;
        return ClientMove::None;
    }
    if (counts) {
        second(flight.decidedNs);
        m_second.admitted += isAdmitted ? 1 : 0;
    }
    const bool isNew = m_clients.at(id).behaviour == 0;
    Client& who = client(id);
    const Behaviour& behaviour = m_conditions.clients->behaviours[who.behaviour - 1];
    BehaviourTally& tally = m_tally.behaviours[who.behaviour - 1];
    tally.clients += isNew ? 1 : 0;
    const bool isFirst = flight.attempt == 1;
    who.first += isFirst ? 1 : 0;
    if (who.attemptsSince++ == 0) {
        who.sinceNs = flight.arrival->timeNs;
    }
    if (counts) {
        ++(isFirst ? tally.first : tally.retries);
    }
    if (isAdmitted) {
        who.attemptsSince = 0;
        who.gaveUpSince = 0;
        if (counts) {
            ++(isFirst ? tally.admittedAtOnce : tally.admittedLater);
        }
        if (counts && !isFirst) {
            m_tally.untilAdmitted.add(
                wide::spanBetween(flight.comeback->firstNs, flight.decidedNs));
        }
        return ClientMove::None;
    }
    const bool hasAttempts = flight.attempt < behaviour.attempts;
    if (hasAttempts && budgetAllows(behaviour, who.first, who.retries + who.waiting)) {
        ++who.waiting;
        comeAgain(flight, behaviour);
        return ClientMove::ComesAgain;
    }
    ++who.gaveUpSince;
    if (counts) {
        ++tally.gaveUp;
        tally.outOfBudget += hasAttempts ? 1 : 0;
    }
    return hasAttempts ? ClientMove::OutOfBudget : ClientMove::OutOfAttempts;
}

Flight Retries::take()
{
    std::pop_heap(m_waiting.begin(), m_waiting.end(), Later {});
    Waiting next = std::move(m_waiting.back());
    m_waiting.pop_back();
    auto& arrival = *reinterpret_cast<Arrival*>(next.comeback->bytes.data());
    arrival.timeNs = next.timeNs;
    arrival.arrivedNs = next.timeNs;
    Client& who = client(clientOf(arrival));
    --who.waiting;
    ++who.retries; // now: a queue may hold it up before it is decided
    Flight flight;
    flight.start(arrival, next.order);
    flight.attempt = next.attempt;
    flight.isCounted = false; // by key, first attempts count
    flight.wantsRetryAfter = m_needsRetryAfter;
    flight.verdict.warmup = next.isWarmup;
    flight.comeback = std::move(next.comeback);
    return flight;
}

void Retries::finish()
{
    closeSecond();
    for (std::uint32_t id = 0; id < m_clientEnd; ++id) {
        const Client* const client = m_clients.find(id);
        if (client == nullptr || client->gaveUpSince < kLockedOut) {
            continue;
        }
        ++m_tally.lockouts;
        m_tally.longest.push_back(
            {id, client->attemptsSince, client->gaveUpSince, client->sinceNs});
    }
    const auto longer = [](const Lockout& a, const Lockout& b) {
        return a.attempts != b.attempts ? a.attempts > b.attempts : a.client < b.client;
    };
    std::sort(m_tally.longest.begin(), m_tally.longest.end(), longer);
    m_tally.longest.resize(std::min(m_tally.longest.size(), kLongest));
}

} // namespace engine

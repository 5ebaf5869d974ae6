#include "engine/intake/profiles.h"

#include "engine/intake/prepared.h"

#include <algorithm>

namespace engine::intake {
namespace {

constexpr std::size_t kMostRowBytes = std::size_t {8} << 20;

void append(std::string& signature, std::uint32_t number)
{
    for (int shift = 0; shift < 32; shift += 8) {
        signature += static_cast<char>(number >> shift & 0xFF);
    }
}

std::string signatureOf(const Profile& profile)
{
    std::string signature;
    append(signature, profile.exemption);
    for (const auto& rules : profile.rules) {
        append(signature, static_cast<std::uint32_t>(rules.size()));
        for (const std::uint32_t rule : rules) {
            append(signature, rule);
        }
    }
    for (const Profile::Skip& skip : profile.skips) {
        append(signature, skip.rule);
        append(signature, skip.attribute);
    }
    return signature;
}

} // namespace

Profiles::Profiles(const Schema& schema, const std::vector<const Plan*>& plans)
    : m_schema(schema)
    , m_sources(plans)
    , m_plans(plans.size())
{
}

std::size_t Profiles::WordsHash::operator()(const std::vector<std::uint64_t>& words) const
{
    return hashWords(words.data(), words.size());
}

std::uint32_t Profiles::rowOf(const std::uint64_t* words)
{
    m_asked.assign(words, words + m_schema.wordCount);
    const auto [known, isNew] = m_known.emplace(m_asked, static_cast<std::uint32_t>(m_rows.size()));
    if (isNew) {
        m_rows.push_back(makeRow(words));
    }
    return known->second;
}

void Profiles::forgetIfLarge()
{
    const std::size_t rowBytes
        = 128 + 8 * m_schema.wordCount + 4 * m_plans.size() + m_schema.tuples.size() / 8;
    if (m_rows.size() * rowBytes > kMostRowBytes) {
        m_rows.clear();
        m_known.clear();
    }
}

Profiles::Row Profiles::makeRow(const std::uint64_t* words)
{
    Row row;
    row.leftOut = !m_schema.holds(words, m_schema.where);
    if (m_schema.markAsked && m_schema.holds(words, m_schema.mark)) {
        row.flags |= kArrivalMarked;
    }
    if (row.leftOut) {
        return row;
    }
    if (isRecorded(words)) {
        const bool rejected
            = std::any_of(m_schema.recordedRejections.begin(), m_schema.recordedRejections.end(),
                          [&](const BitMatch& match) { return m_schema.holds(words, match); });
        row.flags |= kArrivalRecordedKnown | (rejected ? kArrivalRecordedRejected : 0U);
        row.leftOut = row.dropped = rejected && m_schema.dropRecorded;
    }
    if (row.leftOut) {
        return row;
    }
    row.tuples = m_schema.facetTuples;
    for (std::size_t plan = 0; plan < m_plans.size(); ++plan) {
        Profile profile = meet(plan, words);
        for (const auto& rules : profile.rules) {
            for (const std::uint32_t rule : rules) {
                row.tuples[m_schema.plans[plan].rules[rule].tuple] = true;
            }
        }
        row.profiles.push_back(number(plan, std::move(profile)));
    }
    return row;
}

/// Does the log say what production did with the request?
bool Profiles::isRecorded(const std::uint64_t* words) const
{
    const auto isThere = [&](std::uint32_t slot) { return m_schema.isPresent(words, slot); };
    return (m_schema.recordedAsked
            && std::all_of(m_schema.recordedNeeds.begin(), m_schema.recordedNeeds.end(), isThere))
        || std::any_of(m_schema.recordedBy.begin(), m_schema.recordedBy.end(), isThere);
}

bool Profiles::applies(const SchemaRule& rule, const std::uint64_t* words) const
{
    return !rule.off && m_schema.holds(words, rule.match)
        && std::none_of(rule.unless.begin(), rule.unless.end(),
                        [&](const BitMatch& match) { return m_schema.holds(words, match); });
}

Profile Profiles::meet(std::size_t plan, const std::uint64_t* words) const
{
    Profile profile;
    const SchemaPlan& made = m_schema.plans[plan];
    for (std::uint32_t i = 0; i < made.exempt.size(); ++i) {
        if (m_schema.holds(words, made.exempt[i])) {
            profile.exemption = i;
            return profile;
        }
    }
    for (std::uint32_t i = 0; i < made.rules.size(); ++i) {
        const SchemaRule& rule = made.rules[i];
        if (!applies(rule, words)) {
            continue;
        }
        const auto missing
            = std::find_if(rule.key.begin(), rule.key.end(),
                           [&](std::uint32_t slot) { return !m_schema.isPresent(words, slot); });
        const bool noDuration
            = rule.needsDuration && !m_schema.isPresent(words, m_schema.durationSlot);
        if (missing != rule.key.end() || noDuration) {
            profile.skips.push_back({i, static_cast<std::uint32_t>(missing - rule.key.begin())});
        } else {
            profile.rules[static_cast<std::size_t>(m_sources[plan]->rules[i].tier)].push_back(i);
        }
    }
    return profile;
}

std::uint32_t Profiles::number(std::size_t plan, Profile profile)
{
    PlanProfiles& held = m_plans[plan];
    const auto [known, isNew] = held.known.emplace(
        signatureOf(profile), static_cast<std::uint32_t>(held.profiles.size()));
    if (isNew) {
        held.profiles.push_back(std::move(profile));
    }
    return known->second;
}

} // namespace engine::intake

#include "engine/intake/workspace.h"

#include "engine/attributes/address_text.h"
#include "engine/attributes/text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <thread>

namespace engine::intake {

using attributes::isMissing;
using attributes::kMissing;
using attributes::TextArena;

namespace {

constexpr std::uint64_t kPatternGroup = std::uint64_t {1} << 63;
constexpr std::size_t kMostCaches = 16;
constexpr std::size_t kLeastCacheBytes = std::size_t {16} << 10;

/// "/a/b" of "/a/b/c".
std::size_t firstTwoSegments(std::string_view path)
{
    std::size_t end = path.find('/', path.starts_with('/') ? 1 : 0);
    end = end == path.npos ? end : path.find('/', end + 1);
    return std::min(end, path.size());
}

std::string_view prefixOf(const Slot& slot, std::string_view value, TextArena& arena)
{
    std::uint32_t ipv4 = 0;
    Address address;
    if (attributes::readIpv4(value, ipv4)) {
        address = attributes::addressOf(ipv4);
    } else {
        const std::optional<Address> read = parseAddress(value);
        if (!read) {
            return kMissing;
        }
        address = *read;
    }
    char* const out = arena.reserve(50);
    const std::size_t size
        = attributes::formatNetwork(address, address.isIpv6 ? slot.ipv6Bits : slot.ipv4Bits, out);
    arena.keep(size);
    return {out, size};
}

std::string_view around(const Slot& slot, std::string_view value)
{
    const std::size_t literal = slot.before.size() + slot.after.size();
    if (value.size() <= literal || !value.starts_with(slot.before)
        || !value.ends_with(slot.after)) {
        return kMissing;
    }
    return value.substr(slot.before.size(), value.size() - literal);
}

std::string_view lookup(const Slot& slot, std::string_view value)
{
    const auto found = slot.table->find(value);
    if (found != slot.table->end()) {
        return found->second;
    }
    return slot.fallback ? std::string_view(*slot.fallback) : kMissing;
}

/// The first part of exactly that name counts, even where it has no value.
std::string_view paramOf(const Slot& slot, std::string_view query)
{
    while (true) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view part = query.substr(0, end);
        const std::size_t equals = part.find('=');
        if (part.substr(0, equals) == slot.param) {
            return equals == part.npos ? kMissing : part.substr(equals + 1);
        }
        if (end == query.size()) {
            return kMissing;
        }
        query.remove_prefix(end + 1);
    }
}

std::string_view normal(attributes::NormalForm form, std::string_view value, TextArena& arena)
{
    if (value.empty()) {
        return kMissing;
    }
    if (form == attributes::NormalForm::AsIs) {
        return value;
    }
    char* const out = arena.reserve(attributes::normalFormRoom(value.size()));
    const std::string_view result = attributes::toNormalForm(form, value, out);
    if (result.data() == out) {
        arena.keep(result.size());
    }
    return result;
}

} // namespace

Workspace::Workspace(const Schema& schema, std::size_t cacheBytes)
    : m_schema(schema)
    , m_values(schema.slots.size())
    , m_hashes(schema.slots.size())
    , m_hashed(schema.slots.size())
    , m_words(schema.wordCount)
    , m_facts(schema.slots.size())
    , m_caches(schema.slots.size())
{
    std::vector<std::size_t> worth;
    for (std::size_t i = 0; i < schema.slots.size(); ++i) {
        m_ownFacts.emplace_back(schema.slots[i].factWords());
        if (schema.slots[i].worthCaching()) {
            worth.push_back(i);
        }
    }
    std::stable_partition(worth.begin(), worth.end(),
                          [&](std::size_t i) { return !schema.slots[i].groupings.empty(); });
    worth.resize(std::min(worth.size(), kMostCaches));
    const std::size_t share = worth.empty() ? 0 : cacheBytes / worth.size();
    if (share >= kLeastCacheBytes) {
        for (const std::size_t i : worth) {
            m_caches[i]
                = std::make_unique<attributes::FactCache>(share, schema.slots[i].factWords());
        }
    }
}

void Workspace::evaluate(const Request& request, const std::string_view* fields, TextArena& arena)
{
    std::fill(m_words.begin() + static_cast<std::ptrdiff_t>(m_schema.presenceWord), m_words.end(),
              0);
    std::fill(m_hashed.begin(), m_hashed.end(), false);
    for (std::uint32_t i = 0; i < m_schema.slots.size(); ++i) {
        const Slot& slot = m_schema.slots[i];
        m_values[i] = compute(slot, request, fields, arena);
        if (isMissing(m_values[i])) {
            findFactsOfMissing(i);
            continue;
        }
        if (slot.presence != kNoId) {
            m_words[m_schema.presenceWord + slot.presence / 64] |= std::uint64_t {1}
                << (slot.presence % 64);
        }
        std::optional<std::int64_t> number;
        if (slot.kind == SlotKind::Duration) {
            number = request.durationNs;
        }
        findFacts(i, number);
    }
}

std::string_view Workspace::compute(const Slot& slot, const Request& request,
                                    const std::string_view* fields, TextArena& arena)
{
    if (slot.kind == SlotKind::Field) {
        return normal(slot.form, fields[slot.source], arena);
    }
    if (slot.kind != SlotKind::Duration) {
        return isMissing(m_values[slot.source]) ? kMissing
                                                : normal(slot.form, derive(slot, arena), arena);
    }
    if (request.durationNs < 0) {
        return kMissing;
    }
    if (!slot.needsText) {
        return ""; // known, and nobody asks for the digits
    }
    char* const out = arena.reserve(20);
    const std::to_chars_result end = std::to_chars(out, out + 20, request.durationNs);
    arena.keep(static_cast<std::size_t>(end.ptr - out));
    return {out, static_cast<std::size_t>(end.ptr - out)};
}

std::string_view Workspace::derive(const Slot& slot, TextArena& arena) const
{
    const std::string_view value = m_values[slot.source];
    switch (slot.kind) {
    case SlotKind::Capture: {
        const Slot& source = m_schema.slots[slot.source];
        const std::uint64_t place = m_facts[slot.source][source.captureAt(slot.capture)];
        return place == 0 ? kMissing : value.substr(place >> 32, place & 0xFFFFFFFF);
    }
    case SlotKind::Around:
        return around(slot, value);
    case SlotKind::Prefix:
        return prefixOf(slot, value, arena);
    case SlotKind::Lookup:
        return lookup(slot, value);
    case SlotKind::Param:
        return paramOf(slot, value);
    default:
        return value;
    }
}

std::uint64_t Workspace::hashOf(std::uint32_t slot)
{
    if (!m_hashed[slot]) {
        m_hashes[slot] = attributes::hashText(m_values[slot]);
        m_hashed[slot] = true;
    }
    return m_hashes[slot];
}

void Workspace::findFactsOfMissing(std::uint32_t index)
{
    const Slot& slot = m_schema.slots[index];
    slot.tests.evaluateMissing(m_words.data() + slot.firstWord);
    m_facts[index] = nullptr;
}

void Workspace::findFacts(std::uint32_t index, std::optional<std::int64_t> number)
{
    const Slot& slot = m_schema.slots[index];
    const std::size_t words = m_ownFacts[index].size();
    if (words == 0) {
        return;
    }
    if (m_caches[index] != nullptr) {
        attributes::FactCache& cache = *m_caches[index];
        const std::uint64_t hash = hashOf(index);
        const std::uint64_t* facts = cache.find(hash, m_values[index]);
        if (facts == nullptr) {
            std::uint64_t* const added = cache.add(hash, m_values[index]);
            std::uint64_t* const out = added == nullptr ? m_ownFacts[index].data() : added;
            m_subject.set(m_values[index]);
            examine(slot, out);
            facts = out;
        }
        m_facts[index] = facts;
    } else {
        m_subject.set(m_values[index], number);
        examine(slot, m_ownFacts[index].data());
        m_facts[index] = m_ownFacts[index].data();
    }
    std::copy_n(m_facts[index], slot.tests.wordCount(), m_words.data() + slot.firstWord);
}

void Workspace::examine(const Slot& slot, std::uint64_t* facts)
{
    slot.tests.evaluate(m_subject, facts);
    for (std::size_t i = 0; i < slot.groupings.size(); ++i) {
        examineGrouping(m_schema.groupings[slot.groupings[i]], facts + slot.groupingAt(i));
    }
    for (std::size_t i = 0; i < slot.captures.size(); ++i) {
        const Capture& capture = slot.captures[i];
        std::uint64_t& place = facts[slot.captureAt(i)];
        place = 0;
        if (capture.name >= capture.pattern.names().size()) {
            continue;
        }
        const auto taken
            = capture.pattern.capture(m_subject.segments(capture.separator), capture.name);
        if (taken) {
            const auto offset = static_cast<std::uint64_t>(taken->data() - m_subject.text().data());
            place = offset << 32 | taken->size();
        }
    }
}

void Workspace::examineGrouping(const Grouping& grouping, std::uint64_t* facts)
{
    for (std::size_t i = 0; i < grouping.patterns.size(); ++i) {
        const Grouping::Named& named = grouping.patterns[i];
        const bool matches = named.pattern ? named.pattern->matches(m_subject.segments('/'))
                                           : named.text == m_subject.text();
        if (matches) {
            facts[0] = kPatternGroup | i;
            facts[1] = named.hash;
            return;
        }
    }
    facts[0] = firstTwoSegments(m_subject.text());
    facts[1] = attributes::hashText(m_subject.text().substr(0, facts[0]));
}

Key Workspace::key(const std::vector<std::uint32_t>& slots, TextArena& arena)
{
    if (slots.size() == 1) {
        const std::string_view text = m_values[slots[0]];
        return isMissing(text)
            ? Key {}
            : Key {hashOf(slots[0]), text.data(), static_cast<std::uint32_t>(text.size())};
    }
    std::size_t size = 0;
    for (const std::uint32_t slot : slots) {
        if (isMissing(m_values[slot])) {
            return {};
        }
        size += sizeof(std::uint32_t) + m_values[slot].size();
    }
    char* const out = arena.reserve(size);
    char* at = out;
    for (const std::uint32_t slot : slots) {
        const std::string_view part = m_values[slot];
        const auto length = static_cast<std::uint32_t>(part.size());
        std::memcpy(at, &length, sizeof length);
        std::memcpy(at + sizeof length, part.data(), part.size());
        at += sizeof length + part.size();
    }
    arena.keep(size);
    return {attributes::hashText({out, size}), out, static_cast<std::uint32_t>(size)};
}

Key Workspace::pathGroup(std::size_t index) const
{
    const Grouping& grouping = m_schema.groupings[index];
    const std::uint64_t* const facts = m_facts[grouping.slot];
    if (facts == nullptr) {
        return {attributes::hashText({}), "", 0, true};
    }
    const Slot& slot = m_schema.slots[grouping.slot];
    const auto place
        = std::find(slot.groupings.begin(), slot.groupings.end(), index) - slot.groupings.begin();
    const std::uint64_t* const found = facts + slot.groupingAt(static_cast<std::size_t>(place));
    if ((found[0] & kPatternGroup) != 0) {
        const std::string& text = grouping.patterns[found[0] & ~kPatternGroup].text;
        return {found[1], text.data(), static_cast<std::uint32_t>(text.size()), true};
    }
    return {found[1], m_values[grouping.slot].data(), static_cast<std::uint32_t>(found[0])};
}

std::int64_t Workspace::cost(const SchemaCost& cost, const Request& request) const
{
    if (isMissing(m_values[cost.slot])) {
        return 0;
    }
    const bool isDuration = m_schema.slots[cost.slot].kind == SlotKind::Duration;
    const std::optional<std::int64_t> value = isDuration
        ? std::optional(request.durationNs)
        : attributes::digitsValue(m_values[cost.slot]);
    if (!value) {
        return 0;
    }
    const std::int64_t up = *value % cost.per == 0 ? 0 : 1;
    return std::max<std::int64_t>(1, *value / cost.per + up);
}

WorkspacePool::WorkspacePool(const Schema& schema)
    : m_schema(schema)
{
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    m_share = std::clamp(kCacheBytes / threads, std::size_t {256} << 10, std::size_t {2} << 20);
}

std::unique_ptr<Workspace> WorkspacePool::take()
{
    std::size_t cacheBytes = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_free.empty()) {
            std::unique_ptr<Workspace> workspace = std::move(m_free.back());
            m_free.pop_back();
            return workspace;
        }
        cacheBytes = std::min(m_share, m_left);
        m_left -= cacheBytes;
    }
    return std::make_unique<Workspace>(m_schema, cacheBytes);
}

void WorkspacePool::giveBack(std::unique_ptr<Workspace> workspace)
{
    const std::lock_guard lock(m_mutex);
    m_free.push_back(std::move(workspace));
}

} // namespace engine::intake

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
constexpr std::size_t kNetworkRoom = 52;
constexpr std::size_t kMostCaches = 16;
constexpr std::size_t kLeastCacheBytes = std::size_t {16} << 10;

/// "/a/b" of "/a/b/c".
std::size_t firstTwoSegments(std::string_view path)
{
    std::size_t end = path.find('/', path.starts_with('/') ? 1 : 0);
    end = end == path.npos ? end : path.find('/', end + 1);
    return std::min(end, path.size());
}

std::string_view prefixOf(const Slot& slot, const Address& address, TextArena& arena)
{
    char* const out = arena.reserve(kNetworkRoom);
    const int bits = address.isIpv6 ? slot.ipv6Bits : slot.ipv4Bits;
    const std::size_t size = attributes::formatNetwork(address, bits, out);
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
    char* const out = arena.reserve(attributes::normalFormRoom(value.size()));
    const std::string_view result = attributes::toNormalForm(form, value, out);
    if (result.data() == out) {
        arena.keep(result.size());
    }
    return result;
}

} // namespace

std::string_view networkOf(const Slot& slot, std::string_view address, TextArena& arena)
{
    const std::optional<Address> read = parseAddress(address);
    return read ? prefixOf(slot, *read, arena) : kMissing;
}

Workspace::Workspace(const Schema& schema, std::size_t cacheBytes)
    : m_schema(schema)
    , m_steps(schema.slots.size())
    , m_values(schema.slots.size())
    , m_words(schema.wordCount)
    , m_caches(schema.slots.size())
{
    std::size_t factWords = 0;
    for (const Slot& slot : schema.slots) {
        factWords += slot.factWords();
    }
    m_ownFacts.resize(factWords);
    makeCaches(cacheBytes);
    std::size_t at = 0;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Slot& slot = schema.slots[i];
        Step& step = m_steps[i];
        step.kind = slot.kind;
        step.form = slot.form;
        step.source = slot.source;
        step.resolved = slot.resolved;
        step.slot = &slot;
        step.cache = m_caches[i].get();
        step.words = m_words.data() + slot.firstWord;
        step.testWords = static_cast<std::uint32_t>(slot.tests.wordCount());
        step.ownFacts = slot.factWords() == 0 ? nullptr : m_ownFacts.data() + at;
        at += slot.factWords();
        if (slot.presence != kNoId) {
            step.presenceWord
                = static_cast<std::uint32_t>(schema.presenceWord + slot.presence / 64);
            step.presenceBit = std::uint64_t {1} << (slot.presence % 64);
        }
    }
    for (std::size_t grouping = 0; grouping < schema.groupings.size(); ++grouping) {
        const Slot& slot = schema.slots[schema.groupings[grouping].slot];
        const auto place = std::find(slot.groupings.begin(), slot.groupings.end(), grouping);
        m_groupingAt.push_back(
            slot.groupingAt(static_cast<std::size_t>(place - slot.groupings.begin())));
    }
}

void Workspace::makeCaches(std::size_t cacheBytes)
{
    const std::vector<Slot>& slots = m_schema.slots;
    std::vector<std::size_t> worth;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].worthCaching()) {
            worth.push_back(i);
        }
    }
    std::stable_partition(worth.begin(), worth.end(),
                          [&](std::size_t i) { return !slots[i].groupings.empty(); });
    worth.resize(std::min(worth.size(), kMostCaches));
    const std::size_t share = worth.empty() ? 0 : cacheBytes / worth.size();
    if (share < kLeastCacheBytes) {
        return;
    }
    for (const std::size_t i : worth) {
        m_caches[i] = std::make_unique<attributes::FactCache>(share, slots[i].factWords());
    }
}

void Workspace::evaluate(const Request& request, const std::string_view* fields, TextArena& arena)
{
    forgetPresence();
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        evaluateSlot(i, 0, request, fields, arena);
    }
}

void Workspace::evaluate(const std::vector<std::uint32_t>& slots, std::uint64_t hash,
                         const Request& request, const std::string_view* fields, TextArena& arena)
{
    forgetPresence();
    for (const std::uint32_t slot : slots) {
        evaluateSlot(slot, hash, request, fields, arena);
    }
}

void Workspace::forgetPresence()
{
    for (std::size_t word = m_schema.presenceWord; word < m_schema.wordCount; ++word) {
        m_words[word] = 0;
    }
}

void Workspace::evaluateSlot(std::size_t slot, std::uint64_t hash, const Request& request,
                             const std::string_view* fields, TextArena& arena)
{
    const Step& step = m_steps[slot];
    Value& value = m_values[slot];
    value.hash = 0;
    value.facts = nullptr;
    value.isIpv4 = false;
    value.isAddress = false;
    value.text = compute(step, value, request, fields, arena);
    if (isMissing(value.text)) {
        if (step.testWords > 0) {
            step.slot->tests.evaluateMissing(step.words);
        }
        return;
    }
    const bool isField = step.kind == SlotKind::Field;
    if (isField && value.text.data() == fields[step.source].data()
        && value.text.size() == fields[step.source].size()) {
        value.hash = hash;
    }
    if (step.presenceBit != 0) {
        m_words[step.presenceWord] |= step.presenceBit;
    }
    if (step.ownFacts != nullptr) {
        findFacts(step, value, request);
    }
}

std::string_view Workspace::compute(const Step& step, Value& value, const Request& request,
                                    const std::string_view* fields, TextArena& arena)
{
    if (step.kind == SlotKind::Duration) {
        return durationText(step, request, arena);
    }
    std::string_view text;
    if (step.kind == SlotKind::Field) {
        text = fields[step.source];
    } else if (step.resolved != kNoId && !fields[step.resolved].empty()) {
        text = fields[step.resolved];
    } else if (!isMissing(m_values[step.source].text)) {
        text = derive(step, arena);
    }
    if (text.empty()) {
        return kMissing;
    }
    if (step.form == attributes::NormalForm::AsIs) {
        return text;
    }
    if (step.form == attributes::NormalForm::Address && attributes::readIpv4(text, value.ipv4)) {
        value.isIpv4 = true;
        return text;
    }
    if (step.form == attributes::NormalForm::Address) {
        if (const std::optional<Address> address = parseAddress(text)) {
            value.isAddress = true;
            value.address = *address;
            char* const out = arena.reserve(attributes::normalFormRoom(text.size()));
            const std::size_t size = formatAddress(*address, out);
            arena.keep(size);
            return {out, size};
        }
    }
    return normal(step.form, text, arena);
}

std::string_view Workspace::durationText(const Step& step, const Request& request, TextArena& arena)
{
    if (request.durationNs < 0) {
        return kMissing;
    }
    if (!step.slot->needsText) {
        return ""; // known, and nobody asks for the digits
    }
    char* const out = arena.reserve(20);
    const std::to_chars_result end = std::to_chars(out, out + 20, request.durationNs);
    arena.keep(static_cast<std::size_t>(end.ptr - out));
    return {out, static_cast<std::size_t>(end.ptr - out)};
}

std::string_view Workspace::derive(const Step& step, TextArena& arena) const
{
    const Value& source = m_values[step.source];
    const Slot& slot = *step.slot;
    switch (step.kind) {
    case SlotKind::Capture: {
        const std::uint64_t place
            = source.facts[m_schema.slots[step.source].captureAt(slot.capture)];
        return place == 0 ? kMissing : source.text.substr(place >> 32, place & 0xFFFFFFFF);
    }
    case SlotKind::Around:
        return around(slot, source.text);
    case SlotKind::Prefix: {
        if (source.isAddress) {
            return prefixOf(slot, source.address, arena);
        }
        if (!source.isIpv4) {
            return networkOf(slot, source.text, arena);
        }
        char* const out = arena.reserve(kNetworkRoom);
        const std::size_t size = attributes::formatNetwork(source.ipv4, slot.ipv4Bits, out);
        arena.keep(size);
        return {out, size};
    }
    case SlotKind::Lookup:
        return lookup(slot, source.text);
    case SlotKind::Param:
        return paramOf(slot, source.text);
    default:
        return source.text;
    }
}

void Workspace::noteNetwork(std::uint32_t slot)
{
    const Step& step = m_steps[slot];
    const Value& source = m_values[step.source];
    const bool isThere = source.isIpv4 || source.isAddress
        || (!isMissing(source.text) && parseAddress(source.text).has_value());
    if (isThere && step.presenceBit != 0) {
        m_words[step.presenceWord] |= step.presenceBit;
    }
}

std::uint64_t Workspace::hashOf(Value& value)
{
    if (value.hash == 0) {
        value.hash = attributes::hashText(value.text);
    }
    return value.hash;
}

void Workspace::findFacts(const Step& step, Value& value, const Request& request)
{
    const std::uint64_t* facts = nullptr;
    if (step.cache != nullptr) {
        const std::uint64_t hash = hashOf(value);
        facts = step.cache->find(hash, value.text);
        if (facts == nullptr) {
            std::uint64_t* const added = step.cache->add(hash, value.text);
            std::uint64_t* const out = added == nullptr ? step.ownFacts : added;
            m_subject.set(value.text);
            examine(*step.slot, out);
            facts = out;
        }
    } else {
        std::optional<std::int64_t> number;
        if (step.kind == SlotKind::Duration) {
            number = request.durationNs;
        }
        m_subject.set(value.text, number);
        examine(*step.slot, step.ownFacts);
        facts = step.ownFacts;
    }
    value.facts = facts;
    std::copy_n(facts, step.testWords, step.words);
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
        Value& value = m_values[slots[0]];
        return isMissing(value.text)
            ? Key {}
            : Key {hashOf(value), value.text.data(), static_cast<std::uint32_t>(value.text.size())};
    }
    std::size_t size = 0;
    for (const std::uint32_t slot : slots) {
        if (isMissing(m_values[slot].text)) {
            return {};
        }
        size += sizeof(std::uint32_t) + m_values[slot].text.size();
    }
    char* const out = arena.reserve(size);
    char* at = out;
    for (const std::uint32_t slot : slots) {
        const std::string_view part = m_values[slot].text;
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
    const Value& path = m_values[grouping.slot];
    if (path.facts == nullptr) {
        return {attributes::hashText({}), "", 0, true};
    }
    const std::uint64_t* const found = path.facts + m_groupingAt[index];
    if ((found[0] & kPatternGroup) != 0) {
        const std::string& text = grouping.patterns[found[0] & ~kPatternGroup].text;
        return {found[1], text.data(), static_cast<std::uint32_t>(text.size()), true};
    }
    return {found[1], path.text.data(), static_cast<std::uint32_t>(found[0])};
}

std::int64_t Workspace::cost(const SchemaCost& cost, const Request& request) const
{
    if (isMissing(m_values[cost.slot].text)) {
        return 0;
    }
    const bool isDuration = m_schema.slots[cost.slot].kind == SlotKind::Duration;
    const std::optional<std::int64_t> value = isDuration
        ? std::optional(request.durationNs)
        : attributes::digitsValue(m_values[cost.slot].text);
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

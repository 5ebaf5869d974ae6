#include "storage/logs/json_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <emmintrin.h>
#include <unordered_set>

namespace storage::logs {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kRemembered = 64; ///< keys of a line whose order is kept

std::size_t hashOf(std::string_view key)
{
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    const std::size_t count = std::min<std::size_t>(key.size(), 8);
    std::memcpy(&head, key.data(), count);
    std::memcpy(&tail, key.data() + key.size() - count, count);
    const std::uint64_t mixed = (head ^ std::rotl(tail, 29) ^ key.size()) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(mixed >> 32);
}

/// The first quote, backslash or control character from `at` on, or end.
const char* findStop(const char* at, const char* end)
{
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i lastControl = _mm_set1_epi8(0x1F);
    for (; at < end; at += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, lastControl), bytes);
        const __m128i hits = _mm_or_si128(
            control, _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
        const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
        if (mask != 0) {
            return std::min(at + std::countr_zero(mask), end);
        }
    }
    return end;
}

/// One pass over one object.
class Scan {
public:
    Scan(std::string_view line, JsonRules rules, LineScratch& scratch)
        : m_at(line.data())
        , m_end(line.data() + line.size())
        , m_rules(rules)
        , m_scratch(scratch)
    {
    }

    bool document(const JsonKeys& keys);
    /// Like document(), but adds the path of every value to `names`.
    bool collect(std::string& path, std::vector<std::string>& names, int depth);

private:
    bool object(const JsonKeys& keys, int depth);
    bool topObject(const JsonKeys& keys);
    bool member(const JsonKeys::Entry* entry, int depth);
    bool text(JsonValue& value);
    bool value(JsonValue& value, int depth);
    bool number(JsonValue& value);
    bool word(std::string_view word);
    bool skipList(int depth);
    bool skipObject(int depth);
    bool key(std::string_view& key);
    const JsonKeys::Entry* entryOf(const JsonKeys& keys, std::string_view key);
    void forgetValues(std::size_t slotCount);
    bool noteKey(std::string_view key, const JsonKeys::Entry* entry);

    void blanks()
    {
        while (m_at < m_end && (*m_at == ' ' || *m_at == '\t' || *m_at == '\n' || *m_at == '\r')) {
            ++m_at;
        }
    }

    bool take(char c)
    {
        if (m_at < m_end && *m_at == c) {
            ++m_at;
            return true;
        }
        return false;
    }

    const char* m_at;
    const char* m_end;
    JsonRules m_rules;
    LineScratch& m_scratch;
    std::size_t m_position = 0; ///< of the key at hand in its object
    bool m_repeats = true; ///< so far the keys are those of the line before
    std::unordered_set<std::string_view> m_further; ///< keys behind those that are remembered
};

bool Scan::text(JsonValue& value)
{
    const char* const begin = m_at;
    for (;;) {
        m_at = findStop(m_at, m_end);
        if (m_at >= m_end) {
            return false;
        }
        if (*m_at == '"') {
            value.text = {begin, static_cast<std::size_t>(m_at - begin)};
            value.kind = JsonValue::Kind::Text;
            ++m_at;
            if (value.hasEscapes && !m_rules.lenient) {
                value.text = undoJsonEscapes(value.text, false, *m_scratch.arena);
                value.hasEscapes = false;
                return value.text.data() != nullptr;
            }
            return true;
        }
        if (*m_at == '\\') {
            value.hasEscapes = true;
            m_at += 2;
            if (m_at > m_end) {
                return false;
            }
        } else if (m_rules.lenient) {
            ++m_at;
        } else {
            return false;
        }
    }
}

bool Scan::number(JsonValue& value)
{
    const char* const begin = m_at;
    const auto digits = [this] {
        const char* const first = m_at;
        while (m_at < m_end && isDigit(*m_at)) {
            ++m_at;
        }
        return m_at - first;
    };
    value.kind = JsonValue::Kind::Whole;
    const bool minus = take('-');
    const char* const first = m_at;
    const auto count = digits();
    if (count == 0) {
        value.kind = JsonValue::Kind::Missing; // a bare `-` of nginx
        return m_rules.lenient && minus;
    }
    if (count > 1 && *first == '0' && !m_rules.lenient) {
        return false;
    }
    if (take('.')) {
        value.kind = JsonValue::Kind::Fraction;
        if (digits() == 0) {
            return false;
        }
    }
    if (m_at < m_end && (*m_at | 0x20) == 'e') {
        value.kind = JsonValue::Kind::Fraction;
        ++m_at;
        if (!take('+')) {
            take('-');
        }
        if (digits() == 0) {
            return false;
        }
    }
    value.text = {begin, static_cast<std::size_t>(m_at - begin)};
    return true;
}

bool Scan::word(std::string_view word)
{
    if (static_cast<std::size_t>(m_end - m_at) < word.size()
        || std::memcmp(m_at, word.data(), word.size()) != 0) {
        return false;
    }
    m_at += word.size();
    return true;
}

bool Scan::value(JsonValue& value, int depth)
{
    if (m_at >= m_end) {
        return false;
    }
    value = {};
    const char* const begin = m_at;
    switch (*m_at) {
    case '"':
        ++m_at;
        return text(value);
    case '{':
        return skipObject(depth + 1);
    case '[':
        return skipList(depth + 1);
    case 't':
    case 'f':
        value.kind = JsonValue::Kind::Word;
        if (!word(*m_at == 't' ? "true" : "false")) {
            return false;
        }
        value.text = {begin, static_cast<std::size_t>(m_at - begin)};
        return true;
    case 'n':
        return word("null");
    case ',':
    case '}':
        return m_rules.lenient; // `"a":,` where nginx had no value
    default:
        return number(value);
    }
}

bool Scan::skipList(int depth)
{
    ++m_at;
    if (depth > kMaxDepth) {
        return false;
    }
    blanks();
    if (take(']')) {
        return true;
    }
    for (;;) {
        JsonValue ignored;
        blanks();
        if (!value(ignored, depth)) {
            return false;
        }
        blanks();
        if (take(']')) {
            return true;
        }
        if (!take(',')) {
            return false;
        }
    }
}

bool Scan::skipObject(int depth)
{
    static const JsonKeys kNone;
    return object(kNone, depth);
}

bool Scan::key(std::string_view& key)
{
    JsonValue written;
    blanks();
    if (!take('"') || !text(written)) {
        return false;
    }
    key = written.text;
    if (written.hasEscapes) {
        key = undoJsonEscapes(key, true, *m_scratch.arena);
    }
    blanks();
    return take(':');
}

bool Scan::member(const JsonKeys::Entry* entry, int depth)
{
    blanks();
    if (m_at >= m_end) {
        return false;
    }
    if (entry != nullptr && entry->inside && *m_at == '{') {
        return object(*entry->inside, depth + 1);
    }
    JsonValue ignored;
    const bool wanted = entry != nullptr && entry->slot != JsonKeys::kNoSlot;
    if (!wanted) {
        return value(ignored, depth);
    }
    m_scratch.present.add(entry->slot);
    return value(m_scratch.json[entry->slot], depth);
}

bool Scan::object(const JsonKeys& keys, int depth)
{
    ++m_at;
    if (depth > kMaxDepth) {
        return false;
    }
    blanks();
    if (take('}')) {
        return true;
    }
    for (;;) {
        std::string_view name;
        if (!key(name) || !member(keys.find(name), depth)) {
            return false;
        }
        blanks();
        if (take('}')) {
            return true;
        }
        if (!take(',')) {
            return false;
        }
    }
}

/// Keeps the order of keys for the next line; false where a key comes twice.
bool Scan::noteKey(std::string_view key, const JsonKeys::Entry* entry)
{
    auto& entries = m_scratch.keys.entries;
    if (m_position < entries.size()) {
        entries.resize(m_position);
    }
    if (!m_rules.lenient) {
        const bool twice = std::any_of(entries.begin(), entries.end(),
                                       [&](const auto& earlier) { return earlier.key == key; });
        if (twice || (m_position >= kRemembered && !m_further.insert(key).second)) {
            return false;
        }
    }
    if (m_position < kRemembered) {
        entries.push_back({key, entry});
    }
    return true;
}

const JsonKeys::Entry* Scan::entryOf(const JsonKeys& keys, std::string_view key)
{
    auto& entries = m_scratch.keys.entries;
    if (m_repeats && m_position < entries.size() && entries[m_position].key == key) {
        return static_cast<const JsonKeys::Entry*>(entries[m_position].entry);
    }
    m_repeats = false;
    return keys.find(key);
}

bool Scan::topObject(const JsonKeys& keys)
{
    ++m_at;
    blanks();
    if (take('}')) {
        return true;
    }
    for (;; ++m_position) {
        std::string_view name;
        if (!key(name)) {
            return false;
        }
        const JsonKeys::Entry* const entry = entryOf(keys, name);
        if (!m_repeats && !noteKey(name, entry)) {
            m_scratch.keys.entries.clear();
            return false;
        }
        if (!member(entry, 1)) {
            return false;
        }
        blanks();
        if (take('}')) {
            return true;
        }
        if (!take(',')) {
            return false;
        }
    }
}

bool Scan::collect(std::string& path, std::vector<std::string>& names, int depth)
{
    blanks();
    if (depth == 1 && m_rules.lenient && word("escape=json")) {
        blanks();
    }
    if (depth > kMaxDepth || !take('{')) {
        return false;
    }
    blanks();
    if (take('}')) {
        return true;
    }
    const std::size_t outer = path.size();
    for (;;) {
        std::string_view name;
        if (!key(name)) {
            return false;
        }
        path.append(outer == 0 ? "" : ".").append(name);
        blanks();
        JsonValue found;
        if (m_at < m_end && *m_at == '{' ? !collect(path, names, depth + 1)
                                         : !value(found, depth)) {
            return false;
        }
        if (found.kind != JsonValue::Kind::Missing
            && std::find(names.begin(), names.end(), path) == names.end()) {
            names.push_back(path);
        }
        path.resize(outer);
        blanks();
        if (take('}')) {
            return true;
        }
        if (!take(',')) {
            return false;
        }
    }
}

/// All slots missing again, by way of those that the line before had.
void Scan::forgetValues(std::size_t slotCount)
{
    JsonPresence& present = m_scratch.present;
    if (present.beyond || m_scratch.json.size() != slotCount) {
        m_scratch.json.assign(slotCount, JsonValue {});
    } else {
        for (std::size_t word = 0; word < present.bits.size(); ++word) {
            for (std::uint64_t bits = present.bits[word]; bits != 0; bits &= bits - 1) {
                m_scratch.json[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))] = {};
            }
        }
    }
    present = {};
}

bool Scan::document(const JsonKeys& keys)
{
    forgetValues(keys.slotCount());
    blanks();
    if (m_rules.lenient && word("escape=json")) {
        blanks();
    }
    if (m_at >= m_end || *m_at != '{' || !topObject(keys)) {
        return false;
    }
    blanks();
    return m_at == m_end;
}

} // namespace

JsonKeys::Entry& JsonKeys::entry(std::string_view key)
{
    for (auto& existing : m_entries) {
        if (existing->key == key) {
            return *existing;
        }
    }
    m_entries.push_back(std::make_unique<Entry>());
    m_entries.back()->key = std::string(key);
    rebuild();
    return *m_entries.back();
}

void JsonKeys::rebuild()
{
    m_table.assign(std::bit_ceil(m_entries.size() * 4), nullptr);
    for (const auto& entry : m_entries) {
        std::size_t at = hashOf(entry->key) & (m_table.size() - 1);
        while (m_table[at] != nullptr) {
            at = (at + 1) & (m_table.size() - 1);
        }
        m_table[at] = entry.get();
    }
}

const JsonKeys::Entry* JsonKeys::find(std::string_view key) const
{
    if (m_table.empty()) {
        return nullptr;
    }
    for (std::size_t at = hashOf(key) & (m_table.size() - 1); m_table[at] != nullptr;
         at = (at + 1) & (m_table.size() - 1)) {
        if (m_table[at]->key == key) {
            return m_table[at];
        }
    }
    return nullptr;
}

void JsonKeys::wantUnder(std::string_view key, std::uint32_t slot)
{
    entry(key).slot = slot;
    for (auto dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.', dot + 1)) {
        if (dot == 0 || dot + 1 == key.size()) {
            continue;
        }
        Entry& outer = entry(key.substr(0, dot));
        if (!outer.inside) {
            outer.inside = std::make_unique<JsonKeys>();
        }
        outer.inside->wantUnder(key.substr(dot + 1), slot);
    }
}

std::uint32_t JsonKeys::want(std::string_view key)
{
    const auto known = std::find(m_wanted.begin(), m_wanted.end(), key);
    if (known != m_wanted.end()) {
        return static_cast<std::uint32_t>(known - m_wanted.begin());
    }
    m_wanted.emplace_back(key);
    const std::uint32_t slot = m_slotCount++;
    wantUnder(key, slot);
    return slot;
}

void collectJsonKeys(std::string_view line, std::vector<std::string>& names)
{
    Arena arena;
    LineScratch scratch;
    scratch.arena = &arena;
    std::string path;
    std::vector<std::string> found;
    if (Scan(line, {true}, scratch).collect(path, found, 1)) {
        for (auto& name : found) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(std::move(name));
            }
        }
    }
}

bool scanJson(std::string_view line, const JsonKeys& keys, JsonRules rules, LineScratch& scratch)
{
    return Scan(line, rules, scratch).document(keys);
}

} // namespace storage::logs

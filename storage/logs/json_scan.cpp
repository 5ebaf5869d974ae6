#include "storage/logs/json_scan.h"

#include "storage/logs/json_cursor.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace storage::logs {
namespace {

using Memory = JsonMemory;

/// One pass over one object: along the shape of the line before as far as it goes, then key by key.
template <bool kLenient> class Scan : public JsonCursor<kLenient> {
public:
    Scan(std::string_view line, const JsonKeys& keys, LineScratch& scratch)
        : JsonCursor<kLenient>(line, *scratch.arena, scratch.json)
        , m_keys(keys)
        , m_scratch(scratch)
        , m_memory(scratch.keys)
    {
    }

    JsonOutcome document();

private:
    using JsonCursor<kLenient>::m_at;
    using JsonCursor<kLenient>::m_end;
    using JsonCursor<kLenient>::m_values;

    bool replay();
    template <class TextEnd> bool replay(const TextEnd& textEnd);
    bool repeat(const Memory::Step& step);
    void forget();
    void resume();
    JsonOutcome open();
    JsonOutcome members(bool isFresh);
    bool descend(const JsonKeys::Entry& entry);
    bool scalar(const JsonKeys::Entry* entry);
    JsonOutcome tail();
    bool noteKey(std::string_view key, std::string_view written);
    bool keepGlue(std::size_t size);
    void note(std::uint32_t slot);
    const std::vector<std::uint32_t>& slotsInside(const JsonKeys::Entry& entry);

    [[nodiscard]] JsonOutcome failure() const
    {
        return this->isAtEnd() ? JsonOutcome::Ended : JsonOutcome::Broken;
    }

    const JsonKeys& m_keys;
    LineScratch& m_scratch;
    Memory& m_memory;
    std::uint32_t m_step = 0; ///< of the value at hand
    std::uint32_t m_frame = Memory::kNone;
    bool m_records = true; ///< the shape is kept from here on
    const char* m_glue = nullptr; ///< where the bytes behind the last value begin
    std::set<std::string_view> m_further; ///< keys that are not in the memory; few lines have such
};

template <bool kLenient>
const std::vector<std::uint32_t>& Scan<kLenient>::slotsInside(const JsonKeys::Entry& entry)
{
    m_memory.slots.clear();
    entry.inside->collectSlots(m_memory.slots);
    return m_memory.slots;
}

/// The value of a step; false: it is none.
template <bool kLenient> bool Scan<kLenient>::repeat(const Memory::Step& step)
{
    JsonValue ignored;
    JsonValue& value = step.slot == JsonKeys::kNoSlot ? ignored : m_values[step.slot];
    if (step.isText) {
        return this->text(value);
    }
    if (step.entry != nullptr && step.entry->inside) {
        for (const std::uint32_t slot : slotsInside(*step.entry)) {
            m_values[slot] = {}; // a list need not have all that the one before had
        }
    }
    return this->value(value, step.entry, static_cast<int>(m_memory.frames[step.frame].depth));
}

/// True: the whole line is of the shape of the one before. Else m_step is the first that differs,
/// and m_at where it begins.
template <bool kLenient> bool Scan<kLenient>::replay()
{
    if constexpr (kLenient) {
        const LineMarks& marks = m_scratch.marks;
        if (m_scratch.isMarked && marks.cover(this->rest()) && marks.isPlain()) {
            return replay([&](const char* at) { return this->plainTextEnd(at, marks); });
        }
    }
    return replay([&](const char* at) { return this->plainTextEnd(at); });
}

template <bool kLenient>
template <class TextEnd>
bool Scan<kLenient>::replay(const TextEnd& textEnd)
{
    const auto count = static_cast<std::uint32_t>(m_memory.entries.size());
    const Memory::Step* const steps = m_memory.entries.data();
    const char* const glue = m_memory.glue.data();
    const std::uint32_t none = m_keys.slotCount(); // for what nobody wants
    JsonValue* const values = m_values.data();
    const char* const lineEnd = m_end;
    const char* at = m_at; // in a register, unlike m_at
    for (std::uint32_t i = 0; i < count; ++i) {
        const Memory::Step& step = steps[i];
        if (lineEnd - at < static_cast<std::ptrdiff_t>(step.glueSize)
            || !isSame(at, glue + step.glue, step.glueSize)) {
            m_step = i;
            m_at = at;
            return false;
        }
        const char* const begin = at + step.glueSize;
        auto kind = JsonValue::Kind::Text;
        if (const char* const end
            = step.isText ? textEnd(begin) : this->plainNumberEnd(begin, kind)) {
            JsonValue& value = values[std::min(step.slot, none)];
            value.text = {begin, static_cast<std::size_t>(end - begin)};
            value.kind = kind;
            value.hasEscapes = false;
            at = end + (step.isText ? 1 : 0);
            continue;
        }
        m_at = begin;
        const bool isOpened = !step.isText && this->peek() == '{' && step.entry != nullptr
            && step.entry->inside != nullptr;
        if (isOpened || !repeat(step)) {
            m_step = i;
            m_at = at;
            return false;
        }
        at = m_at;
    }
    m_step = count;
    m_at = at;
    return m_memory.isWhole && lineEnd - at == static_cast<std::ptrdiff_t>(m_memory.tailSize)
        && isSame(at, glue + m_memory.glueSize, m_memory.tailSize);
}

template <bool kLenient> void Scan<kLenient>::forget()
{
    m_memory.owner = m_keys.id();
    m_memory.entries.clear();
    m_memory.frames.clear();
    m_memory.written.clear();
    m_memory.keys.clear();
    m_memory.isWhole = false;
    m_memory.glueSize = 0;
    m_scratch.json.assign(m_keys.slotCount() + 1, JsonValue {});
    m_scratch.present = {};
}

/// Drops what the memory has from step m_step on, which is of the line before.
template <bool kLenient> void Scan<kLenient>::resume()
{
    auto& steps = m_memory.entries;
    steps.resize(m_step);
    m_memory.isWhole = false;
    ++m_memory.shape;
    m_memory.glueSize = steps.empty() ? 0 : steps.back().glue + steps.back().glueSize;
    m_frame = steps.empty() ? Memory::kNone : steps.back().frame;
    m_memory.frames.resize(steps.empty() ? 0 : steps.back().frameCount);
    while (!m_memory.keys.empty() && m_memory.keys.back().step >= m_step) {
        m_memory.keys.pop_back();
    }
    auto& written = m_memory.written;
    const auto stale = std::find_if(written.begin(), written.end(),
                                    [&](const auto& one) { return one.step >= m_step; });
    m_scratch.present = {};
    std::for_each(written.begin(), stale,
                  [&](const auto& kept) { m_scratch.present.add(kept.slot); });
    for (auto one = stale; one != written.end(); ++one) {
        // A key that comes twice: the first of the two may be of this line already.
        const auto isSlot = [&](const auto& kept) { return kept.slot == one->slot; };
        if (!m_scratch.present.has(one->slot)
            || (one->slot >= JsonPresence::kExact
                && std::none_of(written.begin(), stale, isSlot))) {
            m_values[one->slot] = {};
        }
    }
    written.erase(stale, written.end());
    m_glue = m_at;
}

template <bool kLenient> void Scan<kLenient>::note(std::uint32_t slot)
{
    m_memory.written.push_back({slot, m_step});
    m_scratch.present.add(slot);
}

/// Keeps the bytes from m_glue on; false, and nothing is kept from here on, where there is no room.
template <bool kLenient> bool Scan<kLenient>::keepGlue(std::size_t size)
{
    if (m_memory.glueSize + size > Memory::kGlueBytes) {
        m_records = false;
        return false;
    }
    std::memcpy(m_memory.glue.data() + m_memory.glueSize, m_glue, size);
    return true;
}

/// False where a key comes twice.
template <bool kLenient>
bool Scan<kLenient>::noteKey(std::string_view key, std::string_view written)
{
    constexpr std::size_t kMostKept = 64;
    const auto isKey = [&](const Memory::Key& kept) {
        return key == std::string_view(m_memory.glue.data() + kept.glue, kept.size);
    };
    if (m_further.contains(key) || std::any_of(m_memory.keys.begin(), m_memory.keys.end(), isKey)) {
        return false;
    }
    const std::size_t at = m_memory.glueSize + static_cast<std::size_t>(written.data() - m_glue);
    // Its bytes get their place in the glue with the value behind it; until then they are put here.
    if (m_records && key == written && m_memory.keys.size() < kMostKept
        && at + key.size() <= Memory::kGlueBytes) {
        std::memcpy(m_memory.glue.data() + at, key.data(), key.size());
        m_memory.keys.push_back(
            {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(key.size()), m_step});
    } else {
        m_records = false;
        m_further.insert(key);
    }
    return true;
}

template <bool kLenient> bool Scan<kLenient>::descend(const JsonKeys::Entry& entry)
{
    const std::uint32_t depth = m_memory.frames[m_frame].depth + 1;
    if (depth > static_cast<std::uint32_t>(this->kMaxDepth)) {
        return false;
    }
    if (entry.hasSlot()) {
        note(entry.slot);
        m_values[entry.slot] = {{}, JsonValue::Kind::Object, false};
    }
    ++m_at;
    m_memory.frames.push_back({entry.inside.get(), m_frame, depth});
    m_frame = static_cast<std::uint32_t>(m_memory.frames.size() - 1);
    return true;
}

template <bool kLenient> bool Scan<kLenient>::scalar(const JsonKeys::Entry* entry)
{
    Memory::Step step;
    step.entry = entry;
    step.isText = this->take('"');
    step.slot = entry == nullptr ? JsonKeys::kNoSlot : entry->slot;
    step.glue = m_memory.glueSize;
    step.glueSize = static_cast<std::uint32_t>(m_at - m_glue);
    step.frame = m_frame;
    step.frameCount = static_cast<std::uint32_t>(m_memory.frames.size());
    m_records = m_records && m_step < Memory::kMostSteps && keepGlue(step.glueSize);
    if (entry != nullptr && entry->hasSlot()) {
        note(entry->slot);
    }
    if (entry != nullptr && entry->inside && !step.isText) {
        for (const std::uint32_t slot : slotsInside(*entry)) {
            note(slot);
        }
    }
    if (!repeat(step)) {
        return false;
    }
    if (m_records) {
        m_memory.entries.push_back(step);
        m_memory.glueSize += step.glueSize;
        ++m_step;
    }
    m_glue = m_at;
    return true;
}

template <bool kLenient> JsonOutcome Scan<kLenient>::tail()
{
    this->blanks();
    if (kLenient) {
        const bool isFollowed = this->take(',');
        this->blanks();
        if (isFollowed && this->peek() == '{') {
            return JsonOutcome::Several;
        }
        this->take(']');
        this->blanks();
    }
    if (m_at != m_end) {
        return JsonOutcome::Broken;
    }
    const auto size = static_cast<std::size_t>(m_at - m_glue);
    if (m_records && keepGlue(size)) {
        m_memory.tailSize = static_cast<std::uint32_t>(size);
        m_memory.isWhole = true;
    }
    return JsonOutcome::Object;
}

/// Members and ends of objects, to the end of the line. `isFresh`: an object was just opened.
template <bool kLenient> JsonOutcome Scan<kLenient>::members(bool isFresh)
{
    for (;;) {
        this->blanks();
        if (this->take('}')) {
            m_frame = m_memory.frames[m_frame].parent;
            if (m_frame == Memory::kNone) {
                return tail();
            }
            isFresh = false;
            continue;
        }
        std::string_view name;
        std::string_view written;
        if ((!isFresh && !this->take(',')) || !this->key(name, written)) {
            return failure();
        }
        const Memory::Frame& frame = m_memory.frames[m_frame];
        if (!kLenient && frame.depth == 1 && !noteKey(name, written)) {
            return JsonOutcome::Broken;
        }
        const JsonKeys::Entry* const entry = frame.keys->find(name);
        this->blanks();
        isFresh = this->peek() == '{' && entry != nullptr && entry->inside != nullptr;
        if (!(isFresh ? descend(*entry) : scalar(entry))) {
            return failure();
        }
    }
}

template <bool kLenient> JsonOutcome Scan<kLenient>::open()
{
    this->blanks();
    if (kLenient && this->word("escape=json")) {
        this->blanks();
    }
    if (kLenient && this->take('[')) {
        this->blanks();
    }
    if (!this->take('{')) {
        return JsonOutcome::Broken;
    }
    m_memory.frames.push_back({&m_keys, Memory::kNone, 1});
    m_frame = 0;
    return members(true);
}

template <bool kLenient> JsonOutcome Scan<kLenient>::document()
{
    if (m_memory.owner != m_keys.id() || m_memory.entries.empty()
        || m_scratch.json.size() != m_keys.slotCount() + 1) {
        forget();
    }
    if (replay()) {
        return JsonOutcome::Object;
    }
    resume();
    return m_step == 0 ? open() : members(false);
}

} // namespace

JsonOutcome scanJson(std::string_view line, const JsonKeys& keys, JsonRules rules,
                     LineScratch& scratch)
{
    return rules.lenient ? Scan<true>(line, keys, scratch).document()
                         : Scan<false>(line, keys, scratch).document();
}

} // namespace storage::logs

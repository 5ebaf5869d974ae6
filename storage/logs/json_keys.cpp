#include "storage/logs/json_keys.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstring>

namespace storage::logs {
namespace {

constexpr std::size_t kLongestHeader = 64;

std::uint64_t eightBytes(const char* at)
{
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

std::uint64_t upToEightBytes(const char* at, std::size_t count)
{
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
        bytes = bytes << 8 | static_cast<unsigned char>(at[i]);
    }
    return bytes;
}

std::size_t hashOf(std::string_view key)
{
    const bool isLong = key.size() >= 8;
    const std::uint64_t head
        = isLong ? eightBytes(key.data()) : upToEightBytes(key.data(), key.size());
    const std::uint64_t tail = isLong ? eightBytes(key.data() + key.size() - 8) : 0;
    const std::uint64_t mixed = (head ^ std::rotl(tail, 29) ^ key.size()) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(mixed >> 32);
}

char folded(char c)
{
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return lower == '_' ? '-' : lower;
}

std::uint64_t nextId()
{
    static std::atomic<std::uint64_t> last {0};
    return ++last;
}

} // namespace

namespace {

/// The same text for all paths that lead to the same place.
std::string canonicalPath(std::string_view path)
{
    std::string canonical(path);
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
         dot = path.find('.', dot + 1)) {
        if (namesHeaders(path.substr(0, dot))) {
            std::transform(canonical.begin() + static_cast<std::ptrdiff_t>(dot), canonical.end(),
                           canonical.begin() + static_cast<std::ptrdiff_t>(dot), folded);
            break;
        }
    }
    return canonical;
}

} // namespace

bool namesHeaders(std::string_view key)
{
    constexpr std::string_view kName = "headers";
    return key.size() >= kName.size()
        && std::equal(kName.begin(), kName.end(), key.end() - kName.size(),
                      [](char want, char have) { return want == folded(have); });
}

JsonKeys::JsonKeys()
    : m_id(nextId())
{
}

JsonKeys::Entry& JsonKeys::entry(std::string_view key)
{
    std::string kept(key);
    if (m_folds) {
        std::transform(kept.begin(), kept.end(), kept.begin(), folded);
    }
    for (auto& existing : m_entries) {
        if (existing->key == kept) {
            return *existing;
        }
    }
    m_entries.push_back(std::make_unique<Entry>());
    m_entries.back()->key = std::move(kept);
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
    std::array<char, kLongestHeader> header {};
    if (m_folds) {
        if (key.size() > header.size()) {
            return nullptr;
        }
        std::transform(key.begin(), key.end(), header.begin(), folded);
        key = {header.data(), key.size()};
    }
    for (std::size_t at = hashOf(key) & (m_table.size() - 1); m_table[at] != nullptr;
         at = (at + 1) & (m_table.size() - 1)) {
        if (m_table[at]->key == key) {
            return m_table[at];
        }
    }
    return nullptr;
}

const JsonKeys::Entry* JsonKeys::item(std::size_t index) const
{
    std::array<char, 24> text {'['};
    char* const end = std::to_chars(text.data() + 1, text.data() + text.size() - 1, index).ptr;
    *end = ']';
    return find({text.data(), static_cast<std::size_t>(end + 1 - text.data())});
}

JsonKeys::Entry& JsonKeys::inside(std::string_view outer)
{
    Entry& entry = this->entry(outer);
    if (!entry.inside) {
        entry.inside = std::make_unique<JsonKeys>();
        entry.inside->m_folds = namesHeaders(outer);
    }
    return entry;
}

void JsonKeys::wantUnder(std::string_view path, std::uint32_t slot)
{
    entry(path).slot = slot;
    for (std::size_t at = 1; at + 1 < path.size(); ++at) {
        if (path[at] == '.') {
            inside(path.substr(0, at)).inside->wantUnder(path.substr(at + 1), slot);
        } else if (path[at] == '[' && path.find(']', at) != std::string_view::npos) {
            inside(path.substr(0, at)).inside->wantUnder(path.substr(at), slot);
        }
    }
}

std::uint32_t JsonKeys::want(std::string_view path)
{
    std::string canonical = canonicalPath(path);
    const auto known = std::find(m_wanted.begin(), m_wanted.end(), canonical);
    const auto slot = static_cast<std::uint32_t>(known - m_wanted.begin());
    if (known == m_wanted.end()) {
        m_wanted.push_back(std::move(canonical));
    }
    wantUnder(path, slot); // also for another spelling: as one key, dots and all, it differs
    return slot;
}

void JsonKeys::collectSlots(std::vector<std::uint32_t>& slots) const
{
    for (const auto& entry : m_entries) {
        if (entry->hasSlot()) {
            slots.push_back(entry->slot);
        }
        if (entry->inside) {
            entry->inside->collectSlots(slots);
        }
    }
}

} // namespace storage::logs

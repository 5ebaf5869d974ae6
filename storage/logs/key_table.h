#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// Which fields a key fills; a lower rank is better.
struct KeyUse {
    std::string key;
    std::size_t field = 0;
    std::uint8_t rank = 0;
};

/// Keys and what they fill, by a hash of the key.
class KeyTable {
public:
    void add(std::string key, std::size_t field, std::size_t rank)
    {
        m_uses.push_back(
            {std::move(key), field, static_cast<std::uint8_t>(std::min<std::size_t>(rank, 254))});
    }

    void settle()
    {
        std::stable_sort(m_uses.begin(), m_uses.end(),
                         [](const KeyUse& a, const KeyUse& b) { return a.key < b.key; });
        std::size_t size = 64;
        while (size < m_uses.size() * 4) {
            size *= 2;
        }
        m_slots.assign(size, 0);
        for (std::size_t i = 0; i < m_uses.size(); ++i) {
            if (i > 0 && m_uses[i].key == m_uses[i - 1].key) {
                continue;
            }
            std::size_t at = hash(m_uses[i].key) & (size - 1);
            while (m_slots[at] != 0) {
                at = (at + 1) & (size - 1);
            }
            m_slots[at] = static_cast<std::uint32_t>(i + 1);
        }
    }

    /// Calls `use` for each field that the key fills.
    template <class Use> void find(std::string_view key, Use use) const
    {
        for (std::size_t at = hash(key) & (m_slots.size() - 1); m_slots[at] != 0;
             at = (at + 1) & (m_slots.size() - 1)) {
            std::size_t i = m_slots[at] - 1;
            if (m_uses[i].key == key) {
                for (; i < m_uses.size() && m_uses[i].key == key; ++i) {
                    use(m_uses[i]);
                }
                return;
            }
        }
    }

private:
    static std::size_t hash(std::string_view key)
    {
        std::uint64_t value = key.size();
        for (const char c : key) {
            value = (value ^ static_cast<unsigned char>(c)) * 0x9E37'79B9'7F4A'7C15U;
        }
        return value >> 32;
    }

    std::vector<KeyUse> m_uses;
    std::vector<std::uint32_t> m_slots;
};

} // namespace storage::logs

#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// Which values of a JSON object are wanted, and where they go.
///
/// A path is "status", "request.host" (a dot goes into nested objects, and also matches a key that
/// has the dot in it), "tries[0].ip" (an entry of a list). In objects named headers, or whose name
/// ends so, case does not matter, and `-` and `_` are the same.
class JsonKeys {
public:
    struct Entry {
        std::string key;
        std::uint32_t slot = kNoSlot;
        std::unique_ptr<JsonKeys> inside; ///< wanted keys of the object or list that is its value

        [[nodiscard]] bool hasSlot() const { return slot != kNoSlot; }
    };

    static constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;

    JsonKeys();

    /// Wants a path; the same one gives the same slot. Slots are numbered from 0 over the whole
    /// tree.
    std::uint32_t want(std::string_view path);

    [[nodiscard]] const Entry* find(std::string_view key) const;
    /// What is wanted of entry `index` of a list.
    [[nodiscard]] const Entry* item(std::size_t index) const;

    [[nodiscard]] std::uint32_t slotCount() const
    {
        return static_cast<std::uint32_t>(m_wanted.size());
    }

    /// Of this tree, and never again of another in this process.
    [[nodiscard]] std::uint64_t id() const { return m_id; }

    /// All slots of this tree and below, some more than once.
    void collectSlots(std::vector<std::uint32_t>& slots) const;

private:
    Entry& entry(std::string_view key);
    Entry& inside(std::string_view outer);
    void wantUnder(std::string_view path, std::uint32_t slot);
    void rebuild();

    std::vector<std::unique_ptr<Entry>> m_entries;
    std::vector<const Entry*> m_table; ///< open addressing, a power of two
    std::vector<std::string> m_wanted;
    std::uint64_t m_id = 0;
    bool m_folds = false; ///< of headers: keys are kept and looked up in lower case with `-`
};

/// The last part of a path, "headers" of "request.headers", names headers.
bool namesHeaders(std::string_view key);

} // namespace storage::logs

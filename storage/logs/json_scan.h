#pragma once
#include "storage/logs/line_parser.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// Which keys of a JSON object are wanted, and where their values go. A dot in a wanted key goes
/// into nested objects, and also matches a key that has the dot in it.
class JsonKeys {
public:
    struct Entry {
        std::string key;
        std::uint32_t slot = kNoSlot;
        std::unique_ptr<JsonKeys> inside; ///< wanted keys of the object that is its value
    };

    static constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;

    /// Wants `key`; the same key gives the same slot. Slots are numbered from 0 over the whole
    /// tree.
    std::uint32_t want(std::string_view key);
    [[nodiscard]] const Entry* find(std::string_view key) const;

    [[nodiscard]] std::uint32_t slotCount() const { return m_slotCount; }

private:
    Entry& entry(std::string_view key);
    void wantUnder(std::string_view key, std::uint32_t slot);
    void rebuild();

    std::vector<std::unique_ptr<Entry>> m_entries;
    std::vector<const Entry*> m_table; ///< open addressing, a power of two
    std::uint32_t m_slotCount = 0;
    std::vector<std::string> m_wanted;
};

struct JsonRules {
    /// \xHH, control characters in texts, a bare `-` or nothing as a value, `escape=json` in front;
    /// the last of equal keys counts. Else they make the line no JSON.
    bool lenient = false;
};

/// Reads one object a line in one pass, into scratch.json (by slot). False: it is no JSON object,
/// or something stands behind it. Nested values are checked and skipped; more than 64 deep is
/// refused.
bool scanJson(std::string_view line, const JsonKeys& keys, JsonRules rules, LineScratch& scratch);

/// Paths of all values of an object ("request.host"), as collectFields() wants them.
void collectJsonKeys(std::string_view line, std::vector<std::string>& names);

} // namespace storage::logs

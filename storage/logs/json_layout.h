#pragma once
#include "storage/log_format.h"
#include "storage/logs/json_kind.h"
#include "storage/logs/json_scan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A JsonKind and a user's mappings as slots of a scan.
namespace storage::logs {

/// Slots of one attribute, best first.
struct JsonSlots {
    std::vector<std::uint32_t> order;
    std::vector<bool> isList; ///< an address list
    std::uint32_t id = 0; ///< of this list of slots in its layout

    [[nodiscard]] bool isEmpty() const { return order.empty(); }
};

class JsonLayout {
public:
    struct StampAt {
        bool isStart = false;
        bool isChecked = false; ///< against `notBehind`
        std::uint32_t notBehind = 0;
    };

    struct DurationAt {
        std::int64_t unitNs = kSecondNs; ///< 0: a text that says its unit
        ShortDecimals decimals {unitNs}; ///< of that unit; of none they read nothing
        bool isDistance = false; ///< from the stamp in `since`
        std::uint32_t since = 0;
        std::int64_t mostNs = INT64_MAX;
    };

    JsonLayout(const JsonKind& kind, const std::vector<FieldMapping>& mappings);

    /// Of an attribute: the mapped fields alone, else those of the kind and the guesses, else the
    /// field of that name.
    JsonSlots slotsOf(std::string_view attribute);

    const JsonKind* kind = nullptr;
    JsonKeys keys;
    JsonSlots stamps;
    std::vector<StampAt> stampRules; ///< one for each of `stamps`
    JsonSlots durations;
    std::vector<DurationAt> durationRules;
    JsonSlots sums;
    JsonSlots client;
    JsonSlots request;
    JsonSlots method;
    JsonSlots target;
    JsonSlots status;
    std::vector<JsonSlots> marks; ///< a request has one of each
    std::vector<JsonSlots> signs;
    JsonSlots refusal; ///< none or one
    JsonSlots whole; ///< none or one

    [[nodiscard]] std::uint32_t listCount() const { return m_listCount; }

private:
    void add(JsonSlots& slots, std::string_view field);
    JsonSlots newSlots();
    void addSources(JsonSlots& slots, std::string_view attribute,
                    std::span<const RecordSource> sources);
    void addHeader(JsonSlots& slots, std::string_view attribute);
    void addStamp(const JsonStamp& stamp);
    void addDuration(const JsonDuration& duration);
    void addTimes();
    std::vector<JsonSlots> alternatives(std::span<const std::string_view> texts);

    const std::vector<FieldMapping>* m_mappings = nullptr;
    std::uint32_t m_listCount = 0;
};

/// "http_x_api_key" of "request.headers.X-Api-Key", for the headers of a kind; empty: no header.
std::string headerOfPath(const JsonKind& kind, std::string_view path);

/// Every field that the kind reads for an attribute, its times or its request line.
bool isRead(const JsonKind& kind, const std::vector<FieldMapping>& mappings, std::string_view path);

} // namespace storage::logs

#pragma once
#include "engine/result.h"
#include "storage/log_format.h"
#include "storage/logs/stamps.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the fields of a row mean.
namespace storage::logs {

/// How a value is written.
enum class Escape : std::uint8_t {
    None,
    Hex, ///< \xHH, \" and their kin (nginx's default, Apache)
    Json,
    Sharp ///< #HH (HAProxy)
};

/// A field that gives an attribute; of several the first that a format has counts.
struct RecordSource {
    std::string_view attribute;
    std::string_view field;
};

struct RecordStamp {
    std::string_view field;
    bool isStart = false; ///< of a request's begin; else of its end
};

/// A unit of a duration that the value itself names: "12ms".
inline constexpr std::int64_t kNamedUnit = 0;

struct RecordDuration {
    std::string_view field;
    std::int64_t unitNs = kSecondNs; ///< or kNamedUnit
};

/// A start that lies before the end of its request by more than this, or behind it, is not
/// believed.
inline constexpr std::int64_t kFarthestStartNs = 3600 * kSecondNs;

/// What the fields of a kind of format mean; best first.
struct RecordRules {
    std::span<const RecordSource> sources;
    std::span<const RecordStamp> stamps;
    std::span<const RecordDuration> durations;
    /// Fields in seconds that add up to the duration, where none of `durations` is. One that is
    /// no number ("-1": never got that far) leaves a lower bound, if the others are not 0.
    std::span<const std::string_view> sum;
    /// With a stamp of the end, the field that says the start; the duration is what lies between.
    std::string_view start;
    std::string_view request; ///< the field with the whole request line
    std::span<const std::string_view> targets; ///< fields with path and query
    std::span<const std::string_view> lists; ///< addresses, the last of which is the nearest
    std::string_view timeHelp; ///< which times a format can have, for a message
    Escape escape = Escape::Hex;
    std::string_view nil = "-"; ///< a value that stands for none
    std::span<const std::string_view> remarks; ///< LogFormat::remarks()
    bool queryHasMark = false; ///< a field with the query begins with its `?`
    bool isAbsolute = false; ///< targets name scheme and host
};

/// Rules applied to the fields of one format and the user's mappings. Fields go by their index in
/// `fields`.
struct RecordLayout {
    struct StampAt {
        std::size_t field = 0;
        bool isStart = false;
    };

    struct DurationAt {
        std::size_t field = 0;
        std::int64_t unitNs = kSecondNs;
    };

    RecordRules rules;
    std::vector<std::string> fields; ///< names, in the order of the cut
    FormatOptions options;
    std::vector<StampAt> stamps;
    std::vector<DurationAt> durations;
    std::vector<std::size_t> sum;
    std::optional<std::size_t> start;
    std::optional<std::size_t> client;
    bool clientIsList = false;
    std::optional<std::size_t> request;
    std::optional<std::size_t> target;
    std::optional<std::size_t> status;
    std::size_t lastRequired = 0; ///< what matters is complete behind this field

    /// Without a stamp, lines need the time of a wrapper (LogFormat::timeHelp).
    /// Errors: log.map (a mapping of a field that is not there).
    static engine::Result<RecordLayout>
    make(const RecordRules& rules, std::vector<std::string> fields, const FormatOptions& options);

    [[nodiscard]] std::optional<std::size_t> indexOf(std::string_view field) const;
    /// The field that gives an attribute: as mapped, as the rules say, or of the same name.
    [[nodiscard]] std::optional<std::size_t> sourceOf(std::string_view attribute) const;
    /// For LogFormat::fields().
    [[nodiscard]] std::vector<std::string> attributes() const;

private:
    engine::Status applyMappings();
    [[nodiscard]] const FieldMapping* mappingOf(std::string_view name) const;
    [[nodiscard]] bool isTimeField(std::string_view field) const;
    [[nodiscard]] bool mayBeHeader(std::string_view attribute) const;
};

} // namespace storage::logs

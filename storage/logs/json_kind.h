#pragma once
#include "storage/logs/formats.h"
#include "storage/logs/record.h"

#include <cstdint>
#include <span>
#include <string_view>

/// What the fields of one kind of JSON log mean. A field is a path as JsonKeys reads it.
namespace storage::logs {

struct JsonStamp {
    std::string_view field;
    bool isStart = false; ///< of a request's begin; else of its end
    /// A stamp that it must not be behind, nor more than an hour before; else it does not count.
    std::string_view notBehind = {};
};

struct JsonDuration {
    std::string_view field;
    std::int64_t unitNs = kSecondNs; ///< of a number; a text may say its own unit
    std::string_view since = {}; ///< then both are stamps, and their distance is the duration
    std::int64_t mostNs = INT64_MAX; ///< a longer one is none
};

/// A record whose `field` begins with `refused`, but not with `allowed`, is no request.
struct JsonRefusal {
    std::string_view field;
    std::string_view refused;
    std::string_view allowed;
};

/// Whether the names of guesses.h count as well.
enum class JsonGuesses : std::uint8_t { None, Behind, Before };

/// One row for each format of this family; everything best first. Texts hold alternatives parted
/// by `|` where a list is "one of each".
struct JsonKind {
    std::string_view name = {};
    std::span<const RecordSource> sources = {}; ///< attributes; `target` is path and query in one
    std::span<const JsonStamp> stamps = {};
    std::span<const JsonDuration> durations = {};
    std::span<const std::string_view> sums
        = {}; ///< durations in seconds that add up, if none of those
    std::span<const std::string_view> requests = {}; ///< fields with a whole request line
    std::span<const std::string_view> marks = {}; ///< a request has one of each
    std::span<const std::string_view> signs = {}; ///< a log of this kind mostly has one of each
    /// Where headers are: with "request.headers." http_x_api_key is request.headers.x-api-key.
    std::span<const std::string_view> headers = {};
    std::span<const std::string_view> remarks = {};
    JsonRefusal refusal = {};
    std::string_view whole = {}; ///< a field that is a whole number in a log of this kind
    JsonGuesses guesses = JsonGuesses::None; ///< behind its own names, or before them
    bool mayBeTcp = false; ///< a record without method, path and status is of TCP
};

/// By name; nullptr: there is none.
const JsonKind* jsonKind(std::string_view name);

/// Tables of json_servers.cpp, json_clouds.cpp, json_generic.cpp.
std::span<const JsonKind> jsonServerKinds();
std::span<const JsonKind> jsonCloudKinds();
std::span<const JsonKind> jsonGenericKinds();

/// An address list ("x_forwarded_for"), whose last entry is the nearest.
bool namesAddressList(std::string_view field);

} // namespace storage::logs

#pragma once
#include "engine/request.h"
#include "storage/logs/stamps.h"
#include "storage/logs/text.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace storage::logs {

/// A value of a JSON object as it stands in the line.
struct JsonValue {
    enum class Kind : std::uint8_t {
        Missing, ///< not there, null, list, object
        Text, ///< inside of the quotes, escapes as written
        Whole,
        Fraction, ///< a number with a point or an exponent
        Word
    }; ///< true, false

    std::string_view text;
    Kind kind = Kind::Missing;
    bool hasEscapes = false;
};

/// Which slots have a value: exact below 128, beyond them `true` is all that it says.
struct JsonPresence {
    std::array<std::uint64_t, 2> bits {};
    bool beyond = false;

    void add(std::uint32_t slot)
    {
        if (slot < 128) {
            bits[slot / 64] |= std::uint64_t {1} << slot % 64;
        } else {
            beyond = true;
        }
    }

    [[nodiscard]] bool meets(const JsonPresence& other) const
    {
        return (bits[0] & other.bits[0]) != 0 || (bits[1] & other.bits[1]) != 0
            || (beyond && other.beyond);
    }
};

/// The keys of the line before, in their order: lines of one log mostly repeat them.
struct KeyMemory {
    struct Entry {
        std::string_view key; ///< as written, in the block's bytes
        const void* entry = nullptr;
    };

    std::vector<Entry> entries;
};

/// What parsing carries from line to line of one block. Never changes what a line means.
struct LineScratch {
    Arena* arena = nullptr;
    StampCache stamps;
    KeyMemory keys;
    std::vector<JsonValue> json; ///< by slot
    JsonPresence present; ///< slots that the line has
    std::vector<std::string_view> cuts;
};

enum class LineOutcome : std::uint8_t {
    Request,
    Directive, ///< a header line of the format
    NoMatch,
    BadTime,
    NoClient,
    NotJson,
    Truncated
};

/// Where a parser puts what it read: `values` has a slot for each field, all missing before.
struct ParsedLine {
    engine::Request request;
    std::string_view* values = nullptr;
};

/// Reads lines of one format, for one list of fields. Immutable; any thread.
class LineParser {
public:
    LineParser() = default;
    LineParser(const LineParser&) = delete;
    LineParser& operator=(const LineParser&) = delete;
    virtual ~LineParser() = default;

    /// `line` is not blank, has no line end, and kPadding readable bytes behind it. `isCut`: it is
    /// the last one and has no newline. Sets time, stamp, duration, resolution (and originals) of
    /// the request.
    virtual LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                              ParsedLine& out) const = 0;

    /// How much a line looks like the format, for detection: 0 not at all, 1 with something missing
    /// or left over, 2 exactly.
    [[nodiscard]] virtual int likeness(std::string_view line, LineScratch& scratch) const = 0;

    /// A blank line is a bad line of the format (small print C1); else it is no line at all.
    [[nodiscard]] virtual bool rejectsBlankLines() const { return false; }
};

/// arrival = stamp - duration, at the least the first int64.
inline std::int64_t arrivalOf(std::int64_t stampNs, std::int64_t durationNs)
{
    std::int64_t arrival = 0;
    return __builtin_sub_overflow(stampNs, durationNs, &arrival) ? INT64_MIN : arrival;
}

/// The client's address as it stands, blanks around it dropped; false for free text (C13).
inline bool readClient(std::string_view text, std::string_view& client)
{
    client = trimmed(text);
    const char* const end = client.data() + client.size();
    for (const char* at = client.data(); at < end; ++at) {
        if (static_cast<unsigned char>(*at) <= ' ') {
            return false;
        }
    }
    return true;
}

/// A status is three digits; anything below 100 was never sent. False: it is no status.
inline bool readStatus(std::string_view text, std::string_view& status)
{
    if (text.empty() || text == "-") {
        status = {};
        return true;
    }
    if (text.size() > 3 || !isWhole(text)) {
        return false;
    }
    status = text.size() == 3 && text[0] != '0' ? text : std::string_view {};
    return true;
}

} // namespace storage::logs

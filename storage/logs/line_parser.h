#pragma once
#include "engine/request.h"
#include "storage/logs/json_memory.h"
#include "storage/logs/line_marks.h"
#include "storage/logs/made_parser.h"
#include "storage/logs/stamps.h"
#include "storage/logs/text.h"
#include "storage/time_math.h"
#include "storage/zone.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <emmintrin.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// A line that came in a wrapper (a container's stream, syslog, the journal).
struct OuterLine {
    std::string_view time; ///< as the wrapper wrote it; empty: the line had no wrapper
    /// No line is later than this (a file's last change), for times without a year; -1: not known.
    std::int64_t notAfterNs = -1;
    bool isUsed = false; ///< a request took its time from here
};

/// Stamps that named no zone, and those of them that local time had twice or not at all.
struct LocalTimes {
    std::uint64_t all = 0;
    std::uint64_t ambiguous = 0;
    std::uint64_t skipped = 0;
};

/// What parsing carries from line to line of one block. Never changes what a line means.
struct LineScratch {
    Arena* arena = nullptr;
    StampCache stamps;
    JsonMemory keys;
    std::vector<JsonValue> json; ///< by slot
    JsonPresence present; ///< slots that the line has
    std::vector<std::string_view> cuts;
    /// The header lines that hold for the line at hand (LogFormat::headerMarks, hasHeaderLine), one
    /// behind another with newlines between, in the order of the marks; a parser keeps it when it
    /// meets such a line.
    HeaderText header;
    MadeParser made;
    OuterLine outer;
    LineMarks marks; ///< of the lines of the block
    bool isMarked = false; ///< the line at hand is one of these as it stands
    LineMarks innerMarks; ///< of a text that is none of these lines
    std::vector<LineScratch> parts; ///< of the formats of a log that has several
    Zone::Scratch zone;
    LocalTimes localTimes; ///< of the requests so far
};

enum class LineOutcome : std::uint8_t {
    Request,
    Directive, ///< a header line of the format
    NoMatch,
    BadTime,
    NoClient,
    NotJson,
    ErrorLog, ///< a line of a server's error log
    Several, ///< many records in one line
    NotHttp, ///< a record of another protocol: TCP, FTP, SMTP, a firewall's
    WideHeader, ///< the header above it names more columns than anybody writes
    Truncated
};

/// Where a parser puts what it read: `values` has a slot for each field, all missing before.
struct ParsedLine {
    engine::Request request;
    std::string_view* values = nullptr;
    std::string_view clients; ///< the list that the client is the last of ("a, b"); or empty
    std::uint8_t format = 0; ///< which of the formats of LogFormat::parts() read it
};

/// How sure it is that a line that was read is of the format; the surest last.
enum class Claim : std::uint8_t {
    Marks, ///< it has what lines of the format have, but also lines of others
    AnyNames, ///< the format takes any names
    Own ///< it has what only this format has
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

    /// The quick way for a line of the block that is whole, plain (LineMarks::isPlain) and without
    /// a CR, and whose first character is neither a blank nor beyond ASCII: sets what parse() sets,
    /// `values` likewise. False: parse() has to; nothing was noted.
    virtual bool parsePlain(std::string_view /*line*/, LineScratch& /*scratch*/,
                            engine::Request& /*request*/, std::string_view* /*values*/) const
    {
        return false;
    }

    /// How much a line looks like the format, for detection: 0 not at all, 1 with something missing
    /// or left over, 2 exactly.
    [[nodiscard]] virtual int likeness(std::string_view line, LineScratch& scratch) const = 0;

    /// Of the line that parse() has just read as a request.
    [[nodiscard]] virtual Claim claim(const LineScratch& /*scratch*/) const { return Claim::Own; }

    /// A blank line is a bad line of the format (small print C1); else it is no line at all.
    [[nodiscard]] virtual bool rejectsBlankLines() const { return false; }
};

/// Takes a stamp that names no zone for local time of `zone` (nullptr: UTC), and counts it.
inline void applyZone(const Zone* zone, LineScratch& scratch, Stamp& stamp)
{
    if (!stamp.isLocal) {
        return;
    }
    ++scratch.localTimes.all;
    if (zone == nullptr) {
        return;
    }
    std::int64_t seconds = stamp.ns / kSecondNs;
    seconds -= stamp.ns % kSecondNs < 0 ? 1 : 0;
    const Zone::Instant instant = zone->toUtc(seconds, scratch.zone);
    scratch.localTimes.ambiguous += instant.kind == Zone::Kind::Ambiguous ? 1U : 0U;
    scratch.localTimes.skipped += instant.kind == Zone::Kind::Skipped ? 1U : 0U;
    stamp.ns += (instant.utcSeconds - seconds) * kSecondNs;
}

/// Sets what a stamp and a duration say of a request's time.
inline void setTimes(const Stamp& stamp, bool isStart, std::optional<std::int64_t> durationNs,
                     engine::Request& request)
{
    request.stampNs = stamp.ns;
    request.timeNs = stamp.ns;
    request.resolutionNs = stamp.resolutionNs;
    if (durationNs) {
        request.durationNs = *durationNs;
        request.timeNs = isStart ? stamp.ns : cappedDifference(stamp.ns, *durationNs);
    }
}

/// How an attribute is filled: most are a field's text, some are read from others.
enum class AttributeKind : std::uint8_t {
    Text,
    Client,
    Status,
    Method,
    Path,
    Query,
    Host,
    Scheme,
    Duration
};

inline AttributeKind attributeKind(std::string_view attribute)
{
    constexpr std::array<std::string_view, 9> kNames {
        "", "client_ip", "status", "method", "path", "query", "host", "scheme", "duration"};
    const auto* found = std::find(kNames.begin() + 1, kNames.end(), attribute);
    return found == kNames.end() ? AttributeKind::Text
                                 : static_cast<AttributeKind>(found - kNames.begin());
}

/// A token without blanks, those around it dropped (C13): an address, a host name, `unknown`.
inline bool readToken(std::string_view text, std::string_view& token)
{
    token = trimmed(text);
    return std::none_of(token.begin(), token.end(),
                        [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

/// Characters that neither an address nor the name of a host has.
constexpr std::array<bool, 256> makeNoClientCharacters()
{
    std::array<bool, 256> table {};
    for (std::size_t c = 0; c <= ' '; ++c) {
        table[c] = true;
    }
    table[static_cast<unsigned char>('"')] = true;
    table[static_cast<unsigned char>(',')] = true;
    table[static_cast<unsigned char>('=')] = true;
    return table;
}

inline constexpr std::array<bool, 256> kNoClientCharacters = makeNoClientCharacters();

/// A text of nothing but characters that addresses and most names have; it is not empty. In one
/// look at 16 bytes, thanks to the padding behind lines.
inline bool isPlainToken(std::string_view text)
{
    const __m128i behindComma = _mm_set1_epi8(','); // and behind blanks and quotes
    const __m128i equals = _mm_set1_epi8('=');
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end; at += sizeof(__m128i)) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i fine
            = _mm_andnot_si128(_mm_cmpeq_epi8(bytes, equals), _mm_cmpgt_epi8(bytes, behindComma));
        const auto others = ~static_cast<unsigned>(_mm_movemask_epi8(fine));
        if (std::countr_zero(others) < std::min<std::ptrdiff_t>(end - at, sizeof(__m128i))) {
            return false;
        }
    }
    return !text.empty();
}

/// What readClient() makes of a text that is no plain token: a list of addresses (its last entry,
/// and `clients` the list), an address in quotes, a pseudonym that ends with `=`.
bool readOddClient(std::string_view text, std::string_view& client, std::string_view& clients);

/// The client's address as it stands, blanks around it dropped. Of a list ("192.0.2.7, 10.0.0.5":
/// X-Forwarded-For where the address belongs) it is the last entry, and `clients` is the list.
/// False for free text (C13), and for what a wrapper left of it ("MESSAGE=192.0.2.7").
inline bool readClient(std::string_view text, std::string_view& client, std::string_view& clients)
{
    if (isPlainToken(text)) {
        client = text;
        return true;
    }
    client = trimmed(text);
    const char* const end = client.data() + client.size();
    for (const char* at = client.data(); at < end; ++at) {
        if (kNoClientCharacters[static_cast<unsigned char>(*at)]) {
            return readOddClient(client, client, clients);
        }
    }
    return true;
}

/// Three digits, the first of them no zero.
inline bool isSentStatus(std::string_view text)
{
    return text.size() == 3 && text[0] >= '1' && isDigit(text[0]) && isDigit(text[1])
        && isDigit(text[2]);
}

/// A status is three digits; anything below 100 was never sent. False: it is no status.
inline bool readStatus(std::string_view text, std::string_view& status)
{
    if (isSentStatus(text)) {
        status = text;
        return true;
    }
    if (text.empty() || text == "-" || text == "-1") { // -1: HAProxy sent none
        status = {};
        return true;
    }
    if (text.size() > 3 || !isWhole(text)) {
        return false;
    }
    status = {};
    return true;
}

} // namespace storage::logs

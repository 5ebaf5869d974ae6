#pragma once
#include "engine/result.h"
#include "storage/logs/stamps.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// What the parts of a line say of one time. -1: not said.
struct TimeParts {
    std::int64_t epochNs = -1; ///< since 1970
    std::int64_t epochUnitNs = 0;
    int year = -1;
    int month = -1;
    int day = -1;
    int dayOfYear = -1;
    int hour = -1;
    int minute = -1;
    int second = -1;
    int half = -1; ///< 0 AM, 1 PM
    std::int64_t zoneSeconds = 0;
    bool hasZone = false;
    std::int64_t fractionNs = -1;
    bool isFine = false; ///< there is something below a second

    /// False: not a date with a time of day, or outside of 1970 to 2200.
    bool toStamp(Stamp& stamp) const;
};

/// A time as a strftime format writes it, read back.
///
/// Example: "%d/%b/%Y:%H:%M:%S %z" reads "10/Oct/2000:13:55:36 -0700". Apache's sec, msec, usec,
/// msec_frac and usec_frac are pieces of their own. Names of months and days are English, in any
/// case. Immutable; any thread.
class TimePattern {
public:
    /// Adds a strftime format, or one of Java's SimpleDateFormat, which has no `%`.
    /// Errors: log.format (a conversion that is not known).
    engine::Status addFormat(std::string_view format);
    /// Adds what Apache calls sec, msec, usec, msec_frac, usec_frac; false: none of these.
    bool addCounter(std::string_view name);
    void addLiteral(std::string_view text);

    /// Where a time that begins at `from` ends, or nullptr if there is none.
    [[nodiscard]] const char* endOf(const char* from, const char* end) const;
    /// Reads a time that is all of `text` into the parts that it has.
    [[nodiscard]] bool read(std::string_view text, TimeParts& parts) const;

private:
    enum class Kind : char {
        Literal = 'l',
        Seconds = 's',
        Millis = 'i',
        Micros = 'u',
        MillisFraction = 'f',
        MicrosFraction = 'g',
        Year = 'Y',
        ShortYear = 'y',
        Month = 'm',
        MonthName = 'b',
        Day = 'd',
        DayOfYear = 'j',
        DayName = 'a',
        Hour = 'H',
        HalfDayHour = 'I',
        Minute = 'M',
        Second = 'S',
        Half = 'p',
        Zone = 'z',
        ZoneName = 'Z'
    };

    struct Piece {
        Kind kind = Kind::Literal;
        std::string text; ///< of a literal
    };

    engine::Status addJavaFormat(std::string_view format);
    static bool readPiece(const Piece& piece, const char*& at, const char* end, TimeParts& parts);
    [[nodiscard]] const char* readAll(const char* at, const char* end, TimeParts& parts) const;

    std::vector<Piece> m_pieces;
};

} // namespace storage::logs

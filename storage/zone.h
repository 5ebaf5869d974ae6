#pragma once
#include "engine/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage {

/// A time zone, for stamps that do not say theirs.
///
/// Example: Zone::named("Europe/Berlin"). 2024-07-01 12:00 there is 10:00 UTC, Unique. 2024-10-27
/// 02:30 came twice, 00:30 and 01:30 UTC: Ambiguous, the earlier one. 2024-03-31 02:30 never came:
/// Skipped, read as if the clock had not been put forward (01:30 UTC, which it showed as 03:30).
///
/// Seconds are those since 1970-01-01T00:00:00, without leap seconds; a stamp's `:60` is the next
/// second before it comes here. Valid for all times within 10^15 s of 1970.
///
/// Immutable; any thread, each with a Scratch of its own.
class Zone {
public:
    enum class Kind : std::uint8_t { Unique, Ambiguous, Skipped };

    struct Instant {
        std::int64_t utcSeconds = 0;
        Kind kind = Kind::Unique;
        friend bool operator==(const Instant&, const Instant&) = default;
    };

    /// The stretch of local time that was asked for last, with one offset. May be used with any
    /// zones, one after the other.
    struct Scratch {
        std::uint64_t zone = 0; ///< none
        std::int64_t from = 0; ///< local seconds, included
        std::int64_t to = 0; ///< not included
        std::int64_t offset = 0;
    };

    static std::shared_ptr<const Zone> utc();

    /// The folder where names are looked up: files in TZif (RFC 9636), versions 1 to 4.
    static constexpr std::string_view kFolder = "/usr/share/zoneinfo";

    /// A zone of that folder ("Europe/Berlin"), or an offset that always holds: "+05:30", "-0300",
    /// "+09", "UTC", "Z".
    ///
    /// Errors: log.zone (no such zone, with the near one; an offset of 24 h or more; a file that is
    /// none; a zone that counts leap seconds). Names with `..` or a leading `/` are no zones.
    static engine::Result<std::shared_ptr<const Zone>> named(std::string_view name,
                                                             std::string_view folder = kFolder);

    /// When the clocks of the zone showed `localSeconds`.
    [[nodiscard]] Instant toUtc(std::int64_t localSeconds, Scratch& scratch) const
    {
        if (scratch.zone == m_id && localSeconds >= scratch.from && localSeconds < scratch.to) {
            return {localSeconds - scratch.offset, Kind::Unique};
        }
        return lookUp(localSeconds, scratch);
    }

    /// What the clocks of the zone showed at `utcSeconds`. Example: Europe/Berlin, 1711846800
    /// (2024-03-31 01:00 UTC) gives 1711854000, 03:00.
    [[nodiscard]] std::int64_t toLocal(std::int64_t utcSeconds) const;

    /// "Europe/Berlin", "+05:30", "UTC": what named() takes again; offsets in one form.
    [[nodiscard]] const std::string& name() const { return m_name; }

    [[nodiscard]] bool isUtc() const { return m_name == "UTC"; }

private:
    Zone();
    [[nodiscard]] std::size_t stretchAt(std::int64_t utcSeconds) const;
    [[nodiscard]] Instant lookUp(std::int64_t localSeconds, Scratch& scratch) const;
    void remember(std::size_t stretch, std::int64_t localSeconds, Scratch& scratch) const;
    static std::shared_ptr<const Zone> fixed(std::int64_t offset);

    std::uint64_t m_id; ///< differs for all zones of a process
    std::string m_name;
    std::vector<std::int64_t> m_starts; ///< UTC, ascending; the first is before all times
    std::vector<std::int64_t> m_offsets; ///< from the start of the same index until the next
    std::int64_t m_repeatsFrom; ///< local; from here on all is as 400 years before
};

} // namespace storage

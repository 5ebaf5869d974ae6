#include "storage/zone.h"

#include "storage/logs/text.h"
#include "storage/logs/words.h"
#include "storage/logs/zone_file.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace storage {
namespace {

constexpr std::int64_t kNever = -logs::kBeforeAll;
constexpr std::int64_t kWidest = 1'000'000'000'000'000;
constexpr std::size_t kMostFileBytes = std::size_t {1} << 20;

std::uint64_t nextId()
{
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

bool isName(std::string_view name)
{
    const auto isLetter = [](char c) {
        return logs::isDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || c == '+'
            || c == '-' || c == '/';
    };
    return !name.empty() && name.front() != '/' && name.back() != '/'
        && name.find("//") == name.npos && std::all_of(name.begin(), name.end(), isLetter);
}

std::string lowered(std::string_view text)
{
    std::string low(text);
    std::transform(low.begin(), low.end(), low.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    return low;
}

/// "+05:30", "-0300", "+09": seconds east of UTC. Nothing if it has no such form; 24 h and more
/// comes out as it is.
std::optional<std::int64_t> readOffset(std::string_view text)
{
    if (text.empty() || (text.front() != '+' && text.front() != '-')) {
        return std::nullopt;
    }
    const bool isWest = text.front() == '-';
    std::string digits(text.substr(1));
    if (digits.size() == 5 && digits[2] == ':') {
        digits.erase(2, 1);
    }
    if ((digits.size() != 2 && digits.size() != 4) || !logs::isWhole(digits)) {
        return std::nullopt;
    }
    digits.resize(4, '0');
    const std::int64_t hours = (digits[0] - '0') * 10 + digits[1] - '0';
    const std::int64_t minutes = (digits[2] - '0') * 10 + digits[3] - '0';
    if (minutes > 59) {
        return std::nullopt;
    }
    const std::int64_t seconds = hours * 3600 + minutes * 60;
    return isWest ? -seconds : seconds;
}

/// Names of all zones in the folder, without the copies in posix/ and right/.
std::vector<std::string> zoneNames(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator at(folder, error), end; at != end && !error;
         at.increment(error)) {
        const std::string name = at->path().lexically_relative(folder).string();
        const std::string_view last(name.data() + std::min(name.rfind('/') + 1, name.size()));
        if (name == "posix" || name == "right") {
            at.disable_recursion_pending();
        } else if (isName(name) && last[0] >= 'A' && last[0] <= 'Z' && !at->is_directory(error)) {
            names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// The zone that was meant, perhaps: letters in another case, a city alone, or a slip.
std::string nearZone(std::string_view name, const std::vector<std::string>& names)
{
    const std::string low = lowered(name);
    for (const auto& candidate : names) {
        const std::string other = lowered(candidate);
        if (other == low || other.ends_with("/" + low)) {
            return candidate;
        }
    }
    return logs::nearestWord(name, names);
}

engine::Failure unknownZone(std::string_view name, std::string_view folder)
{
    const std::vector<std::string> names = zoneNames(folder);
    std::string help = "give a name such as Europe/Berlin, or an offset such as +01:00";
    if (names.empty()) {
        help = fmt::format("{} has no zones (install tzdata); an offset such as +01:00 needs none",
                           folder);
    } else if (const std::string near = nearZone(name, names); !near.empty()) {
        help = fmt::format("did you mean {}?", near);
    }
    return engine::fail("log.zone", fmt::format("there is no time zone {}", name), help);
}

std::optional<std::string> contentOf(const std::filesystem::path& path)
{
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error || size > kMostFileBytes || !std::filesystem::is_regular_file(path, error)) {
        return std::nullopt;
    }
    std::ifstream file(path, std::ios::binary);
    std::string content(size, '\0');
    file.read(content.data(), static_cast<std::streamsize>(size));
    return file.gcount() == static_cast<std::streamsize>(size) ? std::optional(content)
                                                               : std::nullopt;
}

} // namespace

Zone::Zone()
    : m_id(nextId())
    , m_repeatsFrom(kNever)
{
}

std::shared_ptr<const Zone> Zone::fixed(std::int64_t offset)
{
    const std::shared_ptr<Zone> zone(new Zone);
    const std::int64_t minutes = (offset < 0 ? -offset : offset) / 60;
    zone->m_name = offset == 0
        ? "UTC"
        : fmt::format("{}{:02}:{:02}", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
    zone->m_starts = {logs::kBeforeAll};
    zone->m_offsets = {offset};
    return zone;
}

std::shared_ptr<const Zone> Zone::utc()
{
    static const std::shared_ptr<const Zone> zone = fixed(0);
    return zone;
}

engine::Result<std::shared_ptr<const Zone>> Zone::named(std::string_view name,
                                                        std::string_view folder)
{
    const std::string low = lowered(name);
    if (low == "utc" || low == "z" || low == "gmt") {
        return utc();
    }
    if (const auto offset = readOffset(name)) {
        constexpr std::int64_t kDay = 86'400;
        if (*offset <= -kDay || *offset >= kDay) {
            return engine::fail("log.zone", fmt::format("{} is no offset of a time zone", name),
                                "offsets are less than 24 hours: +05:30");
        }
        return *offset == 0 ? utc() : fixed(*offset);
    }
    // `localtime` is whatever this machine is set to; a replay must not depend on it.
    if (!isName(name) || name == "localtime" || name == "posixrules") {
        return unknownZone(name, folder);
    }
    const auto content = contentOf(std::filesystem::path(folder) / name);
    if (!content) {
        return unknownZone(name, folder);
    }
    auto table = logs::readZoneFile(*content);
    if (!table) {
        engine::Diagnostic diagnostic = table.error();
        diagnostic.message = fmt::format("{} is no time zone: {}", name, diagnostic.message);
        return engine::fail(std::move(diagnostic));
    }
    const std::shared_ptr<Zone> zone(new Zone);
    zone->m_name = name;
    zone->m_starts = std::move(table->starts);
    zone->m_offsets = std::move(table->offsets);
    zone->m_repeatsFrom = table->repeatsFrom.value_or(kNever);
    return std::shared_ptr<const Zone>(zone);
}

/// Where the neighbours of a stretch are long, they alone say which of its local times no other
/// stretch has: the scratch learns them if `local` is one.
void Zone::remember(std::size_t stretch, std::int64_t local, Scratch& scratch) const
{
    const auto startOf = [&](std::size_t i) { return i < m_starts.size() ? m_starts[i] : kNever; };
    const std::size_t before = stretch == 0 ? 0 : stretch - 1;
    const std::size_t behind = std::min(stretch + 1, m_starts.size() - 1);
    constexpr std::int64_t kLongEnough = 2 * logs::kMostOffset;
    if (startOf(before + 1) - startOf(before) < kLongEnough
        || startOf(behind + 1) - startOf(behind) < kLongEnough) {
        return;
    }
    const std::int64_t offset = m_offsets[stretch];
    const std::int64_t from = startOf(stretch) + std::max(m_offsets[before], offset);
    const std::int64_t to = startOf(stretch + 1) + std::min(m_offsets[behind], offset);
    if (local >= from && local < to) {
        scratch = {m_id, from, to, offset};
    }
}

std::size_t Zone::stretchAt(std::int64_t utcSeconds) const
{
    return static_cast<std::size_t>(std::upper_bound(m_starts.begin(), m_starts.end(), utcSeconds)
                                    - m_starts.begin())
        - 1;
}

std::int64_t Zone::toLocal(std::int64_t utcSeconds) const
{
    const std::int64_t utc = std::clamp(utcSeconds, -kWidest, kWidest);
    const std::int64_t local = utc + m_offsets[stretchAt(utc)];
    if (local < m_repeatsFrom) {
        return local;
    }
    const std::int64_t shift
        = ((local - m_repeatsFrom) / logs::kRepeatSeconds + 1) * logs::kRepeatSeconds;
    return utc + m_offsets[stretchAt(utc - shift)];
}

Zone::Instant Zone::lookUp(std::int64_t localSeconds, Scratch& scratch) const
{
    std::int64_t local = std::clamp(localSeconds, -kWidest, kWidest);
    std::int64_t shift = 0;
    if (local >= m_repeatsFrom) {
        shift = ((local - m_repeatsFrom) / logs::kRepeatSeconds + 1) * logs::kRepeatSeconds;
        local -= shift;
    }
    const std::size_t first = stretchAt(local - logs::kMostOffset);
    const std::size_t last = stretchAt(local + logs::kMostOffset);
    std::int64_t earliest = 0;
    std::size_t found = 0;
    std::int64_t offsetBefore = m_offsets[first];
    for (std::size_t i = first; i <= last; ++i) {
        const std::int64_t utc = local - m_offsets[i];
        const std::int64_t end = i + 1 < m_starts.size() ? m_starts[i + 1] : kNever;
        if (utc >= m_starts[i] && utc < end) {
            if (shift == 0 && found == 0) {
                remember(i, local, scratch);
            }
            earliest = found == 0 ? utc : earliest;
            ++found;
        } else if (utc >= end) {
            offsetBefore = m_offsets[i]; // the stretch was over when its clocks would have shown it
        }
    }
    if (found == 0) {
        return {local - offsetBefore + shift, Kind::Skipped};
    }
    return {earliest + shift, found == 1 ? Kind::Unique : Kind::Ambiguous};
}

} // namespace storage

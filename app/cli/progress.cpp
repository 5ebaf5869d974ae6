#include "app/cli/progress.h"

#include "app/workbench/figures_text.h"

#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace app::cli {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kBetweenDrawsNs = kSecond / 10;
constexpr std::uint32_t kCallsPerClock = 8;

std::int64_t steadyNow()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string megabytes(std::uint64_t bytes)
{
    return fmt::format("{}.{} MB", grouped(bytes / 1'000'000), bytes / 100'000 % 10);
}

std::uint64_t scaled(std::uint64_t value, std::uint64_t by, std::uint64_t per)
{
    return per == 0 ? 0 : static_cast<std::uint64_t>(Wide {value} * by / per);
}

} // namespace

Progress::Progress(Messages& messages, std::string what, std::uint64_t totalBytes, Clock clock)
    : m_messages(messages)
    , m_what(std::move(what))
    , m_totalBytes(totalBytes)
    , m_clock(clock ? std::move(clock) : Clock(steadyNow))
{
    m_startNs = m_lastDrawnNs = m_messages.wantsTransient() ? m_clock() : 0;
}

Progress::~Progress()
{
    done();
}

void Progress::update(std::uint64_t bytes, std::uint64_t lines)
{
    if (!m_messages.wantsTransient() || m_calls++ % kCallsPerClock != 0) {
        return;
    }
    const std::int64_t now = m_clock();
    if (now - m_lastDrawnNs < kBetweenDrawsNs) {
        return;
    }
    m_lastDrawnNs = now;
    m_messages.transient(line(bytes, lines, now - m_startNs));
}

void Progress::done()
{
    m_messages.transient({});
}

std::string Progress::line(std::uint64_t bytes, std::uint64_t lines, std::int64_t elapsedNs) const
{
    const auto elapsed = static_cast<std::uint64_t>(elapsedNs);
    const std::string speed = fmt::format("{} lines/s", grouped(scaled(lines, kSecond, elapsed)));
    if (m_totalBytes == 0 || bytes == 0) {
        return fmt::format("{}  {}  {}", m_what, megabytes(bytes), speed);
    }
    const std::uint64_t left = m_totalBytes > bytes ? m_totalBytes - bytes : 0;
    const std::uint64_t secondsLeft = scaled(left, elapsed, bytes) / kSecond;
    return fmt::format("{}  {}  {} of {}  {}  {} left", m_what, percent(bytes, m_totalBytes),
                       megabytes(bytes), megabytes(m_totalBytes), speed,
                       durationText(static_cast<std::int64_t>(secondsLeft) * kSecond));
}

} // namespace app::cli

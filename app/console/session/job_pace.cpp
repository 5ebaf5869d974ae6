#include "app/console/session/job_pace.h"

#include "app/console/frame/values.h"

#include <algorithm>

namespace app::console {

namespace {

constexpr std::int64_t kWithin = 5 * kNs;
constexpr std::int64_t kShownFrom = 2 * kNs;

} // namespace

void JobPace::add(std::int64_t nowNs, const ProgressState& state)
{
    if (m_points.empty() || state.secondPass != m_state.secondPass) {
        m_points.clear();
        m_beganNs = nowNs;
        m_left.reset();
    }
    m_state = state;
    m_points.push_back({nowNs, state.bytesRead, state.lines});
    while (m_points.size() > 2 && m_points[1].ns <= nowNs - kWithin) {
        m_points.pop_front();
    }
    findLeft(nowNs);
}

void JobPace::findLeft(std::int64_t nowNs)
{
    const std::uint64_t bytes = m_state.bytesRead - m_points.front().bytes;
    const std::int64_t ns = nowNs - m_points.front().ns;
    if (m_state.bytesTotal == 0 || bytes == 0 || nowNs - m_beganNs < kShownFrom) {
        return;
    }
    const std::uint64_t rest = m_state.bytesTotal - std::min(m_state.bytesRead, m_state.bytesTotal);
    const double seconds = static_cast<double>(rest) / static_cast<double>(bytes)
        * static_cast<double>(ns) / static_cast<double>(kNs);
    const auto left = static_cast<std::int64_t>(seconds) + (rest > 0 ? 1 : 0);
    if (!m_left || left <= *m_left || left * 20 >= *m_left * 21) {
        m_left = left;
    }
}

std::optional<double> JobPace::share() const
{
    if (m_state.bytesTotal == 0) {
        return std::nullopt;
    }
    return std::min(
        1.0, static_cast<double>(m_state.bytesRead) / static_cast<double>(m_state.bytesTotal));
}

std::uint64_t JobPace::linesPerSecond() const
{
    if (m_points.size() < 2) {
        return 0;
    }
    const std::int64_t ns = m_points.back().ns - m_points.front().ns;
    const std::uint64_t lines = m_points.back().lines - m_points.front().lines;
    return ns <= 0
        ? 0
        : static_cast<std::uint64_t>(static_cast<double>(lines) * static_cast<double>(kNs)
                                     / static_cast<double>(ns));
}

} // namespace app::console

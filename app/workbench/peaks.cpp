#include "app/workbench/peaks.h"

#include <algorithm>

namespace app {

std::uint32_t Peaks::keyOf(std::string_view text)
{
    if (const auto found = m_ids.find(text); found != m_ids.end()) {
        return found->second;
    }
    const auto id = static_cast<std::uint32_t>(m_keys.size());
    m_ids.emplace(text, id);
    m_keys.emplace_back();
    return id;
}

void Peaks::add(std::uint32_t key, std::int64_t timeNs)
{
    Key& counted = m_keys[key];
    ++counted.requests;
    for (std::size_t i = 0; i < kWindows; ++i) {
        State& state = counted.states[i];
        const std::int64_t past = timeNs % kWindowNs[i];
        const std::int64_t index = timeNs / kWindowNs[i] - (past < 0 ? 1 : 0);
        if (index != state.index) {
            state.index = index;
            state.count = 0;
        }
        ++state.count;
        state.peak = std::max(state.peak, state.count);
    }
}

Peaks::Spread Peaks::spread(std::size_t window) const
{
    std::vector<std::uint32_t> peaks;
    peaks.reserve(m_keys.size());
    for (const Key& key : m_keys) {
        if (key.requests > 0) {
            peaks.push_back(key.states[window].peak);
        }
    }
    if (peaks.empty()) {
        return {};
    }
    std::sort(peaks.begin(), peaks.end());
    // The least value that so many in a hundred do not pass.
    const auto at
        = [&](std::size_t percent) { return peaks[(peaks.size() * percent + 99) / 100 - 1]; };
    return {at(50), at(99), peaks.back()};
}

std::vector<Peaks::Busiest> Peaks::busiest(std::size_t count) const
{
    std::vector<Busiest> all;
    const auto isBusier = [](const Busiest& left, const Busiest& right) {
        if (left.peaks[1] != right.peaks[1]) {
            return left.peaks[1] > right.peaks[1];
        }
        return left.requests != right.requests ? left.requests > right.requests
                                               : left.key < right.key;
    };
    for (const auto& [text, id] : m_ids) {
        const Key& key = m_keys[id];
        Busiest made {text, key.requests, {}};
        for (std::size_t i = 0; i < kWindows; ++i) {
            made.peaks[i] = key.states[i].peak;
        }
        if (all.size() < count || isBusier(made, all.back())) {
            all.insert(std::upper_bound(all.begin(), all.end(), made, isBusier), std::move(made));
            all.resize(std::min(all.size(), count));
        }
    }
    return all;
}

} // namespace app

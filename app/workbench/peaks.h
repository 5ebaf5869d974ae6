#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace app {

/// How fast each key went at its fastest: the most requests of one key in a whole second, minute
/// and hour of the clock (UTC). Requests in order of arrival.
///
/// Example: a client with 3 requests at 10:00:59.9 and 4 at 10:01:00.1 has a peak of 4 a second, 4
/// a minute and 7 an hour. One thread.
class Peaks {
public:
    static constexpr std::size_t kWindows = 3;
    static constexpr std::array<std::int64_t, kWindows> kWindowNs {1'000'000'000, 60'000'000'000,
                                                                   3'600'000'000'000};

    /// The number of a key, from 0 in order of first appearance.
    std::uint32_t keyOf(std::string_view text);
    void add(std::uint32_t key, std::int64_t timeNs);

    [[nodiscard]] std::size_t keyCount() const { return m_keys.size(); }

    struct Spread {
        std::uint32_t median = 0; ///< half of the keys peak at this or less
        std::uint32_t p99 = 0; ///< 99 in a hundred keys do
        std::uint32_t most = 0;
    };

    [[nodiscard]] Spread spread(std::size_t window) const;

    struct Busiest {
        std::string key;
        std::uint64_t requests = 0;
        std::array<std::uint32_t, kWindows> peaks {};
    };

    /// Those with the highest peak a minute; equal ones by requests, then by key.
    [[nodiscard]] std::vector<Busiest> busiest(std::size_t count) const;

private:
    struct State {
        std::int64_t index = 0; ///< of the window that is counted
        std::uint32_t count = 0;
        std::uint32_t peak = 0;
    };

    struct Key {
        std::uint64_t requests = 0;
        std::array<State, kWindows> states;
    };

    struct TextHash {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const
        {
            return std::hash<std::string_view> {}(text);
        }
    };

    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> m_ids;
    std::vector<Key> m_keys;
};

} // namespace app

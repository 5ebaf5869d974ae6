#include "engine/plan.h"

namespace engine {
namespace {

template <class Enum, std::size_t Count>
std::optional<Enum> find(const std::array<std::string_view, Count>& names, std::string_view name)
{
    for (std::size_t i = 0; i < Count; ++i) {
        if (names[i] == name) {
            return static_cast<Enum>(i);
        }
    }
    return std::nullopt;
}

constexpr std::array<std::string_view, kTierCount> kTierNames {"edge", "gateway", "endpoint",
                                                               "tenant"};
constexpr std::array<std::string_view, 7> kAlgorithmNames {
    "fixed_window", "sliding_window_log", "sliding_window_counter", "token_bucket", "leaky_bucket",
    "gcra",         "concurrency"};
constexpr std::array<std::string_view, 3> kModeNames {"enforce", "shadow", "off"};

} // namespace

std::string_view nameOf(Tier tier)
{
    return kTierNames[static_cast<std::size_t>(tier)];
}

std::string_view nameOf(Algorithm algorithm)
{
    return kAlgorithmNames[static_cast<std::size_t>(algorithm)];
}

std::string_view nameOf(Mode mode)
{
    return kModeNames[static_cast<std::size_t>(mode)];
}

std::optional<Tier> tierNamed(std::string_view name)
{
    return find<Tier>(kTierNames, name);
}

std::optional<Algorithm> algorithmNamed(std::string_view name)
{
    return find<Algorithm>(kAlgorithmNames, name);
}

std::optional<Mode> modeNamed(std::string_view name)
{
    return find<Mode>(kModeNames, name);
}

} // namespace engine

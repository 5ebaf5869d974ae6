#pragma once
#include <cstdint>
#include <string_view>

/// Draws of a replay: each follows from the seed and from what it is drawn for alone, so that the
/// order of work and the number of threads change nothing.
namespace engine::draws {

/// What a draw is for: draws for different things have nothing to do with each other.
enum class For : std::uint64_t { Shedding = 1, Server, Clock, Behaviour, Wait };

/// A 64-bit mix of which every bit depends on every bit (the finaliser of splitmix64).
constexpr std::uint64_t mix(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

/// One of 2^64 equally likely numbers. Example: of(1, For::Wait, 7, 2) is always the same.
constexpr std::uint64_t of(std::uint64_t seed, For purpose, std::uint64_t what,
                           std::uint64_t more = 0)
{
    constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;
    std::uint64_t x = mix(seed + kStep * static_cast<std::uint64_t>(purpose));
    x = mix(x + kStep * (what + 1));
    return mix(x + kStep * (more + 1));
}

/// The same for a text.
constexpr std::uint64_t of(std::uint64_t seed, For purpose, std::string_view what)
{
    std::uint64_t hash = 0xCBF29CE484222325; // FNV-1a
    for (const char c : what) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    return of(seed, purpose, hash, what.size());
}

} // namespace engine::draws

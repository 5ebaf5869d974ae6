#pragma once
#include "engine/attributes.h"
#include "engine/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace app {

/// The key of pseudonyms: with the same key a value has the same pseudonym everywhere.
struct MaskKey {
    std::array<std::uint64_t, 2> words {};

    /// From `--seed`: stable, and anyone who tries all values finds out which is which.
    static MaskKey ofSeed(std::uint64_t seed);
    /// From the bytes of `--mask-key FILE`: not guessable without the file.
    /// Errors: mask.key (fewer than 16 bytes).
    static engine::Result<MaskKey> ofBytes(std::string_view bytes);
};

/// SipHash-2-4 of `bytes` (Aumasson and Bernstein 2012): a keyed hash that cannot be computed, nor
/// its key found out, without the key. siphash of no bytes under the key bytes 00 to 0f is
/// 0x726fdb47dd0e0e31.
std::uint64_t sipHash(const MaskKey& key, std::string_view bytes);

/// Stands in for values that must not leave the house.
///
/// Addresses (and networks) keep their structure: two that share their first n bits have pseudonyms
/// that share exactly their first n bits (each of a list such as X-Forwarded-For by itself), so
/// that a rule by /24 or /64 decides the same over them (the prefix-preserving scheme of Xu, Fan,
/// Ammar and Moon 2002, with SipHash as the function). "192.0.2.7" may become "57.113.204.19", and
/// "192.0.2.8" then lies in 57.113.204.0/24, too. What is no address, and every other attribute,
/// becomes 20 letters and digits: 100 bits, so that two values never share a pseudonym. The
/// attribute's name goes in: the same text as user and as api_key has two pseudonyms.
///
/// One thread at a time (it remembers values that it met, up to a bound).
class Pseudonyms {
public:
    explicit Pseudonyms(MaskKey key)
        : m_key(key)
    {
    }

    [[nodiscard]] std::string of(std::string_view attribute, std::string_view value);

private:
    [[nodiscard]] std::string ofText(std::string_view attribute, std::string_view value) const;
    [[nodiscard]] engine::Address ofAddress(const engine::Address& address, std::size_t bits) const;

    MaskKey m_key;
    std::unordered_map<std::string, std::string> m_known;
};

} // namespace app

#include "app/workbench/pseudonym.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace app {
namespace {

constexpr std::size_t kLeastKeyBytes = 16;
constexpr std::size_t kMostKnown = 50'000;
constexpr std::size_t kLetters = 20;
// Without i, l, o and u: nobody reads a pseudonym for another, or for a word.
constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/// The state of SipHash.
struct Sip {
    std::uint64_t v0;
    std::uint64_t v1;
    std::uint64_t v2;
    std::uint64_t v3;

    explicit Sip(const MaskKey& key)
        : v0(key.words[0] ^ 0x736f6d6570736575U)
        , v1(key.words[1] ^ 0x646f72616e646f6dU)
        , v2(key.words[0] ^ 0x6c7967656e657261U)
        , v3(key.words[1] ^ 0x7465646279746573U)
    {
    }

    void rounds(int count)
    {
        for (int i = 0; i < count; ++i) {
            v0 += v1;
            v1 = std::rotl(v1, 13) ^ v0;
            v0 = std::rotl(v0, 32);
            v2 += v3;
            v3 = std::rotl(v3, 16) ^ v2;
            v0 += v3;
            v3 = std::rotl(v3, 21) ^ v0;
            v2 += v1;
            v1 = std::rotl(v1, 17) ^ v2;
            v2 = std::rotl(v2, 32);
        }
    }

    void take(std::uint64_t word)
    {
        v3 ^= word;
        rounds(2);
        v0 ^= word;
    }
};

std::uint64_t littleEndian(const char* at, std::size_t size)
{
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i) {
        word |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
    }
    return word;
}

/// "192.0.2.1, 10.0.0.7": X-Forwarded-For.
bool isAddressList(std::string_view value)
{
    while (!value.empty()) {
        const std::size_t comma = std::min(value.find(','), value.size());
        if (!engine::parseAddress(value.substr(0, comma))) {
            return false;
        }
        value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return true;
}

} // namespace

std::uint64_t sipHash(const MaskKey& key, std::string_view bytes)
{
    Sip sip(key);
    const std::size_t whole = bytes.size() / 8 * 8;
    for (std::size_t at = 0; at < whole; at += 8) {
        sip.take(littleEndian(bytes.data() + at, 8));
    }
    sip.take(littleEndian(bytes.data() + whole, bytes.size() - whole)
             | static_cast<std::uint64_t>(bytes.size()) << 56);
    sip.v2 ^= 0xFF;
    sip.rounds(4);
    return sip.v0 ^ sip.v1 ^ sip.v2 ^ sip.v3;
}

MaskKey MaskKey::ofSeed(std::uint64_t seed)
{
    return {{seed, ~seed}};
}

engine::Result<MaskKey> MaskKey::ofBytes(std::string_view bytes)
{
    if (bytes.size() < kLeastKeyBytes) {
        return engine::fail("mask.key",
                            fmt::format("the mask key has {} bytes; it needs {} at the least",
                                        bytes.size(), kLeastKeyBytes),
                            "make one: head -c 32 /dev/urandom > mask.key");
    }
    // Two hashes under fixed keys, so that all bytes of a longer file count.
    return MaskKey {{sipHash({{0, 1}}, bytes), sipHash({{2, 3}}, bytes)}};
}

std::string Pseudonyms::ofText(std::string_view attribute, std::string_view value) const
{
    std::string input(attribute);
    input += '\0';
    input += value;
    std::uint64_t high = sipHash(m_key, input);
    std::uint64_t low = sipHash({{~m_key.words[0], m_key.words[1]}}, input);
    std::string text(kLetters, '0');
    for (std::size_t i = 0; i < kLetters; ++i) {
        std::uint64_t& word = i < kLetters / 2 ? high : low;
        text[i] = kAlphabet[word % kAlphabet.size()];
        word /= kAlphabet.size();
    }
    return text;
}

/// Bit i of an address is flipped by a function of the bits before it and nothing else.
engine::Address Pseudonyms::ofAddress(const engine::Address& address, std::size_t bits) const
{
    engine::Address masked = address;
    std::array<char, 18> prefix {};
    prefix[0] = address.isIpv6 ? '6' : '4';
    for (std::size_t bit = 0; bit < bits; ++bit) {
        prefix[1] = static_cast<char>(bit);
        const std::uint64_t flip = sipHash(m_key, {prefix.data(), prefix.size()}) & 1U;
        const auto mask = static_cast<std::uint8_t>(0x80U >> bit % 8);
        if (flip != 0) {
            masked.bytes[bit / 8] ^= mask;
        }
        prefix[2 + bit / 8] = static_cast<char>(static_cast<std::uint8_t>(prefix[2 + bit / 8])
                                                | (address.bytes[bit / 8] & mask));
    }
    return masked;
}

std::string Pseudonyms::of(std::string_view attribute, std::string_view value)
{
    std::string known(attribute);
    known += '\0';
    known += value;
    if (const auto found = m_known.find(known); found != m_known.end()) {
        return found->second;
    }
    std::string pseudonym;
    const std::size_t comma = value.find(',');
    if (comma != std::string_view::npos && isAddressList(value)) {
        const std::size_t next = std::min(value.find_first_not_of(' ', comma + 1), value.size());
        return of(attribute, value.substr(0, comma)) + ", " + of(attribute, value.substr(next));
    }
    if (const auto address = engine::parseAddress(value)) {
        pseudonym = engine::toText(ofAddress(*address, address->isIpv6 ? 128 : 32));
    } else if (const auto network = engine::parseNetwork(value)) {
        pseudonym = fmt::format(
            "{}/{}",
            engine::toText(ofAddress(network->base, static_cast<std::size_t>(network->prefixBits))),
            network->prefixBits);
    } else {
        pseudonym = ofText(attribute, value);
    }
    if (m_known.size() >= kMostKnown) {
        m_known.clear();
    }
    m_known.emplace(std::move(known), pseudonym);
    return pseudonym;
}

} // namespace app

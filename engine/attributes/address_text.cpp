#include "engine/attributes/address_text.h"

#include "engine/attributes/text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace engine::attributes {
namespace {

int hexValue(char c)
{
    if (isDigit(c)) {
        return c - '0';
    }
    const char lower = toLower(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool readGroup(std::string_view text, std::uint16_t& group)
{
    if (text.empty() || text.size() > 4) {
        return false;
    }
    unsigned value = 0;
    for (const char c : text) {
        const int digit = hexValue(c);
        if (digit < 0) {
            return false;
        }
        value = value * 16 + static_cast<unsigned>(digit);
    }
    group = static_cast<std::uint16_t>(value);
    return true;
}

/// The groups of an IPv6 text, and where in them "::" stood.
struct Groups {
    std::array<std::uint16_t, 8> values {};
    std::size_t count = 0;
    std::optional<std::size_t> gap;

    bool addIpv4(std::string_view text)
    {
        std::uint32_t address = 0;
        if (count > 6 || !readIpv4(text, address)) {
            return false;
        }
        values[count++] = static_cast<std::uint16_t>(address >> 16);
        values[count++] = static_cast<std::uint16_t>(address & 0xFFFF);
        return true;
    }

    /// Spreads what stands behind the gap to the end.
    bool close()
    {
        if (!gap) {
            return count == 8;
        }
        if (count > 7) {
            return false;
        }
        std::array<std::uint16_t, 8> spread {};
        std::copy_n(values.begin(), *gap, spread.begin());
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(*gap), count - *gap,
                    spread.end() - static_cast<std::ptrdiff_t>(count - *gap));
        values = spread;
        return true;
    }
};

bool readGroups(std::string_view text, Groups& groups)
{
    std::size_t at = 0;
    if (text.starts_with("::")) {
        groups.gap = 0;
        at = 2;
    }
    while (at < text.size()) {
        const std::size_t end = text.find(':', at);
        const std::string_view part = text.substr(at, end == text.npos ? text.npos : end - at);
        if (end == text.npos && part.find('.') != part.npos) {
            return groups.addIpv4(part);
        }
        if (groups.count == 8 || !readGroup(part, groups.values[groups.count])) {
            return false;
        }
        ++groups.count;
        if (end == text.npos) {
            return true;
        }
        at = end + 1;
        if (at == text.size()) {
            return false; // a single colon at the end
        }
        if (text[at] == ':') {
            if (groups.gap) {
                return false;
            }
            groups.gap = groups.count;
            ++at;
        }
    }
    return true;
}

/// The digits of every octet, and how many they are.
struct OctetText {
    std::array<char, 3> digits {};
    std::uint8_t size = 0;
};

constexpr std::array<OctetText, 256> makeOctets()
{
    std::array<OctetText, 256> octets {};
    for (unsigned value = 0; value < 256; ++value) {
        OctetText& text = octets[value];
        for (const unsigned unit : {100U, 10U, 1U}) {
            if (value >= unit || unit == 1) {
                text.digits[text.size++] = static_cast<char>('0' + value / unit % 10);
            }
        }
    }
    return octets;
}

constexpr std::array<OctetText, 256> kOctets = makeOctets();

/// Writes three bytes, of which the ones behind the result do not count.
char* writeOctet(unsigned value, char* out)
{
    const OctetText& text = kOctets[value];
    std::memcpy(out, text.digits.data(), text.digits.size());
    return out + text.size;
}

char* writeIpv4(const Address& address, char* out)
{
    for (std::size_t i = 0; i < 4; ++i) {
        if (i > 0) {
            *out++ = '.';
        }
        out = writeOctet(address.bytes[i], out);
    }
    return out;
}

char* writeGroup(unsigned value, char* out)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    int shift = 12;
    while (shift > 0 && value >> shift == 0) {
        shift -= 4;
    }
    for (; shift >= 0; shift -= 4) {
        *out++ = kHex[(value >> shift) & 0xF];
    }
    return out;
}

/// The first of the longest runs of at least two zero groups (RFC 5952, 4.2): where, how long.
std::pair<std::size_t, std::size_t> longestZeros(const std::array<unsigned, 8>& groups)
{
    std::pair<std::size_t, std::size_t> best {8, 1};
    for (std::size_t i = 0; i < 8;) {
        std::size_t end = i;
        while (end < 8 && groups[end] == 0) {
            ++end;
        }
        if (end - i > best.second) {
            best = {i, end - i};
        }
        i = end + 1;
    }
    return best.first == 8 ? std::pair<std::size_t, std::size_t> {8, 0} : best;
}

char* writeIpv6(const Address& address, char* out)
{
    std::array<unsigned, 8> groups {};
    for (std::size_t i = 0; i < 8; ++i) {
        groups[i] = static_cast<unsigned>(address.bytes[2 * i] << 8 | address.bytes[2 * i + 1]);
    }
    const auto [zeros, zeroCount] = longestZeros(groups);
    for (std::size_t i = 0; i < 8;) {
        if (i == zeros) {
            *out++ = ':';
            *out++ = ':';
            i += zeroCount;
            continue;
        }
        if (i > 0 && i != zeros + zeroCount) {
            *out++ = ':';
        }
        out = writeGroup(groups[i], out);
        ++i;
    }
    return out;
}

} // namespace

bool readIpv4(std::string_view text, std::uint32_t& address)
{
    if (text.size() < 7 || text.size() > 15) {
        return false;
    }
    std::array<char, 20> padded {}; // so that looking at the next character needs no check
    std::memcpy(padded.data(), text.data(), text.size());
    const auto digitAt
        = [&padded](std::size_t i) { return static_cast<unsigned>(padded[i] - '0'); };
    std::size_t at = 0;
    std::uint32_t value = 0;
    for (int octet = 0; octet < 4; ++octet) {
        unsigned number = digitAt(at++);
        if (number > 9) {
            return false;
        }
        if (number != 0 && digitAt(at) <= 9) {
            number = number * 10 + digitAt(at++);
            if (digitAt(at) <= 9) {
                number = number * 10 + digitAt(at++);
            }
        }
        value = value << 8 | number;
        if (number > 255 || (octet < 3 && padded[at++] != '.')) {
            return false;
        }
    }
    address = value;
    return at == text.size();
}

bool readIpv6(std::string_view text, std::array<std::uint8_t, 16>& bytes)
{
    if (text.size() < 2 || text.size() > 45) {
        return false;
    }
    Groups groups;
    if (!readGroups(text, groups) || !groups.close()) {
        return false;
    }
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[2 * i] = static_cast<std::uint8_t>(groups.values[i] >> 8);
        bytes[2 * i + 1] = static_cast<std::uint8_t>(groups.values[i] & 0xFF);
    }
    return true;
}

Address addressOf(std::uint32_t ipv4)
{
    Address address;
    for (std::size_t i = 0; i < 4; ++i) {
        address.bytes[i] = static_cast<std::uint8_t>(ipv4 >> (24 - 8 * i));
    }
    return address;
}

Address addressOf(const std::array<std::uint8_t, 16>& bytes)
{
    Address address;
    const bool mapped
        = std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; })
        && bytes[10] == 0xFF && bytes[11] == 0xFF;
    if (mapped) {
        std::copy(bytes.begin() + 12, bytes.end(), address.bytes.begin());
    } else {
        address.bytes = bytes;
        address.isIpv6 = true;
    }
    return address;
}

Address masked(const Address& address, int bits)
{
    Address result = address;
    for (std::size_t i = 0; i < 16; ++i) {
        const int keep = std::clamp(bits - static_cast<int>(8 * i), 0, 8);
        result.bytes[i] = static_cast<std::uint8_t>(result.bytes[i] & (0xFF00 >> keep));
    }
    return result;
}

std::size_t formatNetwork(const Address& address, int bits, char* out)
{
    const int most = address.isIpv6 ? 128 : 32;
    bits = std::clamp(bits, 0, most);
    char* end = out + formatAddress(masked(address, bits), out);
    *end++ = '/';
    end = writeOctet(static_cast<unsigned>(bits), end);
    return static_cast<std::size_t>(end - out);
}

std::size_t formatNetwork(std::uint32_t ipv4, int bits, char* out)
{
    bits = std::clamp(bits, 0, 32);
    const std::uint32_t network = bits == 0 ? 0 : ipv4 & (0xFFFFFFFFU << (32 - bits));
    char* end = out;
    for (int shift = 24; shift >= 0; shift -= 8) {
        end = writeOctet(network >> shift & 0xFF, end);
        *end++ = shift == 0 ? '/' : '.';
    }
    end = writeOctet(static_cast<unsigned>(bits), end);
    return static_cast<std::size_t>(end - out);
}

} // namespace engine::attributes

namespace engine {

std::size_t formatAddress(const Address& address, char* out)
{
    char* const end = address.isIpv6 ? attributes::writeIpv6(address, out)
                                     : attributes::writeIpv4(address, out);
    return static_cast<std::size_t>(end - out);
}

} // namespace engine

#include "engine/attributes.h"

#include "engine/attributes/address_text.h"
#include "engine/attributes/normal_form.h"
#include "engine/attributes/segment_pattern.h"
#include "engine/attributes/text.h"

#include <algorithm>
#include <cstring>

namespace engine {
namespace {

using attributes::isBlank;
using attributes::isDigit;

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isBlank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string quoted(std::string_view text)
{
    std::string result(1, '`');
    result += text;
    result += '`';
    return result;
}

bool isPort(std::string_view text)
{
    return !text.empty() && text.size() <= 5 && std::all_of(text.begin(), text.end(), isDigit);
}

std::optional<Address> readAddress(std::string_view text)
{
    std::uint32_t ipv4 = 0;
    if (attributes::readIpv4(text, ipv4)) {
        return attributes::addressOf(ipv4);
    }
    const std::size_t zone = text.find('%');
    if (zone != text.npos && std::any_of(text.begin(), text.end(), isBlank)) {
        return std::nullopt;
    }
    std::array<std::uint8_t, 16> bytes {};
    if (!attributes::readIpv6(text.substr(0, zone), bytes)) {
        return std::nullopt;
    }
    return attributes::addressOf(bytes);
}

Failure badNetwork(std::string_view text)
{
    return fail("attribute.network", quoted(text) + " is no address and no address block",
                "write an address such as `192.0.2.1`, or a block such as `192.0.2.0/24` or "
                "`2001:db8::/32`");
}

Failure badBits(std::string_view text, int most)
{
    return fail("attribute.network", quoted(text) + " has no prefix length that its family has",
                "write a whole number from 0 to " + std::to_string(most) + " behind the `/`");
}

Failure badPattern(std::string message, std::string help)
{
    return fail("attribute.pattern", std::move(message), std::move(help));
}

bool isName(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        const char lower = attributes::toLower(c);
        return isDigit(c) || (lower >= 'a' && lower <= 'z') || c == '_' || c == '-';
    });
}

/// `{name}` written well, or the failure that says why not.
Status checkCapture(std::string_view braces, std::vector<std::string>& names)
{
    const bool closed = braces.size() >= 2 && braces.front() == '{' && braces.back() == '}';
    const std::string_view name = closed ? braces.substr(1, braces.size() - 2) : std::string_view();
    if (!closed || !isName(name)) {
        return badPattern(quoted(braces) + " is no name in braces",
                          "write `{name}` with letters, digits, `-` and `_`");
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
        return badPattern("the name " + quoted(name) + " stands twice in the pattern",
                          "give each `{name}` a name of its own");
    }
    names.emplace_back(name);
    return Done {};
}

Result<std::vector<std::string>> segmentCaptures(std::string_view pattern, char separator)
{
    std::vector<std::string> names;
    attributes::Segments segments;
    segments.cut(pattern, separator);
    const std::string part = separator == '/' ? "segment" : "label";
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string_view segment = segments[i];
        const bool braces = segment.find_first_of("{}") != segment.npos;
        if (braces && (segment.front() != '{' || segment.find('}') + 1 != segment.size())) {
            return badPattern(quoted(segment) + " mixes a name in braces with other text",
                              "let `{name}` be a whole " + part);
        }
        if (braces) {
            const Status status = checkCapture(segment, names);
            if (!status) {
                return fail(status.error());
            }
        } else if (segment.find("**") != segment.npos && segment != "**") {
            return badPattern(quoted(segment) + " has `**` inside a " + part,
                              "write `**` as a whole " + part + ", or one `*`");
        }
    }
    return names;
}

Result<std::vector<std::string>> textCaptures(std::string_view pattern)
{
    std::vector<std::string> names;
    const std::size_t open = pattern.find('{');
    const std::size_t close = open == pattern.npos ? open : pattern.find('}', open);
    if (close == pattern.npos) {
        return badPattern(quoted(pattern) + " has no name in braces",
                          "write the text around one `{name}`, such as `Bearer {api_key}`");
    }
    const Status status = checkCapture(pattern.substr(open, close + 1 - open), names);
    if (!status) {
        return fail(status.error());
    }
    const std::string_view before = pattern.substr(0, open);
    const std::string_view after = pattern.substr(close + 1);
    if (before.find('}') != before.npos || after.find_first_of("{}") != after.npos) {
        return badPattern(quoted(pattern) + " has more braces than those of one name",
                          "write literal text around one `{name}`");
    }
    return names;
}

} // namespace

bool isBuiltIn(std::string_view attribute)
{
    return std::find(kBuiltInAttributes.begin(), kBuiltInAttributes.end(), attribute)
        != kBuiltInAttributes.end();
}

std::optional<Address> parseAddress(std::string_view text)
{
    text = trimmed(text);
    if (text.empty()) {
        return std::nullopt;
    }
    if (text.front() == '[') {
        const std::size_t close = text.find(']');
        if (close == text.npos) {
            return std::nullopt;
        }
        const std::string_view rest = text.substr(close + 1);
        if (!rest.empty() && (rest.front() != ':' || !isPort(rest.substr(1)))) {
            return std::nullopt;
        }
        return readAddress(text.substr(1, close - 1));
    }
    const std::size_t colon = text.find(':');
    if (colon != text.npos && isPort(text.substr(colon + 1))) {
        std::uint32_t ipv4 = 0;
        if (attributes::readIpv4(text.substr(0, colon), ipv4)) {
            return attributes::addressOf(ipv4);
        }
    }
    return readAddress(text);
}

std::string toText(const Address& address)
{
    std::array<char, 46> text {};
    return {text.data(), formatAddress(address, text.data())};
}

Result<Network> parseNetwork(std::string_view text)
{
    const std::size_t slash = text.find('/');
    const std::string_view base = text.substr(0, slash);
    std::array<std::uint8_t, 16> bytes {};
    std::uint32_t ipv4 = 0;
    const bool isIpv4 = attributes::readIpv4(base, ipv4);
    if (!isIpv4 && !attributes::readIpv6(base, bytes)) {
        return badNetwork(text);
    }
    Address written; // as it was written, so that the bits mean what the writer meant
    written.bytes = isIpv4 ? attributes::addressOf(ipv4).bytes : bytes;
    written.isIpv6 = !isIpv4;
    const int most = isIpv4 ? 32 : 128;
    int bits = most;
    if (slash != text.npos) {
        const std::string_view digits = text.substr(slash + 1);
        const std::optional<std::int64_t> value = attributes::digitsValue(digits);
        if (!value || *value > most || (digits.size() > 1 && digits.front() == '0')) {
            return badBits(text, most);
        }
        bits = static_cast<int>(*value);
    }
    const Address network = attributes::masked(written, bits);
    if (network.bytes != written.bytes) {
        const std::string meant = toText(network) + "/" + std::to_string(bits);
        return fail("attribute.network", quoted(text) + " has bits set behind its prefix",
                    "write `" + meant + "` for the block, or `" + toText(written)
                        + "` for the one address");
    }
    const Address address = isIpv4 ? written : attributes::addressOf(bytes);
    return Network {address, isIpv4 || address.isIpv6 ? bits : bits - 96};
}

bool contains(const Network& network, const Address& address)
{
    if (network.base.isIpv6 != address.isIpv6) {
        return false;
    }
    const auto whole = static_cast<std::size_t>(network.prefixBits / 8);
    if (std::memcmp(network.base.bytes.data(), address.bytes.data(), whole) != 0) {
        return false;
    }
    const int rest = network.prefixBits % 8;
    return rest == 0
        || ((network.base.bytes[whole] ^ address.bytes[whole]) & (0xFF00 >> rest) & 0xFF) == 0;
}

std::string_view normalise(std::string_view attribute, std::string_view value, std::string& out)
{
    std::string buffer(attributes::normalFormRoom(value.size()), '\0');
    const std::string_view normal
        = attributes::toNormalForm(attributes::normalFormOf(attribute), value, buffer.data());
    if (normal.data() != buffer.data()) {
        return normal;
    }
    out.assign(normal);
    return out;
}

Result<std::vector<std::string>> capturesOf(std::string_view attribute, std::string_view pattern)
{
    if (pattern.empty()) {
        return badPattern("the pattern is empty", "write what the whole value looks like");
    }
    if (attribute == "path") {
        if (pattern.front() != '/' && pattern.front() != '*') {
            return badPattern(quoted(pattern) + " matches no path, because paths begin with `/`",
                              "write " + quoted('/' + std::string(pattern)));
        }
        return segmentCaptures(pattern, '/');
    }
    return attribute == "host" ? segmentCaptures(pattern, '.') : textCaptures(pattern);
}

} // namespace engine

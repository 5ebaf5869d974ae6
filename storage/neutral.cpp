#include "storage/neutral.h"

#include "engine/attributes.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace storage {
namespace {

constexpr std::array<std::string_view, 9> kOwnNames {"time_ns",   "time",     "duration_ns",
                                                     "duration",  "stamp_ns", "resolution_ns",
                                                     "logged_ns", "file",     "line"};

void appendNumber(std::int64_t value, std::string& out)
{
    std::array<char, 24> digits {};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), written.ptr);
}

void appendNamed(std::string_view label, std::int64_t value, std::string& out)
{
    out += label;
    appendNumber(value, out);
}

/// Length of the valid UTF-8 sequence of two to four bytes at the start of `bytes`, or 0.
std::size_t sequenceLength(std::string_view bytes)
{
    const auto at = [&](std::size_t i) {
        return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
    };
    const auto follows = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
    const unsigned first = at(0);
    if (first >= 0xC2 && first <= 0xDF) {
        return follows(1) ? 2 : 0;
    }
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && at(1) < 0xA0;
        const bool surrogate = first == 0xED && at(1) > 0x9F;
        return !overlong && !surrogate && follows(1) && follows(2) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && at(1) < 0x90;
        const bool beyond = first == 0xF4 && at(1) > 0x8F;
        return !overlong && !beyond && follows(1) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

/// Control characters, and those that are invisible or turn the direction of a text: none of them
/// belongs on a terminal.
bool isUnseen(std::string_view sequence)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
    const auto within = [](unsigned byte, unsigned first, unsigned last) {
        return byte >= first && byte <= last;
    };
    if (sequence.size() == 2) {
        return (at(0) == 0xC2 && at(1) < 0xA0) || sequence == "\xD8\x9C"; // U+0080.. U+061C
    }
    if (sequence.size() != 3) {
        return false;
    }
    if (at(0) == 0xE2 && at(1) == 0x80) { // U+200B..200F, U+2028..202E
        return within(at(2), 0x8B, 0x8F) || within(at(2), 0xA8, 0xAE);
    }
    return (at(0) == 0xE2 && at(1) == 0x81 && within(at(2), 0xA0, 0xA9)) // U+2060..2069
        || sequence == "\xEF\xBB\xBF"; // U+FEFF
}

/// A number that JSON and the reader give back with the same digits.
bool isPlainNumber(std::string_view text)
{
    constexpr std::size_t kMostDigits = 18;
    const bool digits
        = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !text.empty() && text.size() <= kMostDigits
        && (text.size() == 1 || text[0] != '0');
}

/// The stamp as the log had it: without a place in its second that an earlier conversion gave.
std::int64_t loggedStamp(const engine::Request& request)
{
    if (request.originalLine == 0 || request.resolutionNs <= 0) {
        return request.stampNs;
    }
    const std::int64_t part = request.stampNs % request.resolutionNs;
    std::int64_t logged = 0;
    const bool fits = !__builtin_sub_overflow(
        request.stampNs, part < 0 ? part + request.resolutionNs : part, &logged);
    return fits ? logged : request.stampNs;
}

void appendString(std::string_view bytes, std::string& out)
{
    out += '"';
    appendNeutralText(bytes, out);
    out += '"';
}

} // namespace

void appendNeutralText(std::string_view bytes, std::string& out)
{
    constexpr std::string_view kHex = "0123456789ABCDEF";
    for (std::size_t i = 0; i < bytes.size();) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (byte == '"') {
            out += "\\\"";
            ++i;
        } else if (byte == '\\') {
            out += R"(\\\\)"; // two, each escaped for JSON
            ++i;
        } else if (byte >= 0x20 && byte < 0x7F) {
            out += bytes[i++];
        } else if (const std::size_t length = sequenceLength(bytes.substr(i)); length > 0) {
            const bool unseen = isUnseen(bytes.substr(i, length));
            for (std::size_t end = i + length; i < end; ++i) {
                const auto part = static_cast<unsigned char>(bytes[i]);
                if (unseen) {
                    out.append(R"(\\x)").append({kHex[part >> 4], kHex[part & 15]});
                } else {
                    out += bytes[i];
                }
            }
        } else {
            out.append(R"(\\x)").append({kHex[byte >> 4], kHex[byte & 15]});
            ++i;
        }
    }
}

NeutralWriter::NeutralWriter(std::vector<std::string> fields)
{
    for (const auto& name : fields) {
        Field field;
        field.label = ", ";
        appendString(name, field.label);
        field.label += ": ";
        if (std::find(kOwnNames.begin(), kOwnNames.end(), name) != kOwnNames.end()) {
            field.kind = Kind::Skip;
        } else if (name == "status") {
            field.kind = Kind::Status;
        } else if (name == "client_ip") {
            field.kind = Kind::Client;
        } else if (name == "bytes") {
            field.kind = Kind::Number;
        }
        m_fields.push_back(std::move(field));
    }
}

void NeutralWriter::appendHead(std::int64_t timeNs, std::string& out)
{
    appendNamed("{\"time_ns\": ", timeNs, out);
}

void NeutralWriter::appendHead(std::int64_t timeNs, std::int64_t stampNs, std::string& out)
{
    appendHead(timeNs, out);
    appendNamed(", \"stamp_ns\": ", stampNs, out);
}

void NeutralWriter::appendTail(const engine::Request& request, const std::string_view* values,
                               std::string& out) const
{
    if (request.durationNs >= 0) {
        appendNamed(", \"duration_ns\": ", request.durationNs, out);
    }
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        const Field& field = m_fields[i];
        std::string normal;
        const std::string_view value = field.kind == Kind::Client
            ? engine::normalise("client_ip", values[i], normal)
            : values[i];
        const bool unsent = field.kind == Kind::Status && isPlainNumber(value) && value.size() < 3;
        if (field.kind == Kind::Skip || value.empty() || unsent) {
            continue;
        }
        out += field.label;
        const bool isNumber = field.kind == Kind::Status || field.kind == Kind::Number;
        if (isNumber && isPlainNumber(value)) {
            out += value;
        } else {
            appendString(value, out);
        }
    }
    const bool neutral = request.originalLine > 0;
    appendNamed(", \"file\": ", neutral ? request.originalFile : request.file, out);
    appendNamed(", \"line\": ",
                static_cast<std::int64_t>(neutral ? request.originalLine : request.line), out);
    appendNamed(", \"logged_ns\": ", loggedStamp(request), out);
    if (request.resolutionNs > 0) {
        appendNamed(", \"resolution_ns\": ", request.resolutionNs, out);
    }
    out += "}\n";
}

void NeutralWriter::append(const engine::Request& request, const std::string_view* values,
                           std::string& out) const
{
    if (request.resolutionNs > 0) {
        appendHead(request.timeNs, request.stampNs, out);
    } else {
        appendHead(request.timeNs, out);
    }
    appendTail(request, values, out);
}

} // namespace storage

#include "storage/logs/row_pattern.h"

#include "storage/logs/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace storage::logs {
namespace {

/// Whether an odd number of backslashes stands before `at`.
bool isEscaped(const char* from, const char* at)
{
    bool escaped = false;
    while (at > from && at[-1] == '\\') {
        escaped = !escaped;
        --at;
    }
    return escaped;
}

/// Whether `literal` stands at `at`, where its first character does.
bool standsAt(const char* at, std::string_view literal)
{
    switch (literal.size()) { // almost all are so short
    case 1:
        return true;
    case 2:
        return at[1] == literal[1];
    case 3:
        return at[1] == literal[1] && at[2] == literal[2];
    default:
        return std::memcmp(at, literal.data(), literal.size()) == 0;
    }
}

/// A blank inside a list: "a, b", "a : b".
bool isListBlank(const char* from, const char* blank, const char* end)
{
    const bool afterComma = blank > from
        && (blank[-1] == ',' || (blank[-1] == ':' && blank - from > 1 && blank[-2] == ' '));
    return afterComma || (end - blank > 2 && blank[1] == ':' && blank[2] == ' ');
}

constexpr std::ptrdiff_t kLongestStamp = 40;

/// Whether a stamp begins behind the last " [" before `end`: what stands before it is the end of a
/// user's name that has such a bracket of its own.
bool hasStampBefore(const char* from, const char* end)
{
    const std::string_view text(from, static_cast<std::size_t>(end - from));
    const auto open = text.rfind(" [");
    const std::string_view stamp = open == std::string_view::npos ? text : text.substr(open + 2);
    return stamp.size() < text.size() && stamp.size() > 3
        && static_cast<std::ptrdiff_t>(stamp.size()) <= kLongestStamp && isDigit(stamp[0])
        && stamp[2] == '/';
}

/// Fields whose values never hold a blank.
bool isWord(std::string_view field)
{
    constexpr std::array<std::string_view, 20> kWords {
        "status",       "original_status", "body_bytes_sent", "bytes_sent", "request_length",
        "request_time", "request_time_us", "request_time_ms", "msec",       "elapsed",
        "remote_addr",  "remote_port",     "server_port",     "request_id", "req_id",
        "connection",   "request_method",  "scheme",          "pid",        "bytes_transferred"};
    return std::find(kWords.begin(), kWords.end(), field) != kWords.end();
}

} // namespace

void RowPattern::addLiteral(std::string_view text)
{
    (m_tokens.empty() ? m_prefix : m_tokens.back().literal) += text;
}

void RowPattern::addToken(Token token)
{
    m_tokens.push_back(std::move(token));
}

std::vector<std::string> RowPattern::fields() const
{
    std::vector<std::string> names;
    for (const Token& token : m_tokens) {
        names.push_back(token.field);
    }
    return names;
}

engine::Status RowPattern::settle(bool hasEscapes, std::string_view sign, std::string_view help)
{
    m_hasEscapes = hasEscapes;
    if (m_tokens.empty() || m_tokens.size() > kMaxFields) {
        return engine::fail("log.format",
                            fmt::format("the format has {} variables; 1 to {} can be read",
                                        m_tokens.size(), kMaxFields),
                            std::string(help));
    }
    std::string& tail = m_tokens.back().literal;
    while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r')) {
        tail.pop_back();
    }
    for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
        Token& token = m_tokens[i];
        const Token& next = m_tokens[i + 1];
        if (token.literal.empty() && next.isTarget) {
            token.literal = "/";
            token.keepsLiteral = true;
        }
        if (token.literal.empty() && !token.clock) {
            return engine::fail(
                "log.format",
                fmt::format("{0}{1} and {0}{2} stand side by side and cannot be told apart", sign,
                            token.field, next.field),
                "put something between them, a blank or quotes");
        }
        token.lastColon = token.literal == ":" && token.isAddress && !next.literal.empty();
    }
    m_count = m_tokens.size();
    m_lastIsWord = isWord(m_tokens.back().field) && !m_tokens.back().isList;
    m_free = m_tokens.size();
    int most = 0;
    for (std::size_t i = 0; i + 1 < m_tokens.size(); ++i) {
        const std::string& literal = m_tokens[i].literal;
        const bool isLoose = literal == " " || (!hasEscapes && literal.starts_with('"'));
        const int rank = isLoose ? m_tokens[i].blankness : 0;
        if (rank > most) {
            most = rank;
            m_free = i;
        }
    }
    makeSteps();
    return engine::Done {};
}

void RowPattern::makeSteps()
{
    m_steps.clear();
    for (std::size_t i = 0; m_prefix.empty() && i < m_tokens.size(); ++i) {
        const Token& token = m_tokens[i];
        const bool isPlain = i != m_free && !token.clock && !token.keepsLiteral && !token.lastColon
            && token.literal.size() <= sizeof(Step::literal);
        if (!isPlain || (token.literal.empty() && i + 1 < m_tokens.size())) {
            return;
        }
        Step step;
        step.size = static_cast<std::uint8_t>(token.literal.size());
        std::memcpy(&step.literal, token.literal.data(), step.size);
        std::memset(&step.mask, 0xFF, step.size);
        step.first = _mm_set1_epi8(token.literal.empty() ? '\0' : token.literal.front());
        step.kind = Step::kindOf(token);
        m_steps.push_back(step);
    }
}

const char* RowPattern::findLiteral(const char* from, const char* end, std::string_view literal,
                                    bool isList) const
{
    const char first = literal.front();
    const std::size_t size = literal.size();
    const bool quoted = first == '"' && m_hasEscapes;
    for (const char* at = from;; ++at) {
        at = findByte(at, end, first);
        if (at == end || static_cast<std::size_t>(end - at) < size) {
            return nullptr;
        }
        if (!standsAt(at, literal) || (quoted && isEscaped(from, at))
            || (isList && size == 1 && first == ' ' && isListBlank(from, at, end))) {
            continue;
        }
        return at;
    }
}

/// Where a stamp ends behind which "]" is missing, or nullptr.
const char* RowPattern::endWithoutBracket(const char* from, const char* end,
                                          std::string_view literal, std::size_t& size) const
{
    constexpr std::ptrdiff_t kZoneAt = 20; // in 28/Nov/2026:00:00:00 +0000
    const std::string_view open = literal.substr(1);
    if (open.empty()) {
        return nullptr;
    }
    const char* found = findLiteral(from, end, open, false);
    const bool isZone
        = found != nullptr && found - from == kZoneAt && (found[1] == '+' || found[1] == '-');
    found = isZone ? findLiteral(found + 1, end, open, false) : found;
    size = open.size();
    return found != nullptr && found - from <= kLongestStamp ? found : nullptr;
}

/// Where the value of a token that has a literal ends, or nullptr. `size`: what to skip there.
const char* RowPattern::findEnd(const char* from, const char* end, std::size_t index,
                                std::size_t& size) const
{
    const Token& token = m_tokens[index];
    size = token.keepsLiteral ? 0 : token.literal.size();
    if (token.clock) {
        const char* const stop = token.clock->endOf(from, end);
        return stop != nullptr && view(stop, end).starts_with(token.literal) ? stop : nullptr;
    }
    const char* found = findLiteral(from, end, token.literal, token.isList);
    if (found != nullptr && token.lastColon) {
        const Token& next = m_tokens[index + 1];
        const char* stop = findLiteral(found, end, next.literal, next.isList);
        for (stop = stop == nullptr ? end : stop; stop > found && *stop != ':'; --stop) { }
        found = stop;
    }
    const bool isFar = found == nullptr || found - from > kLongestStamp;
    if (token.mayLackBracket && isFar && (found == nullptr || !hasStampBefore(from, found))) {
        return endWithoutBracket(from, end, token.literal, size);
    }
    return found;
}

const char* RowPattern::endOfList(const char* from, const char* end) const
{
    const char* const blank = findLiteral(from, end, " ", true);
    return blank == nullptr ? end : blank;
}

std::size_t RowPattern::cut(std::string_view line, std::size_t last, Values values,
                            bool& exact) const
{
    const char* at = line.data();
    const char* const end = at + line.size();
    const std::size_t count = m_tokens.size();
    exact = false;
    if (!m_prefix.empty() && !line.starts_with(m_prefix)) {
        values[0] = line.substr(0, 0);
        return 0;
    }
    at += m_prefix.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i == m_free) {
            const bool fits = cutFromRight(at, end, values);
            exact = fits;
            return fits ? count : i;
        }
        if (m_tokens[i].literal.empty() && i + 1 == count) {
            values[i] = view(at, endOfLast(at, end));
            exact = values[i].data() + values[i].size() == end;
            return count;
        }
        std::size_t size = 0;
        const char* const found = findEnd(at, end, i, size);
        if (found == nullptr) {
            values[i] = view(at, end);
            return i;
        }
        values[i] = view(at, found);
        if (i >= last) {
            exact = i + 1 == count && found + size == end;
            return count;
        }
        at = found + size;
    }
    exact = at == end;
    return count;
}

const char* RowPattern::findOdd(const Step& step, const char* from, const char* end)
{
    const char* const found = findBytes(from, end, step.first);
    const bool isPlain = step.kind == Step::Kind::Stamp ? found - from <= kLongestStamp
                                                        : !isListBlank(from, found, end);
    return isPlain ? found : end;
}

RowPattern::Step::Kind RowPattern::Step::kindOf(const Token& token)
{
    if (token.literal.empty()) {
        return Kind::Tail;
    }
    if (token.mayLackBracket) {
        return Kind::Stamp;
    }
    if (token.isList && token.literal == " ") {
        return Kind::List;
    }
    return token.literal.starts_with('"') ? Kind::Quoted : Kind::Word;
}

bool RowPattern::cutFromRight(const char* from, const char* end, Values values) const
{
    const std::string& tail = m_tokens.back().literal;
    if (!view(from, end).ends_with(tail)) {
        values[m_free] = view(from, end);
        return false;
    }
    end -= tail.size();
    for (std::size_t i = m_tokens.size() - 1; i > m_free; --i) {
        const Token& before = m_tokens[i - 1];
        const std::string& literal = before.literal;
        std::size_t room = static_cast<std::size_t>(end - from);
        const char* found = nullptr;
        while (found == nullptr) {
            const auto position = view(from, from + room).rfind(literal);
            if (position == std::string_view::npos) {
                values[m_free] = view(from, end);
                return false;
            }
            const char* const at = from + position;
            const bool inside = literal == " " && m_tokens[i].isList && isListBlank(from, at, end);
            if (inside) {
                room = position;
            } else {
                found = at;
            }
        }
        values[i] = view(before.keepsLiteral ? found : found + literal.size(), end);
        end = found;
    }
    values[m_free] = view(from, end);
    return true;
}

} // namespace storage::logs

#pragma once
#include "engine/result.h"
#include "storage/logs/line_marks.h"
#include "storage/logs/time_pattern.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <emmintrin.h>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// Cuts a line by the literals between its values. What nginx's log_format and Apache's LogFormat
/// are made into.
///
/// "$remote_addr - $status" is the literal "", {remote_addr, " - "}, {status, ""}.
class RowPattern {
public:
    struct Token {
        std::string field;
        std::string literal; ///< behind it
        bool isList = false; ///< a value may hold ", " and " : "
        bool isTarget = false; ///< a value begins with a slash
        bool isAddress = false; ///< a value may hold colons of its own
        bool mayLackBracket = false; ///< a stamp whose "]" some exports drop
        int blankness = 0; ///< how likely a value holds blanks of its own; 0: never
        std::shared_ptr<const TimePattern> clock {}; ///< says where the value, a stamp, ends
        bool isEnd = false; ///< the clock is of a request's end

        // Told by settle():
        bool keepsLiteral = false; ///< the literal begins the next value ($host$request_uri)
        bool lastColon = false; ///< "address:port": the last colon before the next literal
    };

    static constexpr std::size_t kMaxFields = 96;
    using Values = std::span<std::string_view>; ///< of kMaxFields

    void addLiteral(std::string_view text);
    void addToken(Token token);
    /// Text that goes on behind the last literal, or the value that it stands for, is all there.
    /// `sign` is what a variable begins with in messages, `help` what to do about them.
    ///
    /// Errors: log.format (no fields or too many; two values side by side).
    engine::Status settle(bool hasEscapes, std::string_view sign, std::string_view help);

    /// Cuts `line` into values[0 .. result). Values behind the result are not there or, at the
    /// result itself, cut by the end of the line: values[result] is what there is of it.
    /// `exact`: all were there and nothing is left over. Stops behind token `last`.
    std::size_t cut(std::string_view line, std::size_t last, Values values, bool& exact) const;

    /// The same, quicker, for a plain line (LineMarks::isPlain) in which the first byte of each
    /// literal up to the one behind token `last` begins that literal, as in most lines. `marks`
    /// are of it; `last` is below plainCount(). False: cut() has to look at it.
    bool cutPlain(std::string_view line, const LineMarks& marks, std::size_t last, Values values,
                  bool& exact) const
    {
        const char* at = line.data();
        const char* const end = at + line.size();
        const bool isTail = m_steps[last].kind == Step::Kind::Tail;
        const Step* const stop = m_steps.data() + last + (isTail ? 0 : 1);
        std::string_view* value = values.data();
        for (const Step* step = m_steps.data(); step < stop; ++step, ++value) {
            const char* found = end;
            if (step->kind == Step::Kind::Word) {
                found = findBytes(at, end, step->first);
            } else if (step->kind == Step::Kind::Quoted) {
                found = marks.next(at);
            } else {
                found = findOdd(*step, at, end);
            }
            if (found >= end || !step->standsAt(found)) {
                return false;
            }
            *value = view(at, found);
            at = found + step->size;
        }
        if (isTail) {
            const char* const found = endOfLast(at, end);
            *value = view(at, found);
            exact = found == end;
        } else {
            exact = last + 1 == m_count && at == end;
        }
        return at <= end;
    }

    /// How many tokens, from the first, cutPlain() can cut.
    [[nodiscard]] std::size_t plainCount() const { return m_steps.size(); }

    /// Of tokens, once settled.
    [[nodiscard]] std::size_t count() const { return m_count; }

    [[nodiscard]] const std::vector<Token>& tokens() const { return m_tokens; }

    [[nodiscard]] std::vector<Token>& tokens() { return m_tokens; }

    [[nodiscard]] std::vector<std::string> fields() const;

private:
    /// What cutPlain() needs of a token, side by side.
    struct Step {
        enum class Kind : std::uint8_t {
            Word, ///< ends with the first byte of the literal behind it
            Quoted, ///< which is a quote
            Stamp, ///< Token::mayLackBracket
            List, ///< Token::isList, and a blank may be one of the list
            Tail ///< the last one, without a literal
        };

        __m128i first {}; ///< the first byte of the literal, 16 times
        std::uint64_t literal = 0; ///< as its bytes lie in memory
        std::uint64_t mask = 0; ///< ones for its bytes
        std::uint8_t size = 0;
        Kind kind = Kind::Word;

        static Kind kindOf(const Token& token);

        [[nodiscard]] bool standsAt(const char* at) const
        {
            std::uint64_t bytes = 0; // there is padding behind every line
            std::memcpy(&bytes, at, sizeof bytes);
            return (bytes & mask) == literal;
        }
    };

    static std::string_view view(const char* from, const char* end)
    {
        return {from, static_cast<std::size_t>(end - from)};
    }

    /// Where a stamp or a list ends; the end or behind it: cut() has to look.
    [[nodiscard]] static const char* findOdd(const Step& step, const char* from, const char* end);
    void makeSteps();
    [[nodiscard]] const char* findLiteral(const char* from, const char* end,
                                          std::string_view literal, bool isList) const;
    [[nodiscard]] const char* endWithoutBracket(const char* from, const char* end,
                                                std::string_view literal, std::size_t& size) const;
    [[nodiscard]] const char* findEnd(const char* from, const char* end, std::size_t index,
                                      std::size_t& size) const;

    /// Where the value of the last token ends that has nothing behind it: where the line does, or
    /// where the one word ends that it must be.
    [[nodiscard]] const char* endOfLast(const char* from, const char* end) const
    {
        if (m_lastIsWord) {
            return findByte(from, end, ' ');
        }
        return m_tokens.back().isList ? endOfList(from, end) : end;
    }

    [[nodiscard]] const char* endOfList(const char* from, const char* end) const;
    [[nodiscard]] bool cutFromRight(const char* from, const char* end, Values values) const;

    std::string m_prefix;
    std::vector<Token> m_tokens;
    std::size_t m_count = 0; ///< of tokens
    std::vector<Step> m_steps; ///< of the first tokens, as far as they are plain
    std::size_t m_free
        = 0; ///< the token whose value may hold its own literal; tokens().size(): none
    bool m_lastIsWord = false; ///< and no list
    bool m_hasEscapes = true; ///< a quote behind a backslash is part of its value
};

} // namespace storage::logs

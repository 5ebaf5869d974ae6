#pragma once
#include "engine/result.h"
#include "storage/logs/line_marks.h"
#include "storage/logs/time_pattern.h"

#include <array>
#include <cstddef>
#include <cstdint>
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

    /// The same for a line without a backslash and with all values up to `last`, which most lines
    /// are. `marks` cover it. False: cut() has to look at it.
    bool cutPlain(std::string_view line, const LineMarks& marks, std::size_t last, Values values,
                  bool& exact) const;

    [[nodiscard]] const std::vector<Token>& tokens() const { return m_tokens; }

    [[nodiscard]] std::vector<Token>& tokens() { return m_tokens; }

    [[nodiscard]] std::vector<std::string> fields() const;

private:
    /// What cutPlain() needs of a token, side by side.
    struct Step {
        std::uint64_t literal = 0; ///< behind the value, as its bytes lie in memory
        std::uint64_t mask = 0; ///< ones for its bytes
        std::uint8_t size = 0;
        char first = '\0';
        bool isQuote = false; ///< the literal begins with a quote
        bool isStamp = false; ///< Token::mayLackBracket
        bool isList = false; ///< Token::isList, and a blank may be one of the list
    };

    void makeSteps();
    [[nodiscard]] const char* findLiteral(const char* from, const char* end,
                                          std::string_view literal, bool isList) const;
    [[nodiscard]] const char* endWithoutBracket(const char* from, const char* end,
                                                std::string_view literal, std::size_t& size) const;
    [[nodiscard]] const char* findEnd(const char* from, const char* end, std::size_t index,
                                      std::size_t& size) const;
    [[nodiscard]] static const char* findPlain(const Step& step, const LineMarks& marks,
                                               const char* from, const char* end);
    [[nodiscard]] const char* endOfLast(const char* from, const char* end) const;
    [[nodiscard]] bool cutFromRight(const char* from, const char* end, Values values) const;

    std::string m_prefix;
    std::vector<Token> m_tokens;
    std::vector<Step> m_steps; ///< of the first tokens, as far as they are plain
    std::size_t m_free
        = 0; ///< the token whose value may hold its own literal; tokens().size(): none
    bool m_lastIsWord = false;
    bool m_hasEscapes = true; ///< a quote behind a backslash is part of its value
};

} // namespace storage::logs

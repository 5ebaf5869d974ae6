#pragma once
#include "engine/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// How the values of an nginx log_format are written.
enum class NginxEscape : std::uint8_t {
    Default, ///< \xHH
    Json,
    None
};

/// A log_format: literals and the variables between them.
///
/// "$remote_addr - $status" is prefix "", {remote_addr, " - "}, {status, ""}.
class NginxPattern {
public:
    struct Token {
        std::string variable; ///< without `$`
        std::string literal; ///< behind it
        bool isList = false; ///< a value may hold ", " and " : "
        bool keepsLiteral = false; ///< the literal begins the next value ($host$request_uri)
        bool lastColon = false; ///< "address:port": the last colon before the next literal
    };

    static constexpr std::size_t kMaxVariables = 96;
    using Values = std::vector<std::string_view>; ///< of kMaxVariables

    /// Errors: log.format.
    static engine::Result<NginxPattern> parse(std::string_view text);

    /// Cuts `line` into values[0 .. result). Values behind the result are not there or, at the
    /// result itself, cut by the end of the line: values[result] is what there is of it.
    /// `exact`: all were there and nothing is left over. Stops behind token `last`.
    std::size_t cut(std::string_view line, std::size_t last, Values& values, bool& exact) const;

    [[nodiscard]] const std::vector<Token>& tokens() const { return m_tokens; }

    [[nodiscard]] NginxEscape escape() const { return m_escape; }

    /// The token that has `variable`, or tokens().size().
    [[nodiscard]] std::size_t indexOf(std::string_view variable) const;

private:
    engine::Status readTokens(std::string_view text);
    engine::Status settle();
    [[nodiscard]] const char* findLiteral(const char* from, const char* end,
                                          const Token& token) const;
    [[nodiscard]] bool cutFromRight(const char* from, const char* end, Values& values) const;

    std::string m_prefix;
    std::vector<Token> m_tokens;
    std::size_t m_free
        = 0; ///< the token whose value may hold its own literal; tokens().size(): none
    NginxEscape m_escape = NginxEscape::Default;
};

} // namespace storage::logs

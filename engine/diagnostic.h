#pragma once
#include <cstdint>
#include <string>

namespace engine {

/// Where in a text something is: 1-based line and column (in bytes); 0 where it is not known.
struct Place {
    std::string file;
    std::int64_t line = 0;
    std::int64_t column = 0;
};

enum class Severity : std::uint8_t { Error, Advice };

/// One thing that is wrong, or that deserves a second look, told to a person.
///
/// Example: code "policy.unknown-field", message "`brust` is not a field of token_bucket",
/// place rules.yaml:12:7, reason "", help "did you mean `burst`?".
///
/// `code` is stable and documented; `message` is one sentence that names the value; `help` says
/// what to write or do instead. Texts are raw: whoever prints them escapes them.
struct Diagnostic {
    std::string code;
    std::string message;
    Place place;
    std::string reason;
    std::string help;
    Severity severity = Severity::Error;
};

} // namespace engine

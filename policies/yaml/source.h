#pragma once
#include "engine/diagnostic.h"
#include "policies/policy.h"

#include <string>
#include <string_view>
#include <vector>

namespace policies::yaml {

/// Bytes with a name, and where their lines begin. Borrows the bytes.
class Source {
public:
    Source(std::string name, std::string_view text, std::uint32_t number);

    [[nodiscard]] const std::string& name() const { return m_name; }

    [[nodiscard]] std::string_view text() const { return m_text; }

    [[nodiscard]] std::size_t start() const { return m_start; } ///< behind a byte order mark

    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const;
    [[nodiscard]] std::size_t lineBegin(std::size_t offset) const;
    [[nodiscard]] engine::Diagnostic error(std::string code, std::size_t offset,
                                           std::string message, std::string help) const;

private:
    [[nodiscard]] std::size_t lineIndex(std::size_t offset) const;

    std::string m_name;
    std::string_view m_text;
    std::uint32_t m_number;
    std::size_t m_start = 0;
    std::vector<std::size_t> m_lines;
};

inline constexpr std::size_t kMaxBytes = std::size_t {4} << 20;

/// What is wrong with the bytes themselves, before any YAML: size, encoding, control characters,
/// line ends. At most ten of a kind are told.
std::vector<engine::Diagnostic> checkBytes(const Source& source);

} // namespace policies::yaml

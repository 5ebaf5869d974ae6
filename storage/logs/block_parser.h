#pragma once
#include "storage/log_reader.h"
#include "storage/logs/block_bytes.h"
#include "storage/logs/line_parser.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// A reject with the beginning of its line.
LineReject makeReject(std::uint64_t line, std::string_view reason, std::string_view text);

/// Reads the lines of a block: its batch, rejects and sums. Immutable; any thread.
class BlockParser {
public:
    BlockParser(const LogFormat& format, std::vector<std::string> fields, std::uint32_t file);

    [[nodiscard]] const std::vector<std::string>& fields() const { return m_fields; }

    /// `bytes` are those of `block`.
    void parse(LogBlock& block, BlockBytes& bytes) const;

private:
    void clear(LogBlock& block, BlockBytes& bytes) const;
    void parseLine(std::string_view line, bool isCut, std::uint64_t number, LogBlock& block,
                   BlockBytes& bytes) const;
    void noteRequest(LogBlock& block, BlockBytes& bytes, const engine::Request& request) const;

    std::unique_ptr<LineParser> m_parser;
    std::vector<std::string> m_fields;
    std::uint32_t m_file = 0;
};

} // namespace storage::logs

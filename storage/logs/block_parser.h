#pragma once
#include "storage/log_reader.h"
#include "storage/logs/block_bytes.h"
#include "storage/logs/client_chooser.h"
#include "storage/logs/line_parser.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// A reject with the beginning of its line.
LineReject makeReject(std::uint64_t line, std::string_view reason, std::string_view text);

/// What all requests of a LOG have in common.
struct BlockOptions {
    WrapperRules wrappers;
    std::int64_t notAfterNs = -1; ///< see OuterLine
    std::uint32_t file = 0;
    std::int64_t clockNs = 0; ///< added to each arrival
    std::vector<engine::Network> trustedProxies;
    std::vector<std::string> allFields; ///< of the log; where lists of addresses are looked for
};

/// Reads the lines of a block: its batch, rejects and sums. Immutable; any thread.
class BlockParser {
public:
    BlockParser(const LogFormat& format, std::vector<std::string> fields, BlockOptions options);

    [[nodiscard]] const std::vector<std::string>& fields() const { return m_fields; }

    /// `bytes` are those of `block`.
    void parse(LogBlock& block, BlockBytes& bytes) const;

private:
    class Run;

    void clear(LogBlock& block, BlockBytes& bytes) const;

    std::size_t m_formatCount; ///< 0: one
    std::vector<std::string> m_fields;
    BlockOptions m_options;
    std::optional<ClientChooser> m_chooser; ///< where clients are chosen from lists
    std::size_t m_client = 0; ///< place of client_ip in m_fields
    std::size_t m_readFields = 0; ///< m_fields, and the lists behind them
    std::unique_ptr<LineParser> m_parser;
};

} // namespace storage::logs

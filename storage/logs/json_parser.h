#pragma once
#include "storage/logs/json_layout.h"
#include "storage/logs/line_parser.h"
#include "storage/logs/request_line.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// Reads the lines of any JsonKind.
class JsonParser final : public LineParser {
public:
    JsonParser(const JsonKind& kind, const FormatOptions& options,
               const std::vector<std::string>& fields);

    LineOutcome parse(std::string_view line, bool isCut, LineScratch& scratch,
                      ParsedLine& out) const override;
    bool parsePlain(std::string_view line, LineScratch& scratch, engine::Request& request,
                    std::string_view* values) const override;
    int likeness(std::string_view line, LineScratch& scratch) const override;
    [[nodiscard]] Claim claim(const LineScratch& scratch) const override;

private:
    struct Action {
        AttributeKind kind = AttributeKind::Text;
        JsonSlots slots;
    };

    /// What of a record was read before its attributes are.
    struct Record {
        std::string_view client;
        std::string_view clients; ///< ParsedLine::clients
        std::string_view status;
        RequestParts parts;
    };

    [[nodiscard]] LineOutcome read(std::string_view line, bool isCut, LineScratch& scratch,
                                   engine::Request& request, Record& record) const;
    [[nodiscard]] bool mayRefuse() const; ///< some kinds refuse no record
    [[nodiscard]] bool isRefused(LineScratch& scratch) const;
    [[nodiscard]] bool hasSigns(const LineScratch& scratch) const;
    [[nodiscard]] bool readStamp(std::uint32_t slot, LineScratch& scratch, Stamp& stamp) const;
    [[nodiscard]] bool readTimes(LineScratch& scratch, engine::Request& request) const;
    bool readOuterTimes(LineScratch& scratch, engine::Request& request) const;
    [[nodiscard]] std::optional<std::int64_t> readDuration(LineScratch& scratch) const;
    [[nodiscard]] std::optional<std::int64_t> readSum(LineScratch& scratch) const;
    [[nodiscard]] std::string_view clientOf(LineScratch& scratch) const;
    [[nodiscard]] RequestParts readParts(LineScratch& scratch) const;
    void fill(LineScratch& scratch, const Record& record, std::int64_t durationNs,
              std::string_view* values) const;

    JsonLayout m_layout;
    std::shared_ptr<const Zone> m_zone;
    std::vector<Action> m_actions;
};

} // namespace storage::logs

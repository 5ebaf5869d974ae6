#pragma once
#include "engine/request.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storage {

/// Appends `bytes` as the inside of a neutral format's JSON string: bytes that are no valid UTF-8
/// and characters that are not seen (control, zero width, direction) as \\xHH, a backslash as two
/// (small print C17), quotes escaped. The byte 0xFF becomes the five characters \\xFF; the reader
/// undoes it.
void appendNeutralText(std::string_view bytes, std::string& out);

/// Writes requests in the neutral log format, one JSON object a line.
///
/// A line is head(time) + tail(request): the tail does not depend on the decided time, so that it
/// can wait in a Sequencer and get its time when it is emitted.
/// head is `{"time_ns": 1700000000000000000`, a tail
/// `, "duration_ns": 1500000, "client_ip": "192.0.2.1", "status": 200, "file": 0, "line": 7,
/// "logged_ns": ...}\n`.
///
/// `file`, `line` are where the request first came from (of a neutral input: its originals);
/// client_ip is written in normal form (no port, no brackets, no zone; names as they are);
/// `stamp_ns` and `resolution_ns` are written for coarse stamps. Fields that are missing are left
/// out, also a status below 100 and a field under one of the format's own names.
/// Immutable; any thread.
class NeutralWriter {
public:
    /// The fields of the batches to come, in their order.
    explicit NeutralWriter(std::vector<std::string> fields);

    static void appendHead(std::int64_t timeNs, std::string& out);
    /// The head of a request with a coarse stamp (resolutionNs > 0): `stampNs` with its place in
    /// the second, if it was given one.
    static void appendHead(std::int64_t timeNs, std::int64_t stampNs, std::string& out);
    /// `values`: RequestBatch::valuesOf().
    void appendTail(const engine::Request& request, const std::string_view* values,
                    std::string& out) const;
    /// Head and tail, with the request's own time.
    void append(const engine::Request& request, const std::string_view* values,
                std::string& out) const;

private:
    enum class Kind : std::uint8_t { Text, Client, Number, Status, Skip };

    struct Field {
        std::string label; ///< `, "client_ip": `
        Kind kind = Kind::Text;
    };

    std::vector<Field> m_fields;
};

} // namespace storage

#pragma once
#include "engine/diagnostic.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace policies::lookups {

/// A CSV text (RFC 4180) as rows of fields, each with the line and column where it begins.
struct Cell {
    std::string text;
    std::int64_t line = 0;
    std::int64_t column = 0;
};

using Row = std::vector<Cell>;

struct Table {
    std::vector<Row> rows; ///< the first is the header; empty lines are left out
    std::vector<engine::Diagnostic> diagnostics;
};

/// Fields in quotes may hold commas, line ends and doubled quotes; lines end with LF or CR LF; a
/// byte order mark is passed over. Errors: policy.lookup-csv (a quote that is not closed or does
/// not begin the field, text behind a closing quote, bytes that are no text).
Table parseCsv(const std::string& file, std::string_view bytes);

} // namespace policies::lookups

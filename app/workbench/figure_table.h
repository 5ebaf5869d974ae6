#pragma once
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// One figure of a table as a value, so that every form (text, Markdown, CSV, HTML) shows the same
/// one in its own way.
///
/// Example: Cell::share(1, 8) is "12.5%" wherever people read, and left out of CSV, where the
/// counts beside it say it exactly.
struct Cell {
    enum class Kind : std::uint8_t {
        Empty,
        Words, ///< ours
        Value, ///< of a log, a policy or a file name: raw bytes, escaped by whoever writes it
        Count,
        Share,
        Duration,
        Time
    };

    Kind kind = Kind::Empty;
    std::string text {}; ///< Words, Value
    std::uint64_t count = 0; ///< Count; Share: the part
    std::uint64_t whole = 0; ///< Share
    std::int64_t ns = 0; ///< Duration; Time: since 1970, UTC

    static Cell words(std::string text) { return {Kind::Words, std::move(text)}; }

    static Cell value(std::string text) { return {Kind::Value, std::move(text)}; }

    static Cell number(std::uint64_t count) { return {Kind::Count, {}, count}; }

    static Cell share(std::uint64_t part, std::uint64_t whole)
    {
        return {Kind::Share, {}, part, whole};
    }

    static Cell duration(std::int64_t ns) { return {Kind::Duration, {}, 0, 0, ns}; }

    static Cell time(std::int64_t ns) { return {Kind::Time, {}, 0, 0, ns}; }
};

/// The cell as people read it: "1,234", "12.5%", "1.5 s". A Value stays raw bytes.
std::string textOf(const Cell& cell);

/// A table of figures with a name for other programs and a caption for people.
///
/// Example: {"rules", "Rules", {{"rule", "rule", Left}, {"denied", "denied", Right}}, rows}.
struct FigureTable {
    struct Column {
        std::string id; ///< of the column in CSV; empty: said exactly by its neighbours
        std::string title; ///< raw bytes: it may name an attribute
        TextTable::Align align = TextTable::Align::Right;
    };

    struct Row {
        std::vector<Cell> cells;
        bool isHit = false; ///< somebody is rejected here
    };

    std::string id;
    std::string caption;
    std::vector<Column> columns;
    std::vector<Row> rows {};
    std::uint64_t more = 0; ///< rows that were left out
    std::string remark {}; ///< a sentence below it

    /// Where the column with this id stands.
    [[nodiscard]] std::optional<std::size_t> columnAt(std::string_view columnId) const;

    void add(std::vector<Cell> cells, bool isHit = false)
    {
        rows.push_back({std::move(cells), isHit});
    }
};

/// For a terminal, with "and N more (--top N)" and the remark below it; "" for a table without
/// rows. `widest`: of a cell, 0 for any width.
std::string plainTable(const FigureTable& table, bool colour, std::size_t widest = 60);

/// For a pull request: a table of GitHub's Markdown; values in code spans, pipes escaped.
std::string markdownTable(const FigureTable& table);

/// `text`, which is ours or an attribute's name, between the marks of Markdown: what would be one
/// is escaped; a word that GitHub would make a link, a mention or a formula of is a code span.
///
/// Example: "1 * 2, mail a@b" gives "1 \* 2, mail `a@b`".
std::string markdownText(std::string_view text, MarkdownPlace place = MarkdownPlace::Text);

/// All tables as one of RFC 4180: a first column `table`, then every column that one of them has;
/// cells that a table does not have are empty. Counts are digits, durations ns, times RFC 3339;
/// values are guarded against being taken for formulas (csvCell). Lines end in CRLF.
std::string csvTables(const std::vector<FigureTable>& tables);

/// For a page: <table> with caption, headers with scope, and everything escaped.
std::string htmlTable(const FigureTable& table);

/// Text between tags, or between double quotes in a tag, of XML and HTML: escaped() and entities.
std::string htmlText(std::string_view text);
/// Entities alone, for text that is escaped() already.
std::string entities(std::string_view safe);

} // namespace app

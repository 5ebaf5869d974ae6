#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Colours of the plain-text output; none unless the output is a terminal that wants them.
enum class Style : std::uint8_t { Plain, Strong, Faint, Good, Bad, Warn };
std::string painted(std::string_view text, Style style, bool colour);

/// A table of text with aligned columns, two blanks between them, no rules. Cells are escaped here.
///
/// Example: columns {"rule", Left}, {"rejected", Right} and a row {"search", "1,234"} give
///   rule    rejected
///   search     1,234
class TextTable {
public:
    enum class Align : std::uint8_t { Left, Right };

    struct Column {
        std::string title; ///< all titles empty: no header line
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns, std::size_t indent = 0);

    /// Missing cells at the end are empty.
    void add(std::vector<std::string> cells, Style style = Style::Plain);

    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }

    /// Lines with their ends; no blanks at the end of a line. Cells longer than `widest` are cut
    /// in the middle of a table so that the columns stay readable; 0 cuts nothing.
    [[nodiscard]] std::string render(bool colour = false, std::size_t widest = 0) const;

private:
    struct Row {
        std::vector<std::string> cells;
        Style style = Style::Plain;
    };

    [[nodiscard]] std::string line(const Row& row, const std::vector<std::size_t>& widths,
                                   bool colour) const;

    std::vector<Column> m_columns;
    std::size_t m_indent;
    std::vector<Row> m_rows;
};

/// A bar of `#` for `part` beside the largest of them: 20 at most, 1 at least, none for 0.
std::string bar(std::uint64_t part, std::uint64_t largest);

/// `text` in at most `width` columns, cut at the end with "..." where it is longer. Raw bytes in,
/// escaped text out.
std::string shortened(std::string_view text, std::size_t width);

} // namespace app

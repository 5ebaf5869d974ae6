#include "policies/lookups/csv.h"

#include <fmt/format.h>

namespace policies::lookups {
namespace {

class CsvReader {
public:
    CsvReader(const std::string& file, std::string_view bytes)
        : m_file(file)
        , m_bytes(bytes)
    {
        if (m_bytes.substr(0, 3) == "\xEF\xBB\xBF") {
            m_bytes.remove_prefix(3);
        }
    }

    Table read()
    {
        while (m_at < m_bytes.size()) {
            readRow();
        }
        return std::move(m_table);
    }

private:
    [[nodiscard]] std::int64_t column() const
    {
        return static_cast<std::int64_t>(m_at - m_lineBegin) + 1;
    }

    void error(std::int64_t line, std::int64_t at, std::string message, std::string help)
    {
        engine::Diagnostic diagnostic;
        diagnostic.code = "policy.lookup-csv";
        diagnostic.message = std::move(message);
        diagnostic.help = std::move(help);
        diagnostic.place = {m_file, line, at};
        m_table.diagnostics.push_back(std::move(diagnostic));
    }

    [[nodiscard]] bool isAtEndOfLine() const
    {
        return m_at >= m_bytes.size() || m_bytes[m_at] == '\n' || m_bytes.substr(m_at, 2) == "\r\n";
    }

    void endLine()
    {
        m_at += m_bytes.substr(m_at, 1) == "\r" ? 2U : 1U;
        ++m_line;
        m_lineBegin = m_at;
    }

    void readRow()
    {
        Row row;
        for (;;) {
            row.push_back(m_at < m_bytes.size() && m_bytes[m_at] == '"' ? quoted() : plain());
            if (isAtEndOfLine()) {
                break;
            }
            ++m_at; // the comma
        }
        endLine();
        if (row.size() > 1 || !row.front().text.empty()) {
            m_table.rows.push_back(std::move(row));
        }
    }

    Cell plain()
    {
        Cell cell {{}, m_line, column()};
        while (!isAtEndOfLine() && m_bytes[m_at] != ',') {
            const char c = m_bytes[m_at];
            if (c == '"') {
                error(m_line, column(), "a quote stands inside of a field without quotes",
                      "put the whole field in quotes and double the quotes in it");
            } else if (c == '\0' || c == '\r') {
                error(m_line, column(),
                      fmt::format("the byte 0x{:02X} stands in a field",
                                  static_cast<unsigned char>(c)),
                      "save the file as UTF-8 text with LF or CR LF line ends");
            }
            cell.text.push_back(c);
            ++m_at;
        }
        return cell;
    }

    Cell quoted()
    {
        Cell cell {{}, m_line, column()};
        ++m_at;
        for (;; ++m_at) {
            if (m_at >= m_bytes.size()) {
                error(cell.line, cell.column, "the quote is never closed", "close it with \"");
                return cell;
            }
            if (m_bytes[m_at] == '"') {
                if (m_bytes.substr(m_at, 2) != "\"\"") {
                    break;
                }
                ++m_at;
            } else if (m_bytes[m_at] == '\n') {
                ++m_line;
                m_lineBegin = m_at + 1;
            }
            cell.text.push_back(m_bytes[m_at]);
        }
        ++m_at;
        if (!isAtEndOfLine() && m_bytes[m_at] != ',') {
            error(m_line, column(), "text stands behind the closing quote of a field",
                  "write a comma, or double the quote");
            while (!isAtEndOfLine() && m_bytes[m_at] != ',') {
                ++m_at;
            }
        }
        return cell;
    }

    const std::string& m_file;
    std::string_view m_bytes;
    std::size_t m_at = 0;
    std::size_t m_lineBegin = 0;
    std::int64_t m_line = 1;
    Table m_table;
};

} // namespace

Table parseCsv(const std::string& file, std::string_view bytes)
{
    return CsvReader(file, bytes).read();
}

} // namespace policies::lookups

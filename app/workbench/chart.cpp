#include "app/workbench/chart.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace app {
namespace {

constexpr std::int64_t kNs = 1'000'000'000;
constexpr std::int64_t kDay = 86'400;

// Sizes in the units of the SVG's own view, which the page stretches to its width.
constexpr std::int64_t kWidth = 960;
constexpr std::int64_t kLeft = 70; ///< where the axis of counts ends
constexpr std::int64_t kRight = 10;
constexpr std::int64_t kTop = 28; ///< the legend is above
constexpr std::int64_t kPlotHeight = 150;
constexpr std::int64_t kBottom = 34;
constexpr std::int64_t kBarHeight = 22;
constexpr std::int64_t kLabelWidth = 270;
constexpr std::int64_t kCountWidth = 130;
constexpr std::size_t kLabelColumns = 36;

std::string_view classOf(Shade shade)
{
    switch (shade) {
    case Shade::Admitted:
        return "admitted";
    case Shade::Rejected:
        return "rejected";
    case Shade::Before:
        return "before";
    case Shade::Recorded:
        return "recorded";
    }
    return {};
}

/// A hundredth of a unit is fine enough for every printer. Whole numbers, so that every machine
/// draws the same bytes.
std::string hundredths(std::int64_t value)
{
    return fmt::format("{}.{:02}", value / 100, value % 100);
}

/// part of whole in hundredths of a unit of `span`, rounded down.
std::int64_t scaled(std::uint64_t part, std::uint64_t whole, std::int64_t span)
{
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>(Wide {part} * static_cast<Wide>(span * 100) / whole);
}

/// The least of 1, 2, 5 times a power of ten that is not below `most`.
std::uint64_t niceCeiling(std::uint64_t most)
{
    for (std::uint64_t power = 1; power < std::uint64_t {1} << 60; power *= 10) {
        for (const std::uint64_t step : {1U, 2U, 5U}) {
            if (step * power >= most) {
                return step * power;
            }
        }
    }
    return most;
}

/// The highest that the areas together, or a line, reach.
std::uint64_t peakOf(const TimelineChart& chart)
{
    std::uint64_t peak = 0;
    for (std::size_t column = 0; column < chart.columns(); ++column) {
        std::uint64_t stacked = 0;
        for (const TimelineChart::Series& series : chart.series) {
            stacked += series.isArea ? series.counts[column] : 0;
            peak = std::max({peak, stacked, series.counts[column]});
        }
    }
    return peak;
}

std::uint64_t sumOf(const TimelineChart::Series& series)
{
    std::uint64_t sum = 0;
    for (const std::uint64_t count : series.counts) {
        sum += count;
    }
    return sum;
}

/// Opens the drawing. What its description says is what somebody learns who does not see it.
std::string opening(const std::string& id, std::int64_t height, std::string_view title,
                    std::string_view description)
{
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
                       "role=\"img\" aria-labelledby=\"{}-title {}-desc\">\n"
                       "<title id=\"{}-title\">{}</title>\n<desc id=\"{}-desc\">{}</desc>\n",
                       kWidth, height, id, id, id, htmlText(title), id, htmlText(description));
}

/// Draws one timeline.
class TimelineDrawing {
public:
    explicit TimelineDrawing(const TimelineChart& chart)
        : m_chart(chart)
        , m_top(niceCeiling(std::max<std::uint64_t>(peakOf(chart), 1)))
    {
    }

    [[nodiscard]] std::string draw(const std::string& id) const
    {
        std::string svg = opening(id, kTop + kPlotHeight + kBottom, m_chart.title, description());
        svg += legend() + countAxis() + timeAxis();
        std::vector<std::uint64_t> below(m_chart.columns());
        for (const TimelineChart::Series& series : m_chart.series) {
            if (series.isArea) {
                svg += area(series, below);
            }
        }
        for (const TimelineChart::Series& series : m_chart.series) {
            if (!series.isArea) {
                svg += line(series);
            }
        }
        return svg + "</svg>\n";
    }

private:
    [[nodiscard]] std::string x(std::size_t column) const
    {
        return hundredths(kLeft * 100 + scaled(column, m_chart.columns(), kWidth - kLeft - kRight));
    }

    [[nodiscard]] std::string y(std::uint64_t count) const
    {
        return hundredths((kTop + kPlotHeight) * 100 - scaled(count, m_top, kPlotHeight));
    }

    [[nodiscard]] std::string description() const
    {
        std::string text = fmt::format(
            "From {} to {}, in columns of {}.", secondText(m_chart.firstSecond),
            secondText(m_chart.firstSecond
                       + static_cast<std::int64_t>(m_chart.columns()) * m_chart.widthSeconds),
            durationText(m_chart.widthSeconds * kNs));
        for (const TimelineChart::Series& series : m_chart.series) {
            const auto most = std::max_element(series.counts.begin(), series.counts.end());
            if (series.isLevel) {
                const auto least = std::min_element(series.counts.begin(), series.counts.end());
                text += fmt::format(" {}: from {} to {}.", series.name, grouped(*least),
                                    grouped(*most));
                continue;
            }
            const std::uint64_t sum = sumOf(series);
            text += fmt::format(" {}: {} in all", series.name, grouped(sum));
            text += sum == 0
                ? std::string(".")
                : fmt::format(", at most {} in a column, from {}.", grouped(*most),
                              secondText(m_chart.firstSecond
                                         + (most - series.counts.begin()) * m_chart.widthSeconds));
        }
        return text;
    }

    [[nodiscard]] std::string legend() const
    {
        std::string svg;
        std::int64_t at = kLeft;
        for (const TimelineChart::Series& series : m_chart.series) {
            svg += series.isArea
                ? fmt::format("<rect class=\"{}\" x=\"{}\" y=\"6\" width=\"12\" height=\"12\"/>",
                              classOf(series.shade), at)
                : fmt::format("<path class=\"line {}\" d=\"M{} 12h18\"/>", classOf(series.shade),
                              at);
            svg += fmt::format("<text x=\"{}\" y=\"16\">{}</text>\n", at + 24,
                               htmlText(series.name));
            at += 50 + 8 * static_cast<std::int64_t>(series.name.size());
        }
        return svg;
    }

    [[nodiscard]] std::string countAxis() const
    {
        std::string svg;
        const std::uint64_t step = m_top % 2 == 0 ? m_top / 2 : m_top;
        for (std::uint64_t count = 0; count <= m_top; count += step) {
            svg += fmt::format("<path class=\"grid\" d=\"M{} {}H{}\"/>"
                               "<text class=\"end\" x=\"{}\" y=\"{}\" dy=\"4\">{}</text>\n",
                               kLeft, y(count), kWidth - kRight, kLeft - 6, y(count),
                               grouped(count));
        }
        return svg;
    }

    /// At most eight marks, at times that people count in.
    [[nodiscard]] std::string timeAxis() const
    {
        const auto span = static_cast<std::int64_t>(m_chart.columns()) * m_chart.widthSeconds;
        const std::int64_t step = niceWidth(span, 8);
        const std::int64_t first = m_chart.firstSecond;
        const std::int64_t phase = ((first % step) + step) % step;
        std::string svg;
        std::string day;
        for (std::int64_t at = phase == 0 ? 0 : step - phase; at <= span; at += step) {
            const std::string position
                = hundredths(kLeft * 100
                             + scaled(static_cast<std::uint64_t>(at),
                                      static_cast<std::uint64_t>(span), kWidth - kLeft - kRight));
            const std::string time = secondText(first + at); // 2026-11-28 12:00:00 UTC
            const std::string clock = time.substr(11, step % 60 == 0 ? 5 : 8);
            const bool isNewDay = time.substr(0, 10) != day;
            day = time.substr(0, 10);
            // The last mark ends at the edge of the drawing.
            const std::string_view anchor = at * 20 > span * 19 ? "end" : "middle";
            svg += fmt::format("<path class=\"grid\" d=\"M{} {}v5\"/><text class=\"{}\" x=\"{}\" "
                               "y=\"{}\">{}</text>\n",
                               position, kTop + kPlotHeight, anchor, position,
                               kTop + kPlotHeight + 17, step >= kDay ? day : clock);
            if (isNewDay && step < kDay) {
                svg += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", anchor,
                                   position, kTop + kPlotHeight + 30, day);
            }
        }
        return svg;
    }

    /// Columns on top of `below`, which they raise.
    [[nodiscard]] std::string area(const TimelineChart::Series& series,
                                   std::vector<std::uint64_t>& below) const
    {
        std::string path;
        for (std::size_t column = 0; column < series.counts.size(); ++column) {
            const std::uint64_t count = series.counts[column];
            if (count > 0) {
                path += fmt::format("M{} {}V{}H{}V{}Z", x(column), y(below[column]),
                                    y(below[column] + count), x(column + 1), y(below[column]));
            }
            below[column] += count;
        }
        return path.empty()
            ? std::string()
            : fmt::format("<path class=\"{}\" d=\"{}\"/>\n", classOf(series.shade), path);
    }

    /// Steps: a level to the end of its columns, then straight to the next.
    [[nodiscard]] std::string line(const TimelineChart::Series& series) const
    {
        std::string path = fmt::format("M{} {}", x(0), y(series.counts.front()));
        for (std::size_t column = 1; column < series.counts.size(); ++column) {
            if (series.counts[column] != series.counts[column - 1]) {
                path += fmt::format("H{}V{}", x(column), y(series.counts[column]));
            }
        }
        path += fmt::format("H{}", x(series.counts.size()));
        return fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", classOf(series.shade), path);
    }

    const TimelineChart& m_chart;
    std::uint64_t m_top;
};

} // namespace

std::int64_t niceWidth(std::int64_t seconds, std::int64_t most)
{
    constexpr std::array<std::int64_t, 18> kWidths {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, kDay};
    const std::int64_t least = (seconds + most - 1) / most;
    for (const std::int64_t width : kWidths) {
        if (width >= least) {
            return width;
        }
    }
    return (least + kDay - 1) / kDay * kDay;
}

std::string svgChart(const TimelineChart& chart, const std::string& id)
{
    return chart.columns() == 0 ? std::string() : TimelineDrawing(chart).draw(id);
}

std::string svgChart(const BarChart& chart, const std::string& id)
{
    if (chart.bars.empty()) {
        return {};
    }
    std::uint64_t most = 1;
    std::string description;
    for (const BarChart::Bar& bar : chart.bars) {
        most = std::max(most, bar.count);
        description += fmt::format("{}{}: {}", description.empty() ? "" : "; ", bar.label,
                                   bar.words.empty() ? grouped(bar.count) : bar.words);
    }
    const std::string more
        = chart.more > 0 ? fmt::format("and {} more", grouped(chart.more)) : std::string();
    description += more.empty() ? more : "; " + more;
    const std::size_t lines = chart.bars.size() + (more.empty() ? 0 : 1);
    const auto height = static_cast<std::int64_t>(lines) * kBarHeight + 8;
    std::string svg = opening(id, height, chart.title, description);
    std::int64_t at = 4;
    for (const BarChart::Bar& bar : chart.bars) {
        const std::int64_t width = scaled(bar.count, most, kWidth - kLabelWidth - kCountWidth);
        svg += fmt::format("<text class=\"end\" x=\"{}\" y=\"{}\">{}</text>", kLabelWidth - 8,
                           at + 15, entities(shortened(bar.label, kLabelColumns)));
        svg += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                           classOf(chart.shade), kLabelWidth, at + 2, hundredths(width),
                           kBarHeight - 6);
        svg += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n",
                           hundredths((kLabelWidth + 6) * 100 + width), at + 15,
                           htmlText(bar.words.empty() ? grouped(bar.count) : bar.words));
        at += kBarHeight;
    }
    if (!more.empty()) {
        svg += fmt::format("<text class=\"end\" x=\"{}\" y=\"{}\">{}</text>\n", kLabelWidth - 8,
                           at + 15, more);
    }
    return svg + "</svg>\n";
}

FigureTable tableOf(const TimelineChart& chart, const std::string& id)
{
    FigureTable table {id, chart.title, {{"from", "from", TextTable::Align::Left}}};
    for (const TimelineChart::Series& series : chart.series) {
        std::string column = series.name;
        std::replace(column.begin(), column.end(), ' ', '_');
        table.columns.push_back({column, series.name});
    }
    for (std::size_t column = 0; column < chart.columns(); ++column) {
        std::vector<Cell> cells {Cell::time(
            secondNs(chart.firstSecond + static_cast<std::int64_t>(column) * chart.widthSeconds))};
        bool hasAny = false;
        for (const TimelineChart::Series& series : chart.series) {
            hasAny = hasAny || series.counts[column] > 0;
            cells.push_back(Cell::number(series.counts[column]));
        }
        if (hasAny) {
            table.add(std::move(cells));
        }
    }
    return table;
}

BarChart barsOf(const FigureTable& table, const BarColumns& columns, std::string title)
{
    constexpr std::size_t kMost = 12;
    BarChart chart {std::move(title)};
    const std::optional<std::size_t> label = table.columnAt(columns.label);
    const std::optional<std::size_t> count = table.columnAt(columns.count);
    const std::optional<std::size_t> whole
        = columns.whole.empty() ? std::nullopt : table.columnAt(columns.whole);
    if (!label || !count) {
        return chart;
    }
    for (const FigureTable::Row& row : table.rows) {
        const std::uint64_t part = row.cells[*count].count;
        if (part > 0) {
            chart.bars.push_back(
                {textOf(row.cells[*label]), part,
                 whole ? fmt::format("{} of {}", grouped(part), grouped(row.cells[*whole].count))
                       : std::string()});
        }
    }
    std::stable_sort(chart.bars.begin(), chart.bars.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    const std::size_t shown = std::min(kMost, chart.bars.size());
    chart.more = table.more + (chart.bars.size() - shown);
    chart.bars.erase(chart.bars.begin() + static_cast<std::ptrdiff_t>(shown), chart.bars.end());
    return chart;
}

BarChart barsOf(const std::vector<FigureTable>& tables, std::string_view id,
                const BarColumns& columns, std::string title)
{
    const auto table = std::find_if(tables.begin(), tables.end(),
                                    [id](const FigureTable& one) { return one.id == id; });
    return table == tables.end() ? BarChart {std::move(title)}
                                 : barsOf(*table, columns, std::move(title));
}

} // namespace app

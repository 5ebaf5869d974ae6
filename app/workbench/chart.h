#pragma once
#include "app/workbench/figure_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What a line or an area of a chart stands for; says its colour and its dashes.
enum class Shade : std::uint8_t { Admitted, Rejected, Before, Recorded };

/// Counts over time, in columns of equal width.
///
/// Example: first second 1700000000, width 900 s, series {"admitted", Admitted, {5, 0, 7}}: 7
/// requests were admitted between 1,800 s and 2,700 s after it.
struct TimelineChart {
    struct Series {
        std::string name;
        Shade shade = Shade::Admitted;
        bool isArea = true; ///< stacked upon the areas before it; else a line of its own
        std::vector<std::uint64_t> counts;
        bool isLevel = false; ///< heights at a time, which add up to nothing
    };

    std::string title; ///< ours
    std::int64_t firstSecond = 0;
    std::int64_t widthSeconds = 1;
    std::vector<Series> series {};

    [[nodiscard]] std::size_t columns() const
    {
        return series.empty() ? 0 : series.front().counts.size();
    }
};

/// Bars that lie, with the count behind each.
struct BarChart {
    struct Bar {
        std::string label; ///< raw
        std::uint64_t count = 0;
        std::string words {}; ///< behind the bar; empty: the count
    };

    std::string title; ///< raw: it may name an attribute
    Shade shade = Shade::Rejected;
    std::vector<Bar> bars {};
    std::uint64_t more = 0; ///< bars that were left out
};

/// The same as SVG, to stand within a page: <title> and <desc> say what is seen, colours come from
/// the page's classes. "" for a chart of nothing.
///
/// `id` is unique in the page: letters, digits and -.
std::string svgChart(const TimelineChart& chart, const std::string& id);
std::string svgChart(const BarChart& chart, const std::string& id);

/// What the chart shows as a table, one row a column that has anything.
FigureTable tableOf(const TimelineChart& chart, const std::string& id);

/// Which columns of a table bars are made of, by their ids.
struct BarColumns {
    std::string_view label;
    std::string_view count;
    std::string_view whole {}; ///< "12 of 40" behind the bar; empty: the count alone
};

/// The 12 rows that have most, the largest first; those that have none are not counted. Rows that
/// the table itself leaves out are among `more`.
BarChart barsOf(const FigureTable& table, const BarColumns& columns, std::string title);
/// The same of the table that is called `id`; a chart of nothing where there is none.
BarChart barsOf(const std::vector<FigureTable>& tables, std::string_view id,
                const BarColumns& columns, std::string title);

/// A width for about `most` columns over so many seconds that people count in: 1, 2, 5, 10, 15, 30
/// of seconds and minutes, 1, 2, 3, 6, 12 hours, whole days. 86,400 s and 120 columns: 900 s.
std::int64_t niceWidth(std::int64_t seconds, std::int64_t most);

} // namespace app

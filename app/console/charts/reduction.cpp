#include "app/console/charts/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace app::console {
namespace {

constexpr double kLift = std::numeric_limits<double>::quiet_NaN();

/// The samples of which something is seen, with one more on either side.
std::span<const Sample> seen(std::span<const Sample> samples, const Bins& bins, const View& view)
{
    const auto before = [](const Sample& sample, double second) {
        return static_cast<double>(sample.second) < second;
    };
    auto first = std::lower_bound(samples.begin(), samples.end(),
                                  view.from - static_cast<double>(bins.width), before);
    auto last = std::lower_bound(first, samples.end(), view.to, before);
    first -= first == samples.begin() ? 0 : 1;
    last += last == samples.end() ? 0 : 1;
    return samples.subspan(static_cast<std::size_t>(first - samples.begin()),
                           static_cast<std::size_t>(last - first));
}

bool isStepped(const Bins& bins, const View& view)
{
    return static_cast<double>(bins.width) * view.columns >= view.to - view.from;
}

/// Each bin as a step; seconds without a sample as steps at zero, or not at all.
class Steps {
public:
    explicit Steps(const Bins& bins)
        : m_bins(bins)
    {
    }

    void add(const Sample& sample)
    {
        if (!m_corners.empty() && sample.second > m_end) {
            if (sample.second - m_end >= m_bins.gap) {
                m_corners.push_back({static_cast<double>(m_end), kLift});
            } else {
                step(m_end, sample.second, 0);
            }
        }
        m_end = sample.second + m_bins.width;
        step(sample.second, m_end, sample.value);
    }

    [[nodiscard]] std::vector<Corner> take() { return std::move(m_corners); }

private:
    void step(std::int64_t from, std::int64_t to, double value)
    {
        m_corners.push_back({static_cast<double>(from), value});
        m_corners.push_back({static_cast<double>(to), value});
    }

    const Bins& m_bins;
    std::int64_t m_end = 0; ///< of the last bin
    std::vector<Corner> m_corners;
};

/// What the samples of one column of pixels come to.
struct Column {
    double least = 0;
    double most = 0;
    bool isGap = false;
};

class Columns {
public:
    Columns(std::span<const Sample> samples, const Bins& bins, const View& view)
        : m_view(view)
        , m_samples(seen(samples, bins, view))
        , m_bins(bins)
        , m_columns(static_cast<std::size_t>(std::max(view.columns, 1)), Column {0, 0, true})
        , m_counts(m_columns.size())
    {
        for (const Sample& sample : m_samples) {
            add(sample);
        }
        markSilence();
    }

    [[nodiscard]] std::size_t size() const { return m_columns.size(); }

    [[nodiscard]] const Column& at(std::size_t column) const { return m_columns[column]; }

    [[nodiscard]] double secondOf(std::size_t column) const
    {
        return m_view.from + (static_cast<double>(column) + 0.5) * perColumn();
    }

private:
    [[nodiscard]] double perColumn() const
    {
        return (m_view.to - m_view.from) / static_cast<double>(m_columns.size());
    }

    void add(const Sample& sample)
    {
        const double at = (static_cast<double>(sample.second) - m_view.from) / perColumn();
        if (at < 0 || at >= static_cast<double>(m_columns.size())) {
            return;
        }
        const auto place = static_cast<std::size_t>(at);
        Column& column = m_columns[place];
        const bool isFirst = m_counts[place]++ == 0;
        column.least = isFirst ? sample.value : std::min(column.least, sample.value);
        column.most = isFirst ? sample.value : std::max(column.most, sample.value);
        column.isGap = false;
    }

    /// Bins without a sample are zero, unless they are part of a gap.
    void markSilence()
    {
        for (std::size_t i = 0; i + 1 < m_samples.size(); ++i) {
            const std::int64_t end = m_samples[i].second + m_bins.width;
            const std::int64_t next = m_samples[i + 1].second;
            if (next > end && next - end < m_bins.gap) {
                zero(end, next);
            }
        }
    }

    void zero(std::int64_t from, std::int64_t to)
    {
        const auto last = static_cast<std::int64_t>(m_columns.size()) - 1;
        const auto columnOf = [&](std::int64_t second) {
            return static_cast<std::int64_t>(
                std::floor((static_cast<double>(second) - m_view.from) / perColumn()));
        };
        const std::int64_t end = std::min(columnOf(to - m_bins.width), last);
        for (std::int64_t i = std::max<std::int64_t>(columnOf(from), 0); i <= end; ++i) {
            Column& column = m_columns[static_cast<std::size_t>(i)];
            column.least = std::min(column.least, 0.0);
            column.most = std::max(column.most, 0.0);
            column.isGap = false;
        }
    }

    View m_view;
    std::span<const Sample> m_samples;
    Bins m_bins;
    std::vector<Column> m_columns;
    std::vector<std::uint32_t> m_counts; ///< samples of each
};

std::vector<Corner> strokesOfColumns(const Columns& columns)
{
    std::vector<Corner> corners;
    double end = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Column& column = columns.at(i);
        const double second = columns.secondOf(i);
        if (column.isGap) {
            if (!corners.empty() && !std::isnan(corners.back().value)) {
                corners.push_back({second, kLift});
            }
            continue;
        }
        const bool fromMost = std::abs(end - column.most) < std::abs(end - column.least);
        corners.push_back({second, fromMost ? column.most : column.least});
        end = fromMost ? column.least : column.most;
        if (column.least != column.most) {
            corners.push_back({second, end});
        }
    }
    return corners;
}

void addStroke(std::vector<Corner>& corners, double from, double to, double value)
{
    corners.push_back({from, 0});
    corners.push_back({from, value});
    if (to > from) { // the whole width of a bin
        corners.push_back({to, value});
        corners.push_back({to, 0});
    }
    corners.push_back({to, kLift});
}

} // namespace

std::vector<Corner> reduced(std::span<const Sample> samples, const Bins& bins, const View& view)
{
    if (view.to <= view.from || view.columns < 1) {
        return {};
    }
    if (!isStepped(bins, view)) {
        return strokesOfColumns(Columns(samples, bins, view));
    }
    Steps steps(bins);
    for (const Sample& sample : seen(samples, bins, view)) {
        steps.add(sample);
    }
    return steps.take();
}

Strokes strokes(std::span<const Sample> samples, const Bins& bins, const View& view)
{
    Strokes made;
    if (view.to <= view.from || view.columns < 1) {
        return made;
    }
    if (isStepped(bins, view)) {
        for (const Sample& sample : seen(samples, bins, view)) {
            const auto from = static_cast<double>(sample.second);
            if (sample.value != 0) {
                addStroke(sample.value > 0 ? made.above : made.below, from,
                          from + static_cast<double>(bins.width), sample.value);
            }
        }
        return made;
    }
    const Columns columns(samples, bins, view);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double second = columns.secondOf(i);
        if (columns.at(i).most > 0) {
            addStroke(made.above, second, second, columns.at(i).most);
        }
        if (columns.at(i).least < 0) {
            addStroke(made.below, second, second, columns.at(i).least);
        }
    }
    return made;
}

double greatest(std::span<const Sample> samples, const Bins& bins, const View& view)
{
    double most = 0;
    for (const Sample& sample : seen(samples, bins, view)) {
        const auto begin = static_cast<double>(sample.second);
        const bool isSeen = begin < view.to && begin + static_cast<double>(bins.width) > view.from;
        most = isSeen ? std::max(most, std::abs(sample.value)) : most;
    }
    return most;
}

std::int64_t gapOf(std::uint64_t requests, std::int64_t seconds)
{
    constexpr std::int64_t kQuarter = 900;
    constexpr std::int64_t kTimes = 20;
    const auto count = static_cast<std::int64_t>(std::max<std::uint64_t>(requests, 1));
    return std::max(kQuarter, kTimes * (seconds / count));
}

} // namespace app::console

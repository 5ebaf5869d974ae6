#include "app/workbench/lab.h"

#include "engine/key_trace.h"

#include <algorithm>
#include <limits>

namespace app {
namespace {

using engine::Algorithm;

/// A picture is at most about so many points wide.
constexpr std::int64_t kColumns = 1000;

struct Admitted {
    std::int64_t atNs = 0;
    std::int64_t cost = 0;
};

std::uint64_t sumWithin(const std::vector<Admitted>& admitted, std::size_t begin,
                        std::int64_t lengthNs)
{
    std::uint64_t sum = 0;
    for (std::size_t i = begin; i < admitted.size(); ++i) {
        if (admitted[i].atNs - admitted[begin].atNs >= lengthNs) {
            break;
        }
        sum += static_cast<std::uint64_t>(admitted[i].cost);
    }
    return sum;
}

std::uint64_t mostRolling(const std::vector<Admitted>& admitted, std::int64_t lengthNs)
{
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    std::size_t oldest = 0;
    for (const Admitted& one : admitted) {
        sum += static_cast<std::uint64_t>(one.cost);
        for (; one.atNs - admitted[oldest].atNs >= lengthNs; ++oldest) {
            sum -= static_cast<std::uint64_t>(admitted[oldest].cost);
        }
        most = std::max(most, sum);
    }
    return most;
}

class Run {
public:
    Run(const engine::PlanRule& rule, const LabTraffic& traffic)
        : m_limit(rule.limit)
        , m_traffic(traffic)
        , m_trace(rule.limit)
        , m_columnNs(std::max<std::int64_t>(1, traffic.lengthNs / kColumns))
    {
        result.worst = policies::worstSpan(rule.limit);
        result.stateName = stateName();
        result.stateMost = m_limit.algorithm == Algorithm::LeakyBucket
            ? m_limit.queue
            : engine::capacityOf(m_limit);
        result.lengthNs = traffic.lengthNs;
    }

    void run(const StopFlag* stop)
    {
        const std::vector<LabRequest>& requests = m_traffic.requests;
        look(0, true);
        for (std::size_t i = 0; i < requests.size() && !result.stopped;) {
            std::size_t end = i;
            while (end < requests.size() && requests[end].atNs == requests[i].atNs) {
                ++end;
            }
            meet(i, end);
            i = end;
            result.stopped = stop != nullptr && stop->load(std::memory_order_relaxed);
        }
        lookUpTo(m_traffic.lengthNs);
        look(m_traffic.lengthNs, true);
        const bool isSlots = result.worst.lengthNs == 0;
        result.firstSpan = isSlots ? m_firstHeld : sumWithin(m_admitted, 0, result.worst.lengthNs);
        result.rollingSpan = isSlots ? m_mostHeld : mostRolling(m_admitted, result.worst.lengthNs);
    }

    LabResult result;

private:
    [[nodiscard]] const char* stateName() const
    {
        switch (m_limit.algorithm) {
        case Algorithm::FixedWindow:
        case Algorithm::SlidingWindowLog:
            return "counted";
        case Algorithm::SlidingWindowCounter:
            return "estimate";
        case Algorithm::TokenBucket:
            return "tokens left";
        case Algorithm::Gcra:
            return "requests left";
        case Algorithm::LeakyBucket:
            return "waiting";
        case Algorithm::Concurrency:
        case Algorithm::AdaptiveConcurrency:
        case Algorithm::LoadShedder:
            break;
        }
        return "in flight";
    }

    /// The requests of one instant.
    void meet(std::size_t begin, std::size_t end)
    {
        const std::int64_t atNs = m_traffic.requests[begin].atNs;
        lookUpTo(atNs);
        const std::int64_t column = atNs / m_columnNs;
        const bool isNear = column == m_column && m_inColumn > 0;
        m_inColumn = column == m_column ? m_inColumn + 1 : 0;
        m_column = column;
        if (!isNear) {
            look(atNs, true);
        }
        for (std::size_t i = begin; i < end; ++i) {
            judge(m_traffic.requests[i]);
        }
        if (!isNear) {
            look(atNs, true);
        }
        m_isPending = isNear;
        m_lastNs = atNs;
        keepHeld(atNs);
    }

    void judge(const LabRequest& request)
    {
        const engine::KeyTrace::Answer answer
            = m_trace.judge({m_traffic.originNs + request.atNs, request.cost, request.durationNs});
        ++result.offered;
        ++result.attempts;
        if (!answer.admits) {
            ++result.rejected;
            return;
        }
        ++result.admitted;
        result.admittedLater
            += m_traffic.secondAtNs > 0 && request.atNs >= m_traffic.secondAtNs ? 1 : 0;
        m_admitted.push_back({request.atNs, request.cost});
        if (m_limit.algorithm == Algorithm::LeakyBucket && answer.delayNs > 0) {
            m_leaving.push_back(request.atNs + answer.delayNs);
        }
    }

    void keepHeld(std::int64_t atNs)
    {
        if (engine::holdsSlots(m_limit.algorithm)) {
            const auto held = static_cast<std::uint64_t>(valueAt(atNs));
            m_firstHeld = m_firstHeld == 0 ? held : m_firstHeld;
            m_mostHeld = std::max(m_mostHeld, held);
        }
    }

    /// What lies between the last request and this time.
    void lookUpTo(std::int64_t atNs)
    {
        if (m_isPending && atNs / m_columnNs != m_column) {
            look(m_lastNs, true);
            m_isPending = false;
        }
        for (std::int64_t column = m_lastNs / m_columnNs + 1; column <= (atNs - 1) / m_columnNs;
             ++column) {
            look(column * m_columnNs, false);
        }
    }

    void look(std::int64_t atNs, bool isCount)
    {
        if (isCount) {
            result.soFar.push_back(
                {atNs, result.offered, result.attempts, result.admitted, result.rejected});
        }
        append(result.state, {atNs, valueAt(atNs)});
        if (m_limit.algorithm == Algorithm::AdaptiveConcurrency) {
            append(result.limit, {atNs, figureAt(atNs, "capacity")});
        }
    }

    static void append(std::vector<LabState>& line, const LabState& state)
    {
        if (line.size() > 1 && line.back().value == state.value
            && line.end()[-2].value == state.value) {
            line.back().atNs = state.atNs; // a level line needs its ends only
        } else {
            line.push_back(state);
        }
    }

    std::int64_t figureAt(std::int64_t atNs, std::string_view name)
    {
        for (const engine::StateFigure& figure : m_trace.state(m_traffic.originNs + atNs)) {
            if (figure.name == name) {
                return figure.value;
            }
        }
        return 0;
    }

    std::int64_t valueAt(std::int64_t atNs)
    {
        if (m_limit.algorithm == Algorithm::LeakyBucket) {
            while (m_left < m_leaving.size() && m_leaving[m_left] <= atNs) {
                ++m_left;
            }
            return static_cast<std::int64_t>(m_leaving.size() - m_left);
        }
        std::int64_t capacity = 0;
        std::int64_t remaining = 0;
        for (const engine::StateFigure& figure : m_trace.state(m_traffic.originNs + atNs)) {
            if (figure.name == "in_flight"
                || (figure.name == "count"
                    && m_limit.algorithm != Algorithm::SlidingWindowCounter)) {
                return figure.value;
            }
            capacity = figure.name == "capacity" ? figure.value : capacity;
            remaining = figure.name == "remaining" ? figure.value : remaining;
        }
        return m_limit.algorithm == Algorithm::SlidingWindowCounter ? capacity - remaining
                                                                    : remaining;
    }

    const engine::Limit& m_limit;
    const LabTraffic& m_traffic;
    engine::KeyTrace m_trace;
    std::int64_t m_columnNs;
    std::int64_t m_column = -1;
    int m_inColumn = 0; ///< instants that were looked at
    bool m_isPending = false; ///< the last instant was not looked at yet
    std::int64_t m_lastNs = 0;
    std::vector<Admitted> m_admitted;
    std::vector<std::int64_t> m_leaving; ///< when those that wait go on, in order
    std::size_t m_left = 0; ///< so many of them have
    std::uint64_t m_firstHeld = 0;
    std::uint64_t m_mostHeld = 0;
};

} // namespace

std::string whyNoLab(const engine::PlanRule& rule)
{
    return rule.limit.algorithm == Algorithm::LoadShedder
        ? "It sheds some classes of requests before others, and all requests here are alike. "
          "Replay a log to see it at work."
        : "";
}

FigureTable labTable(const LabResult& result)
{
    FigureTable table {"lab",
                       "Requests so far",
                       {{"time_ns", "time", TextTable::Align::Right},
                        {"offered", "offered", TextTable::Align::Right},
                        {"admitted", "admitted", TextTable::Align::Right},
                        {"rejected", "rejected", TextTable::Align::Right},
                        {"state", result.stateName, TextTable::Align::Right}}};
    const bool comeAgain = result.attempts != result.offered;
    if (comeAgain) {
        table.columns.push_back({"attempts", "attempts", TextTable::Align::Right});
    }
    std::size_t state = 0;
    for (std::size_t i = 0; i < result.soFar.size(); ++i) {
        const LabPoint& point = result.soFar[i];
        if (i + 1 < result.soFar.size() && result.soFar[i + 1].atNs == point.atNs) {
            continue; // how it is when all of an instant have come
        }
        while (state + 1 < result.state.size() && result.state[state + 1].atNs <= point.atNs) {
            ++state;
        }
        const std::int64_t value = result.state.empty() ? 0 : result.state[state].value;
        table.add({Cell::duration(point.atNs), Cell::number(point.offered),
                   Cell::number(point.admitted), Cell::number(point.rejected),
                   Cell::number(static_cast<std::uint64_t>(std::max<std::int64_t>(0, value)))});
        if (comeAgain) {
            table.rows.back().cells.push_back(Cell::number(point.attempts));
        }
    }
    return table;
}

LabResult runLab(const engine::PlanRule& rule, const LabTraffic& traffic, const StopFlag* stop)
{
    Run run(rule, traffic);
    run.run(stop);
    return std::move(run.result);
}

} // namespace app

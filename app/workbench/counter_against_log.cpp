#include "app/workbench/counter_against_log.h"

#include "app/workbench/traffic_random.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {
namespace {

namespace counter = engine::sliding_window_counter;
namespace log = engine::sliding_window_log;
using engine::wide::Int128;

constexpr std::int64_t kUnbounded = std::int64_t {1} << 40;
constexpr std::int64_t kBillion = 1'000'000'000;
constexpr std::uint64_t kToldEach = std::uint64_t {1} << 18;

engine::Limit limitOf(engine::Algorithm algorithm, const engine::Rate& rate)
{
    engine::Limit limit;
    limit.algorithm = algorithm;
    limit.rate = rate;
    return limit;
}

} // namespace

CounterAgainstLog::CounterAgainstLog(const engine::Rate& rate, std::size_t sources)
    : m_counter(limitOf(engine::Algorithm::SlidingWindowCounter, rate))
    , m_log(limitOf(engine::Algorithm::SlidingWindowLog, rate))
    , m_all(limitOf(engine::Algorithm::SlidingWindowLog, {kUnbounded, rate.periodNs}))
    , m_sources(sources)
{
    m_gaps.periodNs = rate.periodNs;
}

CounterAgainstLog::~CounterAgainstLog()
{
    for (Source& source : m_sources) {
        log::release(source.log);
    }
}

void CounterAgainstLog::meet(std::size_t index, std::int64_t atNs)
{
    Source& source = m_sources[index];
    counter::advance(m_counter, source.counter, atNs);
    log::advance(m_all, source.log, atNs);
    addGap(source, atNs);
    const bool isCounted = counter::admits(m_counter, source.counter, 1, atNs);
    const bool isLogged = log::admits(m_log, source.log, 1);
    source.wasSeen = true;
    if (isCounted && !isLogged) {
        ++m_gaps.letThrough;
        source.wasLetThrough = true;
    } else if (isLogged && !isCounted) {
        ++m_gaps.limited;
        source.wasLimited = true;
    }
    counter::count(m_counter, source.counter, 1);
    log::count(m_all, source.log, 1, atNs);
}

void CounterAgainstLog::addGap(const Source& source, std::int64_t atNs)
{
    const std::int64_t periodNs = m_gaps.periodNs;
    const auto live
        = static_cast<std::int64_t>(source.log.ring == nullptr ? 0 : source.log.ring->live);
    Int128 parts = Int128 {source.counter.current - live} * periodNs;
    if (source.counter.previous > 0) {
        const auto into = static_cast<std::int64_t>(
            engine::window_start::into(m_counter, source.counter.startNs, atNs));
        parts += Int128 {source.counter.previous} * (periodNs - into);
    }
    parts = parts < 0 ? -parts : parts;
    ++m_gaps.decisions;
    m_gaps.gapParts += parts;
    m_gaps.worstParts = std::max(m_gaps.worstParts, parts);
    if (parts > 0) {
        m_gaps.shareBillionths
            += static_cast<std::uint64_t>(parts * kBillion / (Int128 {periodNs} * (live + 1)));
    }
}

std::uint64_t CounterAgainstLog::sourcesLetThrough() const
{
    return static_cast<std::uint64_t>(
        std::count_if(m_sources.begin(), m_sources.end(),
                      [](const Source& source) { return source.wasLetThrough; }));
}

std::uint64_t CounterAgainstLog::sourcesLimited() const
{
    return static_cast<std::uint64_t>(
        std::count_if(m_sources.begin(), m_sources.end(),
                      [](const Source& source) { return source.wasLimited; }));
}

std::uint64_t CounterAgainstLog::sourcesSeen() const
{
    return static_cast<std::uint64_t>(std::count_if(
        m_sources.begin(), m_sources.end(), [](const Source& source) { return source.wasSeen; }));
}

CounterOutcome runCounterExperiment(const CounterExperiment& experiment)
{
    CounterAgainstLog counts(experiment.limit, experiment.sources);
    TrafficRandom random(experiment.seed);
    PoissonGaps gaps;
    CounterOutcome outcome;
    for (std::uint64_t made = 0; made < experiment.requests && !outcome.interrupted; ++made) {
        outcome.spanNs += gaps.next(random, experiment.rate);
        counts.meet(random.zipf(experiment.sources), outcome.spanNs);
        if (made % kToldEach == 0) {
            if (experiment.progress) {
                experiment.progress(made);
            }
            outcome.interrupted
                = experiment.stop != nullptr && experiment.stop->load(std::memory_order_relaxed);
        }
    }
    outcome.gaps = counts.gaps();
    outcome.sourcesSeen = counts.sourcesSeen();
    outcome.sourcesLetThrough = counts.sourcesLetThrough();
    outcome.sourcesLimited = counts.sourcesLimited();
    return outcome;
}

std::string decimalText(Int128 part, Int128 whole)
{
    const auto thousandths
        = whole == 0 ? 0 : static_cast<std::int64_t>((part * 2000 + whole) / (whole * 2));
    return fmt::format("{}.{:03}", thousandths / 1000, thousandths % 1000);
}

std::string meanGapText(const CounterGaps& gaps)
{
    return decimalText(gaps.gapParts,
                       Int128 {gaps.periodNs} * static_cast<std::int64_t>(gaps.decisions));
}

std::string worstGapText(const CounterGaps& gaps)
{
    return decimalText(gaps.worstParts, gaps.periodNs);
}

} // namespace app

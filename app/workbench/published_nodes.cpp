#include "app/workbench/published_figures.h"
#include "engine/replay.h"

#include <array>
#include <string_view>

// (vi): what several servers admit that count apart, by whole replays under conditions.
namespace app {
namespace {

constexpr std::int64_t kMinute = 60'000'000'000;
constexpr std::uint32_t kNodes = 10;

class AdmittedCount final : public engine::SettledSink {
public:
    void settle(const engine::Settled& settled) override
    {
        admitted += settled.verdicts[0].outcome == engine::Outcome::Admitted ? 1 : 0;
    }

    int admitted = 0;
};

enum class Spread : std::uint8_t { InTurn, OnOne, HalfOnOne };

/// Which node a request goes to.
std::string_view nodeOf(int request, Spread spread)
{
    constexpr std::array<std::string_view, kNodes> kNames {"0", "1", "2", "3", "4",
                                                           "5", "6", "7", "8", "9"};
    const auto at = static_cast<std::size_t>(request);
    if (spread == Spread::OnOne || (spread == Spread::HalfOnOne && request % 2 == 0)) {
        return kNames[0];
    }
    return spread == Spread::HalfOnOne ? kNames.at(1 + at / 2 % (kNodes - 1))
                                       : kNames.at(at % kNodes);
}

/// One key that sends `offered` requests within a minute, against 100 a minute.
int admittedOf(int offered, Spread spread, engine::StateKind state)
{
    engine::Plan plan;
    engine::PlanRule& rule = plan.rules.emplace_back();
    rule.rule = "per-key";
    rule.limit.rate = {100, kMinute};
    engine::Conditions conditions;
    conditions.servers.balance = engine::Balance::Logged;
    conditions.servers.attribute = "node";
    conditions.servers.states.fill({state, 0});
    engine::IntakeOptions options;
    options.who = {"node"};
    options.facets = {"node"};
    const auto made = engine::Intake::make({&plan}, options);
    engine::Intake& intake = **made;
    AdmittedCount count;
    engine::Replay replay(intake, count, {0, nullptr, true, &conditions, nullptr});
    engine::RequestBatch batch;
    batch.fieldCount = intake.fields().size();
    for (int i = 0; i < offered; ++i) {
        engine::Request& request = batch.requests.emplace_back();
        request.timeNs = kMinute / offered * i;
        request.line = static_cast<std::uint64_t>(i) + 1;
        for (std::size_t field = 0; field < batch.fieldCount; ++field) {
            batch.values.push_back(nodeOf(i, spread));
        }
    }
    const auto prepared = intake.makePrepared();
    intake.prepare(batch, *prepared);
    intake.intern(*prepared, [&](engine::Arrival& arrival, const engine::Request&) {
        replay.arrive(arrival);
    });
    replay.finish();
    return count.admitted;
}

} // namespace

ReproducedFigure figureOfNodes()
{
    using engine::StateKind;
    ReproducedFigure figure;
    const auto add
        = [&](std::string what, int expected, int offered, Spread spread, StateKind state) {
              figure.checks.push_back(sameText(std::move(what), std::to_string(expected),
                                               std::to_string(admittedOf(offered, spread, state))));
          };
    add("5,000 in turn over 10 nodes, each 100/min of its own", 1000, 5000, Spread::InTurn,
        StateKind::Local);
    add("1,000 in turn", 1000, 1000, Spread::InTurn, StateKind::Local);
    add("1,000, all on one node", 100, 1000, Spread::OnOne, StateKind::Local);
    add("1,000, half of them on one node", 600, 1000, Spread::HalfOnOne, StateKind::Local);
    add("5,000 in turn, one shared counter", 100, 5000, Spread::InTurn, StateKind::Shared);
    figure.notes.emplace_back("1,000 is the most that can pass, not what passes");
    return figure;
}

} // namespace app

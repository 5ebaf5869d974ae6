#pragma once
#include "engine/limiter.h"
#include "engine/limiter/rule_states.h"
#include "engine/limiter/servers.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace engine {

/// What a profile asks of the limiter, made ready.
struct LimiterProgram {
    struct Keys {
        CellGroup* group = nullptr;
        std::size_t idAt = 0;
    };

    /// A rule that applies, as the plain way needs it.
    struct Step {
        RuleState* rule = nullptr;
        std::uint32_t index = 0;
        std::uint32_t place = 0; ///< of its group in `keys`
        std::size_t lane = 0; ///< in the group
        std::size_t costIndex = 0;
        std::int64_t fixedCost = 1;
    };

    /// A tier that has rules.
    struct PlainTier {
        std::uint32_t tier = 0;
        std::vector<Step> steps;
    };

    std::array<std::vector<std::uint32_t>, kTierCount> rules; ///< that apply
    std::vector<PlainTier> tiers; ///< the same
    std::vector<Keys> keys; ///< where their states are, each place once
    Verdict passed; ///< of a request that no rule denies
    bool isPlain = true; ///< few places, and no rule of it delays, or holds slots
};

/// A limiter at work: the way that every request can take, tier by tier and with all figures
/// (tiers.cpp, judging.cpp, counting.cpp), and the short one (plainly.cpp).
class Limiter::Parts {
public:
    using Program = LimiterProgram;

    Parts(const Intake& source, std::size_t planIndex, const LimiterOptions& options);

    /// Takes it through its tiers, from nextTier on or at once.
    Progress advance(Flight& flight);
    Progress advancePerTier(Flight& flight, const Program& program);
    void finish();
    void decidePlainly(Upcoming& request);
    void decideAtOnce(Flight& flight, const Program& program); ///< all_or_nothing

    const Program& programOf(const Arrival& arrival)
    {
        const std::uint32_t profile = arrival.ids()[profileAt];
        if (profile >= programs.size() || !programs[profile]) [[unlikely]] {
            makeProgram(profile);
        }
        return *programs[profile];
    }

    /// May decidePlainly() decide the requests of a program?
    [[nodiscard]] bool isPlain(const Program& program) const
    {
        return program.isPlain && mayBePlain;
    }

    const Intake& intake;
    const std::size_t plan;
    const Plan& policy;
    DecisionSink* const decisions;
    const bool tracksCounts;
    const bool mayBePlain; ///< nobody asks for details, and tiers count by themselves
    const std::size_t profileAt; ///< among the ids of an arrival
    RuleStates states; ///< of the one server that there usually is
    std::vector<RuleState>& rules; ///< of `states`: they count verdicts by key, whoever judges
    const Conditions& conditions;
    std::unique_ptr<ServerStates>
        servers; ///< where there are several, clocks are off, or an outage
    SeriesSink* const series;
    std::vector<std::unique_ptr<Program>> programs; ///< by profile, made when first met

private:
    /// One rule's verdict while its tier is being judged.
    struct Judged {
        std::uint32_t rule = 0;
        std::uint32_t key = 0;
        StateAt at;
        std::int64_t cost = 1;
        std::int64_t delayNs = 0;
        bool admits = true;
        bool counted = false;
        std::size_t detail = 0; ///< position in Decision::rules
    };

    /// What a rule that learns had as its limit in the second at hand.
    struct Learning {
        LimitSecond second;
        bool isOpen = false;
    };

    /// The same as Judged, where nobody asks for more.
    struct PlainlyJudged {
        KeyCell* cell = nullptr;
        std::int64_t cost = 1;
        bool admits = true;
    };

    [[gnu::noinline]] void makeProgram(std::uint32_t profile); // rare: keep it out of loops
    void judgeTier(Flight& flight, const std::vector<std::uint32_t>& applying);
    void find(const Flight& flight, std::uint32_t rule, std::uint32_t key, StateAt& at);
    [[nodiscard]] StateAt look(const Flight& flight, std::uint32_t rule);
    [[nodiscard]] std::int64_t costOf(const Flight& flight, std::uint32_t rule);
    [[nodiscard]] std::int64_t tightened(const Flight& flight, const Tighten& tighten,
                                         std::int64_t cost);
    [[nodiscard]] RuleState::Fill fillOf(const StateAt& at) const;
    [[nodiscard]] bool isTight(const Flight& flight, const Tighten& tighten);
    [[nodiscard]] std::uint64_t drawOf(const Flight& flight) const;
    bool judge(const Flight& flight, Judged& judged);
    void take(Flight& flight, const Judged& judged) const;
    void noteAdmitted(Flight& flight, const Judged& judged);
    void noteLimit(const Judged& judged, std::int64_t nowNs);
    void tellLimit(Learning& learning);
    void count(Flight& flight, Judged& judged);
    void countRejected(const Flight& flight, Judged& judged);
    void tellRetryAfter(Flight& flight, std::size_t tier, std::size_t firstJudged);
    void noteDenial(std::uint32_t rule, std::uint32_t key, bool isCounted, Verdict& verdict,
                    std::vector<std::uint32_t>& denied);
    [[nodiscard]] PlainlyJudged lookPlainly(const Upcoming& request,
                                            const Program::Step& step) const;
    void denyPlainly(Upcoming& request, const Program::Step& step);
    bool passOne(Upcoming& request, const Program::Step& step);
    std::uint32_t passSeveral(Upcoming& request, const std::vector<Program::Step>& steps);
    std::uint32_t countDenied(Upcoming& request, const std::vector<Program::Step>& steps);
    [[nodiscard]] std::uint32_t firstDenial(std::size_t firstJudged) const;
    std::int64_t countTier(Flight& flight, std::size_t firstJudged, std::size_t end);
    void countRejectedOnes(Flight& flight, std::size_t firstJudged, std::size_t end);
    void giveBack(Flight& flight);
    void noteCount(const Flight& flight, Judged& judged) const;
    void beginDetail(Flight& flight, Judged& judged) const;

    void endDetail(Flight& flight, std::size_t firstJudged, std::size_t end) const
    {
        if (flight.detail) {
            fillDetail(flight, firstJudged, end);
        }
    }

    void fillDetail(Flight& flight, std::size_t firstJudged, std::size_t end) const;
    void reject(Flight& flight, std::size_t tier, std::uint32_t rule) const;

    std::vector<Learning> m_learning; ///< by rule, where somebody wants the series
    std::vector<Judged> m_judged; ///< of the tier at hand, or of all tiers with all_or_nothing
    std::vector<PlainlyJudged> m_plainlyJudged; ///< of the tier at hand
};

} // namespace engine

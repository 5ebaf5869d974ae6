#pragma once
#include "engine/limiter.h"
#include "engine/limiter/rule_state.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace engine {

/// A limiter at work: in limiter.cpp the way that every request can take, tier by tier and with all
/// figures; in plainly.cpp the short one.
class Limiter::Parts {
public:
    /// What a profile asks of the limiter, made ready.
    struct Program {
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
        };

        std::array<std::vector<std::uint32_t>, kTierCount> rules; ///< that apply
        std::array<std::vector<Step>, kTierCount> steps; ///< the same
        std::vector<Keys> keys; ///< where their states are, each place once
        std::uint32_t exemption = kNoId;
        bool isPlain = true; ///< few places, and no rule of it delays, or holds slots
    };

    Parts(const Intake& source, std::size_t planIndex, DecisionSink* sink);

    Progress advancePerTier(Flight& flight, const Program& program);
    void decidePlainly(Flight& flight, const Program& program);
    void decideAtOnce(Flight& flight, const Program& program); ///< all_or_nothing

    const Program& programOf(const Arrival& arrival)
    {
        const std::uint32_t profile = arrival.ids()[profileAt];
        if (profile >= programs.size() || !programs[profile]) [[unlikely]] {
            makeProgram(profile);
        }
        return *programs[profile];
    }

    const Intake& intake;
    const std::size_t plan;
    const Plan& policy;
    DecisionSink* const decisions;
    const bool tracksCounts;
    const std::size_t profileAt; ///< among the ids of an arrival
    std::deque<CellGroup> groups; ///< outlive the rules
    std::vector<RuleState> rules;
    std::vector<std::unique_ptr<Program>> programs; ///< by profile, made when first met
    bool warmup = false;

private:
    /// One rule's verdict while its tier is being judged.
    struct Judged {
        std::uint32_t rule = 0;
        std::uint32_t key = 0;
        KeyCell* cell = nullptr;
        std::int64_t cost = 1;
        std::int64_t delayNs = 0;
        bool admits = true;
        bool counted = false;
        std::size_t detail = 0; ///< position in Decision::rules
    };

    /// The same as Judged, where nobody asks for more.
    struct PlainlyJudged {
        KeyCell* cell = nullptr;
        std::int64_t cost = 1;
        bool admits = true;
    };

    void makeProgram(std::uint32_t profile);
    void judgeTier(Flight& flight, const std::vector<std::uint32_t>& applying);
    void noteDenial(Flight& flight, std::uint32_t rule, std::uint32_t key);
    bool judgePlainly(Flight& flight, const Program::Step& step, PlainlyJudged& judged);
    static void countPlainly(const Flight& flight, RuleState& rule, const PlainlyJudged& judged,
                             bool passes);
    std::uint32_t passPlainly(Flight& flight, const std::vector<Program::Step>& steps);
    [[nodiscard]] std::uint32_t firstDenial(std::size_t firstJudged) const;
    std::int64_t countTier(Flight& flight, std::size_t firstJudged, std::size_t end);
    void countRejectedOnes(Flight& flight, std::size_t firstJudged, std::size_t end);
    void giveBack(Flight& flight);
    void noteCount(const Flight& flight, Judged& judged) const;
    void beginDetail(Flight& flight, Judged& judged) const;
    void endDetail(Flight& flight, std::size_t firstJudged, std::size_t end) const;
    void reject(Flight& flight, std::size_t tier, std::uint32_t rule) const;

    std::vector<Judged> m_judged; ///< of the tier at hand, or of all tiers with all_or_nothing
    std::vector<PlainlyJudged> m_plainlyJudged; ///< of the tier at hand
};

} // namespace engine

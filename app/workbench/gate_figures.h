#pragma once
#include "app/workbench/compare.h"
#include "app/workbench/gate.h"
#include "engine/tally.h"

#include <vector>

namespace app {

/// The figures of a gate over a replay: counted during the pass where they are narrowed by an
/// attribute, else taken from the tally.
///
/// Register it as a listener of the pass, whose intake has facets() as its facets. With rule("x"):
/// requests is how many the rule judged, admitted those that it let through itself, rejected those
/// that it was the first to reject, would_reject those that it denied in mode shadow; so with
/// class("x") of a load_shedder's classes.
class ReplayGate final : public PassListener {
public:
    ReplayGate(Gate gate, std::size_t plan);

    [[nodiscard]] std::vector<std::string> facets() const { return m_gate.narrowedAttributes(); }

    engine::Status begin(const engine::Intake& intake, const engine::Replay& replay) override;
    void settle(const engine::Settled& settled) override;

    /// After the pass.
    [[nodiscard]] bool saysNo(const engine::Tally& tally) const;
    /// Each figure as it came out, once: {"rejected[plan=pro]", 12 of 1}.
    [[nodiscard]] std::vector<std::pair<std::string, Ratio>>
    values(const engine::Tally& tally) const;

    [[nodiscard]] const Gate& gate() const { return m_gate; }

private:
    struct Counts {
        std::uint64_t requests = 0;
        std::uint64_t admitted = 0;
        std::uint64_t rejected = 0;
        std::uint64_t wouldReject = 0;
    };

    void count(const engine::Settled& settled, const GateFigure& figure, Counts& counts) const;
    [[nodiscard]] Counts fromTally(const engine::Tally& tally, const GateFigure& figure) const;
    [[nodiscard]] Ratio value(const engine::Tally& tally, const GateFigure& figure) const;

    Gate m_gate;
    std::size_t m_plan;
    const engine::Intake* m_intake = nullptr;
    std::vector<std::size_t> m_facetOf; ///< by figure: index of its facet
    std::vector<Counts> m_counts; ///< by figure
};

/// The figures of a gate over a comparison. watches() go into CompareOptions before the pass.
class CompareGate {
public:
    /// `facets`: those of the comparison, in which the gate's attributes are.
    CompareGate(Gate gate, const std::vector<std::string>& facets);

    [[nodiscard]] const std::vector<engine::Comparison::Filter>& watches() const
    {
        return m_watches;
    }

    [[nodiscard]] bool saysNo(const engine::Comparison& comparison) const;
    [[nodiscard]] std::vector<std::pair<std::string, Ratio>>
    values(const engine::Comparison& comparison) const;

    [[nodiscard]] const Gate& gate() const { return m_gate; }

private:
    [[nodiscard]] Ratio value(const engine::Comparison& comparison, std::size_t figure) const;
    [[nodiscard]] std::size_t indexOf(const GateFigure& figure) const;

    Gate m_gate;
    std::vector<engine::Comparison::Filter>
        m_watches; ///< two to a figure: with and without its rule
};

} // namespace app

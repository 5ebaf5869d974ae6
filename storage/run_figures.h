#pragma once
#include "engine/conditions.h"
#include "engine/replay.h"
#include "storage/run_results.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace storage {

/// The figures and names of one plan at the end of its run: what the writer asks for when it
/// finishes. EngineFigures answers from the engine; wrap it to give pseudonyms (--mask).
///
/// keyCount, keyTally, memoryOf, whoCount and who may be asked by one thread while another asks for
/// all the rest, and for who: these five must not use memory that any of them writes to.
class RunFigures {
public:
    RunFigures() = default;
    RunFigures(const RunFigures&) = delete;
    RunFigures& operator=(const RunFigures&) = delete;
    virtual ~RunFigures() = default;

    [[nodiscard]] virtual const engine::RunTally& run() const = 0;
    [[nodiscard]] virtual std::uint64_t costMissing(std::size_t rule) const = 0;
    [[nodiscard]] virtual std::size_t keyCount(std::size_t rule) const = 0;
    [[nodiscard]] virtual engine::KeyTally keyTally(std::size_t rule, std::uint32_t key) const = 0;
    [[nodiscard]] virtual std::vector<std::string_view> keyText(std::size_t rule,
                                                                std::uint32_t key) const = 0;
    [[nodiscard]] virtual std::size_t whoCount() const = 0;
    [[nodiscard]] virtual engine::WhoTally who(std::uint32_t id) const = 0;
    [[nodiscard]] virtual std::string_view whoText(std::uint32_t id) const = 0;
    [[nodiscard]] virtual std::string_view pathGroupText(std::uint32_t id) const = 0;
    [[nodiscard]] virtual engine::StateMemory memoryOf(std::size_t rule) const = 0;
    /// With the texts of keys, clients and servers.
    [[nodiscard]] virtual RunConditions conditions() const = 0;
};

/// Borrows intake, replay and tally, after Replay::finish() and Tally::finish(). `conditions`:
/// those that the replay had, so that what they did has names.
///
/// Servers are named "0", "1" and so on; where the log says which server it was, "" for the
/// requests that do not say, then the values in order of first appearance.
class EngineFigures : public RunFigures {
public:
    EngineFigures(const engine::Intake& intake, const engine::Replay& replay,
                  const engine::Tally& tally, std::size_t plan,
                  const engine::Conditions* conditions = nullptr);

    [[nodiscard]] const engine::RunTally& run() const override;
    [[nodiscard]] std::uint64_t costMissing(std::size_t rule) const override;
    [[nodiscard]] std::size_t keyCount(std::size_t rule) const override;
    [[nodiscard]] engine::KeyTally keyTally(std::size_t rule, std::uint32_t key) const override;
    [[nodiscard]] std::vector<std::string_view> keyText(std::size_t rule,
                                                        std::uint32_t key) const override;
    [[nodiscard]] std::size_t whoCount() const override;
    [[nodiscard]] engine::WhoTally who(std::uint32_t id) const override;
    [[nodiscard]] std::string_view whoText(std::uint32_t id) const override;
    [[nodiscard]] std::string_view pathGroupText(std::uint32_t id) const override;
    [[nodiscard]] engine::StateMemory memoryOf(std::size_t rule) const override;
    [[nodiscard]] RunConditions conditions() const override;

private:
    [[nodiscard]] std::string serverName(std::size_t server) const;
    [[nodiscard]] MostAdmittedTotal mostOf(std::size_t rule,
                                           const engine::MostAdmitted& most) const;
    [[nodiscard]] std::optional<ServerRuleTotal> serversOf(std::size_t rule) const;
    [[nodiscard]] std::string_view clientText(std::uint32_t id) const;
    [[nodiscard]] std::optional<ClientTotals> clients() const;

    const engine::Intake& m_intake;
    const engine::Replay& m_replay;
    const engine::Tally& m_tally;
    std::size_t m_plan;
    engine::Conditions m_conditions;
};

} // namespace storage

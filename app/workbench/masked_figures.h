#pragma once
#include "app/workbench/pseudonym.h"
#include "engine/conditions.h"
#include "engine/plan.h"
#include "storage/run_figures.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Whose values go into the store as pseudonyms (`--mask`), and under which key.
struct Masking {
    std::set<std::string> attributes; ///< as named; see masked(). An address is one wherever it is
    MaskKey key;

    [[nodiscard]] bool isOn() const { return !attributes.empty(); }
};

/// The named attributes, the usual fields behind them (remote_addr of client_ip), and what the
/// plans cut from them (a network of client_ip, a part of an api_key) or cut them from. Not what a
/// lookup file gives: a plan or a tenant is no secret of the log's.
///
/// Example: {"user"} with `account: { from: user, pattern: "{account}@" }` gives user, remote_user
/// and account.
std::set<std::string> masked(const std::vector<const engine::Plan*>& plans,
                             const std::set<std::string>& named);

/// Figures as they are, with pseudonyms in place of the masked values: where client_ip is masked,
/// also of addresses (and lists of them) in any other key, since logs have them in several fields.
/// Another field that repeats a masked value under a name of its own is kept as it is. Pseudonyms
/// are those of `weir convert --mask` under the same key, so that 192.0.2.7 keeps its neighbours.
///
/// A text is there until the next one is asked for. Borrows `figures`.
class MaskedFigures final : public storage::RunFigures {
public:
    /// Of plan `plans[which]`. `who`: the attribute that says who sent a request, in terms of the
    /// first plan. `conditions`: those of the figures, which say what names clients and servers.
    MaskedFigures(const storage::RunFigures& figures, const std::vector<const engine::Plan*>& plans,
                  std::size_t which, std::string who, const Masking& masking,
                  const engine::Conditions* conditions = nullptr);

    [[nodiscard]] const engine::RunTally& run() const override { return m_figures.run(); }

    [[nodiscard]] std::uint64_t costMissing(std::size_t rule) const override
    {
        return m_figures.costMissing(rule);
    }

    [[nodiscard]] std::size_t keyCount(std::size_t rule) const override
    {
        return m_figures.keyCount(rule);
    }

    [[nodiscard]] engine::KeyTally keyTally(std::size_t rule, std::uint32_t key) const override
    {
        return m_figures.keyTally(rule, key);
    }

    [[nodiscard]] std::vector<std::string_view> keyText(std::size_t rule,
                                                        std::uint32_t key) const override;

    [[nodiscard]] std::size_t whoCount() const override { return m_figures.whoCount(); }

    [[nodiscard]] engine::WhoTally who(std::uint32_t id) const override
    {
        return m_figures.who(id);
    }

    [[nodiscard]] std::string_view whoText(std::uint32_t id) const override;
    [[nodiscard]] std::string_view pathGroupText(std::uint32_t id) const override;

    [[nodiscard]] engine::StateMemory memoryOf(std::size_t rule) const override
    {
        return m_figures.memoryOf(rule);
    }

    [[nodiscard]] storage::RunConditions conditions() const override;

private:
    /// The i-th text of the answer at hand.
    std::string_view shown(const std::string& attribute, std::string_view value,
                           std::size_t i) const;
    void hide(const std::string& attribute, std::string& value) const;
    void hideKey(std::size_t rule, std::vector<std::string>& values) const;

    const storage::RunFigures& m_figures;
    const engine::Plan& m_plan;
    std::string m_who;
    std::string m_client; ///< the attribute whose values are the clients
    std::string m_server; ///< likewise; empty where servers have numbers
    std::set<std::string> m_masked;
    mutable Pseudonyms m_pseudonyms;
    mutable std::vector<std::string> m_texts;
};

/// The lines that could not be read, without their texts: any of them may hold a masked value.
std::vector<storage::BadLines> withoutTexts(std::vector<storage::BadLines> lines);

} // namespace app

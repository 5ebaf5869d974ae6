#pragma once
#include "app/workbench/enough_limit.h"
#include "app/workbench/key_episodes.h"
#include "app/workbench/pass.h"
#include "app/workbench/secrets.h"
#include "engine/decision.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace app {

/// A key of a rule as somebody names it: as it is shown (joinedKey(), escaped) or as it is in the
/// log, its parts with a comma between, or a comma and a blank.
struct NamedKey {
    std::string text;
    std::vector<std::string> attributes; ///< of the rule's key
    SecretAttributes secrets {}; ///< how their values are shown

    /// `values`: in the order of `attributes`.
    [[nodiscard]] bool means(const std::vector<std::string_view>& values) const;
};

/// Finds the key that is meant among those of a rule's tuple, each looked at once.
class KeyFinder {
public:
    /// Borrows both.
    KeyFinder(const engine::Intake& intake, std::size_t tuple, const NamedKey& key)
        : m_intake(&intake)
        , m_tuple(tuple)
        , m_key(&key)
    {
    }

    [[nodiscard]] bool is(const engine::Arrival& arrival);

    std::size_t found = 0; ///< keys that are named like that
    std::vector<std::string> values; ///< of the last one, as they may be shown

private:
    enum class Known : std::uint8_t { NotYet, Yes, No };

    const engine::Intake* m_intake;
    std::size_t m_tuple;
    const NamedKey* m_key;
    std::vector<Known> m_known; ///< by id
};

/// What came of the requests of a key that the rule judged, at one of their attempts at least,
/// where clients come again. Warm-up left out.
struct KeyComebacks {
    std::uint64_t retries = 0; ///< judged by the rule
    std::uint64_t denied = 0; ///< of these
    std::uint64_t admittedLater = 0; ///< requests that got through all tiers by a retry
    std::uint64_t gaveUp = 0; ///< requests whose client came no more
    std::uint64_t outOfBudget = 0; ///< of these, for want of budget
};

/// Listens to a pass by one plan and writes down what a key met at a rule.
class KeyWitness final : public PassListener, public engine::DecisionSink {
public:
    /// Borrows plan and key. Beyond `mostKept` requests of the key only the episodes are kept.
    KeyWitness(const engine::Plan& plan, std::uint32_t rule, const NamedKey& key,
               std::size_t mostKept);

    engine::Status begin(const engine::Intake& intake, const engine::Replay& replay) override;
    void settle(const engine::Settled& settled) override;
    bool wants(std::size_t plan, const engine::Arrival& arrival) override;
    void decided(std::size_t plan, const engine::Decision& decision) override;

    /// After the pass; episodes() and keyRequests() are complete then.
    void finish();

    [[nodiscard]] const std::vector<KeyEpisode>& episodes() const { return m_episodes.all(); }

    /// In the order in which the rule judged them.
    [[nodiscard]] std::vector<engine::KeyRequest> keyRequests() const;

    std::optional<KeyFinder> finder;
    bool hasAll = true; ///< keyRequests() has all; else there were too many to keep
    std::uint64_t requests = 0; ///< judged at their first attempts, warm-up left out
    std::uint64_t denied = 0;
    KeyComebacks comebacks;
    std::uint64_t deniedByRule = 0; ///< of any key
    std::int64_t firstNs = 0; ///< judged
    std::int64_t lastNs = 0;

private:
    struct Judged {
        engine::KeyRequest request;
        std::uint64_t n = 0;
        bool admits = true;
    };

    void follow(const engine::Decision& decision);
    [[nodiscard]] bool wasJudged(const engine::Decision& decision);
    void add(const engine::Decision& decision, const engine::RuleDecision& rule);
    void tell(const Judged& judged);
    [[nodiscard]] bool counts(const engine::Decision& decision) const;

    const engine::Plan& m_plan;
    std::uint32_t m_rule;
    const NamedKey& m_key;
    std::size_t m_mostKept;
    KeyEpisodes m_episodes;
    std::vector<Judged> m_judged;
    std::unordered_set<std::uint64_t> m_underWay; ///< that the rule judged and that come again
};

} // namespace app

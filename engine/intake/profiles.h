#pragma once
#include "engine/intake.h"
#include "engine/intake/schema.h"

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace engine::intake {

/// Which rules a request meets follows from its words alone: worked out once for each distinct row
/// of words, for all plans, and remembered.
///
/// Profiles are kept for ever, numbered in order of first appearance; the memory of rows is
/// bounded.
class Profiles {
public:
    /// Borrows both.
    Profiles(const Schema& schema, const std::vector<const Plan*>& plans);

    /// What follows from one row of words.
    struct Row {
        bool leftOut = false;
        bool dropped = false; ///< left out because production had rejected it
        std::uint32_t flags = 0; ///< of the arrival
        std::vector<std::uint32_t> profiles; ///< by plan
        std::vector<bool> tuples; ///< that some rule or facet needs
    };

    /// Rows are numbered; a number is valid until the next forgetIfLarge().
    std::uint32_t rowOf(const std::uint64_t* words);

    [[nodiscard]] const Row& row(std::uint32_t i) const { return m_rows[i]; }

    void forgetIfLarge();

    [[nodiscard]] const Profile& profile(std::size_t plan, std::uint32_t id) const
    {
        return m_plans[plan].profiles[id];
    }

    [[nodiscard]] std::size_t count(std::size_t plan) const
    {
        return m_plans[plan].profiles.size();
    }

private:
    struct PlanProfiles {
        std::deque<Profile> profiles; ///< never moved
        std::unordered_map<std::string, std::uint32_t> known;
    };

    struct WordsHash {
        std::size_t operator()(const std::vector<std::uint64_t>& words) const;
    };

    [[nodiscard]] Row makeRow(const std::uint64_t* words);
    [[nodiscard]] Profile meet(std::size_t plan, const std::uint64_t* words) const;
    [[nodiscard]] bool isRecorded(const std::uint64_t* words) const;
    [[nodiscard]] bool applies(const SchemaRule& rule, const std::uint64_t* words) const;
    std::uint32_t number(std::size_t plan, Profile profile);

    const Schema& m_schema;
    const std::vector<const Plan*>& m_sources;
    std::vector<PlanProfiles> m_plans;
    std::vector<Row> m_rows;
    std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, WordsHash> m_known;
    std::vector<std::uint64_t> m_asked;
};

} // namespace engine::intake

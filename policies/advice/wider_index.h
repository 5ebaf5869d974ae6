#pragma once
#include "engine/plan.h"
#include "policies/advice/survey.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace policies::advice {

/// Finds matches that cover a given one without comparing all with all.
///
/// A match is filed under its rule's key and one of its values that a covered match must have, too,
/// in that form or a narrower one: a text, the literal beginning of `/api/**`, or "anything" of an
/// attribute. A search looks only where something wider can be filed, and at no more than
/// kMostLooks matches, so that n searches take time proportional to n; with very many alike it may
/// find less than there is.
class WiderIndex {
public:
    static constexpr std::size_t kMostLooks = 256;

    /// `key` is the rule's key, in any order; `match` must stay where it is.
    void add(std::size_t id, const std::vector<std::string>& key, const engine::Match& match);

    enum class Found : std::uint8_t {
        No, ///< nothing that is filed covers it
        Yes,
        GaveUp ///< there may be something among what was not looked at
    };

    /// Calls `visit` with each filed id whose match covers `match` and whose key is within `key`,
    /// until it returns true, which gives Yes.
    Found find(const std::vector<std::string>& key, const engine::Match& match,
               const std::function<bool(std::size_t)>& visit) const;

private:
    struct Filed {
        std::size_t id;
        const engine::Match* match;
    };

    std::unordered_map<std::string, std::vector<Filed>> m_files;
};

/// The attribute names of a key in alphabetical order.
std::vector<std::string> sortedKey(const Rule& rule);

/// A text that only equal matches have, in whatever order they are written.
std::string matchText(const engine::Match& match);

/// A text that only equal tuples of texts have.
std::string joined(const std::vector<std::string>& texts);

} // namespace policies::advice

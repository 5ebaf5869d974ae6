#pragma once
#include "engine/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The expressions of --fail-if.
///
///   expression := conjunction { "or" conjunction }
///   conjunction := condition { "and" condition }
///   condition  := "not" condition | "(" expression ")" | operand OP operand
///   OP         := "<" | "<=" | ">" | ">=" | "==" | "!="      ("=" is "==")
///   operand    := NUMBER | NUMBER "%" | figure
///   figure     := [ "rule(" STRING ")" "." ] [ "class(" STRING ")" "." ] NAME
///                 [ "[" ATTRIBUTE "=" VALUE "]" ]
///
/// A number is a count (digits); with % it is a share and may have decimals: 0.5%. Counts are
/// compared with counts and shares with shares, as exact fractions. VALUE is plain up to the
/// bracket, or in double quotes with \" and \\. NAME: requests, admitted, rejected, would_reject
/// (counts), rejected_share (of the requests); in comparisons also newly_rejected, newly_admitted,
/// still_rejected, still_admitted, newly_rejected_keys (counts) and newly_rejected_share. Of one
/// rule a comparison knows what it rejected (rejected, the newly_ and still_rejected figures), not
/// what it judged; a replay knows both. So it is of a class of a load_shedder: class("batch") alone
/// is the classes of that name of all rules together.
///
/// Example: `newly_rejected_keys[plan=pro] > 0 or rule("search").rejected_share >= 1.5% or
/// class("critical").rejected > 0`.
namespace app {

enum class GateContext : std::uint8_t { Replay, Compare };

/// A class of a load_shedder.
struct RuleClass {
    std::string rule;
    std::string name;
};

/// What an expression may speak of: names of rules (of all policies at hand) and attributes.
struct GateNames {
    GateContext context = GateContext::Replay;
    std::vector<std::string> rules;
    std::vector<std::string> attributes;
    std::vector<RuleClass> classes {};
};

/// A figure as the expression asks for it.
struct GateFigure {
    std::string name; ///< "newly_rejected"
    std::optional<std::string> rule;
    std::optional<std::string> className; ///< of the rule; without one, of any
    std::optional<std::string> attribute; ///< narrowed to requests whose attribute ...
    std::string value; ///< ... has this value
    bool isShare = false;
    std::size_t column = 1; ///< 1-based, where it stands

    /// As it has to be written: `rule("search").rejected[plan=pro]`, `class("a \"b\"").rejected`.
    [[nodiscard]] std::string text() const;
};

/// numerator / denominator; the denominator of a count is 1. 0 of 0 counts as 0.
struct Ratio {
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 1;
};

/// A --fail-if expression that names only what there is. Plain value; any thread.
class Gate {
public:
    using Lookup = std::function<Ratio(const GateFigure&)>;

    /// Errors, all mistakes of usage, with the column as place: gate.syntax, gate.name,
    /// gate.context (a figure of comparisons in a replay), gate.rule, gate.class, gate.attribute,
    /// gate.type (a count against a share).
    static engine::Result<Gate> parse(std::string_view text, const GateNames& names);

    /// All figures in order, for whoever must prepare the pass and for the report.
    [[nodiscard]] const std::vector<GateFigure>& figures() const { return m_figures; }

    /// The attributes that figures are narrowed by, each once: facets that the pass must intern.
    [[nodiscard]] std::vector<std::string> narrowedAttributes() const;

    [[nodiscard]] const std::string& text() const { return m_text; }

    /// Does the condition hold, so that the gate says no?
    [[nodiscard]] bool holds(const Lookup& lookup) const;

private:
    friend class GateParser;

    enum class Comparator : std::uint8_t {
        Less,
        LessOrEqual,
        Greater,
        GreaterOrEqual,
        Equal,
        NotEqual
    };

    struct Operand {
        std::optional<std::size_t> figure; ///< index; else `number`
        Ratio number;
        bool isShare = false;
    };

    enum class NodeKind : std::uint8_t { Or, And, Not, Compare };

    struct Node {
        NodeKind kind = NodeKind::Compare;
        std::size_t left = 0; ///< nodes; Not has only this one
        std::size_t right = 0;
        Operand a; ///< Compare
        Operand b;
        Comparator comparator = Comparator::Equal;
    };

    [[nodiscard]] bool holds(std::size_t node, const Lookup& lookup) const;

    std::string m_text;
    std::vector<GateFigure> m_figures;
    std::vector<Node> m_nodes;
    std::size_t m_root = 0;
};

} // namespace app

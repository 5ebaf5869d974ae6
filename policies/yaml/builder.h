#pragma once
#include "policies/yaml/parse.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace policies::yaml {

/// Puts a tree together from events in order of text. Knows nothing of the YAML library: offsets
/// are bytes of the source.
class Builder {
public:
    explicit Builder(const Source& source);

    void null(std::size_t begin);
    void scalar(std::size_t begin, const std::string& value, const std::string& tag);
    void alias(std::size_t begin);
    void anchor(std::size_t begin, const std::string& name);
    void open(std::size_t begin, Kind kind, const std::string& tag);
    void close();

    /// Reports a quote that is never closed; nothing behind it can be trusted.
    void openQuote(std::size_t begin);

    void error(std::string code, std::size_t at, std::string message, std::string help);

    /// The innermost flow collection that is still open, for the message about a missing bracket.
    [[nodiscard]] std::optional<std::size_t> openBracket() const;

    [[nodiscard]] Node& root() { return m_root; }

    [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>>& scalars() const
    {
        return m_scalars;
    }

    [[nodiscard]] bool isComplete() const { return !m_isFull && !m_isTooDeep && !m_hasOpenQuote; }

    std::vector<engine::Diagnostic> takeDiagnostics() { return std::move(m_diagnostics); }

private:
    struct Frame {
        Node node;
        std::optional<Item> pending; ///< a map's key that waits for its value
        std::unordered_set<std::string> keys;
        std::size_t end = 0; ///< of the last child
        bool isDropped = false;
    };

    bool takeNode(std::size_t begin);
    void finish(Node node, std::size_t begin);
    void takeKey(Frame& frame, Node node);
    void refuseTag(Node& node, std::size_t begin, const std::string& tag);
    [[nodiscard]] std::size_t emptyPlace() const;

    const Source& m_source;
    std::vector<Frame> m_frames;
    std::size_t m_tooDeep = 0; ///< collections open beyond the depth that is allowed
    std::size_t m_nodes = 0;
    bool m_isFull = false;
    bool m_isTooDeep = false;
    bool m_hasOpenQuote = false; ///< it swallowed what follows
    bool m_hasAnchor = false; ///< the next node carries one
    Node m_root;
    std::vector<std::pair<std::size_t, std::size_t>> m_scalars;
    std::vector<engine::Diagnostic> m_diagnostics;
};

} // namespace policies::yaml

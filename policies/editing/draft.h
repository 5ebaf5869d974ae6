#pragma once
#include "policies/edit.h"
#include "policies/yaml/node.h"

#include <functional>
#include <string>
#include <vector>

namespace policies::editing {

/// The way from the root to a node: the index of an item at each level.
using NodePath = std::vector<std::size_t>;

NodePath below(NodePath path, std::size_t index);

const yaml::Node& nodeAt(const yaml::Node& root, const NodePath& path);
yaml::Node& nodeAt(yaml::Node& root, const NodePath& path);
/// The item whose value the path leads to. Not for the root.
const yaml::Item& itemAt(const yaml::Node& root, const NodePath& path);
yaml::Item& itemAt(yaml::Node& root, const NodePath& path);

/// Do two trees say the same? Comments and notation aside; `absent` and "absent" differ.
bool isSame(const yaml::Node& a, const yaml::Node& b);

/// Comments of a text in order of their bytes, each as often as it is there.
using Comments = std::vector<std::string>;

/// A text on its way through some changes, each of which is known as a tree before it is written.
class Draft {
public:
    /// Errors: those of yaml::parse.
    static engine::Result<Draft> open(std::string_view text);

    [[nodiscard]] const std::string& text() const { return m_text; }

    [[nodiscard]] const yaml::Node& root() const { return m_root; }

    [[nodiscard]] const Comments& comments() const { return m_comments; }

    /// Takes the first of `ways` (each in bytes of the text as it is, none overlapping another)
    /// after which the text says what `wanted` says, with the comments `kept` in it; with no
    /// others where `isExact`.
    ///
    /// Errors: edit.layout (no way does); the draft is as before.
    engine::Status commit(const yaml::Node& wanted, const std::vector<Edits>& ways,
                          const Comments& kept = {}, bool isExact = false);

    Edits take() { return std::move(m_edits); }

private:
    std::string m_text;
    yaml::Node m_root;
    Comments m_comments;
    Edits m_edits;
};

} // namespace policies::editing

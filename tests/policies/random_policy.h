#pragma once
#include "policies/yaml/node.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

/// Policies at random as trees, and as texts in every layout that people use.
namespace tests::policies {

using ::policies::yaml::Item;
using ::policies::yaml::Kind;
using ::policies::yaml::Node;

Node text(std::string value, bool quoted = false);
Node list(std::vector<Node> items);
Node map(std::vector<std::pair<std::string, Node>> fields);

Node* field(Node& map, const std::string& name);
std::string nameOf(const Node& part);

/// A tree in a form that can be compared: fields of a map in order of name.
std::string told(const Node& node);

class RandomPolicy {
public:
    explicit RandomPolicy(unsigned seed)
        : m_random(seed)
    {
    }

    Node policy();
    Node rule(const std::string& name);
    Node override(const std::string& name);
    Node exemption(const std::string& name);
    Node value(const std::string& fieldName);

    /// The tree on paper. Comments are "# c<number> <owner>;", where the owner is the rule or
    /// exemption that they stand in or above ("-": none).
    std::string print(const Node& policy);

    bool one(unsigned in) { return below(in) == 0; }

    std::size_t below(std::size_t end) { return m_random() % end; }

private:
    void line(std::size_t indent, const std::string& text);
    void end();
    void commentAbove(std::size_t indent);
    void beside();
    void blockMap(const Node& node, std::size_t indent, bool isBehindDash);
    void blockList(const Node& node, std::size_t indent);
    void value(const Node& node, std::size_t indent);
    void scalarValue(const Node& node, std::size_t indent);
    void flowLines(const Node& node, std::size_t indent);
    std::string flow(const Node& node);
    std::string scalar(const Node& node, bool isInFlow);
    std::string comment();

    std::mt19937 m_random;
    std::string m_text;
    std::string m_lineEnd;
    std::string m_owner = "-";
    bool m_isMixed = false;
    bool m_hasComments = true;
    bool m_isListFlush = false;
    std::size_t m_step = 2;
    std::size_t m_comments = 0;
};

} // namespace tests::policies

#include "tests/policies/random_policy.h"

#include <algorithm>

namespace tests::policies {

Node text(std::string value, bool quoted)
{
    Node node;
    node.kind = Kind::Scalar;
    node.text = std::move(value);
    node.quoted = quoted;
    return node;
}

Node list(std::vector<Node> items)
{
    Node node;
    node.kind = Kind::Sequence;
    for (Node& item : items) {
        node.items.push_back({{}, std::move(item), {}, {}, {}});
    }
    return node;
}

Node map(std::vector<std::pair<std::string, Node>> fields)
{
    Node node;
    node.kind = Kind::Map;
    for (auto& [key, value] : fields) {
        node.items.push_back({{key, false, {}}, std::move(value), {}, {}, {}});
    }
    return node;
}

Node* field(Node& map, const std::string& name)
{
    Item* item = ::policies::yaml::find(map, name);
    return item == nullptr ? nullptr : &item->value;
}

std::string nameOf(const Node& part)
{
    const Item* name = ::policies::yaml::find(part, "name");
    return name == nullptr ? "" : name->value.text;
}

std::string told(const Node& node)
{
    if (node.kind == Kind::Null) {
        return "null";
    }
    if (node.kind == Kind::Scalar) {
        return (node.text == "absent" && node.quoted ? "\"" : "'") + node.text + "'";
    }
    std::vector<std::string> parts;
    for (const Item& item : node.items) {
        const std::string key = node.kind == Kind::Map ? item.key.text + "=" : "";
        parts.push_back(key + told(item.value));
    }
    if (node.kind == Kind::Map) {
        std::sort(parts.begin(), parts.end());
    }
    std::string all = node.kind == Kind::Map ? "{" : "[";
    for (const std::string& part : parts) {
        all += "\n" + part;
    }
    return all + "}";
}

Node RandomPolicy::value(const std::string& fieldName)
{
    static const std::vector<std::string> kTexts {
        "20/min", "5x",    "a, b", "it's", "say: this",   "#1",    "absent",
        "-",      "x [y]", "no",   "a\"b", "caf\xC3\xA9", "* {a}", "two words"};
    if (fieldName == "key" || fieldName == "allow") {
        std::vector<Node> words;
        for (std::size_t i = below(3); i > 0; --i) {
            words.push_back(text("k" + std::to_string(i)));
        }
        return list(std::move(words));
    }
    if (fieldName == "match") {
        std::vector<std::pair<std::string, Node>> entries;
        if (one(2)) {
            entries.emplace_back("path", text("/a/**"));
        }
        if (one(2)) {
            entries.emplace_back("method", list({text("GET"), text("HEAD")}));
        }
        if (one(3)) {
            entries.emplace_back("plan", map({{"not", text("absent", one(2))}}));
        }
        return map(std::move(entries));
    }
    if (fieldName == "note" && one(2)) {
        return text(one(2) ? "one line\nand another\n" : "one line\n\n  deeper # no comment\nend");
    }
    return text(kTexts[below(kTexts.size())], one(4));
}

Node RandomPolicy::override(const std::string& name)
{
    Node made = map({{"name", text(name)}, {"match", value("match")}});
    for (const char* extra : {"rate", "burst", "note"}) {
        if (one(2)) {
            made.items.push_back({{extra, false, {}}, value(extra), {}, {}, {}});
        }
    }
    return made;
}

Node RandomPolicy::rule(const std::string& name)
{
    Node made = map({{"name", text(name, one(5))}});
    for (const char* extra : {"match", "key", "algorithm", "rate", "burst", "note", "allow"}) {
        if (one(2)) {
            made.items.push_back({{extra, false, {}}, value(extra), {}, {}, {}});
        }
    }
    if (one(3)) {
        made.items.push_back(
            {{"tighten", false, {}},
             map({{"rule", text("r" + std::to_string(below(6)))}, {"above", text("80%")}}),
             {},
             {},
             {}});
    }
    if (one(3)) {
        std::vector<Node> overrides;
        for (std::size_t i = below(3); i > 0; --i) {
            overrides.push_back(override("o" + std::to_string(i)));
        }
        made.items.push_back({{"overrides", false, {}}, list(std::move(overrides)), {}, {}, {}});
    }
    if (one(3)) {
        std::shuffle(made.items.begin(), made.items.end(), m_random);
    }
    return made;
}

Node RandomPolicy::exemption(const std::string& name)
{
    return map({{"name", text(name)}, {"match", value("match")}});
}

Node RandomPolicy::policy()
{
    Node made = map({{"weir", text("1")}, {"name", text("p")}});
    if (one(2)) {
        made.items.push_back({{"description", false, {}}, value("note"), {}, {}, {}});
    }
    if (one(2)) {
        std::vector<Node> exempt;
        for (std::size_t i = below(3); i > 0; --i) {
            exempt.push_back(exemption("e" + std::to_string(i)));
        }
        made.items.push_back({{"exempt", false, {}}, list(std::move(exempt)), {}, {}, {}});
    }
    std::vector<std::pair<std::string, Node>> tiers;
    std::size_t number = 0;
    for (const char* tier : {"edge", "gateway", "endpoint", "tenant"}) {
        std::vector<Node> rules;
        for (std::size_t i = below(4); i > 0; --i) {
            rules.push_back(rule("r" + std::to_string(number++)));
        }
        if (one(2) || !rules.empty()) {
            tiers.emplace_back(tier, list(std::move(rules)));
        }
    }
    made.items.push_back({{"tiers", false, {}}, map(std::move(tiers)), {}, {}, {}});
    if (one(4)) {
        std::shuffle(made.items.begin(), made.items.end(), m_random);
    }
    return made;
}

void RandomPolicy::end()
{
    m_text += m_isMixed && one(2) ? "\r\n" : m_lineEnd;
}

void RandomPolicy::line(std::size_t indent, const std::string& text)
{
    m_text += std::string(indent, ' ') + text;
    end();
}

std::string RandomPolicy::comment()
{
    return "# c" + std::to_string(++m_comments) + " " + m_owner + ";";
}

void RandomPolicy::commentAbove(std::size_t indent)
{
    if (one(8)) {
        line(0, one(4) ? "  " : "");
    }
    while (m_hasComments && one(6)) {
        line(indent, comment());
    }
}

void RandomPolicy::beside()
{
    if (m_hasComments && one(6)) {
        m_text += (one(2) ? " " : "    ") + comment();
    }
    end();
}

std::string RandomPolicy::scalar(const Node& node, bool isInFlow)
{
    if (node.kind == Kind::Null) {
        return "~";
    }
    const std::string& text = node.text;
    const bool isNeeded = node.quoted || text.empty()
        || text.find_first_of("#[]{}\"'*\n") != std::string::npos || text == "-"
        || text.find(": ") != std::string::npos
        || (isInFlow && text.find(',') != std::string::npos);
    if (!isNeeded && (text == "absent" || !one(4))) {
        return text;
    }
    std::string out;
    if (text.find('\n') == std::string::npos && one(2)) {
        for (const char c : text) {
            out += c == '\'' ? "''" : std::string(&c, 1);
        }
        return "'" + out + "'";
    }
    for (const char c : text) {
        out += c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(&c, 1);
    }
    return "\"" + out + "\"";
}

std::string RandomPolicy::flow(const Node& node)
{
    if (node.kind == Kind::Scalar || node.kind == Kind::Null) {
        return scalar(node, true);
    }
    const bool isMap = node.kind == Kind::Map;
    const std::string blank = one(2) ? " " : "";
    std::string text = (isMap ? "{" : "[") + blank;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        text += i == 0 ? "" : one(4) ? "," + std::string(2, ' ') : ", ";
        text += isMap ? node.items[i].key.text + ": " : "";
        text += flow(node.items[i].value);
    }
    text += !node.items.empty() && one(8) ? "," : "";
    return text + blank + (isMap ? "}" : "]");
}

void RandomPolicy::flowLines(const Node& node, std::size_t indent)
{
    const bool isMap = node.kind == Kind::Map;
    m_text += isMap ? "{" : "[";
    beside();
    const std::string outer = m_owner;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        const Node& item = node.items[i].value;
        const bool isPart = !isMap && item.kind == Kind::Map && outer == "-";
        m_owner = isPart ? nameOf(item) : outer;
        commentAbove(indent + 2);
        m_text += std::string(indent + 2, ' ');
        m_text += isMap ? node.items[i].key.text + ": " : "";
        if (!item.items.empty() && one(3)) {
            flowLines(item, indent + 2);
        } else {
            m_text += flow(item);
        }
        m_text += i + 1 < node.items.size() || one(2) ? "," : "";
        beside();
        m_owner = outer;
    }
    commentAbove(indent + (one(3) ? 1 : 2));
    m_text += std::string(indent + 1, ' ') + (isMap ? "}" : "]");
}

void RandomPolicy::scalarValue(const Node& node, std::size_t indent)
{
    const std::string& text = node.text;
    const bool mayBeBlock = text.find('\n') != std::string::npos && text.front() != ' ' && !one(3);
    if (!mayBeBlock) {
        m_text += scalar(node, false);
        beside();
        return;
    }
    m_text += text.back() == '\n' ? (one(3) ? "|+" : "|") : "|-";
    const bool isKept = m_text.back() == '+';
    beside();
    std::string rest = text.back() == '\n' ? text : text + '\n';
    while (!rest.empty()) {
        const std::size_t feed = rest.find('\n');
        line(feed == 0 ? 0 : indent + m_step, rest.substr(0, feed));
        rest.erase(0, feed + 1);
    }
    if (!isKept && one(3)) {
        line(0, "");
    }
}

void RandomPolicy::value(const Node& node, std::size_t indent)
{
    if (node.kind == Kind::Scalar || node.kind == Kind::Null) {
        scalarValue(node, indent);
    } else if (!node.items.empty() && !one(3)) {
        beside();
        if (node.kind == Kind::Map) {
            blockMap(node, indent + m_step, false);
        } else {
            blockList(node, indent + (m_isListFlush ? 0 : m_step));
        }
    } else if (!node.items.empty() && one(2)) {
        flowLines(node, indent);
        beside();
    } else {
        m_text += flow(node);
        beside();
    }
}

void RandomPolicy::blockList(const Node& node, std::size_t indent)
{
    const std::string outer = m_owner;
    const std::size_t blanks = one(4) ? 3 : 1;
    for (const Item& item : node.items) {
        const std::string name = item.value.kind == Kind::Map ? nameOf(item.value) : "";
        m_owner = outer == "-" && !name.empty() ? name : outer;
        commentAbove(indent);
        m_text += std::string(indent, ' ') + "-" + std::string(blanks, ' ');
        const bool isMap = item.value.kind == Kind::Map && !item.value.items.empty();
        if (isMap && !one(5)) {
            blockMap(item.value, indent + 1 + blanks, true);
        } else {
            value(isMap || item.value.kind != Kind::Map ? item.value : Node(item.value),
                  indent + 2);
        }
        m_owner = outer;
    }
}

void RandomPolicy::blockMap(const Node& node, std::size_t indent, bool isBehindDash)
{
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (!isBehindDash || i > 0) {
            commentAbove(indent);
            m_text += std::string(indent, ' ');
        }
        m_text += node.items[i].key.text + ":" + (one(8) ? "   " : " ");
        value(node.items[i].value, indent);
    }
}

std::string RandomPolicy::print(const Node& policy)
{
    m_text = one(5) ? "\xEF\xBB\xBF" : "";
    m_lineEnd = one(4) ? "\r\n" : "\n";
    m_isMixed = one(8);
    m_hasComments = !one(5);
    m_isListFlush = one(3);
    m_step = 1 + below(4);
    m_comments = 0;
    if (one(4)) {
        line(0, "---");
    }
    blockMap(policy, 0, false);
    if (one(2) && m_text.ends_with('\n')) {
        m_text.erase(m_text.size() - (m_text.ends_with("\r\n") ? 2 : 1));
    }
    return m_text;
}

} // namespace tests::policies

#include "policies/edit.h"
#include "policies/yaml/parse.h"
#include "tests/policies/random_policy.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

using namespace policies;
using tests::policies::RandomPolicy;
using yaml::Item;
using yaml::Kind;
using yaml::Node;

namespace {

std::optional<Node> parsed(const std::string& text)
{
    const yaml::Source source("p", text, 0);
    yaml::Parsed result = yaml::parse(source);
    if (!result.document || !result.diagnostics.empty()) {
        return std::nullopt;
    }
    return std::move(result.document->root);
}

using Comments = std::vector<std::pair<std::string, std::string>>; // "c1", owner

Comments commentsOf(const std::string& text)
{
    Comments found;
    for (std::size_t at = text.find("# c"); at != std::string::npos;
         at = text.find("# c", at + 1)) {
        const std::size_t blank = text.find(' ', at + 2);
        const std::size_t end = text.find(';', at);
        if (blank < end && end != std::string::npos) {
            found.emplace_back(text.substr(at + 2, blank - at - 2),
                               text.substr(blank + 1, end - blank - 1));
        }
    }
    return found;
}

constexpr std::array<const char*, 4> kTiers {"edge", "gateway", "endpoint", "tenant"};

/// One operation: on the text, and the same on the model. The model's half says whether the
/// operation is allowed.
struct Operation {
    std::string told;
    std::function<engine::Result<Edits>(const std::string&)> onText;
    std::function<bool(Node&)> onModel;
    std::string mayLose; ///< the owner whose comments may go; "*": whole tiers
    std::optional<Part> within {}; ///< the part that all edits lie in
};

/// The list of a part and its place there.
struct Found {
    Node* list = nullptr;
    std::size_t index = 0;

    [[nodiscard]] Node& node() const { return list->items[index].value; }
};

std::optional<Found> in(Node* list, const std::string& name)
{
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
        if (tests::policies::nameOf(list->items[i].value) == name) {
            return Found {list, i};
        }
    }
    return std::nullopt;
}

std::optional<Found> findPart(Node& root, const Part& part)
{
    using tests::policies::field;
    if (part.kind == Part::Kind::Exemption) {
        return in(field(root, "exempt"), part.name);
    }
    if (part.kind == Part::Kind::Override) {
        const auto rule = findPart(root, Part::ofRule(part.rule));
        return rule ? in(field(rule->node(), "overrides"), part.name) : std::nullopt;
    }
    for (Item& tier : field(root, "tiers")->items) {
        if (const auto found = in(&tier.value, part.name)) {
            return found;
        }
    }
    return std::nullopt;
}

void put(Node& map, const std::string& key, Node value)
{
    if (Node* there = tests::policies::field(map, key)) {
        *there = std::move(value);
        return;
    }
    map.kind = Kind::Map;
    map.items.push_back({{key, false, {}}, std::move(value), {}, {}, {}});
}

bool erase(Node& map, const std::string& key)
{
    return std::erase_if(map.items, [&](const Item& item) { return item.key.text == key; }) > 0;
}

Node& listIn(Node& map, const std::string& key)
{
    if (tests::policies::field(map, key) == nullptr) {
        put(map, key, tests::policies::list({}));
    }
    return *tests::policies::field(map, key);
}

void insert(Node& list, std::optional<std::size_t> position, Node value)
{
    const std::size_t at = position.value_or(list.items.size());
    list.items.insert(list.items.begin() + static_cast<std::ptrdiff_t>(at),
                      Item {{}, std::move(value), {}, {}, {}});
}

/// A tree as a value that may be typed.
std::string typed(const Node& node)
{
    if (node.kind == Kind::Scalar) {
        std::string out = "\"";
        for (const char c : node.text) {
            out += c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string(&c, 1);
        }
        const bool isPlain = !node.quoted && !node.text.empty()
            && node.text.find_first_of("#[]{}\"'*\n:,-") == std::string::npos;
        return isPlain ? node.text : out + "\"";
    }
    std::string out = node.kind == Kind::Map ? "{ " : "[";
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        out += i == 0 ? "" : ", ";
        out += node.kind == Kind::Map ? node.items[i].key.text + ": " : "";
        out += typed(node.items[i].value);
    }
    return out + (node.kind == Kind::Map ? " }" : "]");
}

class Operations {
public:
    explicit Operations(RandomPolicy& random)
        : m_random(random)
    {
    }

    Operation next()
    {
        switch (m_random.below(8)) {
        case 0:
            return set();
        case 1:
            return unset();
        case 2:
            return add();
        case 3:
            return duplicate();
        case 4:
            return rename();
        case 5:
            return remove();
        case 6:
            return nested();
        default:
            return move();
        }
    }

private:
    std::string ruleName() { return "r" + std::to_string(m_random.below(8)); }

    Part part()
    {
        switch (m_random.below(4)) {
        case 0:
            return Part::ofOverride(ruleName(), "o" + std::to_string(m_random.below(3)));
        case 1:
            return Part::ofExemption("e" + std::to_string(m_random.below(3)));
        default:
            return Part::ofRule(ruleName());
        }
    }

    static std::string ownerOf(const Part& part)
    {
        return part.kind == Part::Kind::Override ? part.rule : part.name;
    }

    Operation set()
    {
        static const std::vector<std::string> kFields {"rate",  "burst", "key",  "note",
                                                       "match", "mode",  "cost", "queue"};
        const Part who = part();
        const std::string name = kFields[m_random.below(kFields.size())];
        const Node value = m_random.value(name);
        return {"set " + who.rule + "/" + who.name + "." + name + "=" + typed(value),
                [=](const std::string& text) { return setValue(text, who, {name}, typed(value)); },
                [=](Node& root) {
                    const auto found = findPart(root, who);
                    if (found) {
                        put(found->node(), name, value);
                    }
                    return found.has_value();
                },
                ownerOf(who), who};
    }

    Operation nested()
    {
        const Part who = part();
        const Node value = m_random.value("rate");
        return {"set " + who.rule + "/" + who.name + ".match.host=" + typed(value),
                [=](const std::string& text) {
                    return setValue(text, who, {"match", "host"}, typed(value));
                },
                [=](Node& root) {
                    const auto found = findPart(root, who);
                    if (!found) {
                        return false;
                    }
                    if (tests::policies::field(found->node(), "match") == nullptr) {
                        put(found->node(), "match", tests::policies::map({}));
                    }
                    put(*tests::policies::field(found->node(), "match"), "host", value);
                    return true;
                },
                "", who};
    }

    Operation unset()
    {
        static const std::vector<std::string> kFields {"rate", "burst", "key", "match",
                                                       "overrides"};
        const Part who = part();
        const std::string name = kFields[m_random.below(kFields.size())];
        const bool isInner = m_random.one(3);
        const FieldPath path = isInner ? FieldPath {"match", "path"} : FieldPath {name};
        return {"unset " + who.rule + "/" + who.name + "." + path.back(),
                [=](const std::string& text) { return unsetValue(text, who, path); },
                [=](Node& root) {
                    const auto found = findPart(root, who);
                    Node* map = found ? &found->node() : nullptr;
                    map = map != nullptr && isInner ? tests::policies::field(*map, "match") : map;
                    return map != nullptr && erase(*map, path.back());
                },
                ownerOf(who), who};
    }

    Operation add()
    {
        std::optional<std::size_t> position;
        if (m_random.one(2)) {
            position = m_random.below(3);
        }
        const std::size_t kind = m_random.below(4);
        Part owner = Part::ofPolicy();
        Part added = Part::ofExemption("e" + std::to_string(m_random.below(4)));
        Node value = m_random.exemption(added.name);
        if (kind == 1) {
            owner = Part::ofRule(ruleName());
            added = Part::ofOverride(owner.name, "o" + std::to_string(m_random.below(4)));
            value = m_random.override(added.name);
        } else if (kind > 1) {
            owner = Part::ofTier(static_cast<engine::Tier>(m_random.below(4)));
            added = Part::ofRule(ruleName());
            value = m_random.rule(added.name);
        }
        const auto onModel = [=](Node& root) {
            Node* map = kind > 1 ? tests::policies::field(root, "tiers") : &root;
            if (kind == 1) {
                const auto rule = findPart(root, owner);
                map = rule ? &rule->node() : nullptr;
            }
            if (map == nullptr || findPart(root, added)) {
                return false;
            }
            Node& list = listIn(*map, kind > 1 ? owner.name : kind == 1 ? "overrides" : "exempt");
            if (position && *position > list.items.size()) {
                return false;
            }
            insert(list, position, value);
            return true;
        };
        return {
            "add to " + owner.name + " " + typed(value),
            [=](const std::string& text) { return addPart(text, owner, typed(value), position); },
            onModel, ""};
    }

    Operation duplicate()
    {
        const Part who = part();
        const std::string name = who.name.substr(0, 1) + std::to_string(m_random.below(8));
        return {"duplicate " + who.rule + "/" + who.name + " as " + name,
                [=](const std::string& text) { return duplicatePart(text, who, name); },
                [=](Node& root) {
                    const auto found = findPart(root, who);
                    Part copied = who;
                    copied.name = name;
                    if (!found || findPart(root, copied)) {
                        return false;
                    }
                    Node copy = found->node();
                    put(copy, "name", tests::policies::text(name));
                    insert(*found->list, found->index + 1, copy);
                    return true;
                },
                ""};
    }

    Operation rename()
    {
        const Part who = part();
        const std::string name = who.name.substr(0, 1) + std::to_string(m_random.below(8));
        return {"rename " + who.rule + "/" + who.name + " to " + name,
                [=](const std::string& text) { return renamePart(text, who, name); },
                [=](Node& root) {
                    const auto found = findPart(root, who);
                    Part renamed = who;
                    renamed.name = name;
                    if (!found || (name != who.name && findPart(root, renamed))) {
                        return false;
                    }
                    put(found->node(), "name", tests::policies::text(name));
                    for (Item& tier : tests::policies::field(root, "tiers")->items) {
                        for (Item& rule : tier.value.items) {
                            Node* tighten = tests::policies::field(rule.value, "tighten");
                            Node* named = tighten == nullptr
                                ? nullptr
                                : tests::policies::field(*tighten, "rule");
                            if (who.kind == Part::Kind::Rule && named != nullptr
                                && named->text == who.name) {
                                named->text = name;
                            }
                        }
                    }
                    return true;
                },
                ""};
    }

    Operation remove()
    {
        if (m_random.one(6)) {
            const std::string tier = kTiers[m_random.below(4)];
            return {"remove tier " + tier,
                    [=](const std::string& text) {
                        return removePart(text, Part {Part::Kind::Tier, tier});
                    },
                    [=](Node& root) { return erase(*tests::policies::field(root, "tiers"), tier); },
                    "*"};
        }
        const Part who = part();
        return {"remove " + who.rule + "/" + who.name,
                [=](const std::string& text) { return removePart(text, who); },
                [=](Node& root) {
                    const auto found = findPart(root, who);
                    if (found) {
                        found->list->items.erase(found->list->items.begin()
                                                 + static_cast<std::ptrdiff_t>(found->index));
                    }
                    return found.has_value();
                },
                ownerOf(who)};
    }

    Operation move()
    {
        const Part who = part();
        std::optional<std::size_t> position;
        if (m_random.one(2)) {
            position = m_random.below(3);
        }
        const auto tier = static_cast<engine::Tier>(m_random.below(4));
        const bool isRule = who.kind == Part::Kind::Rule;
        const auto onModel = [=](Node& root) {
            const auto found = findPart(root, who);
            if (!found) {
                return false;
            }
            Node moved = found->node();
            Node before = root;
            Node& list = *found->list;
            list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(found->index));
            Node& to = isRule
                ? listIn(*tests::policies::field(root, "tiers"), std::string(engine::nameOf(tier)))
                : list;
            if (position && *position > to.items.size()) {
                root = before;
                return false;
            }
            insert(to, position, moved);
            return true;
        };
        return {"move " + who.rule + "/" + who.name + " to " + std::string(engine::nameOf(tier))
                    + (position ? ":" + std::to_string(*position) : ""),
                [=](const std::string& text) { return movePart(text, who, tier, position); },
                onModel, ""};
    }

    RandomPolicy& m_random;
};

/// Comments that went although they belong to something that is still there.
std::string lostComments(const std::string& before, const std::string& after,
                         const Operation& operation, const std::set<std::string>& renamedTo)
{
    std::set<std::string> left;
    for (const auto& [id, owner] : commentsOf(after)) {
        left.insert(id);
    }
    std::string lost;
    for (const auto& [id, owner] : commentsOf(before)) {
        const bool mayGo = operation.mayLose == "*"
            || (!operation.mayLose.empty()
                && (owner == operation.mayLose || renamedTo.contains(owner)));
        if (!left.contains(id) && !mayGo) {
            lost += id + " ";
        }
    }
    return lost;
}

/// Comments that have a line of their own.
std::set<std::string> aloneIn(const std::string& text)
{
    std::set<std::string> alone;
    for (std::size_t at = text.find("# c"); at != std::string::npos;
         at = text.find("# c", at + 1)) {
        const std::size_t last = at == 0 ? std::string::npos : text.find_last_not_of(' ', at - 1);
        if (last == std::string::npos || text[last] == '\n' || text[last] == '\xBF') {
            alone.insert(text.substr(at + 2, text.find(' ', at + 2) - at - 2));
        }
    }
    return alone;
}

/// Comments that are there more often than before, lost the line that they had for themselves, or
/// share it with something behind them.
std::string strayComments(const std::string& before, const std::string& after, bool mayDouble)
{
    std::map<std::string, int> left;
    for (const auto& [id, owner] : commentsOf(before)) {
        ++left[id];
    }
    const std::set<std::string> wereAlone = aloneIn(before);
    const std::set<std::string> areAlone = aloneIn(after);
    std::string stray;
    for (const auto& [id, owner] : commentsOf(after)) {
        stray += --left[id] < 0 && !mayDouble ? id + " " : "";
        const bool wasAlone = wereAlone.contains(id) && !areAlone.contains(id);
        stray += wasAlone ? id + " <- not alone on its line " : "";
    }
    for (std::size_t at = after.find("# c"); at != std::string::npos;
         at = after.find("# c", at + 1)) {
        const std::size_t next = after.find_first_not_of(" \r", after.find(';', at) + 1);
        if (next != std::string::npos && after[next] != '\n') {
            stray += after.substr(at, next - at) + "<- not at the end of its line ";
        }
    }
    return stray;
}

/// Do all edits lie in the lines of the part and the comments and blank lines below it?
bool areWithin(const Edits& edits, const std::string& text, const Part& part)
{
    std::optional<Node> root = parsed(text);
    const auto found = root ? findPart(*root, part) : std::nullopt;
    if (!found) {
        return false;
    }
    const Span& at = found->list->items[found->index].at;
    std::size_t end = text.find('\n', at.end);
    while (end != std::string::npos) {
        const std::size_t first = text.find_first_not_of(" \r", end + 1);
        if (first == std::string::npos || (text[first] != '#' && text[first] != '\n')) {
            break;
        }
        end = text.find('\n', first);
    }
    end = std::min(end, text.size());
    return std::all_of(edits.begin(), edits.end(), [&](const Edit& edit) {
        return edit.begin >= at.begin && edit.begin + edit.before.size() <= end + 1; // a whole line
    });
}

} // namespace

class TestEditRandom : public QObject {
    Q_OBJECT

private:
    /// Whether the sequence of operations that the seed gives went as the model says.
    static void run(unsigned seed)
    {
        RandomPolicy random(seed);
        Node model = random.policy();
        const std::string first = random.print(model);
        const auto start = parsed(first);
        if (!start || tests::policies::told(*start) != tests::policies::told(model)) {
            return; // some layouts of some texts are not YAML
        }
        ++s_runs;
        std::string text = first;
        Edits done;
        std::set<std::string> renamed; // rules whose comments bear another name
        Operations operations(random);
        for (int step = 0; step < 12; ++step) {
            const Operation operation = operations.next();
            const std::string context = "seed " + std::to_string(seed) + ", step "
                + std::to_string(step) + ": " + operation.told + "\n" + text;
            const engine::Result<Edits> edits = operation.onText(text);
            Node wanted = model;
            if (!operation.onModel(wanted)) {
                QVERIFY2(!edits, ("done although it cannot be: " + context).c_str());
                QVERIFY2(edits.error().code != "edit.layout", context.c_str());
                continue;
            }
            if (!edits) {
                qWarning("%s", context.c_str());
            }
            QVERIFY2(bool(edits), edits ? "" : edits.error().code.c_str());
            const std::string after = applied(text, *edits);
            const auto now = parsed(after);
            const bool isWanted
                = now && tests::policies::told(*now) == tests::policies::told(wanted);
            if (!isWanted) {
                qWarning("%s\n--- became\n%s", context.c_str(), after.c_str());
            }
            QVERIFY(isWanted);
            QVERIFY2(applied(after, inverse(*edits)) == text, context.c_str());
            if (operation.told.starts_with("rename") || operation.told.starts_with("dupl")) {
                for (int i = 0; i < 8; ++i) {
                    renamed.insert("r" + std::to_string(i));
                    renamed.insert("e" + std::to_string(i));
                }
            }
            const bool isLocal = !operation.within || areWithin(*edits, text, *operation.within);
            if (!isLocal) {
                qWarning("%s\n--- became\n%s", context.c_str(), after.c_str());
            }
            QVERIFY(isLocal);
            const std::string lost = lostComments(text, after, operation, renamed);
            if (!lost.empty()) {
                qWarning("%s\n--- became\n%s", context.c_str(), after.c_str());
            }
            QVERIFY2(lost.empty(), ("lost " + lost).c_str());
            const std::string stray
                = strayComments(text, after, operation.told.starts_with("dupl"));
            if (!stray.empty()) {
                qWarning("%s\n--- became\n%s", context.c_str(), after.c_str());
            }
            QVERIFY2(stray.empty(), ("stray " + stray).c_str());
            done.insert(done.end(), edits->begin(), edits->end());
            s_operations += edits->empty() ? 0 : 1;
            text = after;
            model = wanted;
        }
        QVERIFY2(applied(text, inverse(done)) == first, std::to_string(seed).c_str());
    }

    static inline int s_runs = 0;
    static inline int s_operations = 0;

private Q_SLOTS:

    void equalsTheSameOperationsOnTheModel()
    {
        const auto number = [](const char* name, unsigned otherwise) {
            const int given = qEnvironmentVariableIntValue(name);
            return given > 0 ? static_cast<unsigned>(given) : otherwise;
        };
        const unsigned from = number("WEIR_SEED", 1); // of a failure, to see it again
        const unsigned seeds = number("WEIR_SEEDS", 600);
        for (unsigned seed = from; seed < from + seeds && !QTest::currentTestFailed(); ++seed) {
            run(seed);
        }
        if (seeds >= 600 && !QTest::currentTestFailed()) {
            QVERIFY2(s_runs > 400, std::to_string(s_runs).c_str());
            QVERIFY2(s_operations > 1500, std::to_string(s_operations).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestEditRandom)
#include "tst_edit_random.moc"

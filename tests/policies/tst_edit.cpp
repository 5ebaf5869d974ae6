#include "policies/edit.h"
#include "policies/edit_address.h"
#include "policies/read.h"

#include <QTest>

#include <string>
#include <utility>

using namespace policies;

namespace {

const std::string kPolicy
    = "# who may do what\n"
      "weir: 1\n"
      "name: p   # short\n"
      "\n"
      "tiers:\n"
      "  edge:\n"
      "    - name: per-address   # everyone\n"
      "      key: [client_ip]\n"
      "      algorithm: sliding_window_counter\n"
      "      rate: \"1000/min\"\n"
      "  endpoint:\n"
      "    # costly\n"
      "    - name: search\n"
      "      match: { method: [GET, HEAD], path: \"/search/**\" }\n"
      "      key: [api_key]\n"
      "      algorithm: token_bucket\n"
      "      rate: 10/min        # agreed in May\n"
      "      # room for pages\n"
      "      burst: 20\n"
      "      overrides:\n"
      "        - { name: acme, match: { tenant: acme }, rate: 30/min } # contract\n"
      "\n"
      "    # logins\n"
      "    - name: login\n"
      "      key: [client_ip]\n"
      "      algorithm: sliding_window_log\n"
      "      rate: 5/h\n";

const std::string kLast = "        - name: b # second\n"
                          "          match: { path: /b }\n"
                          "          up_to: 50%\n";

const std::string kShedder = "weir: 1\n"
                             "name: p\n"
                             "tiers:\n"
                             "  edge:\n"
                             "    - name: shed\n"
                             "      key: []\n"
                             "      algorithm: load_shedder\n"
                             "      capacity: 9\n"
                             "      classes:\n"
                             "        # first\n"
                             "        - { name: a, match: { path: /a }, up_to: 80% }\n"
    + kLast
    + "    - name: x\n"
      "      key: []\n"
      "      algorithm: fixed_window\n"
      "      rate: 1/s\n"
      "      tighten: { rule: shed, above: 80%, factor: 2 }\n";

/// The text after the edits, or the code of the refusal.
std::string outcome(const std::string& text, const engine::Result<Edits>& edits)
{
    if (!edits) {
        return edits.error().code;
    }
    const std::string after = applied(text, *edits);
    return applied(after, inverse(*edits)) == text ? after : "undoing gives another text";
}

/// The text with one passage in place of another, which must be there once.
std::string with(std::string text, const std::string& before, const std::string& after)
{
    const std::size_t at = text.find(before);
    if (at == std::string::npos || text.find(before, at + 1) != std::string::npos) {
        qFatal("`%s` is not there once", before.c_str());
    }
    return text.replace(at, before.size(), after);
}

std::string crlf(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\n') {
            out.push_back('\r');
        }
        out.push_back(c);
    }
    return out;
}

} // namespace

class TestEdit : public QObject {
    Q_OBJECT

private:
    static void compare(const engine::Result<Edits>& edits, const std::string& wanted,
                        const std::string& text = kPolicy)
    {
        const QString seen = QString::fromStdString(outcome(text, edits));
        QCOMPARE(seen, QString::fromStdString(wanted));
    }

private Q_SLOTS:

    void changesOneValueInPlace()
    {
        const Part search = Part::ofRule("search");
        compare(setValue(kPolicy, search, {"rate"}, "20/min"),
                with(kPolicy, "rate: 10/min        # agreed", "rate: 20/min        # agreed"));
        compare(setValue(kPolicy, search, {"match", "path"}, "/find"),
                with(kPolicy, "\"/search/**\"", "\"/find\""));
        compare(setValue(kPolicy, Part::ofRule("per-address"), {"rate"}, "5/s"),
                with(kPolicy, "\"1000/min\"", "\"5/s\""));
        compare(setValue(kPolicy, search, {"match", "method"}, "[POST]"),
                with(kPolicy, "[GET, HEAD]", "[POST]"));
        compare(setValue(kPolicy, Part::ofOverride("search", "acme"), {"rate"}, "1/s"),
                with(kPolicy, "30/min", "1/s"));
        compare(setValue(kPolicy, Part::ofPolicy(), {"name"}, "q"),
                with(kPolicy, "name: p   #", "name: q   #"));
    }

    void editsClassesAndTighten()
    {
        const auto compare = [](const engine::Result<Edits>& edits, const std::string& wanted) {
            TestEdit::compare(edits, wanted, kShedder);
        };
        const Part b = Part::ofClass("shed", "b");
        compare(setValue(kShedder, b, {"up_to"}, "40%"),
                with(kShedder, "up_to: 50%", "up_to: 40%"));
        compare(setValue(kShedder, Part::ofClass("shed", "a"), {"match", "path"}, "/x"),
                with(kShedder, "path: /a }", "path: /x }"));
        compare(renamePart(kShedder, b, "c"), with(kShedder, "name: b #", "name: c #"));
        compare(renamePart(kShedder, b, "a"), "edit.name-taken");
        compare(renamePart(kShedder, Part::ofRule("shed"), "full"),
                with(with(kShedder, "name: shed\n", "name: full\n"), "rule: shed,", "rule: full,"));
        compare(removePart(kShedder, Part::ofClass("shed", "a")),
                with(kShedder,
                     "        # first\n        - { name: a, match: { path: /a }, up_to: 80% }\n",
                     ""));
        compare(movePart(kShedder, b, std::nullopt, 0),
                with(with(kShedder, kLast, ""), "        # first\n", kLast + "        # first\n"));
        compare(unsetValue(kShedder, b, {"name"}), "edit.required");
        compare(addPart(kShedder, b, "{ name: x }"), "edit.no-part");
        compare(setValue(kShedder, Part::ofRule("x"), {"tighten", "factor"}, "3"),
                with(kShedder, "factor: 2", "factor: 3"));
        const auto address = addressOf(kShedder, "shed.b.up_to");
        QVERIFY(address && address->part.kind == Part::Kind::Class);
        QCOMPARE(address->part.rule, std::string("shed"));
        QCOMPARE(address->part.name, std::string("b"));
        QCOMPARE(address->field, FieldPath {"up_to"});
        QCOMPARE(addressOf(kShedder, "shed.capacity")->field, FieldPath {"capacity"});
    }

    void addsAFieldWhereItBelongs()
    {
        compare(setValue(kPolicy, Part::ofRule("login"), {"mode"}, "shadow"),
                with(kPolicy, "- name: login\n", "- name: login\n      mode: shadow\n"));
        compare(setValue(kPolicy, Part::ofRule("per-address"), {"match", "path"}, "/a"),
                with(kPolicy, "# everyone\n", "# everyone\n      match: { path: /a }\n"));
        compare(setValue(kPolicy, Part::ofRule("search"), {"match", "host"}, "x.org"),
                with(kPolicy, "/search/**\" }", "/search/**\", host: x.org }"));
        compare(setValue(kPolicy, Part::ofOverride("search", "acme"), {"burst"}, "5x"),
                with(kPolicy, "rate: 30/min }", "rate: 30/min, burst: 5x }"));
        compare(setValue(kPolicy, Part::ofPolicy(), {"counting"}, "all_or_nothing"),
                with(kPolicy, "# short\n", "# short\ncounting: all_or_nothing\n"));
    }

    void unsetsAFieldWithItsComments()
    {
        compare(unsetValue(kPolicy, Part::ofRule("search"), {"burst"}),
                with(kPolicy, "      # room for pages\n      burst: 20\n", ""));
        compare(unsetValue(kPolicy, Part::ofRule("search"), {"match", "method"}),
                with(kPolicy, "method: [GET, HEAD], ", ""));
        compare(unsetValue(kPolicy, Part::ofRule("search"), {"match", "path"}),
                with(kPolicy, ", path: \"/search/**\"", ""));
        compare(unsetValue(kPolicy, Part::ofRule("search"), {"queue"}), "edit.no-field");
        compare(unsetValue(kPolicy, Part::ofRule("search"), {"name"}), "edit.required");
    }

    void addsRules()
    {
        const std::string rule
            = "{ name: sms, match: { path: /sms }, key: [], algorithm: gcra, rate: 1/s, burst: 2 }";
        const std::string lines = "    - name: sms\n      match: { path: /sms }\n      key: []\n"
                                  "      algorithm: gcra\n      rate: 1/s\n      burst: 2\n";
        const Part endpoint = Part::ofTier(engine::Tier::Endpoint);
        compare(addPart(kPolicy, endpoint, rule), kPolicy + "\n" + lines);
        compare(addPart(kPolicy, endpoint, rule, 0),
                with(kPolicy, "    # costly\n", lines + "\n    # costly\n"));
        compare(addPart(kPolicy, endpoint, rule, 1),
                with(kPolicy, "    # logins\n", lines + "\n    # logins\n"));
        compare(addPart(kPolicy, endpoint, rule, 3), "edit.position");
        compare(addPart(kPolicy, endpoint, "{ name: login }"), "edit.name-taken");
        compare(addPart(kPolicy, endpoint, "5"), "edit.value");
        compare(addPart(kPolicy, Part::ofTier(engine::Tier::Gateway), rule),
                with(kPolicy, "  endpoint:\n", "  gateway:\n" + lines + "  endpoint:\n"));
        compare(addPart(kPolicy, Part::ofTier(engine::Tier::Tenant), ""),
                kPolicy + "  tenant: []\n");
    }

    void addsATierBeforeTheFirst()
    {
        const std::string text = "tiers:\n  # the last\n  tenant: []\n";
        compare(addPart(text, Part::ofTier(engine::Tier::Edge), ""),
                "tiers:\n  edge: []\n  # the last\n  tenant: []\n", text);
        const std::string flow = "tiers: {tenant: []}\n";
        compare(addPart(flow, Part::ofTier(engine::Tier::Edge), ""),
                "tiers: {edge: [], tenant: []}\n", flow);
    }

    void addsOverridesAndExemptions()
    {
        compare(addPart(kPolicy, Part::ofRule("search"),
                        "{ name: b, match: { tenant: b }, rate: 1/s }"),
                with(kPolicy, "# contract\n",
                     "# contract\n        - { name: b, match: { tenant: b }, rate: 1/s }\n"));
        compare(
            addPart(kPolicy, Part::ofRule("login"), "{ name: b, match: { tenant: b }, rate: 1/s }"),
            kPolicy + "      overrides:\n        - { name: b, match: { tenant: b }, rate: 1/s }\n");
        compare(addPart(kPolicy, Part::ofPolicy(), "{ name: probe, match: { user_agent: probe } }"),
                with(kPolicy, "# short\n",
                     "# short\nexempt:\n  - { name: probe, match: { user_agent: probe } }\n"));
    }

    void duplicatesARule()
    {
        compare(
            duplicatePart(kPolicy, Part::ofRule("per-address"), "per-host"),
            with(kPolicy, "rate: \"1000/min\"\n",
                 "rate: \"1000/min\"\n    - name: per-host   # everyone\n      key: [client_ip]\n"
                 "      algorithm: sliding_window_counter\n      rate: \"1000/min\"\n"));
        compare(duplicatePart(kPolicy, Part::ofOverride("search", "acme"), "other"),
                with(kPolicy, "# contract\n",
                     "# contract\n        - { name: other, match: { tenant: acme }, rate: 30/min } "
                     "# contract\n"));
        compare(duplicatePart(kPolicy, Part::ofRule("login"), "search"), "edit.name-taken");
        compare(duplicatePart(kPolicy, Part::ofTier(engine::Tier::Edge), "x"), "edit.no-part");
    }

    void movesARuleWithItsComments()
    {
        const std::string login = "    # logins\n    - name: login\n      key: [client_ip]\n"
                                  "      algorithm: sliding_window_log\n      rate: 5/h\n";
        const std::string without = with(kPolicy, "\n" + login, "");
        compare(movePart(kPolicy, Part::ofRule("login"), engine::Tier::Edge, 0),
                with(without, "    - name: per-address", login + "    - name: per-address"));
        compare(movePart(kPolicy, Part::ofRule("login"), engine::Tier::Endpoint, 0),
                with(without, "    # costly\n", login + "    # costly\n"));
        compare(movePart(kPolicy, Part::ofRule("login"), std::nullopt, 1), kPolicy);
        compare(movePart(kPolicy, Part::ofRule("login"), engine::Tier::Edge, 5), "edit.position");
    }

    void keepsCommentsOfBracketsWithWhatTheyAreIn()
    {
        const std::string text
            = "tiers:\n  edge: [ { name: a, key: []\n      # why a\n    }, { name: b } ] # list\n"
              "  gateway: []\n";
        compare(movePart(text, Part::ofRule("b"), engine::Tier::Gateway, std::nullopt),
                "tiers:\n  edge: [ { name: a, key: []\n      # why a\n    } ] # list\n"
                "  gateway:\n    - { name: b }\n",
                text);
        compare(
            movePart(text, Part::ofRule("a"), engine::Tier::Gateway, std::nullopt),
            "tiers:\n  edge: [ { name: b } ] # list\n"
            "  gateway:\n    - {\n        name: a,\n        key: [],\n        # why a\n      }\n",
            text);
        const std::string list = "tiers:\n  edge:\n    - name: r\n"
                                 "      overrides: [ {name: x}, {name: y} ] # contracts\n";
        compare(movePart(list, Part::ofOverride("r", "y"), std::nullopt, 0),
                with(list, "{name: x}, {name: y}", "{name: y}, {name: x}"), list);
    }

    void endsTheLastLineBeforeItAddsAnother()
    {
        const std::string text = "tiers:\n  edge:\n    # about a\n    - name: a\n      note: |\n"
                                 "        hi\n  gateway:\n    - name: b # of b";
        compare(movePart(text, Part::ofRule("a"), engine::Tier::Gateway, std::nullopt),
                "tiers:\n  edge: []\n  gateway:\n    - name: b # of b\n    # about a\n"
                "    - name: a\n      note: |\n        hi\n",
                text);
    }

    void keepsTheSeparatorsBesideWhatItChanges()
    {
        const std::string text = "tiers: {edge: [ {name: a, rate: 1/s , burst: 2 } , "
                                 "{name: b, burst: 2,note: x } ]}\n";
        const auto undone = [&](const Edits& first, auto second) {
            const std::string after = applied(text, first);
            compare(second(after), text, after);
        };
        undone(*duplicatePart(text, Part::ofRule("a"), "c"),
               [](const std::string& now) { return removePart(now, Part::ofRule("c")); });
        undone(*setValue(text, Part::ofRule("b"), {"status"}, "500"), [](const std::string& now) {
            return unsetValue(now, Part::ofRule("b"), {"status"});
        });
    }

    void leavesAnEmptyListBehind()
    {
        const std::string rule
            = "\n    - name: per-address   # everyone\n      key: [client_ip]\n"
              "      algorithm: sliding_window_counter\n      rate: \"1000/min\"\n";
        compare(removePart(kPolicy, Part::ofRule("per-address")),
                with(kPolicy, "edge:" + rule, "edge: []\n"));
        compare(removePart(kPolicy, Part::ofTier(engine::Tier::Edge)),
                with(kPolicy, "  edge:" + rule, ""));
        compare(removePart(kPolicy, Part::ofOverride("search", "acme")),
                with(kPolicy,
                     "overrides:\n        - { name: acme, match: { tenant: acme }, rate: 30/min } "
                     "# contract\n",
                     "overrides: []\n"));
        const std::string empty = with(kPolicy, "edge:" + rule, "edge: [] # none\n");
        compare(addPart(empty, Part::ofTier(engine::Tier::Edge), "{ name: x, key: [] }"),
                with(empty, "edge: [] # none\n", "edge: # none\n    - name: x\n      key: []\n"),
                empty);
    }

    void renamesWhatRefersToARule()
    {
        const std::string text = "tiers:\n  edge:\n  - {name: 'a', key: []}\n  - name: b\n"
                                 "    tighten: {rule: a, above: 80%}\n";
        compare(renamePart(text, Part::ofRule("a"), "c d"),
                "tiers:\n  edge:\n  - {name: 'c d', key: []}\n  - name: b\n"
                "    tighten: {rule: c d, above: 80%}\n",
                text);
        compare(renamePart(text, Part::ofRule("a"), "b"), "edit.name-taken", text);
        compare(renamePart(text, Part::ofTier(engine::Tier::Edge), "tenant"),
                with(text, "edge", "tenant"), text);
        compare(renamePart(text, Part::ofTier(engine::Tier::Edge), "rim"), "edit.value", text);
    }

    void keepsLineEndsMarksAndWhatIsMissing()
    {
        const std::string text
            = "\xEF\xBB\xBF" + crlf("weir: 1\ntiers:\n  edge:\n  - name: a\n    rate: 1/s");
        compare(setValue(text, Part::ofRule("a"), {"burst"}, "2"), text + "\r\n    burst: 2", text);
        compare(unsetValue(text, Part::ofRule("a"), {"rate"}),
                text.substr(0, text.find("\r\n    rate")), text);
        compare(removePart(text, Part::ofRule("a")),
                "\xEF\xBB\xBF" + crlf("weir: 1\ntiers:\n  edge: []"), text);
        compare(duplicatePart(text, Part::ofRule("a"), "b"),
                text + "\r\n  - name: b\r\n    rate: 1/s", text);
    }

    void keepsCommentsBesideWhatIsReplaced()
    {
        const std::string text
            = "name: a # one\ndescription: | # two\n  text\n  more\ntiers: # three\n"
              "  edge:\n    - name: r\n      match: # four\n        path: /x\n";
        compare(setValue(text, Part::ofPolicy(), {"description"}, "short"),
                with(text, "| # two\n  text\n  more\n", "short # two\n"), text);
        const std::string trailing = "description: |   \n  text  \nname: a\n";
        compare(setValue(trailing, Part::ofPolicy(), {"description"}, "hi"),
                "description: hi\nname: a\n", trailing);
        compare(setValue(text, Part::ofRule("r"), {"match"}, "{ host: b }"),
                with(text, "match: # four\n        path: /x\n", "match: { host: b } # four\n"),
                text);
        compare(unsetValue(text, Part::ofRule("r"), {"match", "path"}),
                with(text, "match: # four\n        path: /x\n", "match: {} # four\n"), text);
    }

    void refusesWithAReason()
    {
        compare(setValue(kPolicy, Part::ofRule("serch"), {"rate"}, "1/s"), "edit.no-part");
        compare(setValue(kPolicy, Part::ofOverride("search", "nobody"), {"rate"}, "1/s"),
                "edit.no-part");
        compare(setValue(kPolicy, Part::ofRule("search"), {"rate", "x"}, "1/s"), "edit.no-field");
        compare(setValue(kPolicy, Part::ofRule("search"), {"note"}, "ask #5"), "edit.value");
        compare(setValue(kPolicy, Part::ofRule("search"), {"note"}, ""), "edit.value");
        compare(setValue(kPolicy, Part::ofRule("search"), {"key"}, "[a"), "edit.value");
        compare(setValue("a: [", Part::ofPolicy(), {"name"}, "x"), "policy.syntax", "a: [");
        compare(removePart(kPolicy, Part::ofPolicy()), "edit.no-part");
        const auto refused = setValue(kPolicy, Part::ofRule("serch"), {"rate"}, "1/s");
        QCOMPARE(refused.error().help, std::string("did you mean `search`?"));
    }

    void oddDocumentsAreRefusedOrChangedRightly()
    {
        for (const std::string text :
             {"5", "[]", "{}", "- a", "tiers: 5", "tiers: []", "tiers:", "tiers: ~\n",
              "tiers: {edge: 5}", "tiers: {edge: {a: {name: r}}}",
              "tiers:\n  edge:\n    a: {name: r}\n", "? tiers\n: edge:\n  - name: r\n",
              "tiers: {edge: [{name: r, overrides: 5}]}", "tiers: {edge: [{name: r, overrides: }]}",
              "tiers: {edge: [{name: r}], }", "tiers:\n  edge:\n    - \n      name: r\n",
              "tiers: {edge: [r, {name: r, match: 5}]}", "{tiers: {edge: [\n{name: r}]}}",
              "tiers:\n edge: [ {name: r} # c\n ]"}) {
            const Part rule = Part::ofRule("r");
            for (const engine::Result<Edits>& edits :
                 {setValue(text, rule, {"rate"}, "1/s"),
                  setValue(text, rule, {"match", "path"}, "/a"),
                  setValue(text, Part::ofPolicy(), {"name"}, "q"), removePart(text, rule),
                  addPart(text, Part::ofTier(engine::Tier::Edge), "{ name: x }"),
                  addPart(text, Part::ofTier(engine::Tier::Tenant), "{ name: x }", 0),
                  addPart(text, rule, "{ name: x }"),
                  addPart(text, Part::ofPolicy(), "{ name: x }"), duplicatePart(text, rule, "s"),
                  renamePart(text, rule, "s"), movePart(text, rule, engine::Tier::Tenant, 0),
                  removePart(text, Part::ofTier(engine::Tier::Edge)),
                  unsetValue(text, Part::ofPolicy(), {"tiers"})}) {
                const std::string after = outcome(text, edits);
                QVERIFY2(after != "undoing gives another text", text.c_str());
                QVERIFY2(!edits || !edits->empty(), text.c_str());
            }
        }
    }

    void whatWasGoodStaysGood()
    {
        QVERIFY(read("p", kPolicy).policy);
        const auto edits = addPart(kPolicy, Part::ofTier(engine::Tier::Tenant),
                                   "{ name: t, key: [], algorithm: gcra, rate: 1/s, burst: 2 }");
        QVERIFY(edits);
        QVERIFY(read("p", applied(kPolicy, *edits)).policy);
    }
};

QTEST_APPLESS_MAIN(TestEdit)
#include "tst_edit.moc"

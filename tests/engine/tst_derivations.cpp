#include "tests/engine/intake_run.h"

#include <QTest>

#include <random>

using namespace engine;
using intake_run::Input;
using intake_run::valueOf;

namespace {

QByteArray say(std::string_view text)
{
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

Derivation derivation(DerivationKind kind, std::string name, std::string from)
{
    Derivation made;
    made.kind = kind;
    made.name = std::move(name);
    made.from = std::move(from);
    return made;
}

Derivation pattern(std::string name, std::string from, std::string text, std::string take)
{
    Derivation made = derivation(DerivationKind::Pattern, std::move(name), std::move(from));
    made.pattern = std::move(text);
    made.take = std::move(take);
    return made;
}

Derivation lookup(std::string name, std::string from, LookupTable table,
                  std::optional<std::string> fallback)
{
    Derivation made = derivation(DerivationKind::Lookup, std::move(name), std::move(from));
    made.table = std::make_shared<const LookupTable>(std::move(table));
    made.fallback = std::move(fallback);
    return made;
}

Derivation prefix(std::string name, std::string from, int ipv4Bits, int ipv6Bits)
{
    Derivation made = derivation(DerivationKind::Prefix, std::move(name), std::move(from));
    made.ipv4Bits = ipv4Bits;
    made.ipv6Bits = ipv6Bits;
    return made;
}

Plan planOf(std::vector<Derivation> attributes)
{
    Plan plan;
    plan.attributes = std::move(attributes);
    return plan;
}

} // namespace

class TestDerivations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void networksAreTheSameWhoeverIsWho();
    void eachKind_data();
    void eachKind();
    void replacesTheLogsOwn();
    void derivesInOrder();
    void isNormalisedByItsName();
    void sharesWhatMeansTheSame();
    void readsOnlyWhatIsNeeded();
};

void TestDerivations::eachKind_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("value"); // "(none)": the source is missing
    QTest::addColumn<QByteArray>("result");
    const auto row = [](const char* what, int number, const char* from, const char* value,
                        const char* result) {
        QTest::addRow("%s %s", what, value)
            << number << QByteArray(from) << QByteArray(value) << QByteArray(result);
    };
    row("copy", 0, "user", "Ann", "Ann");
    row("copy", 0, "user", "(none)", "(missing)");

    row("host", 1, "host", "Acme.api.example.com:443", "acme");
    row("host", 1, "host", "a.b.api.example.com", "(missing)"); // one label
    row("host", 1, "host", ".api.example.com", "(missing)"); // that is not empty
    row("host", 1, "host", "api.example.com", "(missing)");
    row("host", 1, "host", "(none)", "(missing)");

    row("path", 2, "path", "/repos/o/r", "r");
    row("path", 2, "path", "/repos/o/r/", "r");
    row("path", 2, "path", "/repos/o/r/a/b", "r");
    row("path", 2, "path", "/repos/o//a", "(missing)");
    row("path", 2, "path", "/repos/o", "(missing)");
    row("path", 2, "path", "/repos/o/%C3%A9", "%C3%A9"); // not decoded

    row("least", 3, "path", "/a/b/c", "a"); // `**` takes nothing
    row("least", 3, "path", "/a/b/b/c", "a");
    row("least", 3, "path", "/x/y/b/c", "y"); // as little as possible
    row("least", 3, "path", "/b/c", "(missing)");

    row("text", 4, "authorization", "Bearer k1", "k1");
    row("text", 4, "authorization", "Bearer a b/c", "a b/c"); // blanks and slashes too
    row("text", 4, "authorization", "Bearer ", "(missing)");
    row("text", 4, "authorization", "bearer k1", "(missing)"); // case matters
    row("text", 4, "authorization", " Bearer k1", "(missing)");
    row("around", 5, "x", "<*a*>", "a");
    row("around", 5, "x", "<xax>", "(missing)"); // stars are themselves
    row("around", 5, "x", "<**>", "(missing)");
    row("around", 5, "x", "<*>", "(missing)"); // the two texts may not overlap

    row("prefix", 6, "client_ip", "192.0.2.77", "192.0.2.0/24");
    row("prefix", 6, "client_ip", "[::ffff:192.0.2.77]:1", "192.0.2.0/24");
    row("prefix", 6, "client_ip", "2001:db8:1:2:3::4", "2001:db8:1:2::/64");
    row("prefix", 6, "client_ip", "unknown", "(missing)");
    row("prefix", 6, "client_ip", "(none)", "(missing)");
    row("prefix of one family", 7, "client_ip", "192.0.2.77", "192.0.0.0/9");
    row("prefix of one family", 7, "client_ip", "2001:db8::4", "2001:db8::4/128");
    row("prefix of text", 8, "x_real_ip", " 203.0.113.9:80 ", "203.0.113.9/32");
    row("prefix of text", 8, "x_real_ip", "2001:db8::1", "::/0");

    row("lookup", 9, "api_key", "k1", "pro");
    row("lookup", 9, "api_key", "K1", "free"); // not in it: the default
    row("lookup", 9, "api_key", "(none)", "(missing)"); // missing, not the default
    row("lookup", 9, "api_key", "k2", "(missing)"); // an empty cell is a missing value
    row("lookup without default", 10, "api_key", "k9", "(missing)");
    row("lookup without default", 10, "api_key", "k1", "pro");

    row("param", 11, "query", "key=k1", "k1");
    row("param", 11, "query", "a=1&key=k1&key=k2", "k1"); // the first
    row("param", 11, "query", "key&key=k2", "(missing)"); // also where it has no value
    row("param", 11, "query", "key=&key=k2", "(missing)");
    row("param", 11, "query", "Key=1&xkey=2&key=a=b", "a=b"); // up to `&`, as written
    row("param", 11, "query", "key=%41+b", "%41+b");
    row("param", 11, "query", "ke=1;key=2", "(missing)");
    row("param", 11, "query", "&&key=z&", "z");
}

void TestDerivations::eachKind()
{
    Derivation param = derivation(DerivationKind::Param, "out", "query");
    param.param = "key";
    const std::vector<Derivation> kinds {
        derivation(DerivationKind::Copy, "out", "user"),
        pattern("out", "host", "{tenant}.API.example.com", "tenant"),
        pattern("out", "path", "/repos/{owner}/{repo}/**", "repo"),
        pattern("out", "path", "/**/{x}/b/**", "x"),
        pattern("out", "authorization", "Bearer {key}", "key"),
        pattern("out", "x", "<*{key}*>", "key"),
        prefix("out", "client_ip", 24, 64),
        prefix("out", "client_ip", 9, 128),
        prefix("out", "x_real_ip", 32, 0),
        lookup("out", "api_key", {{"k1", "pro"}, {"k2", ""}}, "free"),
        lookup("out", "api_key", {{"k1", "pro"}}, std::nullopt),
        param,
    };
    QFETCH(const int, number);
    QFETCH(const QByteArray, from);
    QFETCH(const QByteArray, value);
    QFETCH(const QByteArray, result);
    Input input;
    if (value != "(none)") {
        input.attributes[from.toStdString()] = value.toStdString();
    }
    QCOMPARE(say(valueOf(planOf({kinds[static_cast<std::size_t>(number)]}), "out", input)), result);
}

void TestDerivations::replacesTheLogsOwn()
{
    // The log's api_key is gone, even where nothing takes its place; `from` still sees it.
    const Plan other = planOf({pattern("api_key", "authorization", "Bearer {k}", "k")});
    QCOMPARE(
        say(valueOf(other, "api_key", {{{"api_key", "log"}, {"authorization", "Bearer k1"}}, -1})),
        QByteArray("k1"));
    QCOMPARE(say(valueOf(other, "api_key", {{{"api_key", "log"}}, -1})), QByteArray("(missing)"));

    const Plan same = planOf({pattern("api_key", "api_key", "key-{k}", "k"),
                              derivation(DerivationKind::Copy, "again", "api_key")});
    QCOMPARE(say(valueOf(same, "api_key", {{{"api_key", "key-7"}}, -1})), QByteArray("7"));
    QCOMPARE(say(valueOf(same, "again", {{{"api_key", "key-7"}}, -1})), QByteArray("7"));

    const Plan before = planOf({derivation(DerivationKind::Copy, "first", "api_key"),
                                pattern("api_key", "api_key", "key-{k}", "k")});
    QCOMPARE(say(valueOf(before, "first", {{{"api_key", "key-7"}}, -1})), QByteArray("key-7"));
}

void TestDerivations::derivesInOrder()
{
    const Plan plan = planOf({pattern("tenant", "host", "{t}.example.com", "t"),
                              lookup("plan", "tenant", {{"acme", "gold"}}, "free"),
                              lookup("support", "plan", {{"gold", "phone"}}, std::nullopt)});
    QCOMPARE(say(valueOf(plan, "support", {{{"host", "ACME.example.com"}}, -1})),
             QByteArray("phone"));
    QCOMPARE(say(valueOf(plan, "support", {{{"host", "else.example.com"}}, -1})),
             QByteArray("(missing)"));
    QCOMPARE(say(valueOf(plan, "plan", {{{"host", "else.example.com"}}, -1})), QByteArray("free"));
    QCOMPARE(say(valueOf(plan, "plan", {{{"host", "example.org"}}, -1})), QByteArray("(missing)"));
}

void TestDerivations::isNormalisedByItsName()
{
    const auto copied = [](const char* name, const char* value) {
        return say(valueOf(planOf({derivation(DerivationKind::Copy, name, "x")}), name,
                           {{{"x", value}}, -1}));
    };
    QCOMPARE(copied("client_ip", " [2001:DB8::1]:80 "), QByteArray("2001:db8::1"));
    QCOMPARE(copied("client_ip", "two words"), QByteArray("(missing)"));
    QCOMPARE(copied("host", "EXAMPLE.com:80"), QByteArray("example.com"));
    QCOMPARE(copied("method", "get"), QByteArray("GET"));
    QCOMPARE(copied("other", "Get"), QByteArray("Get"));
}

void TestDerivations::sharesWhatMeansTheSame()
{
    // The same network under another name, in another plan: one tuple. Another width: another.
    Plan a = planOf({prefix("network", "client_ip", 24, 64)});
    Plan b = planOf({prefix("net", "client_ip", 24, 64), prefix("wide", "client_ip", 16, 64)});
    a.rules = {intake_run::rule("r", {"network"})};
    b.rules = {intake_run::rule("r", {"net"}), intake_run::rule("s", {"wide"}),
               intake_run::rule("t", {"client_ip"})};
    const auto intake = intake_run::make({&a, &b});
    QCOMPARE(intake->tupleOf(0, 0), intake->tupleOf(1, 0));
    QVERIFY(intake->tupleOf(1, 1) != intake->tupleOf(1, 0));
    QCOMPARE(intake->layout().tupleCount, std::size_t {3});

    // Lookups are the same if their rows are.
    Plan c = planOf({lookup("plan", "api_key", {{"k1", "pro"}}, "free")});
    Plan d = planOf({lookup("plan", "api_key", {{"k1", "pro"}}, "free")});
    Plan e = planOf({lookup("plan", "api_key", {{"k1", "free"}}, "free")});
    for (Plan* plan : {&c, &d, &e}) {
        plan->rules = {intake_run::rule("r", {"plan"})};
    }
    const auto three = intake_run::make({&c, &d, &e});
    QCOMPARE(three->tupleOf(0, 0), three->tupleOf(1, 0));
    QVERIFY(three->tupleOf(0, 0) != three->tupleOf(2, 0));
}

void TestDerivations::readsOnlyWhatIsNeeded()
{
    Plan plan = planOf({pattern("tenant", "host", "{t}.example.com", "t"),
                        lookup("plan", "tenant", {}, std::nullopt),
                        pattern("unused", "referer", "a{t}", "t")});
    plan.rules = {intake_run::rule("r", {"plan"})};
    IntakeOptions options;
    options.who = {"user"};
    const auto intake = intake_run::make({&plan}, options);
    std::vector<std::string> fields = intake->fields();
    std::sort(fields.begin(), fields.end());
    QCOMPARE(fields, (std::vector<std::string> {"host", "path", "status", "user"}));
}

/// Networks of `who` get their ids another way than those of others.
void TestDerivations::networksAreTheSameWhoeverIsWho()
{
    Plan plan = planOf({prefix("network", "client_ip", 24, 64)});
    plan.rules
        = {intake_run::rule("address", {"client_ip"}),
           intake_run::rule("network", {"network"}, {{"path", false, {intake_run::equals("/a")}}})};
    const std::vector<std::string> clients {"192.0.2.7",     "192.0.2.8", "[::ffff:192.0.2.77]:1",
                                            "2001:db8::4",   "unknown",   "198.51.100.1",
                                            "2001:DB8:0::9", ""};
    std::mt19937 random(2);
    std::vector<Input> inputs(300);
    for (Input& input : inputs) {
        const std::string& client = clients[random() % clients.size()];
        if (!client.empty()) {
            input.attributes["client_ip"] = client;
        }
        input.attributes["path"] = random() % 3 == 0 ? "/b" : "/a";
    }
    IntakeOptions options;
    options.who = {"client_ip"};
    const auto following = intake_run::make({&plan}, options);
    options.who = {"user"};
    const auto other = intake_run::make({&plan}, options);
    const auto outputs = intake_run::play(*following, inputs, 7);
    const auto others = intake_run::play(*other, inputs, 7);
    const std::size_t tuple = following->tupleOf(0, 1);
    QCOMPARE(other->tupleOf(0, 1), tuple);
    QCOMPARE(following->keyCount(tuple), std::size_t {3});
    QCOMPARE(other->keyCount(tuple), std::size_t {3});
    for (std::uint32_t id = 0; id < 3; ++id) {
        QCOMPARE(following->keyText(tuple, id), other->keyText(tuple, id));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::size_t at = following->layout().tupleAt(tuple);
        QCOMPARE(outputs[i].arrival().ids()[at], others[i].arrival().ids()[at]);
        const std::size_t profileAt = following->layout().profileAt(0);
        const Profile& profile = following->profile(0, outputs[i].arrival().ids()[profileAt]);
        const Profile& same = other->profile(0, others[i].arrival().ids()[profileAt]);
        QCOMPARE(profile.rules, same.rules);
        QCOMPARE(profile.skips.size(), same.skips.size());
    }
}

QTEST_APPLESS_MAIN(TestDerivations)
#include "tst_derivations.moc"

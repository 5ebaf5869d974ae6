#include "engine/resolver.h"
#include "tests/engine/intake_run.h"

#include <QTest>

using namespace engine;
using intake_run::Input;
using intake_run::rule;
using intake_run::valueOf;

namespace {

Derivation lookup(std::string name, std::string from)
{
    Derivation made;
    made.name = std::move(name);
    made.from = std::move(from);
    made.kind = DerivationKind::Lookup;
    made.table = std::make_shared<LookupTable>(LookupTable {{"k1", "pro"}, {"k2", "free"}});
    return made;
}

Derivation network(std::string name)
{
    Derivation made;
    made.name = std::move(name);
    made.from = "client_ip";
    made.kind = DerivationKind::Prefix;
    made.ipv4Bits = 24;
    made.ipv6Bits = 64;
    return made;
}

Derivation copy(std::string name, std::string from)
{
    Derivation made;
    made.name = std::move(name);
    made.from = std::move(from);
    return made;
}

} // namespace

class TestResolver : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void givesWhatThePlansDeriveAndUse()
    {
        Plan plan;
        plan.attributes = {copy("key", "api_key"), lookup("plan", "key"), network("net"),
                           network("nobody_uses")};
        plan.rules = {rule("a", {"plan"}), rule("b", {"net", "method"})};
        const auto resolver = std::move(Resolver::make({&plan})).value();
        QCOMPARE(resolver->derived(), (std::vector<std::string> {"plan", "net"}));
        QCOMPARE(resolver->madeOf(0), (std::vector<std::string> {"api_key"}));
        QCOMPARE(resolver->madeOf(1), (std::vector<std::string> {"client_ip"}));
        const auto& fields = resolver->fields();
        for (const char* name : {"api_key", "client_ip", "method", "path"}) {
            QVERIFY(std::find(fields.begin(), fields.end(), name) != fields.end());
        }

        const auto scratch = resolver->makeScratch();
        const auto ask = [&](std::string_view key, std::string_view client) {
            std::vector<std::string_view> values(fields.size());
            for (std::size_t i = 0; i < fields.size(); ++i) {
                values[i] = fields[i] == "api_key" ? key
                    : fields[i] == "client_ip"     ? client
                                                   : std::string_view();
            }
            std::vector<std::string_view> derived(2);
            resolver->resolve({}, values.data(), *scratch, derived.data());
            return std::string(derived[0]) + "|" + std::string(derived[1]);
        };
        QCOMPARE(ask("k1", "192.0.2.7"), std::string("pro|192.0.2.0/24"));
        QCOMPARE(ask("k2", "2001:db8::1"), std::string("free|2001:db8::/64"));
        QCOMPARE(ask("unknown", {}), std::string("|"));
    }

    void refusesTwoMeaningsOfOneName()
    {
        Plan one;
        one.attributes = {lookup("plan", "api_key")};
        one.rules = {rule("a", {"plan"})};
        Plan other;
        other.attributes = {lookup("plan", "user")};
        other.rules = {rule("a", {"plan"})};
        const auto made = Resolver::make({&one, &other});
        QVERIFY(!made);
        QCOMPARE(made.error().code, std::string("resolver.differs"));
        QVERIFY(Resolver::make({&one, &one}).has_value());
        other.rules = {rule("a", {"user"})}; // derives it, and does not use it
        QVERIFY(Resolver::make({&one, &other}).has_value());
    }

    /// A log whose api_key was masked after `plan` was resolved.
    void aResolvedValueGoesBeforeADerivedOne()
    {
        Plan plan;
        plan.attributes = {lookup("plan", "api_key"), copy("tier", "plan"), copy("who", "user")};
        plan.rules = {rule("a", {"plan"})};
        IntakeOptions options;
        options.resolved = {"plan", "who"};
        const auto valueWith = [&](const std::string& name, const Input& input) {
            options.facets = {name};
            const auto intake = intake_run::make({&plan}, options);
            const auto outputs = intake_run::play(*intake, {input});
            const std::size_t tuple = intake->facetTuple(0, 0);
            const std::uint32_t id = outputs[0].arrival().ids()[intake->layout().tupleAt(tuple)];
            return id == kNoId ? std::string("(missing)")
                               : std::string(intake->keyText(tuple, id)[0]);
        };
        const Input masked {{{"api_key", "x7"}, {"resolved.plan", "pro"}, {"resolved.who", "bob"}}};
        QCOMPARE(valueWith("plan", masked), std::string("pro"));
        QCOMPARE(valueWith("tier", masked), std::string("pro"));
        QCOMPARE(valueWith("who", masked), std::string("bob"));
        QCOMPARE(valueWith("plan", {{{"api_key", "k2"}}}), std::string("free"));
        QCOMPARE(valueWith("who", {{{"user", "eve"}}}), std::string("eve"));
        QCOMPARE(valueWith("plan", {{{"user", "eve"}}}), std::string("(missing)"));
        // Nobody asked for it: the field is one like any other.
        QCOMPARE(valueOf(plan, "plan", masked), std::string("(missing)"));
    }
};

QTEST_APPLESS_MAIN(TestResolver)
#include "tst_resolver.moc"

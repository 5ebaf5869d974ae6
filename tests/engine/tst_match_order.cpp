#include "engine/attributes/attribute_tests.h"
#include "engine/match_order.h"

#include <QTest>

#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace engine;

/// covers() and excludes() against what the engine's own matching says of many values.
namespace {

Test testOf(TestKind kind, std::string text)
{
    return {kind, std::move(text), 0, 0};
}

Test range(std::int64_t low, std::int64_t high)
{
    return {TestKind::Range, {}, low, high};
}

/// Values, and tests that people ask about them, of one kind of attribute.
struct World {
    std::vector<std::string> values;
    std::vector<Test> tests;
};

std::vector<World> worlds()
{
    World paths;
    for (const char* path : {"/", "/a", "/b", "/a/", "/a/b", "/ab", "/a/b/c", "/a/ab", "//", "/b/a",
                             "/a/b/", "x", "/aab", "/abb/b"}) {
        paths.values.emplace_back(path);
        paths.tests.push_back(testOf(TestKind::Equals, path));
    }
    for (const char* pattern :
         {"/**",     "/a/**",    "/*",     "/{x}", "/a*",        "/a/*",   "/*/b",  "/**/b",
          "/a/**/b", "/{x}/{y}", "/*b/**", "**",   "/a/{id}/**", "/ab*",   "/b/**", "/*a/*",
          "/*/",     "/**/c",    "/{x}b",  "/a*b", "/*ab*",      "/a*b*/b"}) {
        paths.tests.push_back(testOf(TestKind::Path, pattern));
    }
    World texts;
    for (const char* text : {"a", "b", "ab", "abc", "ba", "5", "50", "07", "-3", "aab", "bab"}) {
        texts.values.emplace_back(text);
        texts.tests.push_back(testOf(TestKind::Equals, text));
    }
    for (const char* pattern : {"*", "a*", "?", "a?", "*b", "ab*", "*b*", "5*", "b?*", "?a", "??",
                                "*a?", "*ab*", "a*b*", "*a*b*", "b*ab"}) {
        texts.tests.push_back(testOf(TestKind::Glob, pattern));
    }
    texts.tests.push_back(range(5, 50));
    texts.tests.push_back(range(6, 49));
    texts.tests.push_back(range(-9, 4));
    World addresses;
    for (const char* address : {"192.0.2.1", "192.0.2.200", "10.0.0.1", "2001:db8::1", "unknown"}) {
        addresses.values.emplace_back(address);
        addresses.tests.push_back(testOf(TestKind::Equals, address));
    }
    for (const char* block :
         {"192.0.2.0/24", "192.0.2.0/25", "192.0.2.128/25", "0.0.0.0/0", "2001:db8::/32", "::/0"}) {
        addresses.tests.push_back(testOf(TestKind::Network, block));
    }
    std::vector<World> all {paths, texts, addresses};
    for (World& world : all) {
        world.tests.push_back(testOf(TestKind::Absent, ""));
    }
    return all;
}

/// The answer for each value, and at the end for a missing one.
std::vector<bool> answersOf(const Matcher& matcher, const World& world)
{
    attributes::AttributeTests tests;
    tests.add(matcher);
    std::vector<bool> answers;
    for (const std::string& value : world.values) {
        attributes::Subject subject;
        subject.set(value);
        std::uint64_t word = 0;
        tests.evaluate(subject, &word);
        answers.push_back((word & 1U) != 0);
    }
    std::uint64_t word = 0;
    tests.evaluateMissing(&word);
    answers.push_back((word & 1U) != 0);
    return answers;
}

Matcher randomEntry(const World& world, std::mt19937_64& random)
{
    Matcher entry {"x", random() % 3 == 0, {}};
    for (std::uint64_t i = 0, many = 1 + random() % 3; i < many; ++i) {
        entry.anyOf.push_back(world.tests[random() % world.tests.size()]);
    }
    return entry;
}

std::string said(const Matcher& entry)
{
    std::string text = entry.negated ? "not" : "";
    for (const Test& test : entry.anyOf) {
        text += " " + std::to_string(static_cast<int>(test.kind)) + ":" + test.text + "("
            + std::to_string(test.low) + ".." + std::to_string(test.high) + ")";
    }
    return text;
}

Match path(const char* pattern)
{
    return {{"path", false, {testOf(TestKind::Path, pattern)}}};
}

} // namespace

class TestMatchOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void coversAndExcludesOnlyWhereItIsTrue();
    void findsWhatPeopleWrite();
    void worksOverSeveralAttributes();
    void bothIsExact();
    void findsPatternsThatNeverMeet();
    void longPatternsEnd();
};

void TestMatchOrder::coversAndExcludesOnlyWhereItIsTrue()
{
    std::mt19937_64 random(3);
    int covered = 0;
    int excluded = 0;
    for (const World& world : worlds()) {
        for (int round = 0; round < 20'000; ++round) {
            const Matcher one = randomEntry(world, random);
            const Matcher other = randomEntry(world, random);
            const std::vector<bool> ones = answersOf(one, world);
            const std::vector<bool> others = answersOf(other, world);
            const bool saysCovers = covers({one}, {other});
            const bool saysExcludes = excludes({one}, {other});
            covered += saysCovers ? 1 : 0;
            excluded += saysExcludes ? 1 : 0;
            for (std::size_t i = 0; i < ones.size(); ++i) {
                QVERIFY2(!saysCovers || !others[i] || ones[i],
                         (said(one) + " covers " + said(other)).c_str());
                QVERIFY2(!saysExcludes || !others[i] || !ones[i],
                         (said(one) + " excludes " + said(other)).c_str());
            }
        }
    }
    QVERIFY(covered > 2000);
    QVERIFY(excluded > 2000);
}

void TestMatchOrder::findsWhatPeopleWrite()
{
    const auto covered = [](const char* wider, const char* narrower) {
        return covers(path(wider), path(narrower));
    };
    QVERIFY(covered("/api/**", "/api/users/*"));
    QVERIFY(covered("/api/**", "/api/**/x"));
    QVERIFY(covered("/{x}/**", "/api/**"));
    QVERIFY(covered("/**/x/**", "/a/x/*/b"));
    QVERIFY(covered("/repos/{o}/{r}/**", "/repos/*/*/issues/{n}"));
    QVERIFY(!covered("/api/*", "/api/**"));
    QVERIFY(!covered("/api/*/**", "/api/**"));
    QVERIFY(!covered("/a*", "/*"));
    QVERIFY(covered("/api/v*/**", "/api/v1*/x"));
    QVERIFY(!covered("/api/v1*", "/api/v*"));
    const auto globCovered = [](const char* wider, const char* narrower) {
        return covers({{"user_agent", false, {testOf(TestKind::Glob, wider)}}},
                      {{"user_agent", false, {testOf(TestKind::Glob, narrower)}}});
    };
    QVERIFY(globCovered("*bot*", "*Googlebot*"));
    QVERIFY(!globCovered("*Googlebot*", "*bot*"));
    QVERIFY(globCovered("*.example.com", "a*.example.com"));
    QVERIFY(globCovered("curl/*", "curl/?.*"));
    QVERIFY(!globCovered("curl/?", "curl/*")); // a star may be nothing, or more than one
    QVERIFY(covers({}, path("/a/*")));
    QVERIFY(!covers(path("/a/*"), {}));
}

/// What both match is what one and the other match, no more and no less.
void TestMatchOrder::bothIsExact()
{
    std::mt19937_64 random(8);
    int nothing = 0;
    int narrowed = 0;
    for (const World& world : worlds()) {
        for (int round = 0; round < 20'000; ++round) {
            const Matcher one = randomEntry(world, random);
            const Matcher other = randomEntry(world, random);
            const std::optional<Match> met = both({one}, {other});
            nothing += met ? 0 : 1;
            narrowed += met && met->front().anyOf.size() < one.anyOf.size() ? 1 : 0;
            std::vector<bool> expected = answersOf(one, world);
            const std::vector<bool> others = answersOf(other, world);
            std::vector<bool> answers(expected.size(), met.has_value());
            for (const Matcher& entry : met.value_or(Match())) {
                const std::vector<bool> more = answersOf(entry, world);
                for (std::size_t i = 0; i < answers.size(); ++i) {
                    answers[i] = answers[i] && more[i];
                }
            }
            for (std::size_t i = 0; i < expected.size(); ++i) {
                expected[i] = expected[i] && others[i];
            }
            QVERIFY2(answers == expected, (said(one) + " and " + said(other)).c_str());
        }
    }
    QVERIFY(nothing > 2000);
    QVERIFY(narrowed > 2000);
    const auto methods = [](const std::vector<const char*>& names) {
        Matcher entry {"method", false, {}};
        for (const char* name : names) {
            entry.anyOf.push_back(testOf(TestKind::Equals, name));
        }
        return Match {entry};
    };
    const std::optional<Match> posts = both(methods({"GET", "POST"}), methods({"POST", "PUT"}));
    QVERIFY(posts && covers(methods({"POST"}), *posts));
    QVERIFY(!both(*posts, methods({"GET", "PUT"})));
}

void TestMatchOrder::worksOverSeveralAttributes()
{
    const Matcher get {"method", false, {testOf(TestKind::Equals, "GET")}};
    const Matcher read {
        "method", false, {testOf(TestKind::Equals, "GET"), testOf(TestKind::Equals, "HEAD")}};
    const Matcher free {"plan", false, {testOf(TestKind::Equals, "free")}};
    const Matcher paid {"plan", true, {testOf(TestKind::Equals, "free")}};
    QVERIFY(covers({read}, {get, free}));
    QVERIFY(!covers({read, paid}, {get, free}));
    QVERIFY(excludes({read, paid}, {get, free}));
    QVERIFY(!excludes({read}, {get, free}));
    QVERIFY(!covers({get}, {read}));
    QVERIFY(!excludes({}, {get}));
}

void TestMatchOrder::findsPatternsThatNeverMeet()
{
    const auto apart = [](TestKind kind, const char* one, const char* other) {
        const Match ones {{"x", false, {testOf(kind, one)}}};
        const Match others {{"x", false, {testOf(kind, other)}}};
        return excludes(ones, others) && excludes(others, ones);
    };
    const auto pathsApart
        = [&](const char* one, const char* other) { return apart(TestKind::Path, one, other); };
    QVERIFY(pathsApart("/api/**", "/export/**"));
    QVERIFY(pathsApart("/api/*", "/api/*/x"));
    QVERIFY(pathsApart("/**/a", "/**/b"));
    QVERIFY(pathsApart("/v1*/**", "/v2*/**"));
    QVERIFY(pathsApart("/a/*", "/*/")); // `*` alone is no empty segment
    QVERIFY(!pathsApart("/api/**", "/*/users"));
    QVERIFY(!pathsApart("/a*/**", "/**/b"));
    QVERIFY(!pathsApart("/a/**", "/{x}")); // in "/a"
    QVERIFY(!pathsApart("/a*c", "/*bc"));
    const auto globsApart
        = [&](const char* one, const char* other) { return apart(TestKind::Glob, one, other); };
    QVERIFY(globsApart("kube-*", "curl/*"));
    QVERIFY(globsApart("*.com", "*.org"));
    QVERIFY(globsApart("a?", "a??"));
    QVERIFY(globsApart("\xC3\xA4*", "\xC3\xB6*"));
    QVERIFY(!globsApart("kube-*", "*bot"));
    QVERIFY(!globsApart("a?", "a*"));
    QVERIFY(!globsApart("?", "\xC3\xA4*")); // one code point of two bytes
}

/// Patterns as long as a policy can hold cost no more than what is looked at of them.
void TestMatchOrder::longPatternsEnd()
{
    std::string longOne;
    for (int i = 0; i < 100'000; ++i) {
        longOne += "/**/a";
    }
    QVERIFY(!covers(path(longOne.c_str()), path(longOne.c_str()))); // not proved, and not tried
    QVERIFY(covers(path("/**"), path("/a/*")));
    QVERIFY(!excludes(path(longOne.c_str()), path((longOne + "b").c_str())));
}

QTEST_APPLESS_MAIN(TestMatchOrder)
#include "tst_match_order.moc"

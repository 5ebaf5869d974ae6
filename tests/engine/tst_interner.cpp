#include "engine/arrival.h"
#include "engine/attributes/fact_cache.h"
#include "engine/attributes/interner.h"
#include "engine/attributes/text_hash.h"

#include <QTest>

#include <random>
#include <string>
#include <unordered_map>

using namespace engine;
using attributes::FactCache;
using attributes::hashText;
using attributes::Interner;

namespace {

std::string randomKey(std::mt19937& random, unsigned longest, char last)
{
    const auto letters = static_cast<unsigned>(last - 'a' + 1);
    std::string key;
    for (std::size_t left = random() % (longest + 1); left > 0; --left) {
        key += static_cast<char>('a' + static_cast<int>(random() % letters));
    }
    return key;
}

} // namespace

class TestInterner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersInOrderOfAppearance();
    void isAnUnorderedMap_data();
    void isAnUnorderedMap();
    void manyAtOnceAreOneByOne_data();
    void manyAtOnceAreOneByOne();
    void longKeysHaveRoom();
    void staysWithinItsMemory();
    void hashesDifferByEveryByte();
    void sameBytesIsExact();
    void cacheGivesBackWhatWasPutIn();
    void cacheTellsEqualHashesApart();
};

void TestInterner::numbersInOrderOfAppearance()
{
    Interner interner;
    const auto intern = [&](std::string_view key) { return interner.intern(hashText(key), key); };
    QCOMPARE(intern("a"), 0U);
    QCOMPARE(intern(""), 1U);
    QCOMPARE(intern("b"), 2U);
    QCOMPARE(intern("a"), 0U);
    QCOMPARE(intern(""), 1U);
    QCOMPARE(interner.size(), std::size_t {3});
    QVERIFY(interner.text(2) == "b");
    QVERIFY(interner.text(1).empty());
    QCOMPARE(interner.find(hashText("b"), "b"), 2U);
    QCOMPARE(interner.find(hashText("c"), "c"), kNoId);
}

void TestInterner::isAnUnorderedMap_data()
{
    QTest::addColumn<quint64>("mask"); // of the hash: fewer bits make more collisions
    QTest::newRow("hash as it is") << ~quint64 {0};
    QTest::newRow("256 different hashes") << (quint64 {0xFF} << 56);
    QTest::newRow("tags that differ in low bits only") << (quint64 {0xFF} << 32);
}

void TestInterner::isAnUnorderedMap()
{
    QFETCH(const quint64, mask);
    std::mt19937 random(17);
    Interner interner;
    std::unordered_map<std::string, std::uint32_t> model;
    std::vector<std::string> texts;
    const int rounds = mask == ~quint64 {0} ? 400000 : 20000;
    for (int i = 0; i < rounds; ++i) {
        const std::string key = randomKey(random, 7, i % 2 == 0 ? 'c' : 'z');
        const auto [known, isNew] = model.emplace(key, static_cast<std::uint32_t>(model.size()));
        const std::uint32_t found = interner.find(hashText(key) & mask, key);
        QCOMPARE(found, isNew ? kNoId : known->second);
        QCOMPARE(interner.intern(hashText(key) & mask, key), known->second);
        if (isNew) {
            texts.push_back(key);
        }
    }
    QCOMPARE(interner.size(), model.size());
    for (std::uint32_t id = 0; id < texts.size(); ++id) {
        QVERIFY(interner.text(id) == texts[id]);
    }
}

void TestInterner::manyAtOnceAreOneByOne_data()
{
    isAnUnorderedMap_data();
}

void TestInterner::manyAtOnceAreOneByOne()
{
    QFETCH(const quint64, mask);
    std::mt19937 random(18);
    Interner oneByOne;
    Interner atOnce;
    for (std::size_t size = 0; size < 300; ++size) {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < size; ++i) {
            texts.push_back(randomKey(random, 5, i % 2 == 0 ? 'b' : 'z'));
        }
        std::vector<Interner::HashedKey> keys;
        std::vector<std::uint32_t> expected;
        for (const std::string& text : texts) {
            keys.push_back({hashText(text) & mask, text});
            expected.push_back(oneByOne.intern(keys.back().hash, text));
        }
        std::vector<std::uint32_t> ids(size);
        atOnce.internAll(keys, ids);
        QCOMPARE(ids, expected);
    }
    QCOMPARE(atOnce.size(), oneByOne.size());
}

void TestInterner::longKeysHaveRoom()
{
    Interner interner;
    std::vector<std::string> keys;
    for (const std::size_t size :
         {65536U * 4U, 1U, 65520U, 65528U, 65536U, 65532U, 300000U, 3U, 16U}) {
        keys.emplace_back(size, static_cast<char>('a' + keys.size()));
    }
    for (std::uint32_t id = 0; id < keys.size(); ++id) {
        QCOMPARE(interner.intern(hashText(keys[id]), keys[id]), id);
    }
    for (std::uint32_t id = 0; id < keys.size(); ++id) {
        QVERIFY(interner.text(id) == keys[id]);
        QCOMPARE(interner.intern(hashText(keys[id]), keys[id]), id);
    }
}

void TestInterner::staysWithinItsMemory()
{
    // Counted just after the table has doubled, where it is emptiest.
    Interner interner;
    std::size_t bytes = 0;
    std::size_t count = 0;
    while (count <= 209712) {
        const std::string key = "key-" + std::to_string(count++);
        bytes += key.size();
        interner.intern(hashText(key), key);
    }
    const double beside
        = static_cast<double>(interner.memory() - bytes) / static_cast<double>(count);
    QVERIFY2(beside < 36, qPrintable(QString::number(beside)));
}

void TestInterner::hashesDifferByEveryByte()
{
    for (std::size_t size = 0; size < 70; ++size) {
        std::string text(size, 'x');
        const std::uint64_t hash = hashText(text);
        QVERIFY(hash != hashText(text + 'x'));
        QVERIFY(hash != hashText(text + '\0'));
        for (std::size_t i = 0; i < size; ++i) {
            text[i] = 'y';
            QVERIFY(hash != hashText(text));
            text[i] = 'x';
        }
    }
}

void TestInterner::sameBytesIsExact()
{
    for (std::size_t size = 0; size < 40; ++size) {
        std::string a(size, 'x');
        const std::string b = a;
        QVERIFY(attributes::sameText(a, b));
        for (std::size_t i = 0; i < size; ++i) {
            a[i] = 'y';
            QVERIFY(!attributes::sameText(a, b));
            a[i] = 'x';
        }
    }
}

void TestInterner::cacheGivesBackWhatWasPutIn()
{
    std::mt19937 random(3);
    FactCache cache(32768, 2);
    QVERIFY(cache.memory() <= 32768);
    std::size_t hits = 0;
    for (int i = 0; i < 200000; ++i) { // many times what it has room for
        const std::string text = randomKey(random, i % 100 == 0 ? 300 : 4, 'f');
        const std::uint64_t hash = hashText(text);
        const std::uint64_t* facts = cache.find(hash, text);
        if (facts == nullptr) {
            std::uint64_t* const added = cache.add(hash, text);
            QVERIFY(added != nullptr);
            added[0] = hash;
            added[1] = ~hash;
            facts = cache.find(hash, text);
            QVERIFY(facts == added);
        } else {
            ++hits;
        }
        QCOMPARE(facts[0], hash);
        QCOMPARE(facts[1], ~hash);
    }
    QVERIFY(hits > 1000);
    const std::string huge(100000, 'x');
    QVERIFY(cache.add(hashText(huge), huge) == nullptr);
}

void TestInterner::cacheTellsEqualHashesApart()
{
    FactCache cache(65536, 1);
    for (int i = 0; i < 200; ++i) {
        *cache.add(42, std::to_string(i)) = static_cast<std::uint64_t>(i);
    }
    for (int i = 0; i < 200; ++i) {
        QCOMPARE(*cache.find(42, std::to_string(i)), static_cast<std::uint64_t>(i));
    }
    QVERIFY(cache.find(42, "x") == nullptr);
}

QTEST_APPLESS_MAIN(TestInterner)
#include "tst_interner.moc"

#include "app/workbench/pseudonym.h"

#include <QtTest>

#include <set>

using app::MaskKey;
using app::Pseudonyms;

namespace {

/// Leading bits that two addresses share.
int shared(const std::string& left, const std::string& right)
{
    const engine::Address a = *engine::parseAddress(left);
    const engine::Address b = *engine::parseAddress(right);
    int bits = 0;
    const int all = a.isIpv6 ? 128 : 32;
    while (bits < all
           && ((a.bytes[static_cast<std::size_t>(bits) / 8]
                ^ b.bytes[static_cast<std::size_t>(bits) / 8])
               & (0x80 >> bits % 8))
               == 0) {
        ++bits;
    }
    return bits;
}

MaskKey keyOf(char first)
{
    std::string bytes("?0123456789abcdef0123456789");
    bytes.front() = first;
    return MaskKey::ofBytes(bytes).value();
}

} // namespace

class TestPseudonym : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// The vectors of the paper's appendix: key 00 .. 0f, input 00 .. n-1.
    void hashesAsPublished()
    {
        const MaskKey key {{0x0706050403020100U, 0x0f0e0d0c0b0a0908U}};
        QCOMPARE(app::sipHash(key, ""), std::uint64_t {0x726fdb47dd0e0e31U});
        const std::string fifteen("\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 15);
        QCOMPARE(app::sipHash(key, fifteen), std::uint64_t {0xa129ca6149be45e5U});
    }

    void keepsSharedPrefixesExactly()
    {
        Pseudonyms pseudonyms(keyOf('a'));
        const std::vector<std::string> addresses {
            "192.0.2.7",    "192.0.2.8",        "192.0.3.8",       "10.1.2.3",
            "198.51.100.1", "2001:db8::1",      "2001:db8::2",     "2001:db8:0:1::1",
            "fe80::1",      "2001:db8:ffff::1", "255.255.255.255", "0.0.0.0"};
        for (const std::string& left : addresses) {
            for (const std::string& right : addresses) {
                if (engine::parseAddress(left)->isIpv6 == engine::parseAddress(right)->isIpv6) {
                    QCOMPARE(
                        shared(pseudonyms.of("client_ip", left), pseudonyms.of("client_ip", right)),
                        shared(left, right));
                }
            }
        }
        const std::string network = pseudonyms.of("net", "192.0.2.0/24");
        QVERIFY(engine::parseNetwork(network).has_value());
        QVERIFY(engine::contains(*engine::parseNetwork(network),
                                 *engine::parseAddress(pseudonyms.of("client_ip", "192.0.2.7"))));
    }

    void masksAListAddressByAddress()
    {
        Pseudonyms pseudonyms(keyOf('a'));
        QCOMPARE(pseudonyms.of("x_forwarded_for", "192.0.2.7, 2001:db8::1,10.0.0.1"),
                 pseudonyms.of("x_forwarded_for", "192.0.2.7") + ", "
                     + pseudonyms.of("x_forwarded_for", "2001:db8::1") + ", "
                     + pseudonyms.of("x_forwarded_for", "10.0.0.1"));
        QVERIFY(pseudonyms.of("user_agent", "a, b").find(',') == std::string::npos);
    }

    void isTheSameUnderAKeyAndOtherUnderAnother()
    {
        Pseudonyms one(keyOf('a'));
        Pseudonyms again(keyOf('a'));
        Pseudonyms other(keyOf('b'));
        for (const char* value : {"192.0.2.7", "2001:db8::1", "alice", "k-123"}) {
            QCOMPARE(one.of("user", value), again.of("user", value));
            QVERIFY(one.of("user", value) != other.of("user", value));
            QVERIFY(one.of("user", value) != value);
        }
        QVERIFY(one.of("user", "x1") != one.of("api_key", "x1"));
        QVERIFY(one.of("a", "b") != one.of("a", "c"));
    }

    void neverGivesTwoValuesOnePseudonym()
    {
        Pseudonyms pseudonyms(MaskKey::ofSeed(1));
        std::set<std::string> seen;
        for (int i = 0; i < 120'000; ++i) { // more than it remembers
            seen.insert(pseudonyms.of("user", "u" + std::to_string(i)));
        }
        QCOMPARE(seen.size(), std::size_t {120'000});
    }

    void refusesAShortKey()
    {
        const auto key = MaskKey::ofBytes("too short");
        QVERIFY(!key);
        QCOMPARE(key.error().code, std::string("mask.key"));
    }
};

QTEST_APPLESS_MAIN(TestPseudonym)
#include "tst_pseudonym.moc"

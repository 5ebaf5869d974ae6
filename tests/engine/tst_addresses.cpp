#include "engine/attributes.h"

#include <QTest>

#include <random>

using namespace engine;

namespace {

QByteArray say(std::string_view text)
{
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

std::string normal(std::string_view attribute, std::string_view value)
{
    std::string out;
    const std::string_view result = normalise(attribute, value, out);
    return result.data() == nullptr ? "(missing)" : std::string(result);
}

/// All eight groups in full, in capitals.
std::string inFull(const Address& address)
{
    std::string text;
    for (std::size_t i = 0; i < 16; i += 2) {
        std::array<char, 6> group {};
        std::snprintf(group.data(), group.size(), "%04X",
                      address.bytes[i] << 8 | address.bytes[i + 1]);
        text += (i > 0 ? ":" : "") + std::string(group.data());
    }
    return text;
}

} // namespace

class TestAddresses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatLogsWrite_data();
    void readsWhatLogsWrite();
    void anySpellingGivesOneText();
    void blocksAreReadOrExplained_data();
    void blocksAreReadOrExplained();
    void blocksHoldTheirAddresses_data();
    void blocksHoldTheirAddresses();
    void normalForms_data();
    void normalForms();
    void normalFormsAreStable();
    void builtInNames();
};

void TestAddresses::readsWhatLogsWrite_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("canonical"); // empty: no address
    const auto row = [](const char* text, const char* canonical) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(canonical);
    };
    row("192.0.2.1", "192.0.2.1");
    row("0.0.0.0", "0.0.0.0");
    row("255.255.255.255", "255.255.255.255");
    row(" \t192.0.2.1 ", "192.0.2.1");
    row("192.0.2.1:443", "192.0.2.1");
    row("[192.0.2.1]:443", "192.0.2.1");
    row("::ffff:192.0.2.1", "192.0.2.1");
    row("::FFFF:c000:201", "192.0.2.1");
    row("0:0:0:0:0:ffff:192.0.2.1", "192.0.2.1");
    row("[::FFFF:192.0.2.1]:443", "192.0.2.1");
    row("::192.0.2.1", "::c000:201"); // compatible is not mapped
    row("64:ff9b::192.0.2.33", "64:ff9b::c000:221");
    row("2001:DB8::A", "2001:db8::a");
    row("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1");
    row("[2001:db8::1]", "2001:db8::1");
    row("[2001:db8::1]:8080", "2001:db8::1");
    row("fe80::1%eth0", "fe80::1");
    row("[fe80::1%25eth0]:80", "fe80::1");
    row("::", "::");
    row("::1", "::1");
    row("1::", "1::");
    // RFC 5952, 4.2: one zero group is written out; the longest run goes; the first of equals.
    row("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1");
    row("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1");
    row("2001:0:0:1:0:0:0:1", "2001:0:0:1::1");
    row("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1");
    row("0:0:1:0:0:0:0:0", "0:0:1::");

    row("", "");
    row(" ", "");
    row("192.0.2", "");
    row("192.0.2.1.5", "");
    row("192.0.2.256", "");
    row("192.0.2.01", ""); // octal for some, decimal for others
    row("192.0.2.1:", "");
    row("192.0.2.1:123456", "");
    row("192.0.2.-1", "");
    row("192.0.2.1a", "");
    row("[192.0.2.1", "");
    row("[2001:db8::1]x", "");
    row("[2001:db8::1]:", "");
    row(":::", "");
    row(":1::", "");
    row("1:2:3:4:5:6:7", "");
    row("1:2:3:4:5:6:7:8:9", "");
    row("1:2:3:4:5:6:7:8::", "");
    row("1::2::3", "");
    row("1:2:3:4:5:6:7:192.0.2.1", "");
    row("12345::", "");
    row("1:2:3:4:5:6:7:", "");
    row("::g", "");
    row("unknown", "");
    row("fe80::1%eth 0", "");
}

void TestAddresses::readsWhatLogsWrite()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, canonical);
    const std::optional<Address> address = parseAddress(text.toStdString());
    QCOMPARE(address ? say(toText(*address)) : QByteArray(), canonical);
}

void TestAddresses::anySpellingGivesOneText()
{
    std::mt19937 random(5952);
    for (int i = 0; i < 20000; ++i) {
        Address address;
        address.isIpv6 = true;
        for (std::size_t byte = 0; byte < 16; byte += 2) { // zero groups are frequent
            const unsigned group = random() % 2 == 0 ? 0U : random() % 0x10000;
            address.bytes[byte] = static_cast<std::uint8_t>(group >> 8);
            address.bytes[byte + 1] = static_cast<std::uint8_t>(group & 0xFF);
        }
        address.bytes[0] = 0x20;
        const std::string text = toText(address);
        const std::optional<Address> back = parseAddress(text);
        const std::optional<Address> full = parseAddress(inFull(address));
        QVERIFY2(back && back->bytes == address.bytes && back->isIpv6, text.c_str());
        QVERIFY2(full && full->bytes == address.bytes, text.c_str());
        QCOMPARE(say(normal("client_ip", inFull(address))), say(text));
        QVERIFY2(text.find(":::") == text.npos && text.find("::") == text.rfind("::"),
                 text.c_str());
    }
}

void TestAddresses::blocksAreReadOrExplained_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("block"); // "base/bits", or what help must say
    QTest::addColumn<bool>("good");
    const auto row = [](const char* text, const char* block, bool good) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(block) << good;
    };
    row("192.0.2.0/24", "192.0.2.0/24", true);
    row("192.0.2.1", "192.0.2.1/32", true);
    row("0.0.0.0/0", "0.0.0.0/0", true);
    row("2001:DB8::/32", "2001:db8::/32", true);
    row("2001:db8::1", "2001:db8::1/128", true);
    row("::/0", "::/0", true);
    row("::ffff:192.0.2.0/120", "192.0.2.0/24", true);
    row("192.0.2.1/24", "`192.0.2.0/24`", false);
    row("2001:db8::1/64", "`2001:db8::/64`", false);
    row("192.0.2.0/33", "0 to 32", false);
    row("192.0.2.0/", "0 to 32", false);
    row("192.0.2.0/024", "0 to 32", false);
    row("192.0.2.0/-1", "0 to 32", false);
    row("::/129", "0 to 128", false);
    row("example.com", "192.0.2.0/24", false);
    row("192.0.2.0/24 ", "0 to 32", false);
    row("", "192.0.2.0/24", false);
}

void TestAddresses::blocksAreReadOrExplained()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, block);
    QFETCH(const bool, good);
    const Result<Network> network = parseNetwork(text.toStdString());
    QCOMPARE(network.has_value(), good);
    if (good) {
        QCOMPARE(say(toText(network->base)) + '/' + QByteArray::number(network->prefixBits), block);
    } else {
        QCOMPARE(say(network.error().code), QByteArray("attribute.network"));
        QVERIFY2(say(network.error().help).contains(block), network.error().help.c_str());
        QVERIFY(text.isEmpty() || say(network.error().message).contains(text));
    }
}

void TestAddresses::blocksHoldTheirAddresses_data()
{
    QTest::addColumn<QByteArray>("block");
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<bool>("inside");
    const auto row = [](const char* block, const char* address, bool inside) {
        QTest::addRow("%s in %s", address, block)
            << QByteArray(block) << QByteArray(address) << inside;
    };
    row("192.0.2.0/28", "192.0.2.15", true);
    row("192.0.2.0/28", "192.0.2.16", false);
    row("192.0.2.0/28", "192.0.1.255", false);
    row("192.0.2.0/28", "::ffff:192.0.2.15", true);
    row("192.0.2.1", "192.0.2.1", true);
    row("192.0.2.1", "192.0.2.2", false);
    row("128.0.0.0/1", "255.0.0.1", true);
    row("128.0.0.0/1", "127.0.0.1", false);
    row("0.0.0.0/0", "203.0.113.9", true);
    row("0.0.0.0/0", "2001:db8::1", false); // the other family
    row("::/0", "2001:db8::1", true);
    row("::/0", "192.0.2.1", false);
    row("2001:db8::/33", "2001:db8:7fff::1", true);
    row("2001:db8::/33", "2001:db8:8000::1", false);
}

void TestAddresses::blocksHoldTheirAddresses()
{
    QFETCH(const QByteArray, block);
    QFETCH(const QByteArray, address);
    QFETCH(const bool, inside);
    const Result<Network> network = parseNetwork(block.toStdString());
    QVERIFY(network.has_value());
    QCOMPARE(contains(*network, *parseAddress(address.toStdString())), inside);
}

void TestAddresses::normalForms_data()
{
    QTest::addColumn<QByteArray>("attribute");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("normal");
    const auto row = [](const char* attribute, const char* value, const char* normal) {
        QTest::addRow("%s '%s'", attribute, value)
            << QByteArray(attribute) << QByteArray(value) << QByteArray(normal);
    };
    row("client_ip", "[2001:DB8::1]:443", "2001:db8::1");
    row("client_ip", " unknown ", "unknown"); // a token stays
    row("client_ip", "proxy.Example.com", "proxy.Example.com");
    row("client_ip", "not an address", "(missing)");
    row("client_ip", " ", "(missing)");
    row("client_ip", "", "(missing)");
    row("host", "EXAMPLE.com:8080", "example.com");
    row("host", "example.com", "example.com");
    row("host", "example.com:", "example.com");
    row("host", "example.com:http", "example.com:http");
    row("host", "[2001:DB8::1]:443", "[2001:db8::1]");
    row("host", "2001:db8::1", "2001:db8::1"); // several colons: no port
    row("host", ":80", "(missing)");
    row("method", "get", "GET");
    row("method", "GET", "GET");
    row("method", "pRoPfInD", "PROPFIND");
    row("status", "200", "200");
    row("status", "100", "100");
    row("status", "99", "(missing)");
    row("status", "0", "(missing)");
    row("status", "000", "(missing)");
    row("status", "-1", "(missing)");
    row("status", "abc", "abc");
    row("path", "/A?b", "/A?b");
    row("user", "Ann", "Ann");
    row("user", "", "(missing)");
}

void TestAddresses::normalForms()
{
    QFETCH(const QByteArray, attribute);
    QFETCH(const QByteArray, value);
    QFETCH(const QByteArray, normal);
    QCOMPARE(say(::normal(attribute.toStdString(), value.toStdString())), normal);
}

void TestAddresses::normalFormsAreStable()
{
    // What is in normal form already comes back as the same bytes, not as a copy.
    std::string out = "untouched";
    const std::string_view address = "192.0.2.77";
    QVERIFY(normalise("client_ip", address, out).data() == address.data());
    const std::string_view host = "example.com";
    QVERIFY(normalise("host", host, out).data() == host.data());
    QCOMPARE(out, std::string("untouched"));

    std::mt19937 random(4);
    const std::string_view alphabet = "0129aF:.[]% gx";
    for (int i = 0; i < 200000; ++i) {
        std::string text;
        for (std::size_t left = random() % 14; left > 0; --left) {
            text += alphabet[random() % alphabet.size()];
        }
        for (const char* attribute : {"client_ip", "host", "method"}) {
            const std::string once = normal(attribute, text);
            QVERIFY2(once == "(missing)" || attribute == std::string_view("host")
                         || normal(attribute, once) == once,
                     text.c_str());
        }
    }
}

void TestAddresses::builtInNames()
{
    QVERIFY(isBuiltIn("client_ip"));
    QVERIFY(isBuiltIn("duration"));
    QVERIFY(!isBuiltIn("tenant"));
    QVERIFY(!isBuiltIn(""));
}

QTEST_APPLESS_MAIN(TestAddresses)
#include "tst_addresses.moc"

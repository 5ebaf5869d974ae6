#include "engine/plan.h"
#include "tests/support/gunzip.h"
#include "tests/support/one_key.h"

#include <QDir>
#include <QTest>

#include <cmath>
#include <unordered_map>

using namespace engine;
using tests::support::Answer;
using tests::support::OneKey;

namespace {

constexpr std::int64_t kUs = 1000;

using Row = QList<QByteArray>;

/// The rows of a CSV without quotes, the heading first.
QList<Row> rowsOf(const QString& path)
{
    QList<Row> rows;
    for (const QByteArray& line : tests::support::contentOf(path).split('\n')) {
        if (!line.trimmed().isEmpty()) {
            rows.append(line.trimmed().split(','));
        }
    }
    return rows;
}

struct Arrival {
    std::int64_t atNs = 0;
    QByteArray key;
    std::int64_t cost = 1;
};

std::vector<Arrival> arrivalsOf(const QString& path)
{
    std::vector<Arrival> arrivals;
    const QList<Row> rows = rowsOf(path);
    if (rows.isEmpty() || rows.front() != Row {"seq", "t_us", "key", "cost"}) {
        return {};
    }
    for (const Row& row : rows.mid(1)) {
        arrivals.push_back({row[1].toLongLong() * kUs, row[2], row[3].toLongLong()});
    }
    return arrivals;
}

/// Decides one stream of arrivals, each key for itself.
class Keys {
public:
    explicit Keys(const Limit& limit)
        : m_limit(limit)
    {
    }

    Answer decide(const Arrival& arrival)
    {
        return m_keys.try_emplace(arrival.key.toStdString(), m_limit)
            .first->second.decide(arrival.atNs, arrival.cost);
    }

private:
    Limit m_limit;
    std::unordered_map<std::string, OneKey> m_keys;
};

const QString kRedis = QStringLiteral(WEIR_SOURCE_DIR "/tests/data/truth/redis-lua/");
const QString kGo = QStringLiteral(WEIR_SOURCE_DIR "/tests/data/truth/libraries/go/");

/// The limits of the recording's README; the last number is the burst.
std::optional<Limit> redisLimit(const QString& config, Algorithm algorithm)
{
    struct Numbers {
        std::int64_t limit;
        std::int64_t windowUs;
        std::int64_t burst;
    };

    static const QHash<QString, Numbers> kConfigs {{QStringLiteral("c1"), {20, 10000000, 20}},
                                                   {QStringLiteral("c2"), {40, 60000000, 40}},
                                                   {QStringLiteral("c3"), {5, 1000000, 3}},
                                                   {QStringLiteral("c4"), {100, 60000000, 10}}};
    const auto found = kConfigs.find(config);
    if (found == kConfigs.end()) {
        return std::nullopt;
    }
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {found->limit, found->windowUs * kUs};
    limit.burst = found->burst;
    return limit;
}

/// What the scripts print for a wait: whole us, rounded up. They print one for a cost above the
/// burst too, where the wait never comes; there is nothing of ours to compare it with.
bool sameWait(const Answer& answer, const QByteArray& recordedUs, bool canEverPass)
{
    if (!canEverPass) {
        return !answer.figures.retryAfterNs;
    }
    const std::int64_t waitNs = answer.figures.retryAfterNs.value_or(-kUs);
    return (waitNs + kUs - 1) / kUs == recordedUs.toLongLong();
}

} // namespace

/// Real limiters' decisions on the same arrivals: Redis scripts and golang.org/x/time/rate.
class TestRecordings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void redis_data();
    void redis();
    void xTimeRate_data();
    void xTimeRate();
};

void TestRecordings::redis_data()
{
    QTest::addColumn<QString>("stream");
    QTest::addColumn<QString>("config");
    QTest::addColumn<int>("algorithm");
    QTest::addColumn<QString>("recording");
    const auto add = [](const QStringList& parts, Algorithm algorithm, const QString& file) {
        QTest::addRow("%s %s %s", qPrintable(parts[0]), qPrintable(parts[1]),
                      nameOf(algorithm).data())
            << parts[0] << parts[1] << static_cast<int>(algorithm) << file;
    };
    static const QHash<QString, Algorithm> kNames {
        {QStringLiteral("fixed_window"), Algorithm::FixedWindow},
        {QStringLiteral("sliding_log"), Algorithm::SlidingWindowLog},
        {QStringLiteral("sliding_counter"), Algorithm::SlidingWindowCounter},
        {QStringLiteral("token_bucket"), Algorithm::TokenBucket}};
    int files = 0;
    for (const QString& file : QDir(kRedis).entryList({QStringLiteral("*.*.*.csv.gz")})) {
        const QStringList parts = file.split(QLatin1Char('.'));
        QVERIFY2(kNames.contains(parts[2]), qPrintable(file));
        add(parts, kNames[parts[2]], file);
        ++files;
        if (parts[2] == QLatin1String("token_bucket")) {
            add(parts, Algorithm::Gcra, file); // its own files are byte for byte the bucket's
        }
    }
    QVERIFY(files >= 11);
}

void TestRecordings::redis()
{
    QFETCH(QString, stream);
    QFETCH(QString, config);
    QFETCH(int, algorithm);
    QFETCH(QString, recording);
    const std::vector<Arrival> arrivals = arrivalsOf(kRedis + stream + QStringLiteral(".csv.gz"));
    const QList<Row> rows = rowsOf(kRedis + recording);
    QVERIFY(!arrivals.empty());
    QCOMPARE(static_cast<std::size_t>(rows.size()), arrivals.size() + 1);
    QCOMPARE(rows.front(), (Row {"seq", "allowed", "remaining", "retry_after_us"}));
    const std::optional<Limit> limit = redisLimit(config, static_cast<Algorithm>(algorithm));
    QVERIFY(limit.has_value());
    Keys keys(*limit);
    int different = 0;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        const Row& row = rows[static_cast<qsizetype>(i) + 1];
        const Answer answer = keys.decide(arrivals[i]);
        const bool same = answer.admitted == (row[1] == "1")
            && answer.figures.remaining == row[2].toLongLong()
            && sameWait(answer, row[3], arrivals[i].cost <= capacityOf(*limit));
        different += same ? 0 : 1;
    }
    qInfo("%d of %zu differ", different, arrivals.size());
    QCOMPARE(different, 0);
}

void TestRecordings::xTimeRate_data()
{
    QTest::addColumn<QString>("stream");
    QTest::addColumn<QString>("column");
    for (const QString& file : QDir(kGo).entryList({QStringLiteral("*.go.csv.gz")})) {
        const QString stream = file.section(QLatin1Char('.'), 0, 0);
        for (const QByteArray& column : rowsOf(kGo + file).value(0)) {
            if (column.startsWith("xrate_") && !column.endsWith("_wait_ns")) {
                QTest::addRow("%s %s", qPrintable(stream), column.constData())
                    << stream << QString::fromLatin1(column);
            }
        }
    }
}

void TestRecordings::xTimeRate()
{
    QFETCH(QString, stream);
    QFETCH(QString, column);
    const std::vector<Arrival> arrivals = arrivalsOf(kRedis + stream + QStringLiteral(".csv.gz"));
    const QList<Row> rows = rowsOf(kGo + stream + QStringLiteral(".go.csv.gz"));
    QVERIFY(!arrivals.empty());
    QCOMPARE(static_cast<std::size_t>(rows.size()), arrivals.size() + 1);
    const qsizetype at = rows.front().indexOf(column.toLatin1());
    QCOMPARE(rows.front()[at + 1], column.toLatin1() + "_wait_ns");

    // The column is named xrate_r<rate per second, four digits>b<burst>; rates are whole thirds.
    const QString name = column.section(QStringLiteral("_r"), 1);
    const double perSecond = name.section(QLatin1Char('b'), 0, 0).toDouble();
    Limit limit;
    limit.algorithm = Algorithm::TokenBucket;
    limit.rate = {std::llround(perSecond * 3), 3000000000};
    limit.burst = name.section(QLatin1Char('b'), 1).toLongLong();
    QVERIFY(std::abs(static_cast<double>(limit.rate.count) / 3 - perSecond) < 0.0001);

    Keys keys(limit);
    int different = 0;
    int waits = 0;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        const Row& row = rows[static_cast<qsizetype>(i) + 1];
        const Answer answer = keys.decide(arrivals[i]);
        different += answer.admitted == (row[at] == "1") ? 0 : 1;
        // Its wait is rounded down from a double, ours up.
        const std::int64_t wait = row[at + 1].toLongLong();
        waits += std::abs(answer.figures.retryAfterNs.value_or(-1) - wait) <= 1 ? 0 : 1;
    }
    qInfo("%d of %zu differ, %d in the wait by more than 1 ns", different, arrivals.size(), waits);
    QCOMPARE(different, 0);
    QCOMPARE(waits, 0);
}

QTEST_APPLESS_MAIN(TestRecordings)
#include "tst_recordings.moc"

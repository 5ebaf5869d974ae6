#include "engine/algorithms.h"
#include "engine/answer.h"
#include "engine/answer/structured_fields.h"
#include "tests/engine/vector_file.h"
#include "tests/support/gunzip.h"
#include "tests/support/json.h"
#include "tests/support/one_key.h"

#include <QTest>

#include <array>
#include <map>
#include <optional>

using namespace engine;
using KeyAnswer = tests::support::Answer;
using tests::support::Json;
using tests::support::OneKey;

namespace {

using Names = std::map<std::string_view, Algorithm>;

const Names kOurs {
    {"fixed_window", Algorithm::FixedWindow},
    {"sliding_log", Algorithm::SlidingWindowLog},
    {"sliding_counter", Algorithm::SlidingWindowCounter},
    {"token_bucket", Algorithm::TokenBucket},
    {"gcra", Algorithm::Gcra},
    {"leaky_queue", Algorithm::LeakyBucket},
    {"concurrency", Algorithm::Concurrency},
};

struct Elsewhere {
    std::string_view prefix;
    const char* reason;
};

/// Suites of other kinds, by the beginning of the algorithm's name.
constexpr std::array kElsewhere {
    Elsewhere {"compat_", "comes with the arithmetic of targets (--as)"},
};

const char* reasonToSkip(std::string_view algorithm)
{
    for (const Elsewhere& kind : kElsewhere) {
        if (algorithm.starts_with(kind.prefix)) {
            return kind.reason;
        }
    }
    return nullptr;
}

const Json& vectors()
{
    static const Json file = [] {
        const QByteArray text = tests::support::contentOf(
            QStringLiteral(WEIR_SOURCE_DIR "/tests/data/vectors/vectors.json"));
        return Json::parse({text.constData(), static_cast<std::size_t>(text.size())})
            .value_or(Json {});
    }();
    return file;
}

/// Puts one number of a suite's config into the limit; false for a name or value that is not known.
bool set(Limit& limit, std::string_view name, const Json& value)
{
    if (name == "limit") {
        limit.rate.count = value.integer();
        limit.inFlight = value.integer();
    } else if (name == "window_ns" || name == "period_ns") {
        limit.rate.periodNs = value.integer();
    } else if (name == "burst") {
        limit.burst = value.integer();
    } else if (name == "tolerance_ns" || name == "tau_ns") {
        limit.toleranceNs = value.integer();
    } else if (name == "queue") {
        limit.queue = value.integer();
    } else if (name == "delay_after") {
        limit.delayAfter = value.integer();
    } else if (name == "anchor_ns") {
        limit.anchorNs = value.integer();
    } else if (name == "count_rejected") {
        limit.countRejected = value.boolean();
    } else if (name == "lease_ttl_ns") {
        limit.assumeDurationNs = value.integer();
    } else if (name == "align") {
        limit.alignToFirstRequest = value.text() == "first";
        return limit.alignToFirstRequest || value.text() == "epoch";
    } else if (name == "rounding") {
        limit.floorEstimate = value.text() == "floor";
        return limit.floorEstimate || value.text() == "exact";
    } else {
        // Options that the semantics settle: only the settled value can be played.
        return (name == "late" && value.text() == "clamp")
            || (name == "equality" && value.text() == "inclusive")
            || (name == "zero_limit" && value.text() == "block");
    }
    return true;
}

std::string show(std::optional<std::int64_t> value)
{
    return value ? std::to_string(*value) : "never";
}

/// How an answer reads in the words of the file; nothing for a word that is not known.
std::optional<std::string> told(const KeyAnswer& answer, std::string_view word)
{
    if (word == "allow") {
        return answer.admitted ? "true" : "false";
    }
    if (word == "remaining") {
        return show(answer.figures.remaining);
    }
    if (word == "retry_after_ns") {
        return show(answer.figures.retryAfterNs);
    }
    if (word == "next_ns") {
        return show(answer.figures.nextAfterNs);
    }
    if (word == "full_ns") {
        return show(answer.figures.fullAfterNs);
    }
    if (word == "delay_ns") {
        return show(answer.delayNs);
    }
    return std::nullopt;
}

std::string shown(const Json& value)
{
    switch (value.kind()) {
    case Json::Kind::Null:
        return "never";
    case Json::Kind::Boolean:
        return value.boolean() ? "true" : "false";
    case Json::Kind::Integer:
        return std::to_string(value.integer());
    default:
        return "not a number: " + value.text();
    }
}

/// Everything a step says against what was answered; empty if all is equal.
std::string differences(const Json& step, const KeyAnswer& answer)
{
    std::string found;
    for (const auto& [word, value] : step.find("expect")->members()) {
        const std::optional<std::string> ours = told(answer, word);
        if (!ours || *ours != shown(value)) {
            found += word + ": " + ours.value_or("an unknown word") + ", the file says "
                + shown(value) + "; ";
        }
    }
    if (const Json* header = step.find("header")) {
        for (const auto& [name, value] : header->members()) {
            const auto wait = answer.figures.retryAfterNs;
            if (name != "Retry-After" || answer.admitted || !wait
                || headerSeconds(*wait) != value.integer()) {
                found += name + ": the file says " + shown(value) + "; ";
            }
        }
    }
    for (const auto& [name, value] : step.members()) {
        if (name != "t_ns" && name != "cost" && name != "expect" && name != "header"
            && name != "note") {
            found += name + ": a field that is not known; ";
        }
    }
    return found;
}

/// Slots by the caller's own names, with a lease that ends by itself.
class Leases {
public:
    Leases(std::int64_t inFlight, std::int64_t leaseNs)
        : m_leaseNs(leaseNs)
    {
        m_limit.algorithm = Algorithm::Concurrency;
        m_limit.inFlight = inFlight;
    }

    Leases(const Leases&) = delete;
    Leases& operator=(const Leases&) = delete;

    ~Leases() { concurrency::release(m_state); }

    /// What the operation answers, in the words of the file; nothing for an unknown operation.
    std::optional<std::map<std::string, std::string>> run(const Json& step)
    {
        const std::string& operation = step.find("op")->text();
        const std::vector<Json>& arguments = step.find("args")->items();
        const std::int64_t now = step.find("t_ns")->integer();
        concurrency::advance(m_state, now);
        std::map<std::string, std::string> answer;
        if (operation == "acquire") {
            answer = acquire(arguments[0].text(), arguments.size() > 1 ? arguments[1].integer() : 1,
                             now);
        } else if (operation == "release") {
            const auto held = m_tickets.find(arguments[0].text());
            const bool released
                = held != m_tickets.end() && concurrency::giveBack(m_state, held->second);
            answer["released"] = released ? "true" : "false";
        } else if (operation == "set_limit") {
            m_limit.inFlight = arguments[0].integer();
            answer["limit"] = std::to_string(m_limit.inFlight);
        } else {
            return std::nullopt;
        }
        answer["in_flight"] = std::to_string(concurrency::inFlight(m_state));
        return answer;
    }

private:
    std::map<std::string, std::string> acquire(const std::string& name, std::int64_t cost,
                                               std::int64_t now)
    {
        const bool admitted = concurrency::admits(m_limit, m_state, cost);
        if (admitted) {
            m_tickets[name] = concurrency::take(m_state, cost, now, m_leaseNs);
        }
        const Figures figures = concurrency::figures(m_limit, m_state, cost, admitted, now);
        return {{"allow", admitted ? "true" : "false"},
                {"never", figures.retryAfterNs ? "false" : "true"}};
    }

    Limit m_limit;
    std::int64_t m_leaseNs;
    concurrency::State m_state;
    std::map<std::string, concurrency::Ticket> m_tickets;
};

void playLeases(const Json& suite, const Limit& limit)
{
    Leases leases(limit.inFlight, limit.assumeDurationNs.value_or(0));
    int number = 0;
    for (const Json& step : suite.find("steps")->items()) {
        const auto answer = leases.run(step);
        QVERIFY2(answer, qPrintable(QStringLiteral("step %1: an unknown operation").arg(++number)));
        std::map<std::string, std::string> expected;
        for (const auto& [word, value] : step.find("expect")->members()) {
            expected[word] = shown(value);
        }
        QVERIFY2(*answer == expected, qPrintable(QStringLiteral("step %1").arg(number)));
    }
}

void playKey(const Json& suite, const Limit& limit)
{
    OneKey key(limit);
    int number = 0;
    for (const Json& step : suite.find("steps")->items()) {
        const std::int64_t cost = step.find("cost") == nullptr ? 1 : step.find("cost")->integer();
        const std::string found = differences(step, key.decide(step.find("t_ns")->integer(), cost));
        ++number;
        QVERIFY2(found.empty(),
                 qPrintable(
                     QStringLiteral("step %1: %2").arg(number).arg(QString::fromStdString(found))));
    }
}

/// An item of RateLimit-Policy; nothing where it must be refused, or asks for what is not known.
std::optional<std::string> policyItemOf(const Json& input)
{
    structured::PolicyItem item;
    for (const auto& [field, value] : input.members()) {
        if (field == "name") {
            item.name = value.text();
        } else if (field == "q") {
            item.quota = value.integer();
        } else if (field == "qu") {
            item.unit = value.text();
        } else if (field == "w") {
            item.windowSeconds = value.integer();
        } else if (field == "pk") {
            item.partitionKey = value.text();
        } else {
            return "a field that is not known: " + field;
        }
    }
    return structured::policyItem(item);
}

/// The seconds of a header: `input` is a wait in ns, by itself or as the one field of an object.
std::optional<std::string> secondsOf(const Json& input)
{
    const Json& wait = input.kind() == Json::Kind::Object ? input.members().front().second : input;
    return wait.isNull() ? std::nullopt
                         : std::optional(std::to_string(headerSeconds(wait.integer())));
}

using Written = std::optional<std::string> (*)(const Json& input);

/// Suites whose steps are an input and what is written for it.
const std::map<std::string_view, Written> kWritten {{"sf_policy_item", policyItemOf},
                                                    {"header_rounding", secondsOf}};

/// expect null: it must be refused.
void playWritten(const Json& suite, Written write)
{
    int number = 0;
    for (const Json& step : suite.find("steps")->items()) {
        ++number;
        const Json& expect = *step.find("expect");
        const std::string ours = write(*step.find("input")).value_or("never");
        const std::string wanted
            = expect.kind() == Json::Kind::Text ? expect.text() : shown(expect);
        QVERIFY2(
            ours == wanted,
            qPrintable(QStringLiteral("step %1: %2, the file says %3")
                           .arg(number)
                           .arg(QString::fromStdString(ours), QString::fromStdString(wanted))));
    }
}

} // namespace

/// The worked examples: every field of every step.
class TestVectors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void integersAreReadExactly();
    void fileIsThere();
    void suite_data();
    void suite();
};

void TestVectors::integersAreReadExactly()
{
    const auto json = Json::parse(
        R"({"a": [9007199254740993, -9223372036854775808, 1e3, null], "b": "x\u00e9\n"})");
    QVERIFY(json.has_value());
    QCOMPARE(json->find("a")->items()[0].integer(), Q_INT64_C(9007199254740993));
    QCOMPARE(json->find("a")->items()[1].integer(), std::numeric_limits<std::int64_t>::min());
    QVERIFY(json->find("a")->items()[2].kind() == Json::Kind::Number);
    QVERIFY(json->find("a")->items()[3].isNull());
    QCOMPARE(json->find("b")->text(), std::string("x\u00e9\n"));
    QVERIFY(!Json::parse("{\"a\": 1} 2"));
    QVERIFY(!Json::parse("{\"a\": }"));
    QVERIFY(!Json::parse("[1,]"));
}

void TestVectors::fileIsThere()
{
    QVERIFY(vectors().find("suites") != nullptr);
    QVERIFY(!vectors().find("suites")->items().empty());
}

void TestVectors::suite_data()
{
    QTest::addColumn<int>("index");
    if (const Json* suites = vectors().find("suites")) {
        for (std::size_t i = 0; i < suites->items().size(); ++i) {
            const Json& suite = suites->items()[i];
            const std::string& algorithm = suite.find("algorithm")->text();
            if (!vector_file::isOneOf(vector_file::kBehaviour, algorithm)
                && !vector_file::isOneOf(vector_file::kClients, algorithm)) {
                QTest::newRow(suite.find("id")->text().c_str()) << static_cast<int>(i);
            }
        }
    }
}

void TestVectors::suite()
{
    QFETCH(int, index);
    const Json& suite = vectors().find("suites")->items()[static_cast<std::size_t>(index)];
    const std::string& name = suite.find("algorithm")->text();
    if (const auto written = kWritten.find(name); written != kWritten.end()) {
        playWritten(suite, written->second);
        return;
    }
    const auto ours = kOurs.find(name);
    if (ours == kOurs.end()) {
        const char* reason = reasonToSkip(name);
        QVERIFY2(reason != nullptr,
                 qPrintable(QStringLiteral("no such algorithm: ") + QString::fromStdString(name)));
        QSKIP(reason);
    }
    Limit limit;
    limit.algorithm = ours->second;
    limit.burst = suite.find("config")->find("limit")->integer();
    for (const auto& [option, value] : suite.find("config")->members()) {
        QVERIFY2(set(limit, option, value), option.c_str());
    }
    // An anchor is a point of one window's grid: the policy takes it modulo the period (C8).
    limit.anchorNs
        = (limit.anchorNs % limit.rate.periodNs + limit.rate.periodNs) % limit.rate.periodNs;
    if (limit.rate.count > 0 || limit.algorithm == Algorithm::Concurrency) {
        QCOMPARE(checkLimit(limit), nullptr);
    }
    QVERIFY(!suite.find("steps")->items().empty());
    limit.algorithm == Algorithm::Concurrency ? playLeases(suite, limit) : playKey(suite, limit);
}

QTEST_APPLESS_MAIN(TestVectors)
#include "tst_vectors.moc"

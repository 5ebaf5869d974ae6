#include "engine/clients/backoff.h"
#include "engine/clients/budgets.h"
#include "engine/clients/throttle.h"
#include "tests/engine/vector_file.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <map>
#include <optional>

using namespace engine;
using vector_file::isClose;
using vector_file::Json;
using vector_file::number;

namespace {

using Names = std::initializer_list<std::string_view>;

/// The first of the names that the config has, in milliseconds; a name that ends in _s is seconds.
double milliseconds(const Json& config, Names names, double otherwise)
{
    for (const std::string_view name : names) {
        for (const auto& [suffix, factor] : {std::pair {"_ms", 1.0}, std::pair {"_s", 1000.0}}) {
            if (const Json* value = config.find(std::string(name) + suffix)) {
                return number(*value) * factor;
            }
        }
    }
    return otherwise;
}

/// What the suite's config says of one client, over what that client usually has.
backoff::Growth growthOf(const Json& config, std::string_view client, backoff::Growth usual)
{
    const Json* const own = config.find(client);
    if (own == nullptr) {
        return usual;
    }
    usual.baseMs = milliseconds(*own, {"base", "initial", "init", "factor"}, usual.baseMs);
    usual.capMs = milliseconds(*own, {"cap", "max", "maximum"}, usual.capMs);
    usual.factor = number(*own, "multiplier", usual.factor);
    return usual;
}

/// The number at the end of a name: urllib3_factor_0_5 is 0.5, ..._base_2s is 2.
std::optional<double> inName(std::string_view name, std::string_view beginning)
{
    if (!name.starts_with(beginning)) {
        return std::nullopt;
    }
    std::string digits(name.substr(beginning.size()));
    std::replace(digits.begin(), digits.end(), '_', '.');
    return std::strtod(digits.c_str(), nullptr);
}

using Waits = std::function<double(int retry)>;

std::optional<Waits> awsWaits(const std::string& name, const Json& config, double draw)
{
    const backoff::Growth aws = growthOf(config, "aws", {5, 2000, 2});
    const Json* const own = config.find("aws");
    const int before = own == nullptr ? 0 : static_cast<int>(number(*own, "first_n", 1)) - 1;
    if (name == "aws_full") {
        return [=](int retry) { return backoff::awsFull(aws, retry + before, draw); };
    }
    if (name == "aws_equal") {
        return [=](int retry) { return backoff::awsEqual(aws, retry + before, draw); };
    }
    if (name == "aws_decorrelated") {
        return [=, previous = aws.baseMs](int) mutable {
            return previous = backoff::awsDecorrelated(aws, previous, draw);
        };
    }
    return std::nullopt;
}

/// The waits of a client, retry by retry; nothing for an unknown one.
std::optional<Waits> waitsOf(const std::string& name, const Json& config, double draw)
{
    if (auto aws = awsWaits(name, config, draw)) {
        return aws;
    }
    if (name == "botocore_standard") {
        const backoff::Growth growth = growthOf(config, "botocore", {1000, 20000, 2});
        return [=](int retry) { return backoff::botocoreStandard(retry, draw, growth); };
    }
    if (name.starts_with("grpc")) {
        const bool isFull = name == "grpc_full_jitter_2017";
        const backoff::Growth growth = growthOf(config, "grpc", {100, 1000, 2});
        return [=](int retry) {
            return (isFull ? backoff::grpcFullJitter : backoff::grpc)(growth, retry, draw);
        };
    }
    if (const auto factor = inName(name, "urllib3_factor_")) {
        const backoff::Growth growth = growthOf(config, "urllib3", {*factor * 1000, 120000, 2});
        return [=](int retry) { return backoff::urllib3(growth, retry); };
    }
    if (name == "stripe_python") {
        const backoff::Growth growth = growthOf(config, "stripe_python", {500, 5000, 2});
        return [=](int retry) { return backoff::stripePython(retry, draw, growth); };
    }
    if (name == "axios_exponentialDelay") {
        const double factor = growthOf(config, "axios", {100, 0, 2}).baseMs;
        return [=](int retry) { return backoff::axiosRetry(factor, retry, draw); };
    }
    if (const auto base = inName(name, "polly_v8_decorrelated_base_")) {
        return [=, previous = 0.0](int retry) mutable {
            return backoff::pollyDecorrelated(*base * 1000, retry, draw, previous);
        };
    }
    if (name == "envoy_like") {
        const backoff::Growth growth = growthOf(config, "envoy", {25, 250, 2});
        return [=](int retry) { return backoff::envoy(growth, retry, draw); };
    }
    return std::nullopt;
}

std::string playBackoff(const Json& config, const Json& step)
{
    std::string found;
    for (const auto& [name, waits] : step.find("expect")->members()) {
        const std::optional<Waits> ours = waitsOf(name, config, number(*step.find("u")));
        if (!ours) {
            found += name + ": an unknown client; ";
            continue;
        }
        int retry = 0;
        for (const Json& theirs : waits.items()) {
            const double wait = (*ours)(++retry);
            if (!isClose(wait, number(theirs))) {
                found += name + ", retry " + std::to_string(retry) + ": " + std::to_string(wait)
                    + ", the file says " + std::to_string(number(theirs)) + "; ";
            }
        }
    }
    return found;
}

bool isSame(const std::optional<bool>& ours, const Json& theirs)
{
    return theirs.isNull() ? !ours : ours == theirs.boolean();
}

/// What a step does: `event`, or as some suites call it, `op`.
const std::string& eventOf(const Json& step)
{
    const Json* const event = step.find("event");
    return (event == nullptr ? step.find("op") : event)->text();
}

/// Of the words of `expect`, those that differ. Each is a number, or (granted, ...) yes or no.
std::string differences(const Json& step, const std::map<std::string_view, double>& numbers,
                        const std::map<std::string_view, std::optional<bool>>& answers)
{
    std::string found;
    for (const auto& [word, value] : step.find("expect")->members()) {
        const auto isNumber = numbers.find(word);
        const auto isAnswer = answers.find(word);
        if (isNumber != numbers.end()) {
            found += isClose(isNumber->second, number(value))
                ? ""
                : word + ": " + std::to_string(isNumber->second) + "; ";
        } else if (isAnswer == answers.end()) {
            found += word + ": an unknown word; ";
        } else if (!isSame(isAnswer->second, value)) {
            found += word + "; ";
        }
    }
    return found;
}

using Player = std::function<std::string(const Json& step)>;

Player awsQuota(const Json& config)
{
    budgets::AwsQuota quota(config.find("capacity")->integer());
    return [quota](const Json& step) mutable {
        std::optional<bool> granted;
        const std::int64_t amount = step.find("amount")->integer();
        if (eventOf(step) == "retry") {
            granted = quota.acquire(amount);
        } else {
            quota.release(amount);
        }
        return differences(step, {{"available", static_cast<double>(quota.available())}},
                           {{"granted", granted}});
    };
}

Player envoyBudget(const Json& config)
{
    const double percent = number(config, "budget_percent", 20);
    const auto least = static_cast<std::int64_t>(number(config, "min_retry_concurrency", 3));
    return [=](const Json& step) {
        const std::int64_t most = budgets::envoyMostRetries(
            percent, least, step.find("active")->integer(), step.find("pending")->integer());
        return most == step.find("expect")->integer() ? "" : std::to_string(most);
    };
}

Player grpcThrottle(const Json& config)
{
    const auto milli = [&](std::string_view name, std::string_view other, double otherwise) {
        return std::llround(1000 * number(config, name, number(config, other, otherwise)));
    };
    budgets::GrpcThrottle throttle(milli("max_tokens", "maxTokens", 10),
                                   milli("token_ratio", "tokenRatio", 0.1));
    return [throttle](const Json& step) mutable {
        eventOf(step) == "success" ? throttle.succeeded() : throttle.failed();
        const bool allows = throttle.allowsRetry();
        return differences(step, {{"tokens", static_cast<double>(throttle.milliTokens()) / 1000}},
                           {{"retry_allowed", allows}, {"allow", allows}, {"granted", allows}});
    };
}

Player finagleBudget(const Json& config)
{
    constexpr double kSecond = 1e9;
    const double percent
        = number(config, "percent", 100 * number(config, "percent_can_retry", 0.2));
    budgets::FinagleBudget budget(
        std::llround(number(config, "ttl_ns", kSecond * number(config, "ttl_s", 10))),
        std::llround(number(config, "min_retries_per_s",
                            number(config, "min_retries_per_sec", number(config, "reserve", 10)))),
        std::llround(10 * percent));
    return [budget](const Json& step) mutable {
        const auto now = std::llround(number(step, "t_ns", kSecond * number(step, "t_s", 0)));
        std::optional<bool> granted;
        if (eventOf(step) == "deposit" || eventOf(step) == "request") {
            budget.deposit(now);
        } else {
            granted = budget.withdraw(now);
        }
        return differences(step, {{"balance", static_cast<double>(budget.balance(now))}},
                           {{"granted", granted}, {"allow", granted}});
    };
}

Player adaptiveThrottle(const Json& config)
{
    const double k = number(config, "K", 2);
    return [k](const Json& step) {
        const double ours = throttle::rejectProbability(number(*step.find("requests")),
                                                        number(*step.find("accepts")), k);
        return isClose(ours, number(*step.find("expect"))) ? "" : std::to_string(ours);
    };
}

Player backoffPlayer(const Json& config)
{
    return [config](const Json& step) { return playBackoff(config, step); };
}

} // namespace

/// Worked examples of clients: how long they wait, how often they come again.
class TestClientVectors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void suite_data();
    void suite();
};

void TestClientVectors::suite_data()
{
    QTest::addColumn<int>("index");
    const std::vector<Json> suites = vector_file::suites(vector_file::kClients);
    QVERIFY(!suites.empty());
    for (std::size_t i = 0; i < suites.size(); ++i) {
        QTest::newRow(suites[i].find("id")->text().c_str()) << static_cast<int>(i);
    }
}

void TestClientVectors::suite()
{
    QFETCH(int, index);
    static const std::map<std::string, Player (*)(const Json&)> kPlayers {
        {"client_backoff", backoffPlayer},   {"client_adaptive_throttle", adaptiveThrottle},
        {"retry_budget_aws", awsQuota},      {"retry_budget_envoy", envoyBudget},
        {"retry_budget_grpc", grpcThrottle}, {"retry_budget_finagle", finagleBudget},
    };
    static const std::vector<Json> suites = vector_file::suites(vector_file::kClients);
    const Json& suite = suites[static_cast<std::size_t>(index)];
    const auto known = kPlayers.find(suite.find("algorithm")->text());
    QVERIFY2(known != kPlayers.end(), "an unknown kind");
    QVERIFY(!suite.find("steps")->items().empty());
    const Player player = known->second(*suite.find("config"));
    int number = 0;
    for (const Json& step : suite.find("steps")->items()) {
        const std::string found = player(step);
        ++number;
        QVERIFY2(found.empty(),
                 qPrintable(
                     QStringLiteral("step %1: %2").arg(number).arg(QString::fromStdString(found))));
    }
}

QTEST_APPLESS_MAIN(TestClientVectors)
#include "tst_client_vectors.moc"

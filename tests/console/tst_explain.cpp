#include "app/console/explain/answer_panel.h"
#include "app/console/explain/customer_panel.h"
#include "app/console/explain/explain_page.h"
#include "app/console/explain/finder_panel.h"
#include "app/console/explain/key_view.h"
#include "app/console/explain/request_view.h"
#include "app/console/explain/tier_flow.h"
#include "app/console/explain/tier_rows.h"
#include "app/console/frame/figure_view.h"
#include "app/console/look/theme.h"
#include "app/console/session/job_run.h"
#include "tests/console/replay_bench.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>

using namespace app::console;
using namespace tests::console;

namespace {

constexpr qint64 kStartNs = 1'773'137'640'000'000'000; // 2026-03-10 10:14:00 UTC

/// A key that asks for /search every two seconds, three times for a while, and others around it.
QByteArray searchLog(const QByteArray& who = "k_2d2e0d")
{
    QByteArray log;
    int id = 0;
    const auto add = [&](qint64 ms, const QByteArray& key, const QByteArray& path) {
        log += R"({"time_ns": )" + QByteArray::number(kStartNs + ms * 1'000'000)
            + R"(, "duration_ns": 47000000, "client_ip": "198.51.100.114", "api_key": ")" + key
            + R"(", "method": "GET", "path": ")" + path + R"(", "host": "cedar.api.example.com",)"
            + R"( "request_id": "r)" + QByteArray::number(++id) + R"(", "status": 200})" + "\n";
    };
    for (int i = 0; i < 120; ++i) {
        const qint64 ms = i * 2000 + i / 40 * 400'000;
        add(ms + 137, who, "/search/items");
        if (i % 3 == 0) {
            add(ms + 900, "k_other", "/items/" + QByteArray::number(i));
        }
    }
    return log;
}

const char* const kPolicy = R"(weir: 1
name: small
tiers:
  edge:
    - { name: per-address, key: [client_ip], algorithm: sliding_window_counter, rate: 1000/min }
  gateway:
    - { name: per-key, key: [api_key], algorithm: token_bucket, rate: 60/min, burst: 60 }
  endpoint:
    - name: search
)" // moc takes two stars behind a slash for a comment, in a raw string too
                            "      match: { path: \"/search/"
                            "**\" }\n"
                            R"(      key: [api_key]
      algorithm: sliding_window_counter
      rate: 10/min
    - name: login
      match: { path: /login }
      key: [client_ip]
      algorithm: sliding_window_log
      rate: 5/min
  tenant:
    - { name: tenant-total, key: [], algorithm: token_bucket, rate: 100/s, burst: 500 }
)";

class NoProgress final : public app::Progress {
    void update(const app::ProgressState&) override { }
};

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void withoutRunsItSaysWhatToDo();
    void worstSecondIsTheFirstList();
    void aSecondIsListed();
    void shippedLogIsExplained();
    void aRuleWhoseStoreWasAwayJudgedNothing();
    void laterAttemptsAreTold();
    void requestByKeyboard();
    void admittedRequest();
    void finderFindsByWhoPathAndId();
    void stepsAlongRejectedRequests();
    void keyHasItsHistory();
    void clientIsToldInAChosenForm();
    void customerIsToldInTheirZone();
    void logThatMovedIsFoundAgain();
    void anotherRunEndsWhatIsRead();
    void hostileNamesAreHarmless();
    void modelsKeepTheirWord();
    void everyWidgetHasAName();

private:
    ExplainPage& page() { return m_fixture->show<ExplainPage>(PageId::Explain); }

    void replay(const QByteArray& log, const app::GivenOptions& given = {});

    bool waitFor(const std::function<bool()>& done) { return QTest::qWaitFor(done, kPatience); }

    bool waitForAnswer(ExplainPage& explain)
    {
        return waitFor([&] { return !explain.isBusy(); });
    }

    void explainNumber(ExplainPage& explain, std::uint64_t n)
    {
        app::ExplainTarget target;
        target.n = n;
        m_fixture->session().explain(1, target);
        QVERIFY(waitForAnswer(explain));
    }

    std::unique_ptr<Fixture> m_fixture;
};

void TestExplain::init()
{
    m_fixture = std::make_unique<Fixture>();
}

void TestExplain::cleanup()
{
    m_fixture.reset();
}

void TestExplain::replay(const QByteArray& log, const app::GivenOptions& given)
{
    const QString path = m_fixture->path(QStringLiteral("edge.jsonl"));
    writeFile(path, log);
    JobOrder order;
    order.policies.push_back({"small.yaml", kPolicy, "small"});
    order.logs = {path.toStdString()};
    order.given = given;
    const app::StopFlag stop {false};
    NoProgress progress;
    const JobResult result = runJob(order, m_fixture->session().storePath(), stop, progress);
    QVERIFY2(!result.failure, result.failure ? result.failure->message.c_str() : "");
    m_fixture->session().refreshRuns();
    QVERIFY(waitFor([this] { return !m_fixture->session().runs().empty(); }));
}

void TestExplain::withoutRunsItSaysWhatToDo()
{
    ExplainPage& explain = page();
    QVERIFY(!explain.can(ActionId::Find));
    QVERIFY(!explain.can(ActionId::CopyForCustomer));
    m_fixture->pictures(QStringLiteral("explain-empty"));
}

void TestExplain::worstSecondIsTheFirstList()
{
    replay(searchLog());
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QCOMPARE(explain.shownView(), static_cast<QWidget*>(&explain.finder()));
    QVERIFY2(explain.finder().caption().contains(QStringLiteral("the worst second")),
             qPrintable(explain.finder().caption()));
    QVERIFY(explain.finder().list().plainText().contains(QStringLiteral("rejected by search")));
    m_fixture->pictures(QStringLiteral("explain-finder"));
}

void TestExplain::aSecondIsListed()
{
    replay(searchLog());
    constexpr qint64 kSecond = 1'000'000'000;
    m_fixture->session().findRequests(1, kStartNs + 30 * kSecond, kStartNs + 31 * kSecond);
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    const QString list = explain.finder().list().plainText();
    QVERIFY2(list.contains(QStringLiteral("10:14:30.137")), qPrintable(list));
    QCOMPARE(list.count(QLatin1Char('\n')), qsizetype {2}); // the header and one request
}

void TestExplain::aRuleWhoseStoreWasAwayJudgedNothing()
{
    app::Explanation explanation;
    app::ExplainedRule rule;
    rule.rule.rule = "search";
    rule.rule.tier = engine::Tier::Endpoint;
    rule.decision.isStoreAway = true;
    rule.decision.admits = true;
    explanation.rules.push_back(rule);
    const std::vector<TierRow> rows = tierRows(explanation);
    QCOMPARE(rows.size(), std::size_t {2});
    QCOMPARE(rows[0].what, std::string("passed"));
    QCOMPARE(rows[1].what, std::string("admits"));
    QCOMPARE(rows[1].before, std::string("its store was away: nothing was judged"));
    QCOMPARE(rows[1].after, std::string("not counted"));
}

void TestExplain::shippedLogIsExplained()
{
    const QString policy = m_fixture->copied(QStringLiteral("policies/examples/public-api.yaml"));
    QVERIFY(QFile::exists(m_fixture->copied(QStringLiteral("policies/examples/plans.csv"))));
    QVERIFY(m_fixture->window().openPolicy(policy));
    JobOrder order;
    order.policies.push_back({policy.toStdString(), m_fixture->session().document().bytes(), {}});
    order.logs = {WEIR_SOURCE_DIR "/app/demo/access.log.gz"};
    const app::StopFlag stop {false};
    NoProgress progress;
    const JobResult result = runJob(order, m_fixture->session().storePath(), stop, progress);
    QVERIFY2(!result.failure, result.failure ? result.failure->message.c_str() : "");
    m_fixture->session().refreshRuns();
    QVERIFY(waitFor([this] { return !m_fixture->session().runs().empty(); }));
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    m_fixture->picture(QStringLiteral("explain-shipped-list"), {});
    QTest::keyClick(&explain.finder().list(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    QVERIFY(explain.request().explanation());
    m_fixture->picture(QStringLiteral("explain-shipped"), {});
    m_fixture->trigger(ActionId::KeyHistory);
    QVERIFY(waitForAnswer(explain));
    QVERIFY(explain.key().history());
    m_fixture->picture(QStringLiteral("explain-shipped-key"), {});
}

/// Whoever is rejected comes three more times, a second apart.
void TestExplain::laterAttemptsAreTold()
{
    app::GivenOptions given;
    given.add("clients", "fixed");
    replay(searchLog(), given);
    ExplainPage& explain = page();
    app::ExplainTarget target;
    target.atNs = kStartNs;
    m_fixture->session().explain(1, target); // the first that is rejected
    QVERIFY(waitForAnswer(explain));
    const app::ClientStory& client = explain.request().explanation()->client.value();
    QCOMPARE(client.attempts.size(), std::size_t {3});
    QVERIFY(client.end == app::ClientStory::End::OutOfAttempts);
    const auto* const request = qobject_cast<FigureView*>(explain.request().panes().at(3));
    QCOMPARE(request->accessibleName(), QStringLiteral("The request"));
    const QString text = request->plainText();
    QVERIFY2(text.contains(QStringLiteral("3 times: its client gave up after 4 attempts")),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("attempt 4")), qPrintable(text));
    m_fixture->picture(QStringLiteral("explain-attempts"), {});
    QTest::keyClick(&m_fixture->window(), Qt::Key_H, Qt::ControlModifier);
    QVERIFY(waitForAnswer(explain));
    QVERIFY2(explain.key().sentenceText().contains(QStringLiteral("Clients came again ")),
             qPrintable(explain.key().sentenceText()));
}

void TestExplain::requestByKeyboard()
{
    replay(searchLog());
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&explain.finder().list(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    QCOMPARE(explain.shownView(), static_cast<QWidget*>(&explain.request()));
    QVERIFY2(explain.request().sentenceText().contains(
                 QStringLiteral("search: an API key may send about 10 in any minute")),
             qPrintable(explain.request().sentenceText()));
    const QString tiers = explain.request().tiers().plainText();
    QVERIFY2(tiers.contains(QStringLiteral("endpoint\trejected by search")), qPrintable(tiers));
    QVERIFY(tiers.contains(QStringLiteral("tenant\tnever reached")));
    QVERIFY(tiers.contains(QStringLiteral("tenant-total did not see the request.")));
    QVERIFY(tiers.contains(QStringLiteral("login\tnot judged\tpath")));
    QVERIFY(explain.request().visits().plainText().contains(
        QStringLiteral("denied here, not counted")));
    QTest::keyClick(&m_fixture->window(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(
        QApplication::clipboard()->text().contains(QStringLiteral("rejected with 429 by search")));
    // The last one that was rejected has a window before it that counts.
    for (std::uint64_t n = 160;; --n) {
        explainNumber(explain, n);
        if (explain.request().explanation()->verdict.outcome == engine::Outcome::Rejected) {
            break;
        }
    }
    m_fixture->pictures(QStringLiteral("explain"));
    const QImage picture = m_fixture->window().grab().toImage();
    QVERIFY(shareOf(picture, app::console::theme().rejectedGround) > 0.005);
}

void TestExplain::admittedRequest()
{
    replay(searchLog());
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    auto* goTo = explain.findChildren<QLineEdit*>().last();
    for (QLineEdit* field : explain.findChildren<QLineEdit*>()) {
        goTo = field->placeholderText().startsWith(QStringLiteral("Number")) ? field : goTo;
    }
    QTest::keyClick(&m_fixture->window(), Qt::Key_G, Qt::ControlModifier);
    QTest::keyClicks(goTo, QStringLiteral("1"));
    QTest::keyClick(goTo, Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    QCOMPARE(explain.request().sentenceText(),
             QStringLiteral("All 4 rules that applied admitted it."));
    QVERIFY(explain.request().tiers().plainText().contains(QStringLiteral("tenant\tpassed")));
    m_fixture->picture(QStringLiteral("explain-admitted"), {});
}

void TestExplain::finderFindsByWhoPathAndId()
{
    replay(searchLog());
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&m_fixture->window(), Qt::Key_F, Qt::ControlModifier);
    auto* who = qobject_cast<QLineEdit*>(explain.finder().firstField());
    QVERIFY(who->hasFocus());
    QTest::keyClicks(who, QStringLiteral("2d2e"));
    QTest::keyClick(who, Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    const QString found = explain.finder().list().plainText();
    QVERIFY(found.count(QLatin1Char('\n')) > 20);
    QVERIFY(!found.contains(QStringLiteral("k_other")));
    who->setText(QStringLiteral("nobody"));
    QTest::keyClick(who, Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    m_fixture->picture(QStringLiteral("explain-nothing-found"), {});

    who->clear();
    for (QLineEdit* field : explain.finder().findChildren<QLineEdit*>()) {
        if (field->accessibleName() == QLatin1String("Request id")) {
            QTest::keyClicks(field, QStringLiteral("r2"));
            QTest::keyClick(field, Qt::Key_Return);
        }
    }
    QVERIFY(waitForAnswer(explain));
    const QString one = explain.finder().list().plainText();
    QVERIFY2(one.contains(QStringLiteral("k_other")) && one.contains(QStringLiteral("admitted")),
             qPrintable(one));
    for (QLineEdit* field : explain.finder().findChildren<QLineEdit*>()) {
        if (field->accessibleName() == QLatin1String("From")) {
            QTest::keyClicks(field, QStringLiteral("soon"));
            QTest::keyClick(field, Qt::Key_Return);
        }
    }
    QVERIFY(explain.banners().plainText().contains(QStringLiteral("soon")));
}

void TestExplain::stepsAlongRejectedRequests()
{
    replay(searchLog());
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&explain.finder().list(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    const std::uint64_t first = explain.request().explanation()->n;
    explain.request().tiers().setFocus();
    QTest::keyClick(&explain.request().tiers(), Qt::Key_Down, Qt::AltModifier);
    QVERIFY(waitForAnswer(explain));
    const std::uint64_t next = explain.request().explanation()->n;
    QVERIFY(next > first);
    QTest::keyClick(&explain.request().tiers(), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(waitForAnswer(explain));
    QCOMPARE(explain.request().explanation()->n, first); // all are of one key
}

void TestExplain::keyHasItsHistory()
{
    replay(searchLog());
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&explain.finder().list(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&m_fixture->window(), Qt::Key_H, Qt::ControlModifier);
    QVERIFY(waitForAnswer(explain));
    QCOMPARE(explain.shownView(), static_cast<QWidget*>(&explain.key()));
    QVERIFY2(explain.key().sentenceText().contains(QStringLiteral("api_key=k_2d2e0d")),
             qPrintable(explain.key().sentenceText()));
    QCOMPARE(explain.key().history()->requests, std::uint64_t {120});
    QCOMPARE(explain.key().history()->episodes.size(), std::size_t {3});
    QVERIFY(explain.key().enough().plainText().contains(QStringLiteral("10/min")));
    m_fixture->pictures(QStringLiteral("explain-key"));
    const QString saved = m_fixture->path(QStringLiteral("key.csv"));
    explain.askSavePath = [&](const QString&, const QString&, const QString&) { return saved; };
    QTest::keyClick(&m_fixture->window(), Qt::Key_E, Qt::ControlModifier);
    QFile file(saved);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("longest_streak"));
    QTest::keyClick(&explain.key().episodes(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    QCOMPARE(explain.request().explanation()->n, explain.key().history()->episodes.front().firstN);
}

void TestExplain::clientIsToldInAChosenForm()
{
    replay(searchLog());
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&explain.finder().list(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    AnswerPanel& answer = explain.request().answer();
    QVERIFY2(answer.text().startsWith(QStringLiteral("Retry-After: ")), qPrintable(answer.text()));
    QVERIFY(answer.text().contains(QStringLiteral(
        "\"per-address\";q=1000;w=60, \"per-key\";q=60;w=60, \"search\";q=10;w=60")));
    QVERIFY(answer.text().contains(QStringLiteral("\"violated-policies\": [\"search\"]")));
    m_fixture->pictures(QStringLiteral("explain-answer"));
    answer.setStyleOfHeaders(engine::HeaderStyle::Github);
    QVERIFY(answer.text().contains(QStringLiteral("X-RateLimit-Resource: search")));
    QCOMPARE(answer.caption(), QStringLiteral("reset in seconds since the epoch"));
    m_fixture->trigger(ActionId::CopyAsText);
    QVERIFY(
        QApplication::clipboard()->text().contains(QStringLiteral("X-RateLimit-Resource: search")));
    explainNumber(explain, 1); // admitted: no body, in the same form
    QVERIFY2(!answer.text().contains(QLatin1Char('{'))
                 && answer.text().contains(QStringLiteral("X-RateLimit-Remaining: 9")),
             qPrintable(answer.text()));
}

void TestExplain::customerIsToldInTheirZone()
{
    replay(searchLog());
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&explain.finder().list(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    explain.request().customer().setZone(QStringLiteral("+05:30"));
    m_fixture->trigger(ActionId::CopyForCustomer);
    const QString text = QApplication::clipboard()->text();
    QVERIFY2(text.contains(QStringLiteral("(+05:30)")) && text.contains(QStringLiteral("15:4")),
             qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("an API key may send about 10 in any minute")));
    QVERIFY(!text.contains(QStringLiteral("tenant")) && !text.contains(QStringLiteral("k_other")));
    explain.request().customer().setZone(QStringLiteral("Atlantis"));
    QVERIFY(explain.request().customer().caption().contains(QStringLiteral("Atlantis")));
    QCOMPARE(explain.request().customer().text() + QLatin1Char('\n'), text); // the last one stays
}

void TestExplain::logThatMovedIsFoundAgain()
{
    replay(searchLog());
    const QString moved = m_fixture->path(QStringLiteral("moved.jsonl"));
    QVERIFY(QFile::rename(m_fixture->path(QStringLiteral("edge.jsonl")), moved));
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&explain.finder().list(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    QVERIFY(!explain.request().explanation());
    QVERIFY2(explain.request().sentenceText().contains(QStringLiteral("rejected by search")),
             qPrintable(explain.request().sentenceText())); // the store knows that much
    QVERIFY(explain.banners().plainText().contains(QStringLiteral("edge.jsonl")));
    m_fixture->pictures(QStringLiteral("explain-moved"));
    explain.askLogs = [&] { return QStringList(moved); };
    const auto buttons = explain.banners().findChildren<QPushButton*>();
    const auto find = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* button) {
        return button->text() == QLatin1String("Find...");
    });
    QVERIFY(find != buttons.end());
    (*find)->click();
    QVERIFY(waitForAnswer(explain));
    QVERIFY(explain.request().explanation());
    QVERIFY(explain.banners().plainText().isEmpty());
}

void TestExplain::anotherRunEndsWhatIsRead()
{
    Session& session = m_fixture->session();
    replay(searchLog());
    replay(searchLog());
    QVERIFY(waitFor([&] { return session.run(2) != nullptr; }));
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    app::ExplainTarget target;
    target.n = 100;
    session.explain(1, target);
    QVERIFY(explain.isBusy());
    session.openRun(2);
    QVERIFY(!explain.isBusy());
    QTest::qWait(300); // the answer of run 1 would be here by now
    QVERIFY(!explain.request().explanation());
    page();
    QVERIFY(waitForAnswer(explain));
    QCOMPARE(explain.shownView(), static_cast<QWidget*>(&explain.finder()));
    QVERIFY(explain.head().caption().contains(QStringLiteral("run 2")));

    session.explain(2, target); // and so does another store
    QVERIFY(explain.isBusy());
    session.setStorePath(m_fixture->path(QStringLiteral("other.db")).toStdString());
    QVERIFY(!explain.isBusy());
    QVERIFY(!explain.can(ActionId::Find));
    QTest::qWait(300);
    QVERIFY(!explain.request().explanation());
    QVERIFY(!explain.head().caption().contains(QStringLiteral("run")));
}

void TestExplain::hostileNamesAreHarmless()
{
    replay(searchLog("<b>k\\u001b[31m\\u202e</b>" + QByteArray(50'000, 'x')));
    ExplainPage& explain = page();
    QVERIFY(waitForAnswer(explain));
    QTest::keyClick(&explain.finder().list(), Qt::Key_Return);
    QVERIFY(waitForAnswer(explain));
    QVERIFY(explain.request().explanation());
    const auto isSafe = [](const QString& text) {
        return !text.contains(QChar(0x1b)) && !text.contains(QChar(0x202e));
    };
    QVERIFY(isSafe(explain.finder().list().plainText()));
    QVERIFY(isSafe(explain.request().tiers().plainText()));
    QVERIFY(isSafe(explain.request().customer().text()));
    QVERIFY(isSafe(explain.request().answer().text()));
    QVERIFY(isSafe(explain.head().title() + explain.head().caption()));
    m_fixture->picture(QStringLiteral("explain-hostile"), {});
    m_fixture->trigger(ActionId::KeyHistory);
    QVERIFY(waitForAnswer(explain));
    QVERIFY(isSafe(explain.key().sentenceText() + explain.head().title()));
    QVERIFY(isSafe(explain.key().customer().text()));
    m_fixture->picture(QStringLiteral("explain-key-hostile"), {});
}

void TestExplain::modelsKeepTheirWord()
{
    replay(searchLog());
    ExplainPage& explain = page();
    using Mode = QAbstractItemModelTester::FailureReportingMode;
    const QAbstractItemModelTester found(explain.finder().list().model(), Mode::QtTest);
    const QAbstractItemModelTester tiers(explain.request().tiers().model(), Mode::QtTest);
    const QAbstractItemModelTester visits(explain.request().visits().model(), Mode::QtTest);
    QVERIFY(waitForAnswer(explain));
    explainNumber(explain, 100);
    explainNumber(explain, 1);
}

void TestExplain::everyWidgetHasAName()
{
    replay(searchLog());
    const QStringList nameless = namelessWidgets(page());
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
}

QTEST_MAIN(TestExplain)
#include "tst_explain.moc"

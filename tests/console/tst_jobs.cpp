#include "app/console/explain/explain_page.h"
#include "app/console/explain/key_view.h"
#include "app/console/explain/request_view.h"
#include "app/console/frame/figure_view.h"
#include "app/console/replay/job_table.h"
#include "app/console/replay/replay_form.h"
#include "app/console/start/templates.h"
#include "storage/run_reader.h"
#include "storage/run_store.h"
#include "tests/console/replay_bench.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QProcess>
#include <QSpinBox>
#include <QTextCursor>
#include <QTextDocument>
#include <QTimer>

#include <algorithm>
#include <ctime>

using namespace app::console;
using namespace tests::console;

namespace {

QByteArray weir(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(WEIR_BINARY), arguments);
    process.waitForFinished(kPatience);
    return process.readAllStandardOutput();
}

/// How long the thread of the window was at work at a stretch, by its own processor time: what
/// other programs do does not count.
class Heartbeat : public QTimer {
public:
    Heartbeat()
    {
        connect(this, &QTimer::timeout, this, [this] {
            const qint64 now = usedMs();
            longestMs = std::max(longestMs, now - m_lastMs);
            m_lastMs = now;
        });
        m_lastMs = usedMs();
        start(1);
    }

    qint64 longestMs = 0;

private:
    static qint64 usedMs()
    {
        timespec used {};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        return used.tv_sec * 1000 + used.tv_nsec / 1'000'000;
    }

    qint64 m_lastMs = 0;
};

} // namespace

class TestJobs : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void init() { m_fixture = std::make_unique<ReplayBench>(); }

    void cleanup() { m_fixture.reset(); }

    void jobsWaitMoveAndGo();
    void progressIsShown();
    void cancelledJobKeepsWhatItDecided();
    void failureIsSaidAndTheNextGoesOn();
    void editsAreTriedAgainstTheLastLog();
    void lastReplayIsOfTheStore();
    void templateIsReplayedWithItsLookups();
    void runsOfAnotherStoreAreNotOpened();
    void sameAsTheCommandLine();
    void windowIsNeverBusyForLong();

private:
    ReplayPage& page() { return m_fixture->page(); }

    std::unique_ptr<ReplayBench> m_fixture;
};

void TestJobs::jobsWaitMoveAndGo()
{
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(1000));
    ReplayPage& replay = page();
    OpenPipe pipe(m_fixture->path(QStringLiteral("pipe.jsonl")));
    pipe.write(neutralLog(100));
    JobOrder first;
    first.policies.push_back({"small.yaml", kSmallPolicy, "one"});
    first.logs = {pipe.path()};
    replay.jobs().add(first);
    QAbstractItemModelTester tester(replay.jobView().model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto* name = replay.form().findChild<QLineEdit*>(QStringLiteral("name"));
    for (const char* each : {"two", "three", "four"}) {
        name->setText(QString::fromLatin1(each));
        m_fixture->trigger(ActionId::StartReplay);
    }
    const auto names = [&] {
        QStringList list;
        for (const Job& job : replay.jobs().all()) {
            list << QString::fromStdString(job.order.name());
        }
        return list.join(QLatin1Char(' '));
    };
    QCOMPARE(names(), QStringLiteral("one two three four"));
    m_fixture->picture(QStringLiteral("replay-jobs"), {});
    replay.jobView().setFocus();
    replay.jobView().selectRow(3);
    QTest::keyClick(&replay.jobView(), Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(names(), QStringLiteral("one two four three"));
    QTest::keyClick(&replay.jobView(), Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(names(), QStringLiteral("one four two three"));
    QTest::keyClick(&replay.jobView(), Qt::Key_Up, Qt::AltModifier); // the running one stays first
    QCOMPARE(names(), QStringLiteral("one four two three"));
    replay.jobView().selectRow(3);
    QTest::keyClick(&replay.jobView(), Qt::Key_Delete);
    QCOMPARE(names(), QStringLiteral("one four two"));
    pipe.close();
    QVERIFY(m_fixture->waitForJobs());
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->session().runs().size() == 3; }, kPatience));
    QCOMPARE(m_fixture->session().runs().front().name, std::string("two"));
}

void TestJobs::progressIsShown()
{
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(200'000));
    ReplayPage& replay = page();
    m_fixture->trigger(ActionId::StartReplay);
    m_fixture->trigger(ActionId::StartReplay);
    const auto share = [&] { return replay.jobs().all().front().pace.share().value_or(0); };
    QVERIFY(QTest::qWaitFor([&] { return share() > 0.1; }, kPatience));
    const QPixmap picture = m_fixture->window().grab(); // at once: it does not wait
    QVERIFY(QDir().mkpath(QStringLiteral(WEIR_BUILD_DIR "/pictures")));
    QVERIFY(picture.save(QStringLiteral(WEIR_BUILD_DIR "/pictures/replay-running-light-1440.png")));
    QVERIFY(m_fixture->waitForJobs());
    for (const Job& job : replay.jobs().all()) {
        QCOMPARE(job.state, JobState::Complete);
        QCOMPARE(job.result.requests, std::uint64_t {200'000});
    }
}

void TestJobs::cancelledJobKeepsWhatItDecided()
{
    m_fixture->openPolicy();
    ReplayPage& replay = page();
    OpenPipe pipe(m_fixture->path(QStringLiteral("pipe.jsonl")));
    JobOrder order;
    order.policies.push_back({"small.yaml", kSmallPolicy, "endless"});
    order.logs = {pipe.path()};
    replay.jobs().add(order);
    for (int i = 0; i < 60; ++i) { // some blocks, in pieces that a pipe takes; it never ends
        pipe.write(neutralLog(250));
    }
    QVERIFY(m_fixture->session().can(ActionId::CancelJob));
    QTest::keyClick(&m_fixture->window(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(m_fixture->waitForJobs());
    const Job& job = replay.jobs().all().front();
    QCOMPARE(job.state, JobState::Cancelled);
    QVERIFY(job.result.requests > 0);
    QVERIFY(QTest::qWaitFor([&] { return !m_fixture->session().runs().empty(); }, kPatience));
    const storage::RunSummary& run = m_fixture->session().runs().front();
    QCOMPARE(run.state, storage::RunState::Interrupted);
    QCOMPARE(run.totals.requests, job.result.requests);
    m_fixture->picture(QStringLiteral("replay-cancelled"), {});
}

void TestJobs::failureIsSaidAndTheNextGoesOn()
{
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(100));
    ReplayPage& replay = page();
    QFile::remove(m_fixture->path(QStringLiteral("a.jsonl")));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QCOMPARE(replay.jobs().all().front().state, JobState::Failed);
    QVERIFY(replay.banners().plainText().contains(QStringLiteral("a.jsonl")));
    m_fixture->picture(QStringLiteral("replay-failed"), {});
    writeFile(m_fixture->path(QStringLiteral("a.jsonl")), neutralLog(100));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QCOMPARE(replay.jobs().all().back().state, JobState::Complete);
}

void TestJobs::editsAreTriedAgainstTheLastLog()
{
    m_fixture->openPolicy();
    Session& session = m_fixture->session();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(1000));
    QVERIFY(!session.can(ActionId::TryAgainstLastLog));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QVERIFY(!session.can(ActionId::TryAgainstLastLog)); // nothing is edited
    QTextDocument& text = session.document().text();
    QTextCursor cursor = text.find(QStringLiteral("60/min, burst"));
    cursor.insertText(QStringLiteral("90/min, burst"));
    session.document().checkNow();
    QVERIFY(session.can(ActionId::TryAgainstLastLog));
    QSignalSpy compared(&session, &Session::compareAsked);
    bool areListed = false;
    connect(&session, &Session::compareAsked, this, [&](CompareBase base, storage::RunId run) {
        areListed = base && session.run(*base) != nullptr && session.run(run) != nullptr;
    });
    QTest::keyClick(&m_fixture->window(), Qt::Key_R, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(m_fixture->waitForJobs());
    QVERIFY(QTest::qWaitFor([&] { return compared.count() == 1; }, kPatience));
    QVERIFY(areListed); // else the page has nothing to choose
    QCOMPARE(session.runs().size(), std::size_t {3});
    QTest::qWait(50);
    QCOMPARE(compared.count(), 1);
    QCOMPARE(session.runs()[0].name, std::string("small.yaml, edited"));
    QCOMPARE(session.runs()[1].name, std::string("small.yaml, saved"));
    QVERIFY(session.runs()[0].totals.rejected < session.runs()[1].totals.rejected);
    QCOMPARE(session.runs()[1].totals.rejected, session.runs()[2].totals.rejected);
}

void TestJobs::lastReplayIsOfTheStore()
{
    m_fixture->openPolicy();
    Session& session = m_fixture->session();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(100));
    page().form().findChild<QSpinBox*>(QStringLiteral("seed"))->setValue(7);
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QVERIFY(QTest::qWaitFor([&] { return session.runs().size() == 1; }, kPatience));
    session.document()
        .text()
        .find(QStringLiteral("60/min, burst"))
        .insertText(QStringLiteral("90/min, burst"));
    session.document().checkNow();
    const std::string store = session.storePath();
    for (const bool isAsked : {true, false}) { // of a job, then of what the store says
        QVERIFY(
            QTest::qWaitFor([&] { return session.can(ActionId::TryAgainstLastLog); }, kPatience));
        if (isAsked) {
            m_fixture->trigger(ActionId::TryAgainstLastLog);
            QCOMPARE(page().jobs().all().back().order.seed, std::uint64_t {7});
            QVERIFY(m_fixture->waitForJobs());
            QVERIFY(QTest::qWaitFor([&] { return session.runs().size() == 3; }, kPatience));
            session.setStorePath(m_fixture->path(QStringLiteral("other.db")).toStdString());
            QVERIFY(!session.can(ActionId::TryAgainstLastLog));
            QVERIFY(session.lastLogs().isEmpty());
            session.setStorePath(store);
        }
    }
    m_fixture->trigger(ActionId::TryAgainstLastLog);
    QCOMPARE(page().jobs().all().back().order.seed, std::uint64_t {7});
    QVERIFY(m_fixture->waitForJobs());
}

void TestJobs::templateIsReplayedWithItsLookups()
{
    Session& session = m_fixture->session();
    const Template& shipped = templates().front();
    QVERIFY(shipped.lookups.contains("plans.csv"));
    session.document().openText(shipped.text, shipped.file, shipped.lookups);
    session.document().checkNow();
    QFile format(QStringLiteral(WEIR_SOURCE_DIR "/app/demo/log_format.txt"));
    QVERIFY(format.open(QIODevice::ReadOnly));
    page()
        .form()
        .findChild<QComboBox*>(QStringLiteral("log-format"))
        ->setEditText(QString::fromUtf8(format.readAll()).trimmed());
    session.showLogs({QStringLiteral(WEIR_SOURCE_DIR "/app/demo/access.log.gz")});
    QVERIFY(m_fixture->waitForLogs());
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    const Job& job = page().jobs().all().front();
    QVERIFY2(!job.result.failure, job.result.failure ? job.result.failure->message.c_str() : "");
    QCOMPARE(job.state, JobState::Complete);
    const auto store = storage::RunStore::open(session.storePath(), storage::Access::Read);
    const auto kept = storage::RunReader(**store).detail(job.result.runs.front());
    QVERIFY(kept.has_value());
    QCOMPARE(kept->policy.lookups.size(), std::size_t {1});
    QCOMPARE(kept->policy.lookups.front().name, std::string("plans.csv"));
    QCOMPARE(kept->policy.lookups.front().bytes, shipped.lookups.at("plans.csv"));
}

/// Run 1 of the other store is another.
void TestJobs::runsOfAnotherStoreAreNotOpened()
{
    m_fixture->openPolicy();
    Session& session = m_fixture->session();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(100));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QSignalSpy opened(&session, &Session::runOpened);
    session.setStorePath(m_fixture->path(QStringLiteral("other.db")).toStdString());
    ReplayPage& replay = page();
    replay.jobView().setFocus();
    replay.jobView().selectRow(0);
    QTest::keyClick(&replay.jobView(), Qt::Key_Return);
    QCOMPARE(opened.count(), 0);
    QVERIFY(replay.banners().plainText().contains(QStringLiteral("runs.db")));
}

void TestJobs::sameAsTheCommandLine()
{
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(3000) + "not a line\n");
    ReplayPage& replay = page();
    replay.form()
        .findChild<QLineEdit*>(QStringLiteral("from"))
        ->setText(QStringLiteral("2026-03-10T00:00:05Z"));
    replay.form().findChild<QLineEdit*>(QStringLiteral("warmup"))->setText(QStringLiteral("10s"));
    replay.form()
        .findChild<QLineEdit*>(QStringLiteral("where"))
        ->setText(QStringLiteral("not api_key=k4"));
    replay.form().findChild<QLineEdit*>(QStringLiteral("name"))->setText(QStringLiteral("same"));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QCOMPARE(replay.jobs().all().front().state, JobState::Complete);

    const QString other = m_fixture->path(QStringLiteral("other.db"));
    weir({QStringLiteral("replay"), m_fixture->path(QStringLiteral("small.yaml")),
          m_fixture->path(QStringLiteral("a.jsonl")), QStringLiteral("--from"),
          QStringLiteral("2026-03-10T00:00:05Z"), QStringLiteral("--warmup"), QStringLiteral("10s"),
          QStringLiteral("--where"), QStringLiteral("not api_key=k4"), QStringLiteral("--name"),
          QStringLiteral("same"), QStringLiteral("--db"), other});
    const auto figures = [](const QString& store) {
        return weir({QStringLiteral("show"), QStringLiteral("1"), QStringLiteral("--json"),
                     QStringLiteral("--top"), QStringLiteral("1000"), QStringLiteral("--db"),
                     store});
    };
    const QByteArray ours = figures(QString::fromStdString(m_fixture->session().storePath()));
    QVERIFY(ours.contains("\"requests\""));
    QCOMPARE(ours, figures(other));

    // And the run keeps the same words.
    const auto optionsOf = [](const std::string& path) {
        const auto store = storage::RunStore::open(path, storage::Access::Read);
        QStringList options;
        const auto detail = storage::RunReader(**store).detail(1);
        for (const storage::Option& option : detail->options) {
            options << QString::fromStdString(option.name + "=" + option.value);
        }
        return options;
    };
    QCOMPARE(optionsOf(m_fixture->session().storePath()), optionsOf(other.toStdString()));
}

void TestJobs::windowIsNeverBusyForLong()
{
    m_fixture->openPolicy();
    ReplayPage& replay = page();
    Session& session = m_fixture->session();
    const QString log = m_fixture->path(QStringLiteral("a.jsonl"));
    writeFile(log, neutralLog(60'000));
    QTest::qWait(50);
    const Heartbeat heartbeat;
    session.showLogs({log});
    QVERIFY(m_fixture->waitForLogs());
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QCOMPARE(replay.jobs().all().front().state, JobState::Complete);
    QVERIFY(QTest::qWaitFor([&] { return !session.runs().empty(); }, kPatience));
    auto& explain = m_fixture->show<ExplainPage>(PageId::Explain);
    const auto answered
        = [&] { return QTest::qWaitFor([&] { return !explain.isBusy(); }, kPatience); };
    QVERIFY(answered());
    app::ExplainTarget target;
    target.n = 50'000;
    session.explain(1, target);
    QVERIFY(answered());
    QVERIFY(explain.request().explanation());
    m_fixture->trigger(ActionId::KeyHistory);
    QVERIFY(answered());
    QVERIFY(explain.key().history());
    QVERIFY2(heartbeat.longestMs < 100, qPrintable(QString::number(heartbeat.longestMs)));
}

QTEST_MAIN(TestJobs)
#include "tst_jobs.moc"

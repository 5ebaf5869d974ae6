#include "app/console/frame/figure_view.h"
#include "app/console/replay/job_table.h"
#include "app/console/replay/log_model.h"
#include "app/console/replay/log_view.h"
#include "app/console/replay/preview_panel.h"
#include "app/console/replay/replay_form.h"
#include "app/console/replay/replay_page.h"
#include "storage/run_reader.h"
#include "storage/run_store.h"
#include "tests/console/console_fixture.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QTextCursor>
#include <QTextDocument>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace app::console;
using namespace tests::console;

namespace {

constexpr int kPatience = 60'000;

QString demoFormat()
{
    QFile file(QStringLiteral(WEIR_SOURCE_DIR "/app/demo/log_format.txt"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

/// Lines of the neutral format, one each 100 ms.
QByteArray neutralLog(int lines)
{
    QByteArray log;
    for (int i = 0; i < lines; ++i) {
        log += R"({"time_ns": )" + QByteArray::number(1'773'100'800'000'000'000 + i * 100'000'000LL)
            + R"(, "duration_ns": 41000000, "client_ip": "2001:db8::)" + QByteArray::number(i % 7)
            + R"(", "api_key": "k)" + QByteArray::number(i % 5)
            + R"(", "method": "GET", "path": "/items/)" + QByteArray::number(i)
            + R"(", "host": "api.example.com", "status": 200})" + "\n";
    }
    return log;
}

QByteArray weir(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(WEIR_BINARY), arguments);
    process.waitForFinished(kPatience);
    return process.readAllStandardOutput();
}

const char* const kPolicy = R"(weir: 1
name: small
tiers:
  edge:
    - { name: per-address, key: [client_ip], algorithm: fixed_window, rate: 60/min }
  gateway:
    - { name: per-key, key: [api_key], algorithm: token_bucket, rate: 60/min, burst: 20 }
)";

} // namespace

/// A log that a writer holds open: a job that reads it waits until close().
class OpenPipe {
public:
    explicit OpenPipe(const QString& path)
        : m_path(path.toStdString())
    {
        ::mkfifo(m_path.c_str(), 0600);
        m_end = ::open(m_path.c_str(), O_RDWR | O_CLOEXEC);
    }

    ~OpenPipe() { close(); }

    OpenPipe(const OpenPipe&) = delete;
    OpenPipe& operator=(const OpenPipe&) = delete;

    void write(const QByteArray& bytes) const
    {
        QCOMPARE(::write(m_end, bytes.data(), static_cast<std::size_t>(bytes.size())),
                 bytes.size());
    }

    void close()
    {
        if (m_end >= 0) {
            ::close(m_end);
        }
        m_end = -1;
    }

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string m_path;
    int m_end = -1;
};

class TestReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void beginsEmpty();
    void shippedLogByKeyboard();
    void sameAsTheCommandLine();
    void droppedLogsAreAdded();
    void linesThatCannotBeReadAreShownHarmlessly();
    void whatIsMissingIsSaid();
    void wrongOptionsAreMarked();
    void commandLineIsCopied();
    void jobsWaitMoveAndGo();
    void cancelledJobKeepsWhatItDecided();
    void failureIsSaidAndTheNextGoesOn();
    void editsAreTriedAgainstTheLastLog();
    void policyIsDraftedFromALog();
    void everyWidgetHasAName();

private:
    ReplayPage& page() { return m_fixture->show<ReplayPage>(PageId::Replay); }

    void openPolicy();
    void addLog(const QString& name, const QByteArray& bytes);
    bool waitForJobs();
    bool waitForLogs();

    std::unique_ptr<Fixture> m_fixture;
};

void TestReplay::init()
{
    m_fixture = std::make_unique<Fixture>();
}

void TestReplay::cleanup()
{
    m_fixture.reset();
}

void TestReplay::openPolicy()
{
    const QString path = m_fixture->path(QStringLiteral("small.yaml"));
    write(path, kPolicy);
    QVERIFY(m_fixture->window().openPolicy(path));
    m_fixture->session().document().checkNow();
}

void TestReplay::addLog(const QString& name, const QByteArray& bytes)
{
    write(m_fixture->path(name), bytes);
    m_fixture->session().showLogs({m_fixture->path(name)});
    QVERIFY(waitForLogs());
}

bool TestReplay::waitForLogs()
{
    return QTest::qWaitFor([this] { return !page().logs().isBusy(); }, kPatience);
}

bool TestReplay::waitForJobs()
{
    return QTest::qWaitFor(
        [this] {
            const auto& all = page().jobs().all();
            return std::all_of(all.begin(), all.end(), [](const Job& job) { return job.isOver(); });
        },
        kPatience);
}

void TestReplay::beginsEmpty()
{
    ReplayPage& replay = page();
    QVERIFY(replay.sentenceText().contains(QStringLiteral("Open a policy")));
    QVERIFY(!replay.can(ActionId::StartReplay));
    m_fixture->pictures(QStringLiteral("replay-empty"));
}

void TestReplay::shippedLogByKeyboard()
{
    const QString policy = m_fixture->copied(QStringLiteral("policies/examples/public-api.yaml"));
    QVERIFY(QFile::exists(m_fixture->copied(QStringLiteral("policies/examples/plans.csv"))));
    const QString log = m_fixture->copied(QStringLiteral("app/demo/access.log.gz"));
    QVERIFY(m_fixture->window().openPolicy(policy));
    m_fixture->window().askOpenPaths = [&](const QString&, const QString&, bool many) {
        return many ? QStringList(log) : QStringList();
    };
    QTest::keyClick(&m_fixture->window(), Qt::Key_2, Qt::ControlModifier);
    QTest::keyClick(&m_fixture->window(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    ReplayPage& replay = page();
    replay.form().findChild<QComboBox*>(QStringLiteral("log-format"))->setFocus();
    replay.form().findChild<QComboBox*>(QStringLiteral("log-format"))->setEditText(demoFormat());
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto& rows = replay.logs().rows();
            return !rows.empty() && rows.front().figures && rows.front().preview->log.isTold;
        },
        kPatience));
    QTest::keyClicks(replay.form().findChild<QLineEdit*>(QStringLiteral("name")),
                     QStringLiteral("first"));
    const LogRow& row = replay.logs().rows().front();
    QVERIFY(row.figures.has_value());
    QVERIFY2(replay.sentenceText().contains(QStringLiteral("requests of access.log.gz through")),
             qPrintable(replay.sentenceText()));
    QVERIFY(!replay.preview().view().plainText().isEmpty());
    QTest::keyClick(&m_fixture->window(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(replay.jobs().all().size(), std::size_t {1});
    QVERIFY(waitForJobs());
    const Job& job = replay.jobs().all().front();
    QCOMPARE(job.state, JobState::Complete);
    QCOMPARE(job.result.requests, row.figures->requests);
    QVERIFY(QTest::qWaitFor([&] { return !m_fixture->session().runs().empty(); }, kPatience));
    QCOMPARE(m_fixture->session().runs().front().name, std::string("first"));
    QCOMPARE(m_fixture->session().lastLogs(), QStringList(log));
    QVERIFY(replay.jobView().plainText().contains(QStringLiteral("complete")));
    m_fixture->pictures(QStringLiteral("replay"));
}

void TestReplay::sameAsTheCommandLine()
{
    openPolicy();
    addLog(QStringLiteral("a.jsonl"), neutralLog(3000) + "not a line\n");
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
    QVERIFY(waitForJobs());
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

void TestReplay::droppedLogsAreAdded()
{
    const QString log = m_fixture->path(QStringLiteral("a.jsonl"));
    write(log, neutralLog(10));
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(log)});
    QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(&m_fixture->window(), &drop);
    QVERIFY(waitForLogs());
    QCOMPARE(page().logs().rows().size(), std::size_t {1});
    QVERIFY2(page().sentenceText().contains(QStringLiteral("start one from this log")),
             qPrintable(page().sentenceText()));
    // The same again is not added twice.
    QApplication::sendEvent(&m_fixture->window(), &drop);
    QCOMPARE(page().logs().rows().size(), std::size_t {1});
}

void TestReplay::linesThatCannotBeReadAreShownHarmlessly()
{
    openPolicy();
    QByteArray log = neutralLog(40);
    log += "<b>bold</b>\x1b[31m\xe2\x80\xae evil\n";
    log += R"({"time_ns": 1773100900000000000, "path": "/<b>\u001b[31m\u202e", "api_key": ")"
        + QByteArray(60'000, 'x') + "\"}\n";
    const QString name = QString::fromUtf8("<i>a\xe2\x80\xae.jsonl");
    addLog(name, log);
    ReplayPage& replay = page();
    const QString rows = replay.notReadView().plainText();
    QVERIFY2(rows.contains(QStringLiteral("<b>bold</b>\\x1b[31m")), qPrintable(rows));
    QVERIFY(!rows.contains(QChar(0x1b)) && !rows.contains(QChar(0x202e)));
    const QString first = replay.preview().view().plainText();
    QVERIFY(!first.contains(QChar(0x1b)) && !first.contains(QChar(0x202e)));
    const QString logs = replay.logView().plainText();
    QVERIFY2(logs.contains(QStringLiteral("<i>a")) && !logs.contains(QChar(0x202e)),
             qPrintable(logs));
    QAbstractItemModelTester tester(replay.logView().model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_fixture->picture(QStringLiteral("replay-hostile"), {});
    const QString saved = m_fixture->path(QStringLiteral("saved.jsonl"));
    replay.askSavePath = [&](const QString&, const QString&, const QString&) { return saved; };
    m_fixture->trigger(ActionId::SaveList);
    QVERIFY(QTest::qWaitFor([&] { return replay.can(ActionId::SaveList); }, kPatience));
    QFile lines(saved);
    QVERIFY(lines.open(QIODevice::ReadOnly));
    const QByteArray bytes = lines.readAll();
    QVERIFY2(bytes.contains("not-json") && bytes.contains("<b>bold</b>"), bytes.constData());
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(waitForJobs());
    QCOMPARE(replay.jobs().all().front().state, JobState::Complete);
}

void TestReplay::whatIsMissingIsSaid()
{
    openPolicy();
    ReplayPage& replay = page();
    QVERIFY(replay.sentenceText().contains(QStringLiteral("Add a log")));
    addLog(QStringLiteral("a.jsonl"), neutralLog(100));
    QVERIFY2(replay.sentenceText().contains(
                 QStringLiteral("100 requests of a.jsonl through 2 rules in 2 tiers.")),
             qPrintable(replay.sentenceText()));
    QTest::keyClick(&replay.logView(), Qt::Key_Space);
    QVERIFY(replay.sentenceText().contains(QStringLiteral("Choose a log")));
    QVERIFY(!replay.can(ActionId::StartReplay));
    const QRect box = replay.logView().visualRect(replay.logView().model()->index(0, 0));
    QTest::mouseClick(replay.logView().viewport(), Qt::LeftButton, {}, box.center());
    QVERIFY(replay.can(ActionId::StartReplay));

    addLog(QStringLiteral("nonsense.log"), "hello\nworld\n");
    QVERIFY(replay.sentenceText().contains(QStringLiteral("cannot be read")));
    m_fixture->pictures(QStringLiteral("replay-unreadable"));
    QTest::keyClick(&replay.logView(), Qt::Key_Delete);
    QCOMPARE(replay.logs().rows().size(), std::size_t {1});
    QVERIFY(replay.can(ActionId::StartReplay));

    QTextCursor cursor(&m_fixture->session().document().text());
    cursor.insertText(QStringLiteral("nonsense: 1\n"));
    m_fixture->session().document().checkNow();
    QVERIFY2(replay.sentenceText().contains(QStringLiteral("Fix the error in line 1")),
             qPrintable(replay.sentenceText()));
}

void TestReplay::wrongOptionsAreMarked()
{
    openPolicy();
    addLog(QStringLiteral("a.jsonl"), neutralLog(100));
    ReplayPage& replay = page();
    auto* from = replay.form().findChild<QLineEdit*>(QStringLiteral("from"));
    QTest::keyClicks(from, QStringLiteral("tomorrow"));
    QVERIFY(!replay.can(ActionId::StartReplay));
    QVERIFY(from->property("wrong").toBool());
    QVERIFY2(replay.sentenceText().contains(QStringLiteral("tomorrow")),
             qPrintable(replay.sentenceText()));
    m_fixture->picture(QStringLiteral("replay-wrong-option"), {});
    from->clear();
    QVERIFY(!from->property("wrong").toBool());
    QVERIFY(replay.can(ActionId::StartReplay));
}

void TestReplay::commandLineIsCopied()
{
    openPolicy();
    addLog(QStringLiteral("a log.jsonl"), neutralLog(10));
    ReplayPage& replay = page();
    replay.form().findChild<QLineEdit*>(QStringLiteral("name"))->setText(QStringLiteral("pro 600"));
    m_fixture->trigger(ActionId::CopyCommand);
    const QString copied = QApplication::clipboard()->text();
    QVERIFY2(copied.startsWith(QStringLiteral("weir replay ")), qPrintable(copied));
    QVERIFY(copied.contains(QStringLiteral("a log.jsonl' --name 'pro 600' --db ")));
}

void TestReplay::jobsWaitMoveAndGo()
{
    openPolicy();
    addLog(QStringLiteral("a.jsonl"), neutralLog(1000));
    ReplayPage& replay = page();
    OpenPipe pipe(m_fixture->path(QStringLiteral("pipe.jsonl")));
    pipe.write(neutralLog(100));
    JobOrder first;
    first.policies.push_back({"small.yaml", kPolicy, "one"});
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
    QVERIFY(waitForJobs());
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->session().runs().size() == 3; }, kPatience));
    QCOMPARE(m_fixture->session().runs().front().name, std::string("two"));
}

void TestReplay::cancelledJobKeepsWhatItDecided()
{
    openPolicy();
    addLog(QStringLiteral("a.jsonl"), neutralLog(300'000));
    ReplayPage& replay = page();
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(QTest::qWaitFor([&] { return replay.jobs().all().front().pace.state().lines > 0; },
                            kPatience));
    QTest::keyClick(&m_fixture->window(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(waitForJobs());
    const Job& job = replay.jobs().all().front();
    QCOMPARE(job.state, JobState::Cancelled);
    QVERIFY(job.result.requests > 0);
    QVERIFY(QTest::qWaitFor([&] { return !m_fixture->session().runs().empty(); }, kPatience));
    const storage::RunSummary& run = m_fixture->session().runs().front();
    QCOMPARE(run.state, storage::RunState::Interrupted);
    QCOMPARE(run.totals.requests, job.result.requests);
    m_fixture->picture(QStringLiteral("replay-cancelled"), {});
}

void TestReplay::failureIsSaidAndTheNextGoesOn()
{
    openPolicy();
    addLog(QStringLiteral("a.jsonl"), neutralLog(100));
    ReplayPage& replay = page();
    QFile::remove(m_fixture->path(QStringLiteral("a.jsonl")));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(waitForJobs());
    QCOMPARE(replay.jobs().all().front().state, JobState::Failed);
    QVERIFY(replay.banners().plainText().contains(QStringLiteral("a.jsonl")));
    m_fixture->picture(QStringLiteral("replay-failed"), {});
    write(m_fixture->path(QStringLiteral("a.jsonl")), neutralLog(100));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(waitForJobs());
    QCOMPARE(replay.jobs().all().back().state, JobState::Complete);
}

void TestReplay::editsAreTriedAgainstTheLastLog()
{
    openPolicy();
    Session& session = m_fixture->session();
    addLog(QStringLiteral("a.jsonl"), neutralLog(1000));
    QVERIFY(!session.can(ActionId::TryAgainstLastLog));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(waitForJobs());
    QVERIFY(!session.can(ActionId::TryAgainstLastLog)); // nothing is edited
    QTextDocument& text = session.document().text();
    QTextCursor cursor = text.find(QStringLiteral("60/min, burst"));
    cursor.insertText(QStringLiteral("90/min, burst"));
    session.document().checkNow();
    QVERIFY(session.can(ActionId::TryAgainstLastLog));
    QSignalSpy compared(&session, &Session::compareAsked);
    QTest::keyClick(&m_fixture->window(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(waitForJobs());
    QCOMPARE(compared.count(), 1);
    QVERIFY(QTest::qWaitFor([&] { return session.runs().size() == 3; }, kPatience));
    QCOMPARE(session.runs()[0].name, std::string("small.yaml, edited"));
    QCOMPARE(session.runs()[1].name, std::string("small.yaml, saved"));
    QVERIFY(session.runs()[0].totals.rejected < session.runs()[1].totals.rejected);
    QCOMPARE(session.runs()[1].totals.rejected, session.runs()[2].totals.rejected);
}

void TestReplay::policyIsDraftedFromALog()
{
    addLog(QStringLiteral("a.jsonl"), neutralLog(1000));
    m_fixture->trigger(ActionId::StartPolicyFromLog);
    Document& document = m_fixture->session().document();
    QVERIFY(QTest::qWaitFor([&] { return document.isOpen(); }, kPatience));
    QCOMPARE(document.checkNow().errors(), std::size_t {0});
    QVERIFY(document.currentText().find("mode: shadow") != std::string::npos);
    QVERIFY(document.path().isEmpty());
}

void TestReplay::everyWidgetHasAName()
{
    const QStringList nameless = namelessWidgets(page());
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
}

QTEST_MAIN(TestReplay)
#include "tst_replay.moc"

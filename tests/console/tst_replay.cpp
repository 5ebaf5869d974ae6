#include "app/console/frame/figure_view.h"
#include "app/console/replay/conditions_form.h"
#include "app/console/replay/job_table.h"
#include "app/console/replay/log_model.h"
#include "app/console/replay/log_view.h"
#include "app/console/replay/preview_panel.h"
#include "app/console/replay/replay_form.h"
#include "storage/run_reader.h"
#include "tests/console/replay_bench.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QTextCursor>
#include <QTextDocument>
#include <QToolButton>

using namespace app::console;
using namespace tests::console;

namespace {

QString demoFormat()
{
    QFile file(QStringLiteral(WEIR_SOURCE_DIR "/app/demo/log_format.txt"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

/// Of the one run of a store.
QStringList optionsOf(const QString& path)
{
    const auto store = storage::RunStore::open(path.toStdString(), storage::Access::Read);
    const auto detail = storage::RunReader(**store).detail(1);
    QStringList options;
    for (const storage::Option& option : detail->options) {
        options << QString::fromStdString(option.name + "=" + option.value);
    }
    return options;
}

/// Writes into an editable list, in place of what it says.
void write(QComboBox* list, const QString& text)
{
    list->setFocus();
    list->lineEdit()->selectAll();
    QTest::keyClicks(list->lineEdit(), text);
}

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void beginsEmpty();
    void shippedLogByKeyboard();
    void droppedLogsAreAdded();
    void foldersAreOneRow();
    void manyLinesThatCannotBeReadAreSaid();
    void linesThatCannotBeReadAreShownHarmlessly();
    void progressLeavesTheTablesAlone();
    void whatIsMissingIsSaid();
    void wrongOptionsAreMarked();
    void commandLineIsCopied();
    void conditionsAreThoseOfTheCommandLine();
    void conditionsThatCannotBeAreMarked();
    void profilesComeFromFilesWithAdvice();
    void policyIsDraftedFromALog();
    void draftsWaitForWhatWasBegunMeanwhile();
    void everyWidgetHasAName();

private:
    ReplayPage& page() { return m_fixture->page(); }

    std::unique_ptr<ReplayBench> m_fixture;
};

void TestReplay::init()
{
    m_fixture = std::make_unique<ReplayBench>();
}

void TestReplay::cleanup()
{
    m_fixture.reset();
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
    QVERIFY(m_fixture->waitForJobs());
    const Job& job = replay.jobs().all().front();
    QCOMPARE(job.state, JobState::Complete);
    QCOMPARE(job.result.requests, row.figures->requests);
    QVERIFY(QTest::qWaitFor([&] { return !m_fixture->session().runs().empty(); }, kPatience));
    QCOMPARE(m_fixture->session().runs().front().name, std::string("first"));
    QCOMPARE(m_fixture->session().lastLogs(), QStringList(log));
    QVERIFY(replay.jobView().plainText().contains(QStringLiteral("complete")));
    m_fixture->pictures(QStringLiteral("replay"));
}

void TestReplay::droppedLogsAreAdded()
{
    const QString log = m_fixture->path(QStringLiteral("a.jsonl"));
    writeFile(log, neutralLog(10));
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(log)});
    const auto drop = [&] {
        QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(&m_fixture->window(), &enter);
        QDropEvent event(QPointF(400, 300), Qt::CopyAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(&m_fixture->window(), &event);
    };
    drop();
    QVERIFY(m_fixture->waitForLogs());
    QCOMPARE(page().logs().rows().size(), std::size_t {1});
    QVERIFY2(page().sentenceText().contains(QStringLiteral("start one from this log")),
             qPrintable(page().sentenceText()));
    // The same again is not added twice.
    drop();
    QCOMPARE(page().logs().rows().size(), std::size_t {1});
}

void TestReplay::foldersAreOneRow()
{
    m_fixture->openPolicy();
    const QString folder = m_fixture->path(QStringLiteral("days"));
    QVERIFY(QDir().mkpath(folder));
    for (const char* day : {"/1.jsonl", "/2.jsonl"}) {
        writeFile(folder + QString::fromLatin1(day), neutralLog(day[1] == '1' ? 30 : 12));
    }
    m_fixture->session().showLogs({folder});
    QVERIFY(m_fixture->waitForLogs());
    const QString rows = page().logView().plainText();
    QVERIFY2(rows.contains(QStringLiteral("days (2 files)\tweir\t42\t")), qPrintable(rows));
    QVERIFY2(page().sentenceText().contains(QStringLiteral("42 requests of 2 logs")),
             qPrintable(page().sentenceText()));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QCOMPARE(page().jobs().all().front().result.requests, std::uint64_t {42});
}

void TestReplay::manyLinesThatCannotBeReadAreSaid()
{
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(20) + "one\ntwo\nthree\nfour\nfive\n");
    const QString said = page().banners().plainText();
    QVERIFY2(said.contains(QStringLiteral("20.0 % of the lines of a.jsonl")), qPrintable(said));
    m_fixture->picture(QStringLiteral("replay-many-not-read"), {});
    m_fixture->addLog(QStringLiteral("b.jsonl"), neutralLog(20));
    QVERIFY(!page().banners().plainText().contains(QStringLiteral("could not be read")));
}

void TestReplay::linesThatCannotBeReadAreShownHarmlessly()
{
    m_fixture->openPolicy();
    QByteArray log = neutralLog(40);
    log += "<b>bold</b>\x1b[31m\xe2\x80\xae evil\n";
    log += R"({"time_ns": 1773100900000000000, "path": "/<b>\u001b[31m\u202e", "api_key": ")"
        + QByteArray(60'000, 'x') + "\"}\n";
    const QString name = QString::fromUtf8("<i>a\xe2\x80\xae.jsonl");
    m_fixture->addLog(name, log);
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
    QVERIFY(m_fixture->waitForJobs());
    QCOMPARE(replay.jobs().all().front().state, JobState::Complete);
}

/// It comes ten times a second, while one reads or chooses.
void TestReplay::progressLeavesTheTablesAlone()
{
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(20) + "not a line\n");
    ReplayPage& replay = page();
    QCOMPARE(replay.notReadView().model()->rowCount(), 1);
    const QSignalSpy drawn(replay.logView().model(), &QAbstractItemModel::dataChanged);
    const QSignalSpy reset(replay.notReadView().model(), &QAbstractItemModel::modelReset);
    auto* who = replay.form().findChild<QComboBox*>(QStringLiteral("who"));
    QVERIFY(who != nullptr && who->count() > 1);
    const QSignalSpy changed(who->model(), &QAbstractItemModel::rowsRemoved);
    Q_EMIT replay.logs().progressed(0);
    QCOMPARE(drawn.size(), 1);
    QCOMPARE(reset.size(), 0);
    QCOMPARE(changed.size(), 0);
}

void TestReplay::whatIsMissingIsSaid()
{
    m_fixture->openPolicy();
    ReplayPage& replay = page();
    QVERIFY(replay.sentenceText().contains(QStringLiteral("Add a log")));
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(100));
    QVERIFY2(replay.sentenceText().contains(
                 QStringLiteral("100 requests of a.jsonl through 2 rules in 2 tiers.")),
             qPrintable(replay.sentenceText()));
    QTest::keyClick(&replay.logView(), Qt::Key_Space);
    QVERIFY(replay.sentenceText().contains(QStringLiteral("Choose a log")));
    QVERIFY(!replay.can(ActionId::StartReplay));
    const QRect box = replay.logView().visualRect(replay.logView().model()->index(0, 0));
    QTest::mouseClick(replay.logView().viewport(), Qt::LeftButton, {}, box.center());
    QVERIFY(replay.can(ActionId::StartReplay));

    m_fixture->addLog(QStringLiteral("nonsense.log"), "hello\nworld\n");
    QVERIFY(replay.sentenceText().contains(QStringLiteral("cannot be read")));
    m_fixture->pictures(QStringLiteral("replay-unreadable"));
    for (QPushButton* button : replay.preview().findChildren<QPushButton*>()) {
        QVERIFY(button->isVisible());
        button->click();
    }
    QVERIFY(replay.form().findChild<QComboBox*>(QStringLiteral("log-format"))->hasFocus());
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
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(100));
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
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a log.jsonl"), neutralLog(10));
    ReplayPage& replay = page();
    replay.form().findChild<QLineEdit*>(QStringLiteral("name"))->setText(QStringLiteral("pro 600"));
    m_fixture->trigger(ActionId::CopyCommand);
    const QString copied = QApplication::clipboard()->text();
    QVERIFY2(copied.startsWith(QStringLiteral("weir replay ")), qPrintable(copied));
    QVERIFY(copied.contains(QStringLiteral("a log.jsonl' --name 'pro 600' --db ")));
}

/// Given by mouse and keys, copied as a command, run by the command line: the same options in both
/// stores, and the same figures.
void TestReplay::conditionsAreThoseOfTheCommandLine()
{
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(3000));
    ReplayPage& replay = page();
    ConditionsForm& form = replay.form().conditions();
    QVERIFY(!form.isOpen());
    auto* const head = form.findChild<QToolButton*>();
    head->setFocus();
    QTest::keyClick(head, Qt::Key_Space);
    QVERIFY(form.isOpen());
    const auto list = [&](const char* option) {
        return form.findChild<QComboBox*>(QString::fromLatin1(option));
    };
    QVERIFY(!list("balance")->isEnabled() && !list("state")->isEnabled());
    write(list("nodes"), QStringLiteral("4"));
    QVERIFY(list("balance")->isEnabled());
    write(list("balance"), QStringLiteral("by:client_ip"));
    list("state")->setCurrentText(QStringLiteral("by tier"));
    QVERIFY(list("state-gateway")->isVisible());
    write(list("state-edge"), QStringLiteral("local"));
    write(list("state-gateway"), QStringLiteral("sync:2s"));
    QTest::keyClicks(form.findChild<QLineEdit*>(QStringLiteral("simulate-skew")),
                     QStringLiteral("250ms"));
    QTest::keyClicks(form.findChild<QLineEdit*>(QStringLiteral("store-outage")),
                     QStringLiteral("2026-03-10T00:01:00Z..2026-03-10T00:02:00Z"));
    list("clients")->setCurrentText(QStringLiteral("full_jitter"));
    QVERIFY2(replay.can(ActionId::StartReplay), qPrintable(replay.sentenceText()));
    QVERIFY2(replay.sentenceText().contains(QStringLiteral("As if: 4 servers, by client_ip; ")),
             qPrintable(replay.sentenceText()));
    const auto labels = form.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("full jitter"));
    }));
    m_fixture->pictures(QStringLiteral("replay-conditions"));
    m_fixture->trigger(ActionId::CopyCommand);
    const QString ours = QString::fromStdString(m_fixture->session().storePath());
    const QString other = m_fixture->path(QStringLiteral("other.db"));
    QStringList command = QProcess::splitCommand(
        QApplication::clipboard()->text().replace(QLatin1Char('\''), QLatin1Char('"')));
    QCOMPARE(command.takeFirst(), QStringLiteral("weir"));
    command.replaceInStrings(ours, other);
    QProcess weir;
    weir.start(QStringLiteral(WEIR_BINARY), command);
    QVERIFY(weir.waitForFinished(kPatience));
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    const Job& job = replay.jobs().all().front();
    QVERIFY2(job.state == JobState::Complete,
             job.result.failure ? job.result.failure->message.c_str() : "");
    const QStringList options = optionsOf(ours);
    QVERIFY2(options.contains(QStringLiteral("state=edge=local,gateway=sync:2s")),
             qPrintable(options.join(QLatin1Char('\n'))));
    QCOMPARE(options, optionsOf(other));
    const auto admitted = [](const QString& path) {
        const auto store = storage::RunStore::open(path.toStdString(), storage::Access::Read);
        return storage::RunReader(**store).detail(1)->summary.totals.admitted;
    };
    QCOMPARE(admitted(ours), admitted(other));
}

void TestReplay::conditionsThatCannotBeAreMarked()
{
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(100));
    ReplayPage& replay = page();
    ConditionsForm& form = replay.form().conditions();
    auto* const nodes = form.findChild<QComboBox*>(QStringLiteral("nodes"));
    nodes->setEditText(QStringLiteral("many"));
    QVERIFY(nodes->property("wrong").toBool());
    QVERIFY(form.isOpen()); // so that it is seen
    QVERIFY2(replay.sentenceText().contains(QStringLiteral("`--nodes many`")),
             qPrintable(replay.sentenceText()));
    nodes->setEditText(QStringLiteral("4"));
    QVERIFY(!nodes->property("wrong").toBool());
    auto* const outages = form.findChild<QLineEdit*>(QStringLiteral("store-outage"));
    outages->setText(QStringLiteral("2026-03-10..2026-03-11, 2026-03-10T12:00:00Z.."
                                    "2026-03-12"));
    QVERIFY2(replay.sentenceText().contains(QStringLiteral("overlap")),
             qPrintable(replay.sentenceText()));
    QVERIFY(outages->property("wrong").toBool());
    m_fixture->picture(QStringLiteral("replay-wrong-conditions"), {});
    outages->setText(QStringLiteral("<b>\x1b"));
    QVERIFY(!replay.sentenceText().contains(QChar(0x1b)));
    outages->clear();
    QVERIFY(replay.can(ActionId::StartReplay));
}

void TestReplay::profilesComeFromFilesWithAdvice()
{
    m_fixture->openPolicy();
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(300));
    ReplayPage& replay = page();
    ConditionsForm& form = replay.form().conditions();
    const QString path = m_fixture->path(QStringLiteral("angry.clients.yaml"));
    writeFile(path,
              "clients: 1\nbehaviours:\n  - { name: \"<i>sdk\", attempts: 20, wait: none }\n");
    form.askProfile = [&] { return path; };
    form.setOpen(true);
    for (QPushButton* const button : form.findChildren<QPushButton*>()) {
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
    }
    QVERIFY2(replay.can(ActionId::StartReplay), qPrintable(replay.sentenceText()));
    QVERIFY2(replay.sentenceText().contains(QStringLiteral("clients `<i>sdk`")),
             qPrintable(replay.sentenceText()));
    QVERIFY(replay.banners().has(QStringLiteral("clients")));
    m_fixture->picture(QStringLiteral("replay-profile"), {});
    m_fixture->trigger(ActionId::StartReplay);
    QVERIFY(m_fixture->waitForJobs());
    QCOMPARE(replay.jobs().all().front().state, JobState::Complete);
    const QStringList options = optionsOf(QString::fromStdString(m_fixture->session().storePath()));
    QVERIFY(options.contains(QStringLiteral("clients=") + path));
    // A mistake in it is told with its line.
    writeFile(path, "clients: 1\nbehaviours:\n  - { name: sdk, attempts: none }\n");
    form.findChild<QPushButton*>()->click();
    QVERIFY(!replay.can(ActionId::StartReplay));
    QVERIFY(form.findChild<QComboBox*>(QStringLiteral("clients"))->property("wrong").toBool());
    QVERIFY(!replay.banners().has(QStringLiteral("clients")));
    QComboBox* const clients = form.findChild<QComboBox*>(QStringLiteral("clients"));
    clients->setCurrentIndex(0);
    QVERIFY(replay.can(ActionId::StartReplay));
    // Three retries within three seconds never outlast a limit per minute.
    clients->setCurrentText(QStringLiteral("fixed"));
    QVERIFY2(replay.banners().plainText().contains(QStringLiteral("give up 3 s after")),
             qPrintable(replay.banners().plainText()));
    clients->setCurrentText(QStringLiteral("none"));
    QVERIFY(!replay.banners().has(QStringLiteral("clients")));
}

void TestReplay::policyIsDraftedFromALog()
{
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(1000));
    m_fixture->trigger(ActionId::StartPolicyFromLog);
    Document& document = m_fixture->session().document();
    QVERIFY(QTest::qWaitFor([&] { return document.isOpen(); }, kPatience));
    QCOMPARE(document.checkNow().errors(), std::size_t {0});
    QVERIFY(document.currentText().find("mode: shadow") != std::string::npos);
    QVERIFY(document.path().isEmpty());
    // It was work to make: it is guarded and kept.
    QVERIFY(document.isModified());
    const QDir kept(m_fixture->path(QStringLiteral("recovery")));
    QTRY_COMPARE(kept.entryList({QStringLiteral("*.json")}).size(), 1);
}

void TestReplay::draftsWaitForWhatWasBegunMeanwhile()
{
    m_fixture->addLog(QStringLiteral("a.jsonl"), neutralLog(1000));
    m_fixture->trigger(ActionId::StartPolicyFromLog);
    Document& document = m_fixture->session().document();
    document.openText("weir: 1\nname: mine\ntiers: {}\n", QStringLiteral("mine.yaml"));
    QTextCursor(&document.text()).insertText(QStringLiteral("# mine\n"));
    QVERIFY(
        QTest::qWaitFor([&] { return page().banners().has(QStringLiteral("draft")); }, kPatience));
    QVERIFY(document.currentText().starts_with("# mine\n"));
    auto answer = Window::Answer::Cancel;
    m_fixture->window().askToSave = [&](const QString&) { return answer; };
    const auto open = [this] {
        for (QPushButton* button : page().banners().findChildren<QPushButton*>()) {
            if (button->text() == QLatin1String("Open it")) {
                button->click();
                return;
            }
        }
        QFAIL("no button");
    };
    open();
    QVERIFY(document.currentText().starts_with("# mine\n"));
    QVERIFY(page().banners().has(QStringLiteral("draft")));
    answer = Window::Answer::Discard;
    open();
    QVERIFY(document.currentText().find("mode: shadow") != std::string::npos);
    QVERIFY(!page().banners().has(QStringLiteral("draft")));
}

void TestReplay::everyWidgetHasAName()
{
    page().form().conditions().setOpen(true);
    const QStringList nameless = namelessWidgets(page());
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
}

QTEST_MAIN(TestReplay)
#include "tst_replay.moc"

#include "app/console/author/author_page.h"
#include "app/console/author/policy_editor.h"
#include "app/console/author/problems.h"
#include "app/console/frame/figure_view.h"
#include "policies/read.h"
#include "tests/console/author_example.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextDocument>

using namespace app::console;
using namespace tests::console;

namespace {

/// The page's button of that text, wherever it is.
void press(const QWidget& page, const QString& text)
{
    QTest::qWait(5); // what was made is seen
    for (QPushButton* button : page.findChildren<QPushButton*>()) {
        if (button->text() == text && button->isVisibleTo(&page)) {
            button->click();
            return;
        }
    }
    qFatal("no button says %s", qPrintable(text));
}

QByteArray bytesOfFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void putFile(const QString& path, const QByteArray& bytes)
{
    QFile::remove(path); // as programs do that write a new file in place of the old one
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class TestAuthor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void beginsWithTemplates();
    void savesWhatItReadByteForByte_data();
    void savesWhatItReadByteForByte();
    void saysWhatIsWrong();
    void guardsUnsavedChanges();
    void recoversAfterACrash();
    void seesChangesFromOutside();
    void seesThatAFileWasReplaced();
    void doesNotSaveOverOthersChanges();
    void savedTextsNeedNoBanners();
    void recoversBesideAFileThatChanged();
    void keepsWhatIsDiscardedUntilItIsReplaced();
    void textsHaveOneKindOfLineEnd();
    void silencesInTheTextAsItStands();
    void problemsNameTheirRules();
};

void TestAuthor::beginsWithTemplates()
{
    Fixture fixture;
    auto& page = fixture.show<AuthorPage>(PageId::Author);
    QWidget* list = page.panes().front();
    fixture.pictures(QStringLiteral("author-empty"));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Return);
    Document& document = fixture.session().document();
    QVERIFY(document.isOpen());
    QVERIFY(document.path().isEmpty());
    QCOMPARE(document.checkNow().errors(), std::size_t {0});

    const QString saved = fixture.path(QStringLiteral("mine.yaml"));
    fixture.window().askSavePath = [&](const QString&, const QString& proposal, const QString&) {
        return proposal == QLatin1String("public-api.yaml") ? saved : QString();
    };
    fixture.trigger(ActionId::Save);
    QFile file(saved);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QFile shipped(QStringLiteral(WEIR_SOURCE_DIR "/policies/examples/public-api.yaml"));
    QVERIFY(shipped.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), shipped.readAll());
    QVERIFY(QFile::exists(fixture.path(QStringLiteral("plans.csv"))));
    QCOMPARE(document.checkNow().errors(), std::size_t {0});
    fixture.pictures(QStringLiteral("author"));
}

void TestAuthor::savesWhatItReadByteForByte_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("plain") << QByteArray("weir: 1\nname: a\ntiers: {}\n");
    QTest::newRow("no line end") << QByteArray("weir: 1\nname: a\ntiers: {}");
    QTest::newRow("crlf") << QByteArray("weir: 1\r\nname: a # \xC3\xA9\r\n");
    QTest::newRow("mark") << QByteArray("\xEF\xBB\xBFweir: 1\n");
    QTest::newRow("no-break blank, tab, emoji")
        << QByteArray("# \xC2\xA0 a\tb \xF0\x9F\x9A\xA6\nweir: 1\n");
}

void TestAuthor::savesWhatItReadByteForByte()
{
    QFETCH(const QByteArray, bytes);
    Fixture fixture;
    const QString path = fixture.path(QStringLiteral("a.yaml"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    QVERIFY(fixture.window().openPolicy(path));
    QCOMPARE(QByteArray::fromStdString(fixture.session().document().bytes()), bytes);
    // A change and its undo leave the bytes as well.
    QTextCursor cursor(&fixture.session().document().text());
    cursor.insertText(QStringLiteral("x"));
    QVERIFY(fixture.session().document().isModified());
    fixture.trigger(ActionId::Undo);
    QVERIFY(!fixture.session().document().isModified());
    QCOMPARE(QByteArray::fromStdString(fixture.session().document().bytes()), bytes);
}

void TestAuthor::saysWhatIsWrong()
{
    Fixture fixture;
    auto& page = fixture.show<AuthorPage>(PageId::Author);
    Document& document = fixture.session().document();
    document.openText("weir: 1\nname: a\ntiers:\n  edge:\n    - name: one\n      key: []\n"
                      "      algorithm: token_bucket\n      rate: 5/s\n      brust: 3\n",
                      QStringLiteral("a.yaml"));
    QCOMPARE(document.checkNow().errors(), std::size_t {1});
    const QString problems = named<FigureView>(page, QStringLiteral("Problems"))->plainText();
    QVERIFY2(problems.contains(QLatin1String("brust")), qPrintable(problems));
    fixture.trigger(ActionId::NextProblem);
    QCOMPARE(page.editor().textCursor().blockNumber() + 1, 9);
    fixture.pictures(QStringLiteral("author-error"));
    fixture.trigger(ActionId::ApplyFix);
    QVERIFY(document.currentText().find("      burst: 3") != std::string::npos);
    QCOMPARE(document.checkNow().errors(), std::size_t {0});
    fixture.trigger(ActionId::Undo);
    QVERIFY(document.currentText().find("brust: 3") != std::string::npos);
}

void TestAuthor::guardsUnsavedChanges()
{
    Fixture fixture;
    const QString path = fixture.copied(QStringLiteral("policies/examples/login-protection.yaml"));
    QVERIFY(fixture.window().openPolicy(path));
    Document& document = fixture.session().document();
    QTextCursor(&document.text()).insertText(QStringLiteral("# mine\n"));
    QString question;
    fixture.window().askToSave = [&](const QString& asked) {
        question = asked;
        return Window::Answer::Cancel;
    };
    fixture.trigger(ActionId::ClosePolicy);
    QCOMPARE(question, QStringLiteral("Save changes to login-protection.yaml?"));
    QVERIFY(document.isOpen());
    fixture.trigger(ActionId::NewFromTemplate);
    QVERIFY(document.isOpen());
    QVERIFY(!fixture.window().close());
    QVERIFY(!fixture.window().openPolicy(path));
    fixture.window().askToSave = [](const QString&) { return Window::Answer::Save; };
    QVERIFY(fixture.window().close());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("# mine\n"));
}

void TestAuthor::recoversAfterACrash()
{
    QTemporaryDir folder;
    Fixture fixture;
    Document& document = fixture.session().document();
    document.openText("weir: 1\nname: a\ntiers: {}\n", QStringLiteral("a.yaml"));
    QTextCursor(&document.text()).insertText(QStringLiteral("# half a thought\n"));
    const QString kept = fixture.path(QStringLiteral("recovery"));
    QTRY_COMPARE_WITH_TIMEOUT(QDir(kept).entryList({QStringLiteral("*.json")}).size(), 1, 1500);
    // While its program lives, nobody else takes it.
    Document other;
    other.setRecoveryFolder(kept);
    QVERIFY(!other.recover());
    // The file without its lock is what a killed program leaves.
    const QString file = QDir(kept).entryList({QStringLiteral("*.json")}).front();
    QFile::copy(kept + QLatin1Char('/') + file, folder.filePath(file));
    Document next;
    next.setRecoveryFolder(folder.path());
    QVERIFY(next.recover());
    QVERIFY(next.isModified());
    QCOMPARE(next.bytes(), std::string("# half a thought\nweir: 1\nname: a\ntiers: {}\n"));
}

void TestAuthor::seesChangesFromOutside()
{
    Fixture fixture;
    auto& page = fixture.show<AuthorPage>(PageId::Author);
    const QString path = fixture.copied(QStringLiteral("policies/examples/login-protection.yaml"));
    QVERIFY(fixture.window().openPolicy(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write("# theirs\n");
    file.close();
    QTRY_VERIFY(page.banners().plainText().contains(QLatin1String("changed by another program")));
}

void TestAuthor::seesThatAFileWasReplaced()
{
    Fixture fixture;
    auto& page = fixture.show<AuthorPage>(PageId::Author);
    const QString path = fixture.path(QStringLiteral("a.yaml"));
    putFile(path, "weir: 1\nname: a\ntiers: {}\n");
    QVERIFY(fixture.window().openPolicy(path));
    QSignalSpy changed(&fixture.session().document(), &Document::changedOutside);
    for (int time = 1; time <= 2; ++time) {
        putFile(path, QByteArray("# theirs ") + QByteArray::number(time) + '\n');
        QTRY_COMPARE(changed.count(), time);
        QTest::qWait(300);
        QCOMPARE(changed.count(), time);
    }
    QVERIFY(page.banners().has(QStringLiteral("outside")));
    // What was saved here is no news.
    press(page, QStringLiteral("Keep mine"));
    fixture.trigger(ActionId::Save);
    QTest::qWait(300);
    QCOMPARE(changed.count(), 2);
    QCOMPARE(bytesOfFile(path), QByteArray("weir: 1\nname: a\ntiers: {}\n"));
}

void TestAuthor::doesNotSaveOverOthersChanges()
{
    Fixture fixture;
    auto& page = fixture.show<AuthorPage>(PageId::Author);
    const QString path = fixture.path(QStringLiteral("a.yaml"));
    putFile(path, "weir: 1\nname: a\ntiers: {}\n");
    QVERIFY(fixture.window().openPolicy(path));
    Document& document = fixture.session().document();
    QTextCursor(&document.text()).insertText(QStringLiteral("# mine\n"));
    putFile(path, "# theirs\n");
    const engine::Status saved = document.save(); // before the watch had time to tell
    QVERIFY(!saved);
    QCOMPARE(saved.error().code, std::string("console.changed-outside"));
    QVERIFY(!document.saveAs(path));
    QCOMPARE(bytesOfFile(path), QByteArray("# theirs\n"));
    QVERIFY(document.isModified());
    // Reload asks first.
    QString question;
    fixture.window().askToSave = [&](const QString& asked) {
        question = asked;
        return Window::Answer::Cancel;
    };
    press(page, QStringLiteral("Reload"));
    QVERIFY(!question.isEmpty());
    QVERIFY(document.isModified());
    QVERIFY(page.banners().has(QStringLiteral("outside")));
    press(page, QStringLiteral("Keep mine"));
    QVERIFY(!page.banners().has(QStringLiteral("outside")));
    QVERIFY(document.save());
    QVERIFY(bytesOfFile(path).startsWith("# mine\n"));
}

void TestAuthor::savedTextsNeedNoBanners()
{
    Fixture fixture;
    auto& page = fixture.show<AuthorPage>(PageId::Author);
    const QString path = fixture.path(QStringLiteral("a.yaml"));
    putFile(path, "weir: 1\nname: a\ntiers: {}\n");
    QVERIFY(fixture.window().openPolicy(path));
    page.banners().show({QStringLiteral("recovered"), BannerKind::Advice, QStringLiteral("x")});
    QTextCursor(&fixture.session().document().text()).insertText(QStringLiteral("# mine\n"));
    QVERIFY(page.banners().has(QStringLiteral("recovered")));
    fixture.trigger(ActionId::Save);
    QVERIFY(!page.banners().has(QStringLiteral("recovered")));
}

void TestAuthor::recoversBesideAFileThatChanged()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.yaml"));
    const auto leave = [&](const QString& to) { // what a killed program leaves
        Document document;
        document.setRecoveryFolder(folder.filePath(QStringLiteral("living")));
        QVERIFY(document.open(path));
        QTextCursor(&document.text()).insertText(QStringLiteral("# mine\n"));
        QSignalSpy kept(&document, &Document::autosaved);
        QVERIFY(kept.wait(3000));
        const QDir living(folder.filePath(QStringLiteral("living")));
        QVERIFY(QDir().mkpath(to));
        const QString name = living.entryList({QStringLiteral("*.json")}).front();
        QVERIFY(QFile::copy(living.filePath(name), to + QLatin1Char('/') + name));
        document.discardRecovery();
    };
    for (const bool isChanged : {false, true}) {
        putFile(path, "weir: 1\nname: a\ntiers: {}\n");
        const QString left
            = folder.filePath(isChanged ? QStringLiteral("changed") : QStringLiteral("same"));
        leave(left);
        if (isChanged) {
            putFile(path, "# theirs\n");
        }
        Document next;
        next.setRecoveryFolder(left);
        QSignalSpy changed(&next, &Document::changedOutside);
        QVERIFY(next.recover());
        QCOMPARE(changed.count(), isChanged ? 1 : 0);
        QCOMPARE(next.savedBytes(),
                 isChanged ? std::string() : std::string("weir: 1\nname: a\ntiers: {}\n"));
        // It goes on being kept in the pace of before: not at each key.
        QSignalSpy kept(&next, &Document::autosaved);
        for (int key = 0; key < 10; ++key) {
            QTextCursor(&next.text()).insertText(QStringLiteral("#"));
            QTest::qWait(20);
        }
        QVERIFY2(kept.count() <= 1, qPrintable(QString::number(kept.count())));
        const engine::Status saved = next.save();
        QCOMPARE(static_cast<bool>(saved), !isChanged);
        if (isChanged) {
            next.keepMine();
            QVERIFY(next.save());
        }
        QVERIFY(QDir(left).entryList({QStringLiteral("*.json")}).isEmpty());
    }
}

void TestAuthor::keepsWhatIsDiscardedUntilItIsReplaced()
{
    Fixture fixture;
    const QString kept = fixture.path(QStringLiteral("recovery"));
    const auto files = [&] { return QDir(kept).entryList({QStringLiteral("*.json")}).size(); };
    Document& document = fixture.session().document();
    document.openText("weir: 1\nname: a\ntiers: {}\n", QStringLiteral("a.yaml"));
    QTextCursor(&document.text()).insertText(QStringLiteral("# mine\n"));
    QTRY_COMPARE(files(), 1);
    fixture.window().askToSave = [](const QString&) { return Window::Answer::Discard; };
    QVERIFY(!fixture.window().openPolicy(fixture.path(QStringLiteral("none.yaml"))));
    QVERIFY(document.isModified());
    QCOMPARE(files(), 1);
    QTextCursor(&document.text()).insertText(QStringLiteral("# more\n"));
    document.discardRecovery();
    QTest::qWait(1000);
    QCOMPARE(files(), 0);
}

void TestAuthor::textsHaveOneKindOfLineEnd()
{
    Fixture fixture;
    auto& page = fixture.show<AuthorPage>(PageId::Author);
    Document& document = fixture.session().document();
    document.openText("weir: 1\n", QStringLiteral("a.yaml"));
    page.editor().setFocus();
    page.editor().moveCursor(QTextCursor::End);
    QTest::keyClicks(&page.editor(), QStringLiteral("  a"));
    QTest::keyClick(&page.editor(), Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(&page.editor(), Qt::Key_Enter, Qt::KeypadModifier);
    QApplication::clipboard()->setText(QStringLiteral("b\u2028c\u2029d\re\r\nf") + QChar(0)
                                       + QChar(0xFDD0) + QStringLiteral("g"));
    page.editor().paste();
    QCOMPARE(document.currentText(), std::string("weir: 1\n  a\n  \n  b\nc\nd\ne\nfg"));
    QVERIFY(policyTextOf(document.bytes()));
}

void TestAuthor::silencesInTheTextAsItStands()
{
    Fixture fixture;
    auto& page = fixture.show<AuthorPage>(PageId::Author);
    Document& document = fixture.session().document();
    const std::string rule = "weir: 1\nname: a\ntiers:\n  edge:\n    - name: one\n      key: []\n"
                             "      algorithm: fixed_window\n      rate: 5/s\n";
    document.openText(rule, QStringLiteral("a.yaml"));
    document.checkNow();
    auto* const problems = named<FigureView>(page, QStringLiteral("Problems"));
    problems->selectRow(0);
    const std::size_t advice = document.checked()->advice();
    QVERIFY(advice > 0);
    // Another code is silenced in the text meanwhile, which was not checked since.
    QTextCursor cursor(&document.text());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(QStringLiteral("      allow: [burst.one]\n"));
    QVERIFY(!document.isCurrent());
    QVERIFY(page.can(ActionId::SilenceAdvice));
    page.perform(ActionId::SilenceAdvice);
    const std::string text = document.currentText();
    QVERIFY2(text.find("allow: [burst.one, ") != std::string::npos, text.c_str());
}

void TestAuthor::problemsNameTheirRules()
{
    const std::string name(150, 'n');
    const std::string text = "weir: 1\nname: a\ntiers:\n  edge:\n    - name: " + name
        + "\n      key: []\n      algorithm: fixed_window\n      rate: 5/s\n";
    const policies::Checked checked = policies::read("a.yaml", text);
    QVERIFY(checked.policy);
    QCOMPARE(ruleOfLine(*checked.policy, 6), QString::fromStdString(name));
    QCOMPARE(ruleOfLine(*checked.policy, 2), QString());
    ProblemsModel model;
    engine::Diagnostic problem;
    problem.place.line = 6;
    model.set({problem}, &*checked.policy);
    QCOMPARE(model.ruleAt(0).size(), 150);
    QVERIFY(model.data(model.index(0, ProblemsModel::Rule), Qt::DisplayRole).toString().size()
            <= 110);
}

QTEST_MAIN(TestAuthor)
#include "tst_author.moc"

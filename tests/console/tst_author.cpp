#include "app/console/author/author_page.h"
#include "app/console/author/policy_editor.h"
#include "app/console/frame/figure_view.h"
#include "tests/console/author_example.h"

#include <QClipboard>
#include <QTextDocument>

using namespace app::console;
using namespace tests::console;

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

QTEST_MAIN(TestAuthor)
#include "tst_author.moc"

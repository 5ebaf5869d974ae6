#include "app/console/author/board.h"
#include "app/console/author/form_words.h"
#include "app/console/author/lab_panel.h"
#include "app/console/author/match_editor.h"
#include "app/console/author/policy_editor.h"
#include "app/console/author/rule_form.h"
#include "policies/compile.h"
#include "policies/read.h"
#include "policies/rule_fields.h"
#include "tests/console/author_example.h"

#include <QFile>
#include <QPushButton>
#include <QTextDocument>
#include <QToolButton>

#include <set>

using namespace app::console;
using namespace tests::console;

namespace {

const std::string kText = R"(weir: 1
name: p
tiers:
  gateway:
    - name: one # the first
      key: [api_key]
      algorithm: token_bucket
      rate: 10/s # agreed in May
      burst: 20
      overrides:
        - { name: acme, match: { tenant: acme }, burst: 40 }
)";

std::string textOf(Fixture& fixture)
{
    return fixture.session().document().currentText();
}

bool has(Fixture& fixture, const char* line)
{
    const bool isThere = textOf(fixture).find(line) != std::string::npos;
    if (!isThere) {
        qInfo("%s", textOf(fixture).c_str());
    }
    return isThere;
}

QString shownFields(const RuleForm& form)
{
    QStringList names;
    for (const engine::Algorithm algorithm : policies::algorithms()) {
        for (const policies::LimitField& field : policies::limitFields(algorithm)) {
            const QString name = QString::fromStdString(std::string(field.name));
            if (form.edit(field.name) != nullptr && !names.contains(name)) {
                names << name;
            }
        }
    }
    return names.join(QLatin1Char(' '));
}

} // namespace

class TestForm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNumberIsOneStepOfUndo();
    void onlyTheFieldsThatAnAlgorithmHas();
    void unitsAreSpelledOut();
    void whatIsNotGivenShowsWhatHolds();
    void wrongValuesAreSaidUnderTheirField();
    void keysAndMatches();
    void valuesOfMatches_data();
    void valuesOfMatches();
    void wrongValuesOfMatchesAreKept();
    void overrides();
    void moreFields();
    void refusedNames();
    void whatIsTypedCountsBeforeAnAction_data();
    void whatIsTypedCountsBeforeAnAction();
    void whatIsTypedIsAskedForOnClosing();
    void namesWithPlacesOfAText();
    void theFocusMarksTheValue();
    void tabWalksFromTopToBottom();
    void whatIsTypedIsOfItsOwnRule();
    void whatIsTypedStaysWhenAProblemIsGoneTo();
    void halfAConditionIsNotTheNextRules();
    void fieldsOfProblems();
    void authorsAPolicyWithoutYaml();
};

void TestForm::aNumberIsOneStepOfUndo()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    RuleForm& form = page.faces().form();
    QCOMPARE(page.selectedRule(), QStringLiteral("one"));
    enter(form, QStringLiteral("Rate: requests"), QStringLiteral("25"));
    QVERIFY(has(fixture, "      rate: 25/s # agreed in May\n"));
    QVERIFY(
        form.sentence().startsWith(QLatin1String("An API key may burst 20, then 25 per second.")));
    fixture.session().document().text().undo();
    QCOMPARE(textOf(fixture), kText);
    fixture.session().document().checkNow();
    auto* const rate = named<QLineEdit>(form, QStringLiteral("Rate: requests"));
    QCOMPARE(rate->text(), QStringLiteral("10"));
    rate->setFocus();
    QTest::keyClick(rate, Qt::Key_Up);
    QVERIFY(has(fixture, "rate: 11/s # agreed"));
    // What is typed counts when the typing pauses.
    QTest::keyClick(rate, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(rate, QStringLiteral("12"));
    QTRY_VERIFY(textOf(fixture).find("rate: 12/s # agreed") != std::string::npos);
    QTRY_VERIFY(!page.faces().lab().isBusy());
    fixture.pictures(QStringLiteral("form"));
}

void TestForm::onlyTheFieldsThatAnAlgorithmHas()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    RuleForm& form = page.faces().form();
    for (const engine::Algorithm algorithm : policies::algorithms()) {
        const QString name = QString::fromStdString(std::string(engine::nameOf(algorithm)));
        choose(form, QStringLiteral("Algorithm"), name);
        QStringList expected;
        for (const policies::LimitField& field : policies::limitFields(algorithm)) {
            expected << QString::fromStdString(std::string(field.name));
        }
        QStringList seen = shownFields(form).split(QLatin1Char(' '));
        QCOMPARE(std::set<QString>(seen.begin(), seen.end()),
                 std::set<QString>(expected.begin(), expected.end()));
        QCOMPARE(fixture.session().document().checkNow().errors(), std::size_t {0});
        QVERIFY(has(fixture, "# the first"));
        QTRY_VERIFY(!page.faces().lab().isBusy());
        fixture.picture(QStringLiteral("form-") + name, {});
    }
}

void TestForm::unitsAreSpelledOut()
{
    Fixture fixture;
    RuleForm& form = openText(fixture, kText).faces().form();
    choose(form, QStringLiteral("Rate: unit"), QStringLiteral("minute"));
    QVERIFY(has(fixture, "rate: 10/min # agreed"));
    enter(form, QStringLiteral("Rate: per how many"), QStringLiteral("15"));
    QVERIFY(has(fixture, "rate: 10/15min"));
    // 60 seconds are a minute, and stay as they were put.
    choose(form, QStringLiteral("Rate: unit"), QStringLiteral("second"));
    enter(form, QStringLiteral("Rate: per how many"), QStringLiteral("60"));
    QVERIFY(has(fixture, "rate: 10/min"));
    QCOMPARE(named<QLineEdit>(form, QStringLiteral("Rate: per how many"))->text(),
             QStringLiteral("60"));
    choose(form, QStringLiteral("Burst: unit"), QStringLiteral("times the rate per second"));
    QVERIFY(has(fixture, "burst: 20x"));
}

void TestForm::whatIsNotGivenShowsWhatHolds()
{
    Fixture fixture;
    RuleForm& form = openText(fixture, kText).faces().form();
    enter(form, QStringLiteral("Burst"), QString());
    QVERIFY(textOf(fixture).find("burst: 20") == std::string::npos);
    QCOMPARE(named<QLineEdit>(form, QStringLiteral("Burst"))->placeholderText(),
             QStringLiteral("10"));
    // A rate has to be: an empty one takes its number back.
    auto* const rate = named<QLineEdit>(form, QStringLiteral("Rate: requests"));
    enter(form, QStringLiteral("Rate: requests"), QString());
    QCOMPARE(rate->text(), QStringLiteral("10"));
}

void TestForm::wrongValuesAreSaidUnderTheirField()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    RuleForm& form = page.faces().form();
    Document& document = fixture.session().document();
    std::string wrong = kText;
    wrong.replace(wrong.find("10/s"), 4, "10/mon");
    document.openText(wrong, QStringLiteral("p.yaml"));
    document.checkNow();
    page.selectRule(QStringLiteral("one"));
    QVERIFY2(!form.errorOf("rate").isEmpty(), "rate");
    QVERIFY(form.errorOf("burst").isEmpty());
    fixture.pictures(QStringLiteral("form-error"));
    enter(form, QStringLiteral("Rate: requests"), QStringLiteral("30"));
    QCOMPARE(document.checkNow().errors(), std::size_t {0});
    QVERIFY(form.errorOf("rate").isEmpty());
}

void TestForm::keysAndMatches()
{
    Fixture fixture;
    RuleForm& form = openText(fixture, kText).faces().form();
    choose(form, QStringLiteral("Key: attribute 1"), QStringLiteral("client_ip"));
    QVERIFY(has(fixture, "key: [client_ip]"));
    QTest::mouseClick(named<QToolButton>(form, QStringLiteral("Key: one more attribute")),
                      Qt::LeftButton);
    choose(form, QStringLiteral("Key: attribute 2"), QStringLiteral("path"));
    QVERIFY(has(fixture, "key: [client_ip, path]"));
    choose(form, QStringLiteral("Key: attribute 2"), QStringLiteral("leave out"));
    choose(form, QStringLiteral("Key: attribute 1"), QStringLiteral("one bucket for all"));
    QVERIFY(has(fixture, "key: []"));
    QVERIFY(form.sentence().startsWith(QLatin1String("All requests together: burst 20")));

    QTest::mouseClick(named<QPushButton>(form, QStringLiteral("Edit what it matches")),
                      Qt::LeftButton);
    choose(form, QStringLiteral("Match, new condition: attribute"), QStringLiteral("path"));
    enter(form, QStringLiteral("Match, new condition: values"),
          QStringLiteral("/search/**, /find"));
    QVERIFY(has(fixture, "match: { path: [\"/search/**\", /find] }"));
    choose(form, QStringLiteral("Match, new condition: attribute"), QStringLiteral("user"));
    enter(form, QStringLiteral("Match, new condition: values"), QStringLiteral("absent"));
    QVERIFY(has(fixture, "user: absent"));
    choose(form, QStringLiteral("Match, condition 2: is or is not"), QStringLiteral("is not"));
    QVERIFY(has(fixture, "user: { not: absent }"));
    QTest::mouseClick(named<QToolButton>(form, QStringLiteral("Match, condition 1: take it away")),
                      Qt::LeftButton);
    QVERIFY(has(fixture, "match: { user: { not: absent } }"));
    fixture.pictures(QStringLiteral("form-match"));
    QTest::mouseClick(named<QToolButton>(form, QStringLiteral("Match, condition 1: take it away")),
                      Qt::LeftButton);
    QVERIFY(textOf(fixture).find("user") == std::string::npos);
    QCOMPARE(fixture.session().document().checkNow().errors(), std::size_t {0});
}

void TestForm::valuesOfMatches_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("yaml");
    QTest::newRow("one") << QStringLiteral("free") << QStringLiteral("free");
    QTest::newRow("list") << QStringLiteral(" GET ,HEAD") << QStringLiteral("[GET, HEAD]");
    QTest::newRow("comma") << QStringLiteral("\"a, b\", c") << QStringLiteral("[\"a, b\", c]");
    QTest::newRow("quotes") << QStringLiteral("\"say \"\"x\"\"\"")
                            << QStringLiteral("\"say \\\"x\\\"\"");
    QTest::newRow("absent") << QStringLiteral("absent") << QStringLiteral("absent");
    QTest::newRow("text absent") << QStringLiteral("\"absent\"") << QStringLiteral("\"absent\"");
    QTest::newRow("pattern") << QStringLiteral("/a/**") << QStringLiteral("\"/a/**\"");
    QTest::newRow("nothing") << QStringLiteral(" , ") << QString();
    QTest::newRow("blanks around") << QStringLiteral(" \"x\" , z") << QStringLiteral("[x, z]");
    QTest::newRow("before quotes") << QStringLiteral("ab\"c\"") << QStringLiteral("refused");
    QTest::newRow("behind quotes") << QStringLiteral("\"x\" y") << QStringLiteral("refused");
    QTest::newRow("twice") << QStringLiteral("\"x\" \"y\"") << QStringLiteral("refused");
    QTest::newRow("no end") << QStringLiteral("a, \"x") << QStringLiteral("refused");
}

void TestForm::valuesOfMatches()
{
    QFETCH(QString, text);
    QTEST(QString::fromStdString(valuesYaml(text, false).value_or("refused")), "yaml");
}

void TestForm::wrongValuesOfMatchesAreKept()
{
    Fixture fixture;
    RuleForm& form = openText(fixture, kText).faces().form();
    QTest::mouseClick(named<QPushButton>(form, QStringLiteral("Edit what it matches")),
                      Qt::LeftButton);
    choose(form, QStringLiteral("Match, new condition: attribute"), QStringLiteral("path"));
    const QString field = QStringLiteral("Match, new condition: values");
    enter(form, field, QStringLiteral("\"/a\" /b"));
    QCOMPARE(textOf(fixture), kText);
    auto* const values = named<QLineEdit>(form, field);
    QCOMPARE(values->text(), QStringLiteral("\"/a\" /b"));
    QVERIFY(values->property("wrong").toBool());
    QVERIFY(form.errorOf("match").contains(QLatin1String("quotes")));
    enter(form, field, QStringLiteral("\"/a\", /b"));
    QVERIFY(has(fixture, "match: { path: [/a, /b] }"));
    QVERIFY(form.errorOf("match").isEmpty());
}

void TestForm::overrides()
{
    Fixture fixture;
    RuleForm& form = openText(fixture, kText).faces().form();
    choose(form, QStringLiteral("For whom"), QStringLiteral("override acme"));
    QVERIFY(form.sentence().startsWith(
        QLatin1String("For tenant acme: an API key may burst 40, then 10 per second.")));
    QCOMPARE(named<QLineEdit>(form, QStringLiteral("Rate: requests"))->placeholderText(),
             QStringLiteral("10"));
    enter(form, QStringLiteral("Rate: requests"), QStringLiteral("15"));
    QVERIFY(has(fixture, "rate: 15/s"));
    QVERIFY(has(fixture, "rate: 10/s # agreed in May"));
    QCOMPARE(fixture.session().document().checkNow().errors(), std::size_t {0});
    fixture.picture(QStringLiteral("form-override"), {});
}

void TestForm::moreFields()
{
    Fixture fixture;
    RuleForm& form = openText(fixture, kText).faces().form();
    QVERIFY(form.edit("status") == nullptr);
    auto* const more = named<QToolButton>(form, QStringLiteral("More fields"));
    QCOMPARE(more->text(), QStringLiteral("cost 1, status 429, store fails: open"));
    QTest::mouseClick(more, Qt::LeftButton);
    enter(form, QStringLiteral("Status"), QStringLiteral("503"));
    QVERIFY(has(fixture, "status: 503"));
    choose(form, QStringLiteral("Store fails"), QStringLiteral("closed: rejects"));
    QVERIFY(has(fixture, "on_store_failure: closed"));
    enter(form, QStringLiteral("Cost"), QStringLiteral("2"));
    QVERIFY(has(fixture, "cost: 2"));
    enter(form, QStringLiteral("Note"), QStringLiteral("as agreed: in May, # 7"));
    QCOMPARE(fixture.session().document().checkNow().errors(), std::size_t {0});
    const auto checked = policies::read("p.yaml", textOf(fixture));
    QCOMPARE(checked.policy->rule("one")->note->value, std::string("as agreed: in May, # 7"));
    enter(form, QStringLiteral("Status"), QStringLiteral("700"));
    QVERIFY2(!form.errorOf("status").isEmpty(), qPrintable(form.errorOf("status")));
    fixture.pictures(QStringLiteral("form-more"));
}

void TestForm::refusedNames()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture,
                                kText
                                    + "    - { name: two, key: [], algorithm: fixed_window, rate: "
                                      "1/s }\n");
    RuleForm& form = page.faces().form();
    enter(form, QStringLiteral("Name"), QStringLiteral("two"));
    QVERIFY(!form.errorOf("name").isEmpty());
    QVERIFY(has(fixture, "name: one # the first"));
    enter(form, QStringLiteral("Name"), QStringLiteral("first of all"));
    QVERIFY(form.errorOf("name").isEmpty());
    QVERIFY(has(fixture, "name: first of all # the first"));
    QCOMPARE(page.selectedRule(), QStringLiteral("first of all"));
    QCOMPARE(page.faces().board().selected(), std::string("first of all"));
}

void TestForm::whatIsTypedCountsBeforeAnAction_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("name") << QStringLiteral("Name") << QStringLiteral("uno")
                          << QByteArray("name: uno # the first\n");
    QTest::newRow("number") << QStringLiteral("Rate: requests") << QStringLiteral("25")
                            << QByteArray("rate: 25/s # agreed in May\n");
    QTest::newRow("note") << QStringLiteral("Note") << QStringLiteral("seen")
                          << QByteArray("note: seen\n");
}

/// The keys come at once, before the typing pauses, and the focus stays.
void TestForm::whatIsTypedCountsBeforeAnAction()
{
    QFETCH(QString, field);
    QFETCH(QString, typed);
    QFETCH(QByteArray, line);
    const std::string text = kText
        + "    - { name: two, key: [], algorithm: token_bucket, rate: 77/s, burst: 88, nope: 1 }\n";
    Fixture fixture;
    AuthorPage& page = openText(fixture, text);
    RuleForm& form = page.faces().form();
    const QString path = fixture.path(QStringLiteral("p.yaml"));
    QVERIFY(fixture.session().document().saveAs(path).has_value());
    QTest::mouseClick(named<QToolButton>(form, QStringLiteral("More fields")), Qt::LeftButton);
    auto* const edit = named<QLineEdit>(form, field);
    const auto type = [&](const QString& what) {
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(edit, what);
    };
    type(typed);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_S, Qt::ControlModifier);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains(line));

    type(QStringLiteral("7"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F8); // to the problem of the other rule
    QCOMPARE(page.selectedRule(), QStringLiteral("two"));
    QTest::qWait(500);
    QVERIFY(has(fixture, line.replace(typed.toUtf8(), "7").constData()));
    QVERIFY(has(fixture, text.substr(text.find("    - { name: two")).c_str()));
}

void TestForm::whatIsTypedIsAskedForOnClosing()
{
    Fixture fixture;
    RuleForm& form = openText(fixture, kText).faces().form();
    auto* const name = named<QLineEdit>(form, QStringLiteral("Name"));
    name->setFocus();
    QTest::keyClicks(name, QStringLiteral("x"));
    int asked = 0;
    fixture.window().askToSave = [&](const QString&) {
        ++asked;
        return Window::Answer::Cancel;
    };
    QVERIFY(!fixture.window().close());
    QCOMPARE(asked, 1);
}

void TestForm::namesWithPlacesOfAText()
{
    Fixture fixture;
    std::string text = kText;
    text.replace(text.find("name: one"), 9, "name: \"%2 of %3\"");
    const RuleForm& form = openText(fixture, text).faces().form();
    QCOMPARE(form.caption(), QStringLiteral("%2 of %3, lines 5\u201311"));
}

void TestForm::theFocusMarksTheValue()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    QSignalSpy marked(&page.faces(), &Faces::valueFocused);
    named<QLineEdit>(page.faces().form(), QStringLiteral("Rate: requests"))->setFocus();
    QVERIFY(!marked.isEmpty());
    const auto begin = marked.back().at(0).toULongLong();
    const auto end = marked.back().at(1).toULongLong();
    QCOMPARE(kText.substr(begin, end - begin), std::string("10/s"));
    page.editor().setFocus();
    QCOMPARE(marked.back().at(1).toULongLong(), 0ULL);
}

void TestForm::tabWalksFromTopToBottom()
{
    Fixture fixture;
    RuleForm& form = openText(fixture, kText).faces().form();
    named<QLineEdit>(form, QStringLiteral("Name"))->setFocus();
    QStringList walked;
    while (walked.size() < 20 && form.isAncestorOf(QApplication::focusWidget())) {
        walked << QApplication::focusWidget()->accessibleName();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QCOMPARE(walked.join(QLatin1Char('|')),
             QStringLiteral("Name|Matches|Edit what it matches|Key: attribute 1|Key: one more "
                            "attribute|Algorithm|Rate: requests|Rate: per how many|Rate: "
                            "unit|Burst|Burst: unit|Mode: enforce|More fields"));
}

void TestForm::whatIsTypedIsOfItsOwnRule()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture,
                                kText
                                    + "    - { name: two, key: [], algorithm: token_bucket, rate: "
                                      "1/s }\n");
    RuleForm& form = page.faces().form();
    const auto type = [&form](const QString& field, const QString& text) {
        auto* const line = named<QLineEdit>(form, field);
        line->setFocus();
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(line, text);
    };
    type(QStringLiteral("Rate: requests"), QStringLiteral("25"));
    page.selectRule(QStringLiteral("two"));
    QVERIFY(has(fixture, "rate: 25/s # agreed"));
    QVERIFY(has(fixture, "rate: 1/s }"));
    QCOMPARE(named<QLineEdit>(form, QStringLiteral("Rate: requests"))->text(), QStringLiteral("1"));
    type(QStringLiteral("Name"), QStringLiteral("second"));
    page.selectRule(QStringLiteral("one"));
    QVERIFY(has(fixture, "name: second,"));
    QCOMPARE(page.selectedRule(), QStringLiteral("one"));
    QCOMPARE(form.rule(), std::string("one"));
    QCOMPARE(page.faces().board().selected(), std::string("one"));
    QVERIFY(has(fixture, "name: one # the first"));
    type(QStringLiteral("Rate: requests"), QStringLiteral("26"));
    fixture.trigger(ActionId::NewRule);
    QVERIFY(has(fixture, "rate: 26/s # agreed"));
    QVERIFY(has(fixture, "name: new-rule"));
    fixture.window().askToSave = [](const QString&) { return Window::Answer::Discard; };
    type(QStringLiteral("Rate: requests"), QStringLiteral("27"));
    fixture.trigger(ActionId::ClosePolicy);
    QVERIFY(!fixture.session().document().isOpen());
    QTest::qWait(400);
    QCOMPARE(textOf(fixture), std::string());
}

void TestForm::whatIsTypedStaysWhenAProblemIsGoneTo()
{
    for (const char* field : {"Rate: requests", "Name", "Note"}) {
        Fixture fixture;
        AuthorPage& page = openText(fixture,
                                    kText
                                        + "    - name: two\n      key: []\n      algorithm: "
                                          "token_bucket\n      rate: 1/mon\n");
        page.selectRule(QStringLiteral("one"));
        RuleForm& form = page.faces().form();
        if (qstrcmp(field, "Note") == 0) {
            QTest::mouseClick(named<QToolButton>(form, QStringLiteral("More fields")),
                              Qt::LeftButton);
        }
        auto* const line = named<QLineEdit>(form, QString::fromLatin1(field));
        line->setFocus();
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(line, QStringLiteral("77"));
        QTest::keyClick(line, Qt::Key_F8);
        QCOMPARE(page.selectedRule(), QStringLiteral("two"));
        QTest::qWait(450);
        const std::string text = textOf(fixture);
        const std::size_t second = text.find("    - name: two");
        QVERIFY2(second != std::string::npos && text.find("77") < second, text.c_str());
        QVERIFY2(text.find("77", second) == std::string::npos, text.c_str());
        QVERIFY(named<QLineEdit>(form, QStringLiteral("Name"))->text() == QLatin1String("two"));
    }
}

void TestForm::halfAConditionIsNotTheNextRules()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture,
                                kText
                                    + "    - { name: two, key: [], algorithm: token_bucket, rate: "
                                      "1/s }\n");
    RuleForm& form = page.faces().form();
    auto* const edit = named<QPushButton>(form, QStringLiteral("Edit what it matches"));
    QTest::mouseClick(edit, Qt::LeftButton);
    const QString field = QStringLiteral("Match, new condition: values");
    enter(form, field, QStringLiteral("/of/one"));
    page.selectRule(QStringLiteral("two"));
    QTest::mouseClick(edit, Qt::LeftButton);
    QCOMPARE(named<QLineEdit>(form, field)->text(), QString());
}

void TestForm::fieldsOfProblems()
{
    const auto all = [](const std::string& field) {
        return field == "rate" || field == "queue" || field == "name";
    };
    const auto fieldOf = [&](const char* text, const char* message, std::int64_t column) {
        engine::Diagnostic problem;
        problem.message = message;
        problem.place = {"p.yaml", 2, column};
        return fieldOfProblem(std::string("a: 1\n") + text, problem, all);
    };
    QCOMPARE(fieldOf("  rate: 60/mon", "x", 9), std::string("rate"));
    QCOMPARE(fieldOf("  - { name: a, rate: 60/mon }", "x", 22), std::string("rate"));
    QCOMPARE(fieldOf("  - name: a", "rule `a` has no `queue`", 5), std::string("queue"));
    QCOMPARE(fieldOf("  ques: 3", "`ques` is no field", 3), std::string());
}

/// From a template to a policy of rules in all four tiers, by form and board alone; what is saved
/// is good, and has its comments.
void TestForm::authorsAPolicyWithoutYaml()
{
    Fixture fixture;
    AuthorPage& page = fixture.show<AuthorPage>(PageId::Author);
    QWidget* const templates = page.panes().front();
    templates->setFocus();
    QTest::keyClick(templates, Qt::Key_Return);
    Document& document = fixture.session().document();
    document.checkNow();
    RuleForm& form = page.faces().form();

    struct Wanted {
        const char* tier;
        const char* name;
        const char* algorithm;
    };

    for (const Wanted& wanted : {Wanted {"edge", "flood", "fixed_window"},
                                 Wanted {"gateway", "fair-share", "token_bucket"},
                                 Wanted {"endpoint", "reports", "leaky_bucket"},
                                 Wanted {"tenant", "at-once", "concurrency"}}) {
        const QString add = QStringLiteral("Add a rule to %1").arg(QLatin1String(wanted.tier));
        QTest::mouseClick(named<QToolButton>(page, add), Qt::LeftButton);
        QTest::keyClicks(QApplication::focusWidget(), QLatin1String(wanted.name));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(page.selectedRule(), QLatin1String(wanted.name));
        choose(form, QStringLiteral("Algorithm"), QLatin1String(wanted.algorithm));
    }
    enter(form, QStringLiteral("In flight"), QStringLiteral("12"));
    choose(form, QStringLiteral("Key: attribute 1"), QStringLiteral("tenant"));
    page.selectRule(QStringLiteral("reports"));
    enter(form, QStringLiteral("Queue"), QStringLiteral("7"));
    page.selectRule(QStringLiteral("per-address"));
    enter(form, QStringLiteral("Rate: requests"), QStringLiteral("900"));
    const QString path = fixture.path(QStringLiteral("mine.yaml"));
    fixture.window().askSavePath
        = [&](const QString&, const QString&, const QString&) { return path; };
    fixture.trigger(ActionId::Save);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string saved = file.readAll().toStdString();
    const policies::Checked checked = policies::read("mine.yaml", saved);
    QVERIFY(checked.policy);
    for (const auto& tier : checked.policy->tiers) {
        QVERIFY(tier.size() >= 2);
    }
    QCOMPARE(checked.policy->rule("at-once")->values.inFlight->value, 12);
    QCOMPARE(checked.policy->rule("reports")->values.queue->value, 7);
    QCOMPARE(checked.policy->rule("per-address")->values.rate->value.count, 900);
    const auto compiled = policies::compile(*checked.policy, [&](const std::string& name) {
        QFile lookup(fixture.path(QString::fromStdString(name)));
        return lookup.open(QIODevice::ReadOnly)
            ? engine::Result<std::string>(lookup.readAll().toStdString())
            : engine::Result<std::string>(engine::fail("x", "no " + name));
    });
    QVERIFY(compiled.plan);
    QFile shipped(QStringLiteral(WEIR_SOURCE_DIR "/policies/examples/public-api.yaml"));
    QVERIFY(shipped.open(QIODevice::ReadOnly));
    const std::string before = shipped.readAll().toStdString();
    QVERIFY(policies::commentsLost(before, saved).empty());
}

QTEST_MAIN(TestForm)
#include "tst_form.moc"

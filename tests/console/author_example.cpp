#include "tests/console/author_example.h"

#include "app/console/author/lab_panel.h"

#include <QFile>

namespace tests::console {

using namespace app::console;

AuthorPage& openExample(Fixture& fixture, const QString& name)
{
    const QString folder = QStringLiteral("policies/examples/");
    for (const QString& lookup : {QStringLiteral("plans.csv"), QStringLiteral("tenants.csv")}) {
        const QString copy = fixture.copied(folder + lookup);
        Q_ASSERT(QFile::exists(copy));
    }
    fixture.window().openPolicy(fixture.copied(folder + name));
    fixture.session().document().checkNow();
    return fixture.show<AuthorPage>(PageId::Author);
}

AuthorPage& openText(Fixture& fixture, const std::string& text)
{
    fixture.session().document().openText(text, QStringLiteral("p.yaml"));
    fixture.session().document().checkNow();
    return fixture.show<AuthorPage>(PageId::Author);
}

void enter(const QWidget& root, const QString& name, const QString& text)
{
    auto* const field = named<QLineEdit>(root, name);
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    if (text.isEmpty()) {
        QTest::keyClick(field, Qt::Key_Delete);
    } else {
        QTest::keyClicks(field, text);
    }
    QTest::keyClick(field, Qt::Key_Return);
}

void choose(const QWidget& root, const QString& name, const QString& item)
{
    auto* const list = named<QComboBox>(root, name);
    const int index = list->findText(item);
    if (index < 0) {
        qFatal("%s has no %s", qPrintable(name), qPrintable(item));
    }
    list->setCurrentIndex(index);
    Q_EMIT list->activated(index);
}

} // namespace tests::console

#pragma once

#include "app/console/author/author_page.h"
#include "app/console/author/faces.h"
#include "tests/console/console_fixture.h"

#include <QComboBox>
#include <QLineEdit>

/// What the tests of the faces begin with.
namespace tests::console {

/// The author's page with an example policy of the source tree, checked.
app::console::AuthorPage& openExample(Fixture& fixture,
                                      const QString& name = QStringLiteral("public-api.yaml"));
/// The same with a text.
app::console::AuthorPage& openText(Fixture& fixture, const std::string& text);

/// A widget by its accessible name; fails the test where there is none that is seen.
template <class Widget> Widget* named(const QWidget& root, const QString& name)
{
    QTest::qWait(5); // what was made has its place
    for (Widget* const widget : root.findChildren<Widget*>()) {
        if (widget->accessibleName() == name && widget->isVisibleTo(&root)) {
            return widget;
        }
    }
    qFatal("no widget is called %s", qPrintable(name));
}

/// Types into the field of that name, in place of what it has, and presses Return.
void enter(const QWidget& root, const QString& name, const QString& text);
/// Chooses from a list, as a user does.
void choose(const QWidget& root, const QString& name, const QString& item);

} // namespace tests::console

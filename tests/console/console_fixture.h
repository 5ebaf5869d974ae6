#pragma once

#include "app/console/session/session.h"
#include "app/console/window/window.h"

#include <QString>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

class QAbstractItemView;

/// A window of the console with everything of its own: settings, store, recovery. Offscreen.
namespace tests::console {

/// The sizes and themes in which each page is looked at.
struct Look {
    bool isDark = false;
    QSize size {1440, 900};
};

class Fixture {
public:
    Fixture();
    ~Fixture();

    [[nodiscard]] app::console::Session& session() { return *m_session; }

    [[nodiscard]] app::console::Window& window() { return *m_window; }

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

    /// A copy of a file of the source tree in this fixture's folder.
    [[nodiscard]] QString copied(const QString& fromSource, const QString& name = {}) const;

    void trigger(app::console::ActionId id);

    /// Replays the demonstration log under one of the example policies into the store; its run.
    storage::RunId replayDemo(const std::string& policy = "public-api.yaml");

    /// A copy of that store becomes this one's.
    void useStore(const QString& from);

    /// The page, shown.
    template <class PageType> PageType& show(app::console::PageId id)
    {
        window().showPage(id);
        auto* page = dynamic_cast<PageType*>(window().page(id));
        Q_ASSERT(page != nullptr);
        return *page;
    }

    /// Writes the window as it looks to pictures/NAME-light-1440.png in the build folder.
    void picture(const QString& name, Look look);
    /// The same light and dark, 1440x900 and 1024x700.
    void pictures(const QString& name);

private:
    void keepPicture(const QString& name, Look look);

    QTemporaryDir m_folder;
    std::unique_ptr<app::console::Session> m_session;
    std::unique_ptr<app::console::Window> m_window;
};

/// What a cell of a table shows.
QString cell(const QAbstractItemView& view, int row, int column);

/// Share of the pixels of `image` that have the colour, within 3 of each channel.
double shareOf(const QImage& image, const QColor& colour);

/// Every widget below `root` that takes the focus by Tab and has no accessible name: what a test
/// prints.
QStringList namelessWidgets(const QWidget& root);

} // namespace tests::console

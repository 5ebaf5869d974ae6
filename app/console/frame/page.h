#pragma once

#include "app/console/frame/actions.h"
#include "app/console/frame/banner.h"

#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QSettings;
class QSplitter;
class QVBoxLayout;

namespace app::console {

class Session;

enum class PageId { Author, Replay, Runs, Compare, Explain, Suggest, Export };

/// Title, caption, state and the page's actions at the right; the one primary button is the
/// rightmost.
class PageHead : public QWidget {
    Q_OBJECT

public:
    explicit PageHead(QWidget* parent = nullptr);

    void setTitle(const QString& title); ///< plain
    void setCaption(const QString& caption); ///< plain
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString caption() const;
    void add(QWidget* widget);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QHBoxLayout* m_layout;
    QLabel* m_title;
    QLabel* m_caption;
};

/// A page of the window: head, banners, and a body of panels.
///
/// What a page does when an action of the table is triggered stands in perform(); offers() says
/// which those are, can() whether now; it emits actionsChanged() when that changes. Panes are what
/// F6 walks through, in this order; the first takes the focus when the page is first seen.
class Page : public QWidget {
    Q_OBJECT

public:
    Page(Session& session, Actions& actions, PageId id, QWidget* parent = nullptr);

    [[nodiscard]] PageId id() const { return m_id; }

    [[nodiscard]] PageHead& head() { return *m_head; }

    [[nodiscard]] Banners& banners() { return *m_banners; }

    [[nodiscard]] Session& session() const { return m_session; }

    [[nodiscard]] Actions& actions() const { return m_actions; }

    /// Where to save; tests set their own. Empty: cancelled.
    std::function<QString(const QString& title, const QString& proposal, const QString& filter)>
        askSavePath;

    [[nodiscard]] virtual QList<QWidget*> panes() const = 0;

    /// The actions of owner Page and Pane that this page has, at one time or another. What no page
    /// offers is not shown.
    [[nodiscard]] virtual std::vector<ActionId> offers() const { return {}; }

    /// Of those that it offers: now?
    [[nodiscard]] virtual bool can(ActionId /*action*/) const { return true; }

    virtual void perform(ActionId /*action*/) { }

    /// The page becomes the one that is seen.
    virtual void entered() { }

    /// Splitters, columns, choices: under a group of the page's name.
    virtual void keepState(QSettings& /*settings*/) const { }

    virtual void restoreState(QSettings& /*settings*/) { }

Q_SIGNALS:
    void actionsChanged();

protected:
    /// The page's content below the banners, with the page's margins around it.
    void setBody(QWidget* body);
    /// Lets the keys of a Pane action hold within `pane`.
    void bind(ActionId action, QWidget* pane);

private:
    Session& m_session;
    Actions& m_actions;
    PageId m_id;
    PageHead* m_head;
    Banners* m_banners;
    QVBoxLayout* m_layout;
};

/// A splitter with the gap between panels that the design has, which never folds its children away.
QSplitter* splitter(Qt::Orientation orientation, std::initializer_list<QWidget*> children);

} // namespace app::console

#pragma once

#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/replay/log_collection.h"
#include "app/workbench/figure_table.h"

class QPushButton;
class QStackedWidget;
class QTabBar;

namespace app::console {

class EmptyState;
class FigureModel;

/// What the log at hand is: its first requests, and which attributes they have.
class PreviewPanel : public Panel {
    Q_OBJECT

public:
    explicit PreviewPanel(QWidget* parent = nullptr);

    /// nullptr: no log is at hand.
    void setLog(const LogRow* log);

    [[nodiscard]] FigureView& view() const { return *m_view; }

Q_SIGNALS:
    void formatAsked(); ///< somebody wants to say which format it is

private:
    void showTab();
    void setMessage(const QString& text, bool offersFormat = false);

    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    EmptyState* m_message;
    QPushButton* m_choose;
    FigureView* m_view;
    FigureModel* m_model;
    FigureTable m_first;
    FigureTable m_attributes;
    std::string m_path; ///< that is shown
    bool m_isWhole = false; ///< with the figures of the whole log
};

} // namespace app::console

#pragma once

#include <QScrollArea>

namespace app::console {

class Actions;
class FigureModel;
class FigureView;
class Session;

/// What one can begin with: actions, templates, and what was open before.
class StartView : public QScrollArea {
    Q_OBJECT

public:
    StartView(Session& session, Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] FigureView& templateList() const { return *m_templates; }

Q_SIGNALS:
    /// A recent policy is to be opened.
    void openAsked(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildActions(Actions& actions);
    QWidget* buildTemplates();
    QWidget* buildRecent();
    void openTemplate(int row);

    Session& m_session;
    FigureView* m_templates;
    FigureView* m_recent;
    FigureModel* m_recentModel;
    QWidget* m_recentEmpty;
    QStringList m_recentPaths;
};

} // namespace app::console

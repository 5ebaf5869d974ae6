#pragma once

#include "app/console/frame/page.h"
#include "policies/edit.h"

#include <optional>
#include <string>

class QLineEdit;
class QSplitter;
class QStackedWidget;

namespace policies {
struct Policy;
}

namespace app::console {

class ActionButton;
class Faces;
class FigureView;
class MarkLabel;
class Panel;
class PolicyEditor;
class ProblemsModel;
class StartView;

/// The policy and its faces: board over form and lab at the left, the text at the right, problems
/// below. Without a policy: what one can begin with.
class AuthorPage : public Page {
    Q_OBJECT

public:
    AuthorPage(Session& session, Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] QList<QWidget*> panes() const override;
    [[nodiscard]] std::vector<ActionId> offers() const override;
    [[nodiscard]] bool can(ActionId action) const override;
    void perform(ActionId action) override;
    void keepState(QSettings& settings) const override;
    void restoreState(QSettings& settings) override;

    [[nodiscard]] PolicyEditor& editor() const { return *m_editor; }

    [[nodiscard]] Faces& faces() const { return *m_faces; }

    /// The rule that form and lab show, and whose lines the text marks; "" for none.
    void selectRule(const QString& name);

    [[nodiscard]] QString selectedRule() const { return m_rule; }

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void ruleSelected(const QString& name);

private:
    QWidget* buildFaces();
    void connectFaces();
    void placeText();
    void showChecked();
    void showState();
    void selectFirstRule(const policies::Policy& policy);
    void showRuleLines();
    void showOutside();
    void goToProblem(int row);
    void stepProblem(int step);
    void silence();
    [[nodiscard]] std::optional<policies::Edits> fixOfCurrent() const;
    void showChanges(const std::string& before, const QString& title);
    void openFind(bool isGoTo);

    QStackedWidget* m_stack;
    StartView* m_start;
    PolicyEditor* m_editor;
    Faces* m_faces;
    Panel* m_textPanel;
    Panel* m_problemsPanel;
    FigureView* m_problems;
    ProblemsModel* m_problemsModel;
    MarkLabel* m_state;
    QLineEdit* m_find;
    bool m_isGoTo = false;
    bool m_isLow = false;
    QSplitter* m_across;
    QSplitter* m_down;
    QString m_rule;
};

} // namespace app::console

#pragma once

#include "app/console/author/policy_desk.h"
#include "app/console/frame/actions.h"

#include <QList>
#include <QWidget>

#include <string>
#include <vector>

class QSettings;
class QSplitter;
class QStackedLayout;
class QTabBar;

namespace app::console {

class Board;
class LabPanel;
class Panel;
class RuleForm;

/// The faces of the policy beside its text: the board over form and lab. They show one rule, and
/// change the text by single values. Where there is little width the text is a tab beside the lab.
class Faces : public QWidget {
    Q_OBJECT

public:
    Faces(Document& document, Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] PolicyDesk& desk() { return m_desk; }

    [[nodiscard]] Board& board() const { return *m_board; }

    [[nodiscard]] RuleForm& form() const { return *m_form; }

    [[nodiscard]] LabPanel& lab() const { return *m_lab; }

    void showRule(const QString& rule);
    /// A policy was opened, closed or checked.
    void refresh();

    [[nodiscard]] QList<QWidget*> panes() const;
    static std::vector<ActionId> offers();
    [[nodiscard]] bool can(ActionId action) const;
    /// False: it is none of theirs.
    bool perform(ActionId action);

    /// Takes the text's panel in as a tab, or gives it back (nullptr) to who shows it then.
    void takeText(Panel* text);

    [[nodiscard]] bool hasText() const { return m_text != nullptr; }

    void showText(); ///< where it is a tab
    void keepState(QSettings& settings) const;
    void restoreState(QSettings& settings);

Q_SIGNALS:
    void ruleChosen(const QString& rule);
    void valueFocused(qulonglong begin, qulonglong end);

private:
    void connectFaces();
    void showTab(int index);

    PolicyDesk m_desk;
    Board* m_board;
    RuleForm* m_form;
    LabPanel* m_lab;
    QTabBar* m_tabs;
    QStackedLayout* m_side;
    QSplitter* m_below;
    QSplitter* m_all;
    Panel* m_text = nullptr;
    std::string m_rule;
};

} // namespace app::console

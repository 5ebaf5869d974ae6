// How the page is put together and what it keeps between sessions; what it shows and does is in
// author_page.cpp.
#include "app/console/author/author_page.h"
#include "app/console/author/faces.h"
#include "app/console/author/lab_panel.h"
#include "app/console/author/policy_editor.h"
#include "app/console/author/problems.h"
#include "app/console/author/rule_form.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/session/policy_text.h"
#include "app/console/session/session.h"

#include <QAction>
#include <QLineEdit>
#include <QSettings>
#include <QSplitter>
#include <QTextBlock>

namespace app::console {

QWidget* AuthorPage::buildFaces()
{
    m_editor->setAccessibleName(QStringLiteral("Policy text"));
    m_find->setAccessibleName(QStringLiteral("Find in the text"));
    m_find->setMaximumWidth(180);
    m_find->hide();
    m_textPanel->addTool(m_find);
    m_textPanel->setBody(m_editor);
    connect(m_find, &QLineEdit::returnPressed, this, [this] {
        m_isGoTo ? m_editor->goTo(m_find->text().toInt(), 1)
                 : static_cast<void>(m_editor->find(m_find->text()));
    });
    bind(ActionId::Complete, m_editor);
    bind(ActionId::CommentLines, m_editor);

    m_problems->setModel(m_problemsModel);
    m_problemsPanel->addTool(captionLabel(QStringLiteral("F8 next, Shift+F8 previous")));
    m_problemsPanel->setBody(m_problems);
    connect(m_problems, &FigureView::currentRowChanged, this, &AuthorPage::actionsChanged);
    connect(m_problems, &FigureView::rowAsked, this,
            [this](const QModelIndex& index) { goToProblem(index.row()); });

    m_across = splitter(Qt::Horizontal, {m_faces, m_textPanel});
    m_across->setStretchFactor(0, 1);
    m_across->setSizes({900, 440});
    connect(m_problemsPanel, &Panel::foldedChanged, this, [this](bool isFolded) {
        constexpr int kProblems = 130;
        const int height = m_down->height();
        m_down->setSizes({height - (isFolded ? 0 : kProblems), isFolded ? 0 : kProblems});
    });
    m_down = splitter(Qt::Vertical, {m_across, m_problemsPanel});
    m_down->setStretchFactor(0, 1);
    m_down->setSizes({700, 130});
    return m_down;
}

void AuthorPage::connectFaces()
{
    connect(m_faces, &Faces::ruleChosen, this, &AuthorPage::selectRule);
    connect(this, &AuthorPage::ruleSelected, m_faces, &Faces::showRule);
    connect(m_faces, &Faces::valueFocused, m_editor, &PolicyEditor::setMarkedValue);
    connect(&session(), &Session::lastLogsChanged, this,
            [this] { m_faces->lab().setLogs(session().lastLogs(), session().lastGiven()); });
    connect(m_editor, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        const PolicyDesk& desk = m_faces->desk();
        if (!m_editor->hasFocus() || desk.policy() == nullptr || !desk.isCurrent()) {
            return;
        }
        const QTextCursor cursor = m_editor->textCursor();
        const QString rule = ruleOfLine(*desk.policy(), cursor.blockNumber() + 1);
        if (!rule.isEmpty()) {
            selectRule(rule);
            m_faces->form().markFieldAt(byteOf(m_editor->toPlainText(), cursor.position()));
        }
    });
}

/// Below so many pixels of width the text is a tab beside the lab.
void AuthorPage::placeText()
{
    constexpr int kNarrow = 1100;
    constexpr int kLow = 680; // the problems fold to their head
    if ((height() < kLow) != m_isLow) {
        m_isLow = height() < kLow;
        m_problemsPanel->setFolded(m_isLow);
    }
    if (m_isLow && m_problemsPanel->isFolded()) {
        m_down->setSizes({m_down->height(), 0});
    }
    const bool isNarrow = width() < kNarrow;
    if (isNarrow == m_faces->hasText()) {
        return;
    }
    m_faces->takeText(isNarrow ? m_textPanel : nullptr);
    if (!isNarrow) {
        m_across->addWidget(m_textPanel);
        m_textPanel->show();
        m_across->setSizes({width() * 2 / 3, width() / 3});
    }
}

void AuthorPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    placeText();
}

void AuthorPage::keepState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("across"), m_across->saveState());
    settings.setValue(QStringLiteral("down"), m_down->saveState());
    m_faces->keepState(settings);
}

void AuthorPage::restoreState(QSettings& settings)
{
    m_across->restoreState(settings.value(QStringLiteral("across")).toByteArray());
    m_down->restoreState(settings.value(QStringLiteral("down")).toByteArray());
    m_faces->restoreState(settings);
}

} // namespace app::console

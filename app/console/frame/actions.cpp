#include "app/console/frame/actions.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

namespace app::console {

namespace {

using enum ActionId;
constexpr ActionOwner kPage = ActionOwner::Page;
constexpr ActionOwner kPane = ActionOwner::Pane;
constexpr ActionOwner kWindow = ActionOwner::Window;

std::vector<ActionRow> fileAndEdit()
{
    return {
        {NewFromTemplate, "&File", "&New from template...", {"Ctrl+N"}},
        {OpenPolicy, "&File", "&Open policy...", {"Ctrl+O"}},
        {OpenRecent, "&File", "Open &recent", {"Ctrl+Shift+R"}},
        {Save, "&File", "&Save", {"Ctrl+S"}, kWindow, false, true},
        {SaveAs, "&File", "Save &as...", {"Ctrl+Shift+S"}},
        {Reload, "&File", "Re&load from disk", {"Ctrl+F5"}},
        {SaveList, "&File", "Save this l&ist or text...", {"Ctrl+E"}, kPage, false, true},
        {OpenStore, "&File", "Open run store...", {"Ctrl+Shift+B"}, kWindow, false, true},
        {SampleData, "&File", "Sample &data", {"Ctrl+Shift+D"}},
        {ClosePolicy, "&File", "&Close policy", {"Ctrl+W"}, kWindow, false, true},
        {Quit, "&File", "&Quit", {"Ctrl+Q"}},
        {Undo, "&Edit", "&Undo", {"Ctrl+Z"}},
        {Redo, "&Edit", "&Redo", {"Ctrl+Shift+Z"}},
        {Cut, "&Edit", "Cu&t", {"Ctrl+X"}, kWindow, false, true},
        {Copy, "&Edit", "&Copy", {"Ctrl+C"}},
        {Paste, "&Edit", "&Paste", {"Ctrl+V"}},
        {CopyAsText, "&Edit", "Copy as te&xt", {"Ctrl+Shift+C"}, kPage},
        {CopyForCustomer, "&Edit", "Copy for the customer", {"Ctrl+Alt+Shift+C"}, kPage},
        {SelectAll, "&Edit", "Select &all", {"Ctrl+A"}},
        {Find, "&Edit", "&Find or filter", {"Ctrl+F"}, kPage, false, true},
        {FindNext, "&Edit", "Find &next", {"F3"}, kPage},
        {FindPrevious, "&Edit", "Find pre&vious", {"Shift+F3"}, kPage},
        {GoTo, "&Edit", "&Go to line or request", {"Ctrl+G"}, kPage},
        {Complete, "&Edit", "Co&mplete", {"Ctrl+Space", "Ctrl+Shift+Space"}, kPane, false, true},
        {CommentLines, "&Edit", "Comment &lines", {"Ctrl+/"}, kPane},
    };
}

std::vector<ActionRow> policyAndReplay()
{
    return {
        {NewRule, "&Policy", "&New rule...", {"Ctrl+Shift+N"}, kPage},
        {DuplicateRule, "&Policy", "&Duplicate rule", {"Ctrl+D"}, kPage},
        {RenameRule, "&Policy", "Rena&me rule", {"F2"}, kPane},
        {DeleteRule, "&Policy", "De&lete rule", {"Del"}, kPane},
        {RuleUp, "&Policy", "Move &up in its tier", {"Alt+Up"}, kPane, false, true},
        {RuleDown, "&Policy", "Move do&wn in its tier", {"Alt+Down"}, kPane},
        {RuleToTierBefore, "&Policy", "Move to the tier &before", {"Alt+Left"}, kPane},
        {RuleToTierAfter, "&Policy", "Move to the tier &after", {"Alt+Right"}, kPane},
        {Enforce, "&Policy", "&Enforce", {"Ctrl+Alt+E"}, kPage, false, true},
        {Shadow, "&Policy", "&Shadow", {"Ctrl+Alt+S"}, kPage},
        {Off, "&Policy", "&Off", {"Ctrl+Alt+O"}, kPage},
        {NextProblem, "&Policy", "Next &problem", {"F8"}, kPage, false, true},
        {PreviousProblem, "&Policy", "P&revious problem", {"Shift+F8"}, kPage},
        {ApplyFix, "&Policy", "Apply the suggested &fix", {"Alt+Return"}, kPage},
        {SilenceAdvice, "&Policy", "S&ilence this advice", {"Alt+Shift+Return"}, kPage},
        {LabPattern, "&Policy", "Next lab pa&ttern", {"Ctrl+Shift+L"}, kPage, false, true},
        {WhatChanged, "&Policy", "What &changed, in words...", {"Ctrl+Shift+W"}, kPage},
        {TryAgainstLastLog, "&Policy", "Tr&y against last log", {"Ctrl+Alt+R"}, kWindow},
        {AddLogs, "&Replay", "&Add logs...", {"Ctrl+Shift+O"}},
        {StartPolicyFromLog, "&Replay", "Start a &policy from this log", {"Ctrl+Shift+P"}, kPage},
        {Replay, "&Replay", "&Replay...", {"Ctrl+R"}, kWindow, false, true},
        {StartReplay, "&Replay", "&Start", {"Ctrl+Return", "Ctrl+Enter"}, kPage},
        {CancelJob, "&Replay", "Cancel the running &job", {"Ctrl+Shift+X"}, kWindow, false, true},
        {JobUp, "&Replay", "Move job &up", {"Alt+Up"}, kPane},
        {JobDown, "&Replay", "Move job &down", {"Alt+Down"}, kPane},
        {RemoveJob, "&Replay", "Re&move job", {"Del"}, kPane},
        {CopyCommand, "&Replay", "&Copy as command", {"Ctrl+Alt+C"}, kPage, false, true},
    };
}

std::vector<ActionRow> runs()
{
    return {
        {RunList, "R&uns", "&List of runs", {"Ctrl+L"}},
        {RenameRun, "R&uns", "Re&name run", {"F2"}, kPane},
        {DeleteRun, "R&uns", "&Delete run...", {"Del"}, kPane},
        {CompareWith, "R&uns", "&Compare with...", {"Ctrl+K"}, kPage, false, true},
        {SwapSides, "R&uns", "S&wap base and candidate", {"Ctrl+Shift+K"}, kPage},
        {ExplainSelected, "R&uns", "&Explain selected", {"Return", "Enter"}, kPane, false, true},
        {PreviousRejected, "R&uns", "&Previous rejected request", {"Alt+Up"}, kPane},
        {NextRejected, "R&uns", "Ne&xt rejected request", {"Alt+Down"}, kPane},
        {PreviousOfKey, "R&uns", "Pre&vious of the same key", {"Alt+Left"}, kPane},
        {NextOfKey, "R&uns", "Next of the same &key", {"Alt+Right"}, kPane},
        {KeyHistory, "R&uns", "&History of this key", {"Ctrl+H"}, kPage},
        {SuggestForRule, "R&uns", "&Suggest for this rule", {"Ctrl+U"}, kPage, false, true},
        {WriteValue, "R&uns", "&Write value into the policy", {"Ctrl+Return", "Ctrl+Enter"}, kPage},
        {Report, "R&uns", "&Report...", {"Ctrl+P"}, kPage, false, true},
    };
}

std::vector<ActionRow> viewAndHelp()
{
    return {
        {PageAuthor, "&View", "&Author", {"Ctrl+1"}, kWindow, true},
        {PageReplay, "&View", "&Replay", {"Ctrl+2"}, kWindow, true},
        {PageRuns, "&View", "R&uns", {"Ctrl+3"}, kWindow, true},
        {PageCompare, "&View", "&Compare", {"Ctrl+4"}, kWindow, true},
        {PageExplain, "&View", "&Explain", {"Ctrl+5"}, kWindow, true},
        {PageSuggest, "&View", "&Suggest", {"Ctrl+6"}, kWindow, true},
        {PageExport, "&View", "E&xport", {"Ctrl+7"}, kWindow, true},
        {NextPane, "&View", "&Next pane", {"F6"}, kWindow, false, true},
        {PreviousPane, "&View", "&Previous pane", {"Shift+F6"}},
        {ShowText, "&View", "Show &text", {"Ctrl+Shift+1"}, kPage, false, true},
        {ShowForm, "&View", "Show &form", {"Ctrl+Shift+2"}, kPage},
        {ShowLab, "&View", "Show &lab", {"Ctrl+Shift+3"}, kPage},
        {ShowProblems, "&View", "Show pro&blems", {"Ctrl+Shift+4"}, kPage},
        {ZoomIn, "&View", "&Zoom in", {"Ctrl++", "Ctrl+="}, kPage, false, true},
        {ZoomOut, "&View", "Zoom &out", {"Ctrl+-"}, kPage},
        {Fit, "&View", "F&it chart", {"Home"}, kPane},
        {LogScale, "&View", "Lo&g scale", {"Ctrl+Shift+Y"}, kPage},
        {TiersOrRules, "&View", "Tiers or rules", {"Ctrl+Shift+J"}, kPage},
        {ChartAsTable, "&View", "Show chart as table", {"Ctrl+T"}, kPage},
        {ThemeSystem, "&View/T&heme", "&System", {"Ctrl+Alt+1"}, kWindow, true},
        {ThemeLight, "&View/T&heme", "&Light", {"Ctrl+Alt+2"}, kWindow, true},
        {ThemeDark, "&View/T&heme", "&Dark", {"Ctrl+Alt+3"}, kWindow, true},
        {NextTheme, "&View/T&heme", "&Next", {"Ctrl+Shift+T"}, kWindow, false, true},
        {TimesInUtc, "&View", "Times in &UTC", {"Ctrl+Shift+M"}, kWindow, true},
        {FullScreen, "&View", "Full screen", {"F11"}, kWindow, true},
        {HelpContents, "&Help", "&Contents", {"F1"}},
        {HelpKeys, "&Help", "&Keys", {"Ctrl+F1"}},
        {AdvicePage, "&Help", "&Page for this advice", {"Shift+F1"}, kPage},
        {About, "&Help", "&About", {"Ctrl+Shift+F1"}},
    };
}

std::vector<ActionRow> wholeTable()
{
    std::vector<ActionRow> all;
    for (const auto& part : {fileAndEdit(), policyAndReplay(), runs(), viewAndHelp()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/// The menu of that path, made where it is not there yet.
QMenu* menuOf(QMenuBar& bar, const QString& path, std::map<QString, QMenu*>& known)
{
    if (const auto found = known.find(path); found != known.end()) {
        return found->second;
    }
    const qsizetype slash = path.lastIndexOf(QLatin1Char('/'));
    QMenu* menu = slash < 0 ? bar.addMenu(path)
                            : menuOf(bar, path.left(slash), known)->addMenu(path.mid(slash + 1));
    menu->setObjectName(path);
    known.emplace(path, menu);
    return menu;
}

} // namespace

const std::vector<ActionRow>& actionTable()
{
    static const std::vector<ActionRow> kTable = wholeTable();
    return kTable;
}

Actions::Actions(QObject* parent)
    : QObject(parent)
{
    for (const ActionRow& row : actionTable()) {
        auto* action = new QAction(QString::fromLatin1(row.text), this);
        QList<QKeySequence> keys;
        for (const char* key : row.keys) {
            keys << QKeySequence(QString::fromLatin1(key));
        }
        action->setShortcuts(keys);
        action->setCheckable(row.isToggle);
        if (row.owner == ActionOwner::Pane) {
            action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        }
        connect(action, &QAction::triggered, this, [this, id = row.id] { Q_EMIT triggered(id); });
        m_actions.emplace(row.id, action);
    }
}

QAction* Actions::at(ActionId id) const
{
    return m_actions.at(id);
}

const ActionRow& Actions::rowOf(ActionId id)
{
    const auto& table = actionTable();
    return *std::find_if(table.begin(), table.end(),
                         [&](const ActionRow& row) { return row.id == id; });
}

QList<QAction*> Actions::all() const
{
    QList<QAction*> list;
    for (const ActionRow& row : actionTable()) {
        list << at(row.id);
    }
    return list;
}

void Actions::fill(QMenuBar& bar) const
{
    std::map<QString, QMenu*> known;
    for (const ActionRow& row : actionTable()) {
        QMenu* menu = menuOf(bar, QString::fromLatin1(row.menu), known);
        if (row.beginsGroup) {
            menu->addSeparator();
        }
        menu->addAction(at(row.id));
    }
}

} // namespace app::console

#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <map>
#include <optional>
#include <vector>

class QAction;
class QMenuBar;

/// Everything that the program can be asked to do, as one table: each action has a menu and a key.
namespace app::console {

enum class ActionId {
    NewFromTemplate,
    OpenPolicy,
    OpenRecent,
    Save,
    SaveAs,
    Reload,
    SaveList,
    OpenStore,
    SampleData,
    ClosePolicy,
    Quit,
    Undo,
    Redo,
    Cut,
    Copy,
    Paste,
    CopyAsText,
    SelectAll,
    Find,
    FindNext,
    FindPrevious,
    GoTo,
    Complete,
    CommentLines,
    NewRule,
    DuplicateRule,
    RenameRule,
    DeleteRule,
    RuleUp,
    RuleDown,
    RuleToTierBefore,
    RuleToTierAfter,
    Enforce,
    Shadow,
    Off,
    NextProblem,
    PreviousProblem,
    ApplyFix,
    SilenceAdvice,
    LabPattern,
    WhatChanged,
    TryAgainstLastLog,
    AddLogs,
    Replay,
    StartReplay,
    CancelJob,
    JobUp,
    JobDown,
    RemoveJob,
    CopyCommand,
    StartPolicyFromLog,
    RunList,
    RenameRun,
    DeleteRun,
    CompareWith,
    SwapSides,
    ExplainSelected,
    PreviousRejected,
    NextRejected,
    PreviousOfKey,
    NextOfKey,
    CopyForCustomer,
    KeyHistory,
    SuggestForRule,
    WriteValue,
    Report,
    PageAuthor,
    PageReplay,
    PageRuns,
    PageCompare,
    PageExplain,
    PageSuggest,
    PageExport,
    NextPane,
    PreviousPane,
    ShowText,
    ShowForm,
    ShowLab,
    ShowProblems,
    ZoomIn,
    ZoomOut,
    Fit,
    LogScale,
    TiersOrRules,
    ChartAsTable,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    NextTheme,
    TimesInUtc,
    FullScreen,
    HelpContents,
    HelpKeys,
    AdvicePage,
    About
};

/// Who an action belongs to. Window: always there. Page: done by the page that is seen, if it can.
/// Pane: its keys hold within one pane of a page only, so that keys may mean two things.
enum class ActionOwner { Window, Page, Pane };

struct ActionRow {
    ActionId id;
    const char* menu; ///< "&File"; "&View/T&heme" is a menu within one
    const char* text; ///< "Save &as..."
    std::vector<const char*> keys; ///< the first is shown
    ActionOwner owner = ActionOwner::Window;
    bool isToggle = false;
    bool beginsGroup = false; ///< a line above it
};

const std::vector<ActionRow>& actionTable();

/// The actions of one window, made from the table.
class Actions : public QObject {
    Q_OBJECT

public:
    explicit Actions(QObject* parent = nullptr);

    [[nodiscard]] QAction* at(ActionId id) const;
    [[nodiscard]] static const ActionRow& rowOf(ActionId id);
    /// Menus in the order of the table.
    void fill(QMenuBar& bar) const;
    [[nodiscard]] QList<QAction*> all() const;

Q_SIGNALS:
    void triggered(app::console::ActionId id);

private:
    std::map<ActionId, QAction*> m_actions;
};

} // namespace app::console

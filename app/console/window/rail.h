#pragma once

#include "app/console/frame/actions.h"
#include "app/console/frame/page.h"
#include "app/console/look/icons.h"

#include <array>

namespace app::console {

/// A place of the rail: a page, its icon and the action that shows it. In the order of work.
struct RailRow {
    PageId page;
    RailIcon icon;
    ActionId action;
    const char* name;
    bool beginsGroup = false;
};

inline constexpr std::array kRail {
    RailRow {PageId::Author, RailIcon::Author, ActionId::PageAuthor, "Author"},
    RailRow {PageId::Replay, RailIcon::Replay, ActionId::PageReplay, "Replay", true},
    RailRow {PageId::Runs, RailIcon::Runs, ActionId::PageRuns, "Runs", true},
    RailRow {PageId::Compare, RailIcon::Compare, ActionId::PageCompare, "Compare"},
    RailRow {PageId::Explain, RailIcon::Explain, ActionId::PageExplain, "Explain"},
    RailRow {PageId::Suggest, RailIcon::Suggest, ActionId::PageSuggest, "Suggest", true},
    RailRow {PageId::Export, RailIcon::Export, ActionId::PageExport, "Export"}};

} // namespace app::console

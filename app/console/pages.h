#pragma once

#include <vector>

class QWidget;

namespace app::console {

class Actions;
class Page;
class Session;

/// All pages that there are, in the order of the rail. The one place that knows them all.
std::vector<Page*> makePages(Session& session, Actions& actions, QWidget* parent);

} // namespace app::console

#include "app/console/pages.h"

#include "app/console/author/author_page.h"
#include "app/console/compare/compare_page.h"
#include "app/console/runs/runs_page.h"

namespace app::console {

std::vector<Page*> makePages(Session& session, Actions& actions, QWidget* parent)
{
    return {new AuthorPage(session, actions, parent), new RunsPage(session, actions, parent),
            new ComparePage(session, actions, parent)};
}

} // namespace app::console

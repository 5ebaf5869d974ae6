#include "app/console/pages.h"

#include "app/console/author/author_page.h"
#include "app/console/replay/replay_page.h"

namespace app::console {

std::vector<Page*> makePages(Session& session, Actions& actions, QWidget* parent)
{
    return {new AuthorPage(session, actions, parent), new ReplayPage(session, actions, parent)};
}

} // namespace app::console

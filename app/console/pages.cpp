#include "app/console/pages.h"

#include "app/console/author/author_page.h"
#include "app/console/compare/compare_page.h"
#include "app/console/explain/explain_page.h"
#include "app/console/exporting/export_page.h"
#include "app/console/replay/replay_page.h"
#include "app/console/runs/runs_page.h"
#include "app/console/start/sample_data.h"
#include "app/console/suggest/suggest_page.h"

namespace app::console {

std::vector<Page*> makePages(Session& session, Actions& actions, QWidget* parent)
{
    auto* author = new AuthorPage(session, actions, parent);
    auto* replay = new ReplayPage(session, actions, parent);
    auto* sample = new SampleData(session, replay->jobs(), parent);
    QObject::connect(sample, &SampleData::failed, author, [author](const QString& why) {
        author->banners().show({QStringLiteral("sample"), BannerKind::Error, why});
    });
    return {author,
            replay,
            new RunsPage(session, actions, parent),
            new ComparePage(session, actions, parent),
            new ExplainPage(session, actions, parent),
            new SuggestPage(session, actions, parent),
            new ExportPage(session, actions, parent)};
}

} // namespace app::console

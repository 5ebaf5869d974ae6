#include "app/console/session/recent.h"

#include <QFileInfo>
#include <QSettings>

namespace app::console {

namespace {

constexpr qsizetype kMost = 10;
const QString kKey = QStringLiteral("recent/policies");

} // namespace

QStringList recentPolicies()
{
    QStringList there;
    for (const QString& path : QSettings().value(kKey).toStringList()) {
        if (QFileInfo::exists(path)) {
            there << path;
        }
    }
    return there;
}

void addRecent(const QString& path)
{
    QStringList all = recentPolicies();
    all.removeAll(path);
    all.prepend(path);
    QSettings().setValue(kKey, QStringList(all.mid(0, kMost)));
}

} // namespace app::console

#pragma once

#include <QStringList>

namespace app::console {

/// Policies that were open, newest first, at most ten; those that are gone are left out.
QStringList recentPolicies();
void addRecent(const QString& path);

} // namespace app::console

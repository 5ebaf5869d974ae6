#pragma once

#include <QString>

#include <map>
#include <string>
#include <vector>

namespace app::console {

/// A policy to begin with: the examples that come with weir, as they are in policies/examples.
struct Template {
    QString name; ///< "Public API"
    QString what; ///< "four tiers: address, plan, endpoint, tenant"
    QString file; ///< proposed for saving: "public-api.yaml"
    std::string text;
    std::map<std::string, std::string> lookups; ///< files that it looks values up in: name, bytes
    int rules = 0;
};

const std::vector<Template>& templates();

/// A file that comes with the program: "examples/plans.csv", "sample/access.log.gz".
std::string shippedFile(const QString& name);

} // namespace app::console

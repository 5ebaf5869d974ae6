#include "app/console/start/templates.h"

#include "app/workbench/starting_policy.h"
#include "policies/read.h"

#include <QFile>

#include <array>

/// Within a library resources have to be asked for, and outside of any namespace.
static void useResources()
{
    Q_INIT_RESOURCE(console);
}

namespace app::console {

namespace {

constexpr std::string_view kEmptyPolicy = R"(# A rate limit policy for weir.
weir: 1
name: my-api
tiers:
  edge: []
  gateway: []
  endpoint: []
  tenant: []
)";

struct Shipped {
    const char* name;
    const char* what;
    const char* file;
    const char* lookup; ///< "": none
};

constexpr std::array kShipped {
    Shipped {"Public API", "four tiers: address, plan, endpoint, tenant", "public-api.yaml",
             "plans.csv"},
    Shipped {"Login protection", "exact windows per address and user, fail closed",
             "login-protection.yaml", ""},
    Shipped {"Tenants and users", "plans by tenant, users as a part of them",
             "multi-tenant-saas.yaml", "tenants.csv"},
    Shipped {"Fragile downstream", "pacing, short queues, few in flight", "fragile-downstream.yaml",
             ""},
    Shipped {"Internal fairness", "teams that share a platform, with exceptions",
             "internal-fairness.yaml", ""},
    Shipped {"Load shedding", "who gives way when the servers are full", "load-shedding.yaml", ""},
    Shipped {"Webhook sender", "sending to other people's servers", "webhook-sender.yaml", ""}};

int rulesOf(const std::string& text)
{
    std::size_t rules = 0;
    if (const policies::Checked checked = policies::read("template", text); checked.policy) {
        for (const auto& tier : checked.policy->tiers) {
            rules += tier.size();
        }
    }
    return static_cast<int>(rules);
}

Template made(const QString& name, const QString& what, const QString& file, std::string text)
{
    Template one {name, what, file, std::move(text), {}, 0};
    one.rules = rulesOf(one.text);
    return one;
}

std::string example(const QString& name)
{
    return shippedFile(QStringLiteral("examples/") + name);
}

std::vector<Template> makeTemplates()
{
    std::vector<Template> all;
    for (const Shipped& shipped : kShipped) {
        const QString file = QString::fromLatin1(shipped.file);
        all.push_back(made(QString::fromLatin1(shipped.name), QString::fromLatin1(shipped.what),
                           file, example(file)));
        const std::string lookup = shipped.lookup;
        if (!lookup.empty()) {
            all.back().lookups.emplace(lookup, example(QString::fromStdString(lookup)));
        }
    }
    all.push_back(made(QStringLiteral("A first policy"),
                       QStringLiteral("one rule of each kind, explained in comments"),
                       QStringLiteral("my-api.yaml"), std::string(kStartingPolicy)));
    all.push_back(made(QStringLiteral("Empty policy"),
                       QStringLiteral("a name and four empty tiers"), QStringLiteral("my-api.yaml"),
                       std::string(kEmptyPolicy)));
    return all;
}

} // namespace

std::string shippedFile(const QString& name)
{
    useResources();
    QFile file(QStringLiteral(":/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

const std::vector<Template>& templates()
{
    static const std::vector<Template> kTemplates = makeTemplates();
    return kTemplates;
}

} // namespace app::console

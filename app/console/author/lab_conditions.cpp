#include "app/console/author/lab_conditions.h"

#include "app/console/author/span_edit.h"
#include "app/console/frame/values.h"
#include "policies/client_profile.h"

#include <QComboBox>
#include <QHBoxLayout>

#include <array>

namespace app::console {

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::array<int, 4> kServers {1, 2, 4, 10};
constexpr std::array<engine::TierState, 4> kStates {
    engine::TierState {engine::StateKind::Shared, 0},
    {engine::StateKind::Local, 0},
    {engine::StateKind::Split, 0},
    {engine::StateKind::Sync, kNs}};
constexpr std::array<std::int64_t, 4> kSkews {0, 100 * kMs, kNs, 10 * kNs};

QComboBox* listOf(const QStringList& items, const char* name, const char* tip)
{
    QComboBox* const list = comboOf(items, QString::fromLatin1(name));
    list->setToolTip(QString::fromLatin1(tip));
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(8);
    return list;
}

/// Those of the presets that come again at all.
std::vector<const engine::ClientProfile*> profiles()
{
    std::vector<const engine::ClientProfile*> some;
    for (const engine::ClientProfile& preset : engine::clientPresets()) {
        if (preset.behaviours.front().attempts > 1) {
            some.push_back(&preset);
        }
    }
    return some;
}

QStringList profileNames()
{
    QStringList names {QStringLiteral("nobody comes again")};
    for (const engine::ClientProfile* const profile : profiles()) {
        names << words(profile->name);
    }
    return names;
}

} // namespace

LabConditionsRow::LabConditionsRow(QWidget* parent)
    : QWidget(parent)
    , m_servers(listOf({QStringLiteral("1 server"), QStringLiteral("2 servers"),
                        QStringLiteral("4 servers"), QStringLiteral("10 servers")},
                       "Lab: servers", "Requests go to the servers in turn"))
    , m_state(listOf({QStringLiteral("shared counts"), QStringLiteral("local counts"),
                      QStringLiteral("split limit"), QStringLiteral("sync each second")},
                     "Lab: where servers keep their counts",
                     "Shared: one state for all. Local: each its own, with the whole limit. "
                     "Split: each its share of the limit. Sync: local, told of the others' counts "
                     "each second"))
    , m_skew(listOf({QStringLiteral("clocks agree"), QStringLiteral("clocks off by 100 ms"),
                     QStringLiteral("clocks off by 1 s"), QStringLiteral("clocks off by 10 s")},
                    "Lab: clock skew", "By up to so much, either way"))
    , m_clients(listOf(profileNames(), "Lab: clients that come again",
                       "What the client does that is rejected"))
{
    QHBoxLayout* const row = rowOf(*this);
    row->setContentsMargins(12, 4, 12, 0);
    row->setSpacing(8);
    for (QComboBox* const list : {m_servers, m_state, m_skew, m_clients}) {
        row->addWidget(list, 1);
        connect(list, &QComboBox::activated, this, [this] {
            explain();
            Q_EMIT changed();
        });
    }
    const auto some = profiles();
    for (std::size_t i = 0; i < some.size(); ++i) {
        m_clients->setItemData(static_cast<int>(i) + 1,
                               words(policies::behaviourWords(some[i]->behaviours.front())),
                               Qt::ToolTipRole);
    }
    explain();
}

/// One server has its counts to itself.
void LabConditionsRow::explain()
{
    m_state->setEnabled(m_servers->currentIndex() > 0);
}

LabConditions LabConditionsRow::chosen() const
{
    LabConditions conditions;
    const auto at
        = [](const QComboBox* list) { return static_cast<std::size_t>(list->currentIndex()); };
    conditions.servers = static_cast<std::uint32_t>(kServers.at(at(m_servers)));
    if (conditions.servers > 1) {
        conditions.state = kStates.at(at(m_state));
    }
    conditions.skewNs = kSkews.at(at(m_skew));
    if (const std::size_t client = at(m_clients); client > 0) {
        conditions.clients = *profiles().at(client - 1);
    }
    return conditions;
}

} // namespace app::console

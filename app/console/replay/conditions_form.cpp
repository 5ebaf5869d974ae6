#include "app/console/replay/conditions_form.h"

#include "app/console/frame/button.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/replay/form_fields.h"
#include "policies/client_profile.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace app::console {

namespace {

const QString kBy = QStringLiteral("by:");

QStringList states()
{
    return {QStringLiteral("local"), QStringLiteral("split"), QStringLiteral("sync:1s")};
}

QStringList balances()
{
    return {QStringLiteral("random")};
}

QStringList counts()
{
    return {QStringLiteral("2"), QStringLiteral("4"), QStringLiteral("10")};
}

QStringList byEach(const QStringList& attributes)
{
    QStringList each;
    for (const QString& name : attributes) {
        each << kBy + name;
    }
    return each;
}

} // namespace

ConditionsForm::ConditionsForm(QWidget* parent)
    : QWidget(parent)
    , askProfile([this] {
        const QStringList paths
            = askForPaths(this, QStringLiteral("Choose a profile of clients"),
                          QStringLiteral("Profiles of clients (*.clients.yaml);;All (*)"), false);
        return paths.isEmpty() ? QString() : paths.front();
    })
    , m_head(new QToolButton)
    , m_body(new QWidget)
    , m_rows(new QFormLayout(m_body))
{
    m_head->setText(QStringLiteral("Servers, outages, clients"));
    m_head->setAccessibleName(m_head->text());
    m_head->setCheckable(true);
    m_head->setAutoRaise(true);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setFocusPolicy(Qt::StrongFocus);
    m_head->setFont(fontOf(Type::Small));
    arrange(*m_rows);
    buildServers();
    buildClients();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_head, 0, Qt::AlignLeft);
    column->addWidget(m_body);
    setOpen(false);
    connect(m_head, &QToolButton::toggled, this, &ConditionsForm::setOpen);
    follow();
}

void ConditionsForm::buildServers()
{
    m_nodes
        = addWritable(*m_rows, "Servers", "nodes", QStringList(QStringLiteral("one")) + counts(),
                      "How many share the requests; by:ATTRIBUTE where the log says which "
                      "server it was");
    m_balance = addWritable(*m_rows, "Balance", "balance",
                            QStringList(QStringLiteral("in turn")) + balances(),
                            "Which server gets a request: in turn, random, or by:ATTRIBUTE, the "
                            "same for the same value");
    m_state = addWritable(*m_rows, "Counts", "state",
                          QStringList(QStringLiteral("shared")) + states()
                              + QStringList(QStringLiteral("by tier")),
                          "Where servers keep their counts: one state for all; local, each its own "
                          "with the whole limit; split, with its share; sync:1s, told of the "
                          "others' each second");
    for (std::size_t i = 0; i < m_tiers.size(); ++i) {
        const std::string tier(engine::nameOf(static_cast<engine::Tier>(i)));
        m_tiers[i] = addWritable(*m_rows, tier.c_str(), ("state-" + tier).c_str(),
                                 QStringList(QStringLiteral("shared")) + states(),
                                 "Where servers keep the counts of this tier");
        m_tiers[i]->setAccessibleName(QStringLiteral("Counts of ") + words(tier));
        m_tiers[i]->lineEdit()->setAccessibleName(m_tiers[i]->accessibleName());
    }
    m_skew = addLine(*m_rows, "Clock skew", "simulate-skew", "none",
                     "The clock of each server is off by up to so much, either way: 250ms");
    for (QComboBox* const list : m_body->findChildren<QComboBox*>()) {
        connect(list, &QComboBox::currentTextChanged, this, [this] {
            follow();
            Q_EMIT changed();
        });
    }
    m_outages = addLine(*m_rows, "Store away", "store-outage", "never",
                        "When the store of the counts is away, commas between: "
                        "2026-11-28T12:00:00Z..2026-11-28T12:05:00Z");
    for (QLineEdit* const field : {m_skew, m_outages}) {
        connect(field, &QLineEdit::textChanged, this, &ConditionsForm::changed);
    }
}

void ConditionsForm::buildClients()
{
    auto* row = new QWidget;
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(4);
    m_clients = choiceOf("Clients", "clients", {QStringLiteral("do not come again")},
                         "What clients do that are rejected: a profile");
    for (const engine::ClientProfile& preset : engine::clientPresets()) {
        m_clients->addItem(words(preset.name), words(preset.name));
        m_clients->setItemData(m_clients->count() - 1,
                               words(policies::behaviourWords(preset.behaviours.front())),
                               Qt::ToolTipRole);
    }
    auto* file = plainButton(QStringLiteral("File..."));
    file->setAccessibleName(QStringLiteral("Clients from a file..."));
    file->setToolTip(QStringLiteral("A profile of your own: NAME.clients.yaml"));
    across->addWidget(m_clients, 1);
    across->addWidget(file);
    m_rows->addRow(QStringLiteral("Clients"), row);
    m_words = captionLabel({});
    m_words->setWordWrap(true);
    m_rows->addRow(QString(), m_words);
    connect(file, &QPushButton::clicked, this, &ConditionsForm::chooseProfile);
    connect(m_clients, &QComboBox::currentIndexChanged, this, &ConditionsForm::changed);
}

void ConditionsForm::chooseProfile()
{
    const QString path = askProfile();
    if (path.isEmpty()) {
        return;
    }
    if (m_clients->findData(path) < 0) {
        m_clients->addItem(shown(QFileInfo(path).fileName().toStdString(), 60), path);
        m_clients->setItemData(m_clients->count() - 1, plainTip(shown(path.toStdString())),
                               Qt::ToolTipRole);
    }
    const bool isSame = m_clients->currentData() == path;
    m_clients->setCurrentIndex(m_clients->findData(path));
    if (isSame) {
        Q_EMIT changed(); // the file may say something else by now
    }
}

void ConditionsForm::setOpen(bool isOpen)
{
    const QSignalBlocker quiet(m_head);
    m_head->setChecked(isOpen);
    m_head->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
    m_body->setVisible(isOpen);
    if (isOpen) {
        Q_EMIT opened();
    }
}

bool ConditionsForm::isOpen() const
{
    return m_head->isChecked();
}

bool ConditionsForm::isByTier() const
{
    return m_state->currentText() == QLatin1String("by tier");
}

void ConditionsForm::follow()
{
    const QString nodes = chosenText(*m_nodes).trimmed();
    const bool isOne = nodes.isEmpty() || nodes == QLatin1String("1");
    const bool isLogged = nodes.startsWith(kBy);
    m_balance->setEnabled(!isOne && !isLogged);
    setUsual(*m_balance,
             isOne          ? QStringLiteral("none: there is one server")
                 : isLogged ? QStringLiteral("as the log says")
                            : QStringLiteral("in turn"));
    m_state->setEnabled(!isOne);
    setUsual(*m_state,
             isOne ? QStringLiteral("none: there is one server") : QStringLiteral("shared"));
    for (QComboBox* const tier : m_tiers) {
        m_rows->setRowVisible(tier, isByTier() && !isOne);
    }
}

void ConditionsForm::setAttributes(const QStringList& names)
{
    setOthers(*m_nodes, counts() + byEach(names));
    setOthers(*m_balance, balances() + byEach(names));
}

void ConditionsForm::setProfile(const std::optional<engine::ClientProfile>& profile)
{
    QStringList lines;
    for (std::size_t i = 0; profile && i < profile->behaviours.size(); ++i) {
        const engine::Behaviour& behaviour = profile->behaviours[i];
        const QString name = profile->behaviours.size() > 1
            ? shown(behaviour.name, 60) + QStringLiteral(", ")
            : QString();
        lines << name + words(policies::behaviourWords(behaviour));
    }
    m_words->setText(lines.join(QLatin1Char('\n')));
    m_rows->setRowVisible(m_words, !lines.isEmpty());
}

/// "local", or "edge=local,gateway=sync:1s" of the tiers that do not share.
QString ConditionsForm::stateText() const
{
    if (!isByTier()) {
        return chosenText(*m_state);
    }
    QStringList parts;
    for (std::size_t i = 0; i < m_tiers.size(); ++i) {
        if (const QString state = chosenText(*m_tiers[i]).trimmed(); !state.isEmpty()) {
            parts << words(engine::nameOf(static_cast<engine::Tier>(i))) + QLatin1Char('=') + state;
        }
    }
    return parts.join(QLatin1Char(','));
}

GivenOptions ConditionsForm::given() const
{
    GivenOptions given;
    addText(given, "nodes", chosenText(*m_nodes));
    if (m_balance->isEnabled()) {
        addText(given, "balance", chosenText(*m_balance));
    }
    if (m_state->isEnabled()) {
        addText(given, "state", stateText());
    }
    addText(given, "simulate-skew", m_skew->text());
    for (const QString& span : m_outages->text().split(QLatin1Char(','))) {
        addText(given, "store-outage", span);
    }
    addText(given, "clients", m_clients->currentData().toString());
    return given;
}

} // namespace app::console

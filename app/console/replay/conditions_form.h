#pragma once

#include "app/workbench/given_options.h"
#include "engine/clients.h"
#include "engine/plan.h"

#include <QStringList>
#include <QWidget>

#include <array>
#include <functional>
#include <optional>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace app::console {

/// Under which conditions a replay decides: servers and where they keep their counts, outages of
/// their store, clients that come again. Folded to its head until it is opened.
class ConditionsForm : public QWidget {
    Q_OBJECT

public:
    explicit ConditionsForm(QWidget* parent = nullptr);

    /// As the options of the command line are called: nodes, balance, state, simulate-skew,
    /// store-outage, clients.
    [[nodiscard]] GivenOptions given() const;
    /// The attributes of the log at hand, by which servers may be told apart.
    void setAttributes(const QStringList& names);
    /// The profile that is chosen, for its words; nothing: none, or none that can be read.
    void setProfile(const std::optional<engine::ClientProfile>& profile);

    [[nodiscard]] bool isOpen() const;
    void setOpen(bool isOpen);

    /// Asks for a profile of clients; tests set their own. Empty: cancelled.
    std::function<QString()> askProfile;

Q_SIGNALS:
    void changed();
    void opened();

private:
    void buildServers();
    void buildClients();
    void chooseProfile();
    /// What can be said of servers follows from how many there are.
    void follow();
    [[nodiscard]] bool isByTier() const;
    [[nodiscard]] QString stateText() const;

    QToolButton* m_head;
    QWidget* m_body;
    QFormLayout* m_rows;
    QComboBox* m_nodes = nullptr;
    QComboBox* m_balance = nullptr;
    QComboBox* m_state = nullptr;
    std::array<QComboBox*, engine::kTierCount> m_tiers {}; ///< where each tier says its own
    QLineEdit* m_skew = nullptr;
    QLineEdit* m_outages = nullptr;
    QComboBox* m_clients = nullptr;
    QLabel* m_words = nullptr;
};

} // namespace app::console

#pragma once

#include "app/workbench/lab.h"

#include <QWidget>

class QComboBox;

namespace app::console {

/// Under which conditions the lab tries a rule, as a row of lists: how many servers, where they
/// keep their counts, how far their clocks are off, and clients that come again.
class LabConditionsRow : public QWidget {
    Q_OBJECT

public:
    explicit LabConditionsRow(QWidget* parent = nullptr);

    [[nodiscard]] LabConditions chosen() const;

Q_SIGNALS:
    void changed(); ///< by the user

private:
    void explain();

    QComboBox* m_servers;
    QComboBox* m_state;
    QComboBox* m_skew;
    QComboBox* m_clients;
};

} // namespace app::console

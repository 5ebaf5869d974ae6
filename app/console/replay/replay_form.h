#pragma once

#include "app/workbench/given_options.h"

#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <string>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QTimer;

namespace app::console {

class ConditionsForm;
struct LogRow;

/// The options of a replay as a form. What is left as it is by default is not given, so that the
/// run keeps the same words as one of the command line.
class ReplayForm : public QWidget {
    Q_OBJECT

public:
    explicit ReplayForm(QWidget* parent = nullptr);

    /// All that is given but for the name and the seed.
    [[nodiscard]] GivenOptions given() const;
    /// Of these, how logs are read: they change what a preview shows.
    [[nodiscard]] GivenOptions reading() const;
    [[nodiscard]] std::string runName() const;
    [[nodiscard]] std::uint64_t seed() const;

    void setPolicy(const QString& name, const QString& runName);
    /// What the log at hand lets one choose; nullptr: none.
    void setLog(const LogRow* log);
    /// Marks the field that a message is about ("from", "where"); "" for none.
    void setWrong(const QString& option);

    /// The part about servers, outages and clients.
    [[nodiscard]] ConditionsForm& conditions() const { return *m_conditions; }

    /// The first field, for the focus.
    [[nodiscard]] QWidget* firstField() const;

Q_SIGNALS:
    void changed();
    void readingChanged(); ///< shortly after the last key

private:
    void addHeading(QFormLayout* layout, const char* text);
    void build(QFormLayout* layout);
    void buildReading(QFormLayout* layout);
    void noteChanges();

    QLabel* m_policy;
    QLineEdit* m_name = nullptr;
    QLineEdit* m_from = nullptr;
    QLineEdit* m_to = nullptr;
    QLineEdit* m_where = nullptr;
    QComboBox* m_who = nullptr;
    QComboBox* m_spread = nullptr;
    QLineEdit* m_reorder = nullptr;
    QLineEdit* m_warmup = nullptr;
    QSpinBox* m_seed;
    ConditionsForm* m_conditions;
    QComboBox* m_format = nullptr;
    QLineEdit* m_zone = nullptr;
    QLineEdit* m_map = nullptr;
    QLineEdit* m_proxies = nullptr;
    QComboBox* m_rejection = nullptr;
    QComboBox* m_takePart = nullptr;
    QTimer* m_readingTimer;
};

} // namespace app::console

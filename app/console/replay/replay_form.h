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

    /// The first field, for the focus.
    [[nodiscard]] QWidget* firstField() const;

Q_SIGNALS:
    void changed();
    void readingChanged(); ///< shortly after the last key

private:
    QLineEdit* addLine(QFormLayout* layout, const char* label, const char* option,
                       const char* placeholder, const char* tip);
    QComboBox* addChoice(QFormLayout* layout, const char* label, const char* option,
                         const QStringList& choices, const char* tip);
    void addHeading(QFormLayout* layout, const char* text);
    void noteReading();

    QLabel* m_policy;
    QLineEdit* m_name;
    QLineEdit* m_from;
    QLineEdit* m_to;
    QLineEdit* m_where;
    QComboBox* m_who;
    QComboBox* m_spread;
    QLineEdit* m_reorder;
    QLineEdit* m_warmup;
    QSpinBox* m_seed;
    QComboBox* m_format;
    QLineEdit* m_zone;
    QLineEdit* m_map;
    QLineEdit* m_proxies;
    QComboBox* m_rejection;
    QComboBox* m_takePart;
    QTimer* m_readingTimer;
};

} // namespace app::console

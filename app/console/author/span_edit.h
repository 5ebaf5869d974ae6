#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <optional>

class QComboBox;
class QHBoxLayout;

namespace app::console {

class NumberEdit;

QComboBox* comboOf(const QStringList& items, const QString& name); ///< with an accessible name
void nameList(QComboBox& list, const QString& name); ///< and what it opens
QHBoxLayout* rowOf(QWidget& owner); ///< without margins

/// A length of time as a number and a unit: 90 seconds, 2 minutes. May be empty.
class SpanEdit : public QWidget {
    Q_OBJECT

public:
    SpanEdit(const QString& name, const QString& unitName, QWidget* parent = nullptr);

    /// In the largest unit that fits, but as the user has put it where that is the same.
    void set(std::optional<std::int64_t> ns, const QString& placeholder = {});
    /// Nothing: no number, or one beyond 64 bits.
    [[nodiscard]] std::optional<std::int64_t> ns() const;

    [[nodiscard]] NumberEdit& number() const { return *m_number; }

Q_SIGNALS:
    void edited(); ///< by the user

private:
    NumberEdit* m_number;
    QComboBox* m_unit;
};

} // namespace app::console

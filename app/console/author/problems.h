#pragma once

#include "engine/diagnostic.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <vector>

namespace policies {
struct Policy;
}

namespace app::console {

/// What checking a policy said: errors first, then advice, each by line. At most 1,000 rows; how
/// many more there are is for the caption.
class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int kMost = 1000;

    enum Column { Kind, Message, Rule, Line, Code, kColumns };

    explicit ProblemsModel(QObject* parent = nullptr);

    /// `policy` names the rule that a line lies in; nullptr: none is named.
    void set(std::vector<engine::Diagnostic> problems, const policies::Policy* policy);

    [[nodiscard]] const engine::Diagnostic& at(int row) const
    {
        return m_problems.at(static_cast<std::size_t>(row));
    }

    [[nodiscard]] std::size_t left() const; ///< not shown
    [[nodiscard]] QString ruleAt(int row) const; ///< its name as it is, "" for none
    /// "1 error, 6 advice".
    [[nodiscard]] QString summary() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    std::vector<engine::Diagnostic> m_problems;
    std::vector<QString> m_rules;
};

/// The rule whose lines have this one, by its name as it is; "" for none.
QString ruleOfLine(const policies::Policy& policy, std::int64_t line);

} // namespace app::console

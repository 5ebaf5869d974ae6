#pragma once

#include "policies/policy.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace app::console {

/// A change of one entry of a match: its new value as in YAML, or "" to take it away.
struct MatchChange {
    std::string attribute;
    std::string value;
    std::string renamedFrom; ///< the attribute that it was of before; "" for the same
};

/// The entries of a match as rows: attribute, is or is not, values. One more by a list of
/// attributes. Each change is one of a single entry, so that the others stay as they are written.
class MatchEditor : public QWidget {
    Q_OBJECT

public:
    explicit MatchEditor(QWidget* parent = nullptr);

    void set(const policies::MatchList* match, const std::vector<std::string>& known);

    /// The next set() is of another rule: what is half typed here is not its.
    void forget() { m_isOther = true; }

    void focusFirst();

Q_SIGNALS:
    void changed(const app::console::MatchChange& change);
    void refused(); ///< what was typed as values: its quotes are not in order

private:
    struct Entry {
        std::string attribute;
        bool negated = false;
        QString values;

        friend bool operator==(const Entry&, const Entry&) = default;
    };

    /// One row: of an entry, or of the next one.
    struct Row {
        QWidget* widget = nullptr;
        QComboBox* attribute = nullptr;
        QComboBox* negated = nullptr;
        QLineEdit* values = nullptr;
    };

    void rebuild();
    void update();
    void addRow(const Entry& entry, bool isNew);
    void fillRow(Row& row, const Entry& entry, bool isNew);
    void tell(const Row& row, const std::string& before);

    std::vector<Entry> m_entries;
    std::vector<Row> m_built;
    std::vector<std::string> m_known;
    bool m_isOther = false;
    QVBoxLayout* m_rows;
};

/// Values as people list them: `GET, HEAD`; what has a comma or quotes stands in double quotes.
QString valuesText(const std::vector<policies::Word>& values);
/// Back, as YAML: "[GET, HEAD]", "free"; with `negated` "{ not: free }". "" for no value.
/// Nothing where the quotes are not in order: `ab"c"`, `"x" y`, `"x`.
std::optional<std::string> valuesYaml(const QString& text, bool negated);

} // namespace app::console

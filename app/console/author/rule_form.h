#pragma once

#include "app/console/author/policy_desk.h"
#include "app/console/author/value_edits.h"
#include "app/console/frame/panel.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace app::console {

class KeyEdit;
class MatchEditor;
class Segments;
class SentenceBox;
struct MatchChange;

/// The rule that is selected, field by field: those that its algorithm has, and no others. On top
/// what they amount to; under a wrong one what is wrong.
class RuleForm : public Panel {
    Q_OBJECT

public:
    explicit RuleForm(PolicyDesk& desk, QWidget* parent = nullptr);

    /// "" for none.
    void showRule(const std::string& rule);
    /// Takes in what the desk has now.
    void refresh();
    void focusFirst();
    void focusName(); ///< selected, to be typed over
    /// Marks the field whose value the byte of the text lies in.
    void markFieldAt(std::size_t byte);

    [[nodiscard]] const std::string& rule() const { return m_rule; }

    [[nodiscard]] QString sentence() const; ///< with its second line
    /// The edit of a field, by its name in the policy; nullptr where the rule has none.
    [[nodiscard]] ValueEdit* edit(std::string_view field) const;
    [[nodiscard]] QString errorOf(std::string_view field) const; ///< that is shown under it

Q_SIGNALS:
    /// The rule is about to be called otherwise.
    void renaming(const QString& before, const QString& after);
    void renamed(const QString& after); ///< now; or it was refused, and is called as before. Not
                                        ///< where another rule is chosen by then
    /// The bytes of the value that the focus is on; the same twice: none.
    void valueFocused(qulonglong begin, qulonglong end);
    void left(); ///< Esc: back to the board

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    struct Row {
        QLabel* label = nullptr;
        QWidget* holder = nullptr;
        ValueEdit* edit = nullptr; ///< of a value of the limit; others have widgets of their own
        QLabel* error = nullptr;
    };

    void build();
    void buildHead();
    void buildMatch();
    void buildValues();
    void buildMore();
    Row& addRow(const std::string& field, const QString& label, QWidget* widget);
    void showFields(const policies::Rule& rule);
    void showParts(const policies::Rule& rule);
    void showWords(const policies::Rule& rule);
    void showErrors(const policies::Rule& rule);
    void showMore(const policies::Rule& rule);
    void setRowShown(const std::string& field, bool isShown);
    void setError(const std::string& field, const QString& error);
    [[nodiscard]] std::vector<QWidget*> focusOrder() const;
    void follow(QWidget* now);
    void markFocused();

    [[nodiscard]] const policies::Rule* current() const;
    [[nodiscard]] const policies::Override* override(const policies::Rule& rule) const;
    [[nodiscard]] policies::Part part() const;

    void write(const std::string& field, const std::string& value);
    bool take(const std::string& field, const engine::Result<policies::Edits>& edits);
    void rename();
    void changeMatch(const MatchChange& change);
    void changeAlgorithm(int index);
    void changeMode(int index);

    PolicyDesk& m_desk;
    std::string m_rule;
    bool m_isLeaving = false; ///< another rule is about to be shown
    std::string m_override; ///< "" the rule itself
    std::map<std::string, Row> m_rows;
    std::map<std::string, QString> m_refused; ///< by field: what the last edit was refused for
    std::string m_focused; ///< the field that has the focus

    QScrollArea* m_scroll;
    QWidget* m_content;
    QLabel* m_empty;
    QGridLayout* m_form;
    SentenceBox* m_sentence;
    QLabel* m_problem;
    QComboBox* m_parts;
    QLineEdit* m_name;
    QLineEdit* m_matches;
    QPushButton* m_editMatch;
    MatchEditor* m_match;
    KeyEdit* m_key;
    QComboBox* m_algorithm;
    Segments* m_mode;
    QToolButton* m_more;
};

} // namespace app::console

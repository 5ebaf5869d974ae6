#pragma once

#include <QStringList>
#include <QWidget>

#include <string>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace app::console {

/// The attributes that a rule counts by: a list for each of them, and one more by `+`. None is one
/// bucket for all.
class KeyEdit : public QWidget {
    Q_OBJECT

public:
    explicit KeyEdit(QWidget* parent = nullptr);

    /// `known`: what may be chosen, in order; those of the key are there in any case.
    void set(const std::vector<std::string>& key, const std::vector<std::string>& known);
    [[nodiscard]] std::vector<std::string> key() const;
    void setWrong(bool isWrong);

Q_SIGNALS:
    void edited();

private:
    QComboBox* addBox(const std::string& chosen);
    void rebuild(const std::vector<std::string>& key);

    QHBoxLayout* m_row;
    QToolButton* m_add;
    std::vector<QComboBox*> m_boxes;
    std::vector<std::string> m_known;
    std::vector<std::string> m_key;
    bool m_isBuilt = false;
};

} // namespace app::console

#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;

namespace app::console {

/// A row of buttons of which one is pressed: enforce | shadow | off. Left and Right choose.
class Segments : public QWidget {
    Q_OBJECT

public:
    /// `name` is told to who reads the screen aloud: "Mode of tenant-total".
    Segments(const QStringList& choices, const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] int current() const;
    void setCurrent(int index); ///< without chosen()

Q_SIGNALS:
    void chosen(int index); ///< by the user

private:
    QButtonGroup* m_group;
};

} // namespace app::console

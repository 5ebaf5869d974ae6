#pragma once

#include "app/console/frame/panel.h"
#include "storage/zone.h"

#include <functional>
#include <memory>
#include <string>

class QComboBox;
class QPlainTextEdit;

namespace app::console {

/// What may be told to a customer, in a zone that is chosen, ready to be copied.
class CustomerPanel : public Panel {
    Q_OBJECT

public:
    explicit CustomerPanel(QWidget* parent = nullptr);

    /// `say`: the text with times in a zone; nothing: there is none.
    void setText(std::function<std::string(const storage::Zone&)> say);
    [[nodiscard]] QString text() const;
    void copy() const;
    /// Errors are said in the caption.
    void setZone(const QString& name);
    [[nodiscard]] QWidget& pane() const;

private:
    void build();

    std::function<std::string(const storage::Zone&)> m_say;
    QComboBox* m_zone;
    QPlainTextEdit* m_text;
};

} // namespace app::console

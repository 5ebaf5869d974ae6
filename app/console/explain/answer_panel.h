#pragma once

#include "app/console/frame/panel.h"
#include "app/workbench/client_answer.h"

#include <functional>

class QComboBox;
class QPlainTextEdit;

namespace app::console {

/// What the client of a request is told: head and body of the answer, in a form that is chosen.
class AnswerPanel : public Panel {
    Q_OBJECT

public:
    explicit AnswerPanel(QWidget* parent = nullptr);

    /// `tell`: the answer in a form; nothing: there is none.
    void setAnswer(std::function<ClientAnswer(engine::HeaderStyle)> tell);
    [[nodiscard]] QString text() const;
    void setStyleOfHeaders(engine::HeaderStyle style);
    [[nodiscard]] engine::HeaderStyle styleOfHeaders() const;
    [[nodiscard]] QWidget& pane() const;

private:
    void build();

    std::function<ClientAnswer(engine::HeaderStyle)> m_tell;
    QComboBox* m_style;
    QPlainTextEdit* m_text;
};

} // namespace app::console

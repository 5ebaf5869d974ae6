#pragma once

#include "app/console/frame/page.h"
#include "app/console/session/worker.h"

#include <optional>
#include <string>

class QLabel;
class QPlainTextEdit;

namespace app::console {

class ActionButton;
class FigureModel;
class FigureView;
class Panel;
class TextView;

/// The canonical text of the policy, as `weir export` writes it, beside what sets it apart from the
/// file on disk: line by line, and in words. Saving never touches the policy that is open.
class ExportPage : public Page {
    Q_OBJECT

public:
    ExportPage(Session& session, Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] QList<QWidget*> panes() const override;
    [[nodiscard]] std::vector<ActionId> offers() const override;
    [[nodiscard]] bool can(ActionId action) const override;
    void perform(ActionId action) override;
    void entered() override;

    [[nodiscard]] const std::optional<std::string>& text() const { return m_text; }

    [[nodiscard]] bool isBusy() const { return m_worker.isBusy(); }

private:
    struct Exported;

    QWidget* buildRight();
    void refresh();
    void show(Exported exported);
    void save();

    Panel* m_textPanel;
    TextView* m_view;
    QLabel* m_empty;
    Panel* m_linesPanel;
    TextView* m_lines;
    Panel* m_wordsPanel;
    FigureView* m_words;
    FigureModel* m_wordsModel;
    std::optional<std::string> m_text;
    std::string m_name;
    Worker m_worker;
};

} // namespace app::console

#pragma once

#include "app/console/explain/explain_work.h"
#include "app/console/frame/panel.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace app::console {

class EmptyState;
class FigureView;
class FoundModel;

/// Looks for requests of a run: who, when, path, rule, outcome, request id. Shows those of the
/// worst second until somebody asks.
class FinderPanel : public Panel {
    Q_OBJECT

public:
    explicit FinderPanel(QWidget* parent = nullptr);

    /// What is asked for. Errors: those of parseTime().
    [[nodiscard]] engine::Result<RequestQuery> query() const;
    /// Puts a period into the form.
    void setPeriod(std::int64_t fromNs, std::int64_t toNs);
    void setAnswer(const ListAnswer& answer);
    void setMessage(const QString& text); ///< instead of a list
    void clearForm();

    [[nodiscard]] const std::vector<FoundRequest>& requests() const;

    [[nodiscard]] FigureView& list() const { return *m_list; }

    [[nodiscard]] QWidget* firstField() const;

Q_SIGNALS:
    void findAsked();
    void requestAsked(quint64 n);

private:
    QLineEdit* m_who;
    QLineEdit* m_from;
    QLineEdit* m_to;
    QLineEdit* m_path;
    QComboBox* m_rule;
    QComboBox* m_outcome;
    QLineEdit* m_requestId;
    QStackedWidget* m_stack;
    EmptyState* m_message;
    FigureView* m_list;
    FoundModel* m_model;
};

} // namespace app::console

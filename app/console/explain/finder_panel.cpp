#include "app/console/explain/finder_panel.h"

#include "app/console/explain/found_model.h"
#include "app/console/frame/button.h"
#include "app/console/frame/empty_state.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/values.h"
#include "app/workbench/figures_text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace app::console {

namespace {

void add(QGridLayout& grid, int column, const char* label, QWidget* field, const char* tip)
{
    QLabel* caption = captionLabel(QString::fromLatin1(label));
    caption->setBuddy(field);
    field->setAccessibleName(QString::fromLatin1(label));
    field->setToolTip(QString::fromUtf8(tip));
    grid.addWidget(caption, 0, column);
    grid.addWidget(field, 1, column);
}

engine::Result<std::optional<std::int64_t>> timeOf(const QLineEdit& field)
{
    const std::string text = field.text().trimmed().toStdString();
    if (text.empty()) {
        return std::optional<std::int64_t>();
    }
    const engine::Result<std::int64_t> time = parseTime(text);
    return time ? engine::Result<std::optional<std::int64_t>>(std::optional(*time))
                : engine::fail(time.error());
}

} // namespace

FinderPanel::FinderPanel(QWidget* parent)
    : Panel(QStringLiteral("Requests"), parent)
    , m_who(new QLineEdit)
    , m_from(new QLineEdit)
    , m_to(new QLineEdit)
    , m_path(new QLineEdit)
    , m_rule(new QComboBox)
    , m_outcome(new QComboBox)
    , m_requestId(new QLineEdit)
    , m_stack(new QStackedWidget)
    , m_message(new EmptyState({}))
    , m_list(new FigureView(QStringLiteral("Requests that were found")))
    , m_model(new FoundModel(this))
{
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(12, 8, 12, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    add(*grid, 0, "Who", m_who, "A part of the key, user or address that sent it");
    add(*grid, 1, "From", m_from, "2026-03-10T12:00:00Z, or a day");
    add(*grid, 2, "To", m_to, "2026-03-10T13:00:00Z, or a day; itself not included");
    add(*grid, 3, "Path", m_path, "A part of the path, as the run groups it");
    add(*grid, 4, "Rule", m_rule, "That rejected it, or would have");
    add(*grid, 5, "Outcome", m_outcome, "What became of it");
    add(*grid, 6, "Request id", m_requestId, "The whole of it; the log is read again");
    QPushButton* find = plainButton(QStringLiteral("Find"));
    find->setAccessibleName(QStringLiteral("Find requests"));
    grid->addWidget(find, 1, 7);
    for (const int wide : {0, 1, 2, 3, 6}) {
        grid->setColumnStretch(wide, 1);
    }
    m_outcome->addItems({QStringLiteral("rejected"), QStringLiteral("would be rejected"),
                         QStringLiteral("admitted"), QStringLiteral("any")});
    m_rule->addItem(QStringLiteral("any rule"));
    m_rule->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_rule->setMinimumContentsLength(10);
    for (QComboBox* box : {m_rule, m_outcome}) {
        box->view()->setAccessibleName(box->accessibleName());
    }
    m_list->setModel(m_model);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_stack->addWidget(m_message);
    m_stack->addWidget(m_list);
    layout->addLayout(grid);
    layout->addWidget(m_stack, 1);
    setBody(body);
    connect(find, &QPushButton::clicked, this, &FinderPanel::findAsked);
    for (QLineEdit* field : {m_who, m_from, m_to, m_path, m_requestId}) {
        connect(field, &QLineEdit::returnPressed, this, &FinderPanel::findAsked);
    }
    connect(m_list, &FigureView::rowAsked, this,
            [this](const QModelIndex& index) { Q_EMIT requestAsked(m_model->at(index.row()).n); });
}

engine::Result<RequestQuery> FinderPanel::query() const
{
    RequestQuery query;
    query.who = m_who->text().trimmed().toStdString();
    query.path = m_path->text().trimmed().toStdString();
    query.requestId = m_requestId->text().trimmed().toStdString();
    if (m_rule->currentIndex() > 0) {
        query.rule = m_rule->currentData().toByteArray().toStdString();
    }
    switch (m_outcome->currentIndex()) {
    case 0:
        query.outcome = FoundOutcome::Rejected;
        break;
    case 1:
        query.outcome = FoundOutcome::WouldReject;
        break;
    case 2:
        query.outcome = FoundOutcome::Admitted;
        break;
    default:
        query.outcome.reset();
        break;
    }
    if (!query.requestId.empty()) {
        query.outcome.reset(); // there is one, whatever became of it
    }
    const auto from = timeOf(*m_from);
    const auto to = timeOf(*m_to);
    if (!from || !to) {
        return engine::fail(!from ? from.error() : to.error());
    }
    query.fromNs = *from;
    query.toNs = *to;
    return query;
}

void FinderPanel::setPeriod(std::int64_t fromNs, std::int64_t toNs)
{
    m_from->setText(QString::fromStdString(rfc3339(fromNs)));
    m_to->setText(QString::fromStdString(rfc3339(toNs)));
}

void FinderPanel::clearForm()
{
    for (QLineEdit* field : {m_who, m_from, m_to, m_path, m_requestId}) {
        field->clear();
    }
    m_rule->setCurrentIndex(0);
    m_outcome->setCurrentIndex(0);
}

void FinderPanel::setMessage(const QString& text)
{
    m_message->setText(text);
    m_stack->setCurrentIndex(0);
    setCaption({});
}

void FinderPanel::setAnswer(const ListAnswer& answer)
{
    const QSignalBlocker quiet(m_rule);
    const QVariant rule = m_rule->currentData();
    while (m_rule->count() > 1) {
        m_rule->removeItem(1);
    }
    for (const std::string& name : answer.rules) {
        m_rule->addItem(shown(name, 100), QByteArray::fromStdString(name));
    }
    m_rule->setCurrentIndex(std::max(0, m_rule->findData(rule)));
    const FoundRequests& found = answer.found;
    m_model->setRequests(found.requests);
    m_list->fitColumns(FoundModel::Path);
    if (found.requests.empty()) {
        setMessage(answer.worstSecond || answer.run.totals.rejected > 0
                       ? QStringLiteral("No request of run %1 is such. Ask for less, or for "
                                        "another outcome.")
                             .arg(answer.run.id)
                       : QStringLiteral("Run %1 rejected no request.").arg(answer.run.id));
        return;
    }
    m_stack->setCurrentIndex(1);
    m_list->setCurrentIndex(m_model->index(0, 0));
    QString caption = plural(found.requests.size() + found.more, QStringLiteral("request"),
                             QStringLiteral("requests"));
    if (found.more > 0) {
        caption
            = QStringLiteral("the first %1 of %2").arg(countText(found.requests.size()), caption);
    }
    if (answer.worstSecond) {
        caption = QStringLiteral("the worst second, %1: %2")
                      .arg(momentText(secondNs(*answer.worstSecond), TimeForm::Second), caption);
    }
    setCaption(caption + QStringLiteral(", Return explains one"));
}

const std::vector<FoundRequest>& FinderPanel::requests() const
{
    return m_model->requests();
}

QWidget* FinderPanel::firstField() const
{
    return m_who;
}

} // namespace app::console

#include "app/console/start/start_view.h"

#include "app/console/frame/actions.h"
#include "app/console/frame/button.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/session/recent.h"
#include "app/console/session/session.h"
#include "app/console/start/templates.h"

#include <QAction>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <array>

namespace app::console {

namespace {

constexpr int kWidth = 856;

struct StartAction {
    ActionId id;
    const char* label;
    const char* what;
};

constexpr std::array kActions {
    StartAction {
        ActionId::SampleData, "Try the sample data",
        "A policy of four tiers and a recorded day that come with the program. Takes a second."},
    StartAction {ActionId::OpenPolicy, "Open a policy...",
                 "A .yaml file. You can also drop it here."},
    StartAction {ActionId::AddLogs, "Add a log...",
                 "Access logs of nginx, Apache, HAProxy, Envoy, AWS, IIS and others: plain, .gz, "
                 ".zst."}};

} // namespace

StartView::StartView(Session& session, Actions& actions, QWidget* parent)
    : QScrollArea(parent)
    , m_session(session)
    , m_templates(new FigureView(QStringLiteral("Templates")))
    , m_recent(new FigureView(QStringLiteral("Recent policies")))
    , m_recentModel(new FigureModel(this))
    , m_recentEmpty(nullptr)
{
    auto* page = new QWidget;
    auto* across = new QHBoxLayout(page);
    auto* column = new QWidget(page);
    column->setMaximumWidth(kWidth);
    auto* layout = new QVBoxLayout(column);
    layout->setSpacing(16);
    layout->addStretch(1);
    QLabel* title
        = plainLabel(QStringLiteral("Write a limit, then see whom it would have rejected"));
    title->setFont(fontOf(Type::Figure));
    layout->addWidget(title);
    layout->addWidget(
        captionLabel(QStringLiteral("Nothing is sent anywhere. Recorded requests are "
                                    "read where they are; results go into one file.")));
    layout->addWidget(buildActions(actions));
    layout->addWidget(buildTemplates());
    layout->addWidget(buildRecent());
    layout->addStretch(2);
    across->addStretch(1);
    across->addWidget(column, 100);
    across->addStretch(1);
    setWidget(page);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
}

QWidget* StartView::buildActions(Actions& actions)
{
    auto* panel = new console::Panel(QStringLiteral("Start"));
    auto* body = new QWidget;
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(4, 4, 4, 8);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const StartAction& one : kActions) {
        QAction* action = actions.at(one.id);
        auto* button = new ActionButton(action, row == 0 ? Rank::Primary : Rank::Outlined, body);
        button->setLabel(QString::fromLatin1(one.label));
        button->setMinimumWidth(232);
        QLabel* what = captionLabel(QString::fromLatin1(one.what), body);
        grid->addWidget(button, row, 0);
        grid->addWidget(what, row, 1);
        // What is not there is not shown (frame/window hides its action).
        const auto follow = [action, button, what] {
            button->setVisible(action->isVisible());
            what->setVisible(action->isVisible());
        };
        connect(action, &QAction::changed, button, follow);
        follow();
        ++row;
    }
    panel->setBody(body, true);
    return panel;
}

QWidget* StartView::buildTemplates()
{
    auto* panel = new console::Panel(QStringLiteral("New from a template"));
    panel->setCaption(QStringLiteral("Ctrl+N"));
    panel->addTool(captionLabel(QStringLiteral("Enter opens it, unsaved")));
    FigureTable table {"templates",
                       "Templates",
                       {{"template", "Template", TextTable::Align::Left},
                        {"what", "What it has", TextTable::Align::Left},
                        {"rules", "Rules", TextTable::Align::Right}}};
    for (const Template& one : templates()) {
        table.add({Cell::words(one.name.toStdString()), Cell::words(one.what.toStdString()),
                   Cell::number(static_cast<std::uint64_t>(one.rules))});
    }
    auto* model = new FigureModel(this);
    model->setTable(std::move(table));
    m_templates->setModel(model);
    m_templates->fitColumns(1);
    m_templates->selectRow(0);
    m_templates->setFixedHeight((model->rowCount() + 1) * rowHeight() + 4);
    connect(m_templates, &FigureView::rowAsked, this,
            [this](const QModelIndex& index) { openTemplate(index.row()); });
    panel->setBody(m_templates);
    return panel;
}

QWidget* StartView::buildRecent()
{
    auto* panel = new console::Panel(QStringLiteral("Recent"));
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    m_recentEmpty = plainLabel(QStringLiteral("  Policies that you open are listed here."));
    m_recentEmpty->setFixedHeight(rowHeight() + 8);
    m_recent->setModel(m_recentModel);
    layout->addWidget(m_recentEmpty);
    layout->addWidget(m_recent);
    connect(m_recent, &FigureView::rowAsked, this, [this](const QModelIndex& index) {
        Q_EMIT openAsked(m_recentPaths.value(index.row()));
    });
    panel->setBody(body);
    return panel;
}

void StartView::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    m_recentPaths = recentPolicies();
    FigureTable table {"recent",
                       "Recent",
                       {{"policy", "Policy", TextTable::Align::Left},
                        {"folder", "Folder", TextTable::Align::Left}}};
    for (const QString& path : m_recentPaths) {
        const QFileInfo file(path);
        table.add(
            {Cell::value(file.fileName().toStdString()), Cell::value(file.path().toStdString())});
    }
    m_recentModel->setTable(std::move(table));
    m_recent->fitColumns(1);
    const int rows = m_recentModel->rowCount();
    m_recent->setVisible(rows > 0);
    m_recent->setFixedHeight((rows + 1) * rowHeight() + 4);
    m_recentEmpty->setVisible(rows == 0);
}

void StartView::openTemplate(int row)
{
    const Template& one = templates().at(static_cast<std::size_t>(row));
    m_session.document().openText(one.text, one.file, one.lookups);
}

} // namespace app::console

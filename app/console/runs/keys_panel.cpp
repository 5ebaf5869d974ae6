#include "app/console/runs/keys_panel.h"

#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/values.h"
#include "app/workbench/run_tables.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kPatience = 150; ///< ms after the last key
constexpr int kFilterWidth = 140;

FigureTable badLinesTable(const RunOverview& run)
{
    using Align = TextTable::Align;
    FigureTable table {"lines_not_read",
                       "Lines not read",
                       {{"reason", "Reason", Align::Left},
                        {"lines", "Lines"},
                        {"first_line", "First line"},
                        {"example", "Example", Align::Left}}};
    for (const storage::BadLines& bad : run.detail.badLines) {
        const bool hasExample = !bad.examples.empty();
        table.add(
            {Cell::words(bad.reason), Cell::number(bad.count),
             hasExample ? Cell::number(bad.examples.front().line) : Cell {},
             hasExample ? Cell::value(run.secrets.shownLine(bad.examples.front().text)) : Cell {}});
    }
    return table;
}

FigureTable notesTable(const RunOverview& run)
{
    using Align = TextTable::Align;
    FigureTable table {
        "notes", "Notes", {{"note", "Note", Align::Left}, {"code", "Code", Align::Left}}};
    for (const storage::Note& note : run.detail.notes) {
        table.add({Cell::value(note.text), Cell::words(note.code)});
    }
    return table;
}

} // namespace

KeysPanel::KeysPanel(QWidget* parent)
    : Panel(QString(), parent)
    , m_tabs(new QTabBar(this))
    , m_filter(new QLineEdit(this))
    , m_stack(new QStackedWidget(this))
    , m_keys(new KeysModel(this))
    , m_view(new FigureView(QStringLiteral("Keys"), this))
    , m_which(new QComboBox(this))
{
    buildTabs();
    buildConditions();
    m_view->setModel(m_keys);
    m_view->setSortingEnabled(true);
    m_view->horizontalHeader()->setSortIndicator(static_cast<int>(KeyColumn::Denied),
                                                 Qt::DescendingOrder);
    m_view->installEventFilter(this);
    m_stack->insertWidget(Keys, m_view);
    m_stack->setCurrentIndex(Keys);
    setBody(m_stack);
    setFocusProxy(m_view);
    m_filter->setAccessibleName(QStringLiteral("Filter of keys"));
    m_filter->setPlaceholderText(QStringLiteral("Filter, Ctrl+F"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(kFilterWidth);
    m_filter->installEventFilter(this);
    addTool(m_filter);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
    connect(m_filter, &QLineEdit::textChanged, &m_patience, qOverload<>(&QTimer::start));
    connect(&m_patience, &QTimer::timeout, this, [this] {
        KeyChoice choice = m_keys->choice();
        choice.filter = m_filter->text();
        m_keys->choose(choice);
    });
    connect(m_keys, &KeysModel::orderChanged, this, &KeysPanel::showCaption);
    connect(m_keys, &KeysModel::dataChanged, this, &KeysPanel::fitOnce);
    connect(m_keys, &KeysModel::failed, this, &KeysPanel::failed);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &KeysPanel::showCaption);
    connect(m_view, &FigureView::rowAsked, this,
            [this](const QModelIndex& index) { Q_EMIT keyAsked(index.row()); });
}

void KeysPanel::buildTabs()
{
    m_tabs->setAccessibleName(QStringLiteral("Keys and what else is known of the run"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(QStringLiteral("Keys"));
    const std::array<QString, 5> names {
        QStringLiteral("Delays"), QStringLiteral("Not read"), QStringLiteral("Notes"),
        QStringLiteral("Servers and clients"), QStringLiteral("Memory")};
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_tabs->addTab(names[i]);
        m_others[i] = new FigureModel(this);
        m_otherViews[i] = new FigureView(names[i], this);
        m_otherViews[i]->setModel(m_others[i]);
        m_stack->addWidget(m_otherViews[i]);
    }
    addHeadWidget(m_tabs);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_stack->setCurrentIndex(tab);
        m_filter->setVisible(tab == Keys);
        m_which->setVisible(tab == Conditions);
        setFocusProxy(&currentView());
        showCaption();
    });
}

void KeysPanel::buildConditions()
{
    m_which->setAccessibleName(QStringLiteral("Which table of servers and clients"));
    m_which->view()->setAccessibleName(m_which->accessibleName());
    m_which->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_which->setMinimumContentsLength(12);
    m_which->hide();
    addTool(m_which);
    connect(m_which, &QComboBox::currentIndexChanged, this, [this] {
        chooseConditions();
        showCaption();
    });
}

/// The table that was seen stays, where this run has it too.
void KeysPanel::setConditions()
{
    const QVariant before = m_which->currentData();
    const QSignalBlocker quiet(m_which);
    m_which->clear();
    for (const FigureTable& table : m_run->conditions) {
        m_which->addItem(words(table.caption), words(table.id));
    }
    m_which->setCurrentIndex(std::max(m_which->findData(before), m_which->count() > 0 ? 0 : -1));
    m_tabs->setTabVisible(Conditions, m_which->count() > 0);
    chooseConditions();
}

void KeysPanel::chooseConditions()
{
    const int which = m_which->currentIndex();
    m_others[Conditions - 1]->setTable(
        which < 0 ? FigureTable {} : m_run->conditions.at(static_cast<std::size_t>(which)));
    m_otherViews[Conditions - 1]->fitColumns();
}

void KeysPanel::showConditions(const std::string& table)
{
    m_which->setCurrentIndex(m_which->findData(words(table)));
    showTab(Conditions);
}

void KeysPanel::setRun(const std::string& store, const std::shared_ptr<const RunOverview>& run)
{
    m_run = run;
    m_isFitted = false;
    m_patience.stop();
    const QSignalBlocker quiet(m_filter);
    m_filter->clear();
    m_keys->setRun(store, run);
    m_others[0]->setTable(delaysTable(run->detail));
    m_others[1]->setTable(badLinesTable(*run));
    m_others[2]->setTable(notesTable(*run));
    m_others[Memory - 1]->setTable(run->states);
    setConditions();
    for (const Tab tab : {Delays, BadLines, Notes, Memory}) {
        m_otherViews.at(static_cast<std::size_t>(tab) - 1)->fitColumns(tab == BadLines ? 3 : 0);
    }
    m_tabs->setTabVisible(BadLines, m_others[1]->rowCount() > 0);
    m_tabs->setTabVisible(Notes, m_others[2]->rowCount() > 0);
    m_tabs->setTabVisible(Memory, m_others[Memory - 1]->rowCount() > 0);
    KeyChoice choice;
    m_view->horizontalHeader()->setSortIndicator(static_cast<int>(choice.column),
                                                 Qt::DescendingOrder);
    m_keys->choose(choice);
    showCaption();
}

void KeysPanel::setMoments(std::shared_ptr<const KeyMoments> moments)
{
    m_keys->setMoments(std::move(moments));
    m_isFitted = false;
    fitOnce();
}

void KeysPanel::setRange(std::shared_ptr<const RangeView> range)
{
    for (const KeyColumn column : {KeyColumn::Judged, KeyColumn::Share}) {
        m_view->setColumnHidden(static_cast<int>(column), range != nullptr);
    }
    m_keys->setRange(std::move(range));
}

void KeysPanel::setRule(std::optional<std::uint32_t> rule)
{
    KeyChoice choice = m_keys->choice();
    choice.rule = rule;
    m_keys->choose(choice);
    showTab(Keys);
}

void KeysPanel::sortBy(KeyColumn column)
{
    showTab(Keys);
    m_view->sortByColumn(static_cast<int>(column), Qt::DescendingOrder);
}

void KeysPanel::showTab(Tab tab)
{
    m_tabs->setCurrentIndex(tab);
}

void KeysPanel::focusFilter()
{
    showTab(Keys);
    m_filter->setFocus();
    m_filter->selectAll();
}

FigureView& KeysPanel::currentView() const
{
    const int tab = m_tabs->currentIndex();
    return tab == Keys ? *m_view : *m_otherViews.at(static_cast<std::size_t>(tab - 1));
}

std::function<engine::Result<FigureTable>()> KeysPanel::table() const
{
    const int tab = m_tabs->currentIndex();
    if (tab == Keys) {
        return m_keys->wholeTable();
    }
    return [table = m_others.at(static_cast<std::size_t>(tab - 1))->table()]()
               -> engine::Result<FigureTable> { return table; };
}

/// Widths from the first rows that came.
void KeysPanel::fitOnce()
{
    if (!m_isFitted && m_keys->rowCount() > 0 && !m_keys->index(0, 1).data().toString().isEmpty()) {
        m_isFitted = true;
        m_view->fitColumns(static_cast<int>(KeyColumn::Key));
    }
}

QString KeysPanel::keysCaption() const
{
    const auto rows = static_cast<std::uint64_t>(m_keys->rowCount());
    QString text;
    if (rows > 0) {
        const int first = std::max(m_view->rowAt(0), 0);
        const int below = m_view->rowAt(m_view->viewport()->height() - 1);
        const int last = below < 0 ? static_cast<int>(rows) - 1 : below;
        text = QStringLiteral("%1\u2013%2 of %3 denied")
                   .arg(countText(static_cast<std::uint64_t>(first) + 1),
                        countText(static_cast<std::uint64_t>(last) + 1), countText(rows));
    } else {
        text = m_keys->isBusy() ? QStringLiteral("counting") : QStringLiteral("none denied");
    }
    const std::optional<std::size_t> all = m_keys->unfiltered();
    if (!m_keys->choice().filter.isEmpty() && all) {
        text += QStringLiteral(", filtered from ") + countText(*all);
    }
    if (const std::optional<std::uint32_t> rule = m_keys->choice().rule) {
        text += QStringLiteral(", by ") + shown(m_run->detail.rules.at(*rule).rule, 60);
    }
    return text;
}

void KeysPanel::showCaption()
{
    if (!m_run) {
        return;
    }
    switch (m_tabs->currentIndex()) {
    case Keys:
        setCaption(keysCaption());
        break;
    case Delays:
        setCaption(m_others[0]->rowCount() == 0 ? QStringLiteral("no rule delays requests")
                                                : words(m_others[0]->table().remark));
        break;
    case BadLines:
        setCaption(plural(m_run->detail.recording ? m_run->detail.recording->badLines : 0,
                          QStringLiteral("line"), QStringLiteral("lines")));
        break;
    case Conditions:
        setCaption(conditionsCaption());
        break;
    case Memory:
        setCaption(m_run->detail.requestNs
                       ? QStringLiteral("at the end; a request took %1 ns")
                             .arg(countText(static_cast<std::uint64_t>(*m_run->detail.requestNs)))
                       : QStringLiteral("at the end"));
        break;
    default:
        setCaption(QString());
    }
}

/// What is left out of the table, and what has to be known of it.
QString KeysPanel::conditionsCaption() const
{
    const FigureTable& table = m_others[Conditions - 1]->table();
    QStringList parts {QStringLiteral("of the whole run")};
    if (table.more > 0) {
        parts << QStringLiteral("and %1 more").arg(countText(table.more));
    }
    if (!table.remark.empty()) {
        parts << words(table.remark);
    }
    return parts.join(QStringLiteral("; "));
}

/// Escape clears the filter, then goes back to the list, then to all rules.
bool KeysPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == m_view) {
        showCaption();
    }
    if (event->type() != QEvent::KeyPress) {
        return Panel::eventFilter(watched, event);
    }
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) {
        if (!m_filter->text().isEmpty()) {
            m_filter->clear();
        } else if (watched == m_filter) {
            m_view->setFocus();
        } else if (m_keys->choice().rule) {
            setRule(std::nullopt);
        } else {
            Q_EMIT escaped();
        }
        return true;
    }
    if (watched == m_filter
        && (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter)) {
        m_view->setFocus();
        m_view->setCurrentIndex(m_keys->index(0, 0));
        return true;
    }
    return Panel::eventFilter(watched, event);
}

} // namespace app::console
